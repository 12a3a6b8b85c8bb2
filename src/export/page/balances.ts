// The balances of each currency on the report page.
import { negate, sum } from '../../base/money.ts';
import { levelChart } from './charts.ts';
import {
  CHARTS_MAX,
  type FigurePlace,
  feesOf,
  plain,
  ROWS_MAX,
  spanOf,
  tableWithQuery,
} from './currency-figure.ts';
import type { Money } from './money-facts.ts';
import type { Phrases } from './phrases.ts';
import { periodQuery } from './query.ts';
import { moreIn, type PageOf } from './section.ts';
import { amount, tableOf, text } from './table.ts';
import { decimalsOf, fileLink, type Html, html, nameHtml } from './text.ts';

/** The balances over the period, and how each opening leads to its closing. */
export const balancesSection = (page: PageOf): Html => {
  const { phrases, facts } = page;
  const { money, breaks } = facts;
  const broken = new Set(breaks.open.shown.map(({ currency }) => currency));
  const known = knownDays(page.facts);
  const card = (totals: Money, i: number) =>
    balanceOf(totals, { page, id: `bal-${i}`, known, isBroken: broken.has(totals.currency) });
  const others = money.currencies.slice(CHARTS_MAX, ROWS_MAX);
  const { text: word, heading } = phrases;
  return html`<section id="balances" aria-labelledby="balances-h">
<h2 id="balances-h">${phrases.say('balances')}</h2>
<p class="lead">${balancesLead(page, known)}</p>
<div class="multiples">${money.currencies.slice(0, CHARTS_MAX).map(card)}</div>
${
  others.length === 0
    ? null
    : tableOf({
        caption: word('balances.others'),
        columns: [text(heading('currency')), amount(heading('opening')), amount(heading('closing'))],
        rows: others.map(({ currency, opening, closing }) => [nameHtml(currency), opening, closing]),
        mark: phrases.mark,
      })
}
${moreIn(phrases, money.currencies.length - ROWS_MAX, 'trial_balance.csv', 'more.currencies')}
</section>`;
};

const balancesLead = ({ facts, phrases }: PageOf, known: number): Html => {
  const { unit, days } = facts.money;
  const { say, text: word, day } = phrases;
  const values = {
    unit: word(`unit.of.${unit}`),
    trial: fileLink('trial_balance.csv'),
    journal: fileLink('journal.csv'),
  };
  const until = { day: day(days[known - 1] ?? '', unit), unit: word(`unit.${unit}`) };
  return html`${say('balances.lead', values)}${known < days.length ? html` ${say('balances.until', until)}` : null}`;
};

/** How many of the days begin before the end of the coverage: later days are unknown. All days if they come from a seal. */
const knownDays = ({ coverage, seals, money }: PageOf['facts']): number => {
  const ends = coverage.flatMap(({ stream, read_to }) => (stream === null ? [] : [read_to ?? 'infinity']));
  const last = ends.sort().at(-1);
  if (last === undefined || seals.length > 0) return money.days.length;
  return Math.max(1, money.starts.filter((start) => start < last).length);
};

const balanceOf = (
  totals: Money,
  on: FigurePlace & { readonly known: number; readonly isBroken: boolean },
): Html => {
  const { page } = on;
  const { days, unit } = page.facts.money;
  const { say, text: word, amount: amountHtml } = page.phrases;
  const { currency } = totals;
  const [opening, closing] = [totals.opening, totals.closing].map((figure) => plain(page.phrases, figure));
  const ofUnit = word(`unit.of.${unit}`);
  const chart = {
    id: on.id,
    title: word('balances.of', { currency }),
    desc: word('balances.desc', { opening: opening ?? '', closing: closing ?? '', currency, unit: ofUnit }),
  };
  const table = {
    caption: word('balances.table', { currency, unit: ofUnit }),
    columns: [text(word(`unit.${unit}`)), amount(word('balances.column'))],
    rows: days.slice(0, on.known).map((day, i) => [day, totals.levels[i] ?? '0']),
  };
  const tag = on.isBroken ? html` <a class="tag open" href="#breaks">${say('balances.broken')}</a>` : null;
  return html`<figure><figcaption><b>${nameHtml(currency)}</b>${tag} <span class="big">${amountHtml(totals.closing)}</span></figcaption>${levelChart(chart, { levels: totals.levels, known: on.known })}${spanOf(page)}
${statementOf(page.phrases, totals)}
${tableWithQuery(page, table, periodQuery(page.manifest, currency, 'held'))}</figure>\n`;
};

/** How the opening leads to the closing; lines of zero are left out. */
const statementOf = ({ say, amount: amountHtml }: Phrases, totals: Money): Html => {
  const lines = [
    ['opening', 'step.opening', totals.opening] as const,
    ['in', 'step.in', sum(totals.in)] as const,
    ['out', 'step.out', negate(sum(totals.out))] as const,
    ['swapped', 'statement.swapped', totals.swapped] as const,
    ['rewards', 'step.rewards', totals.rewards] as const,
    ['tax', 'step.tax', negate(totals.withheld)] as const,
    ['fees', 'statement.fees', negate(feesOf(totals))] as const,
    ['other', 'statement.other', totals.other] as const,
    ['closing', 'step.closing', totals.closing] as const,
  ].filter(([line, , figure]) => figure !== '0' || line === 'opening' || line === 'closing');
  const decimals = Math.max(...lines.map(([, , figure]) => decimalsOf(figure)));
  return html`<dl class="statement">${lines.map(([line, name, figure]) => html`<div class="${line}"><dt>${say(name)}</dt><dd>${amountHtml(figure, { decimals })}</dd></div>\n`)}</dl>`;
};
