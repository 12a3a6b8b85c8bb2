// Money on the report page: balances, flows and fees, one currency at a time, because amounts of two currencies have no
// common scale.
import { negate, sum } from '../../base/money.ts';
import { barChart, levelChart } from './charts.ts';
import type { Money } from './money-facts.ts';
import type { Phrases } from './phrases.ts';
import { periodQuery } from './query.ts';
import { moreIn, type PageOf } from './section.ts';
import { amount, exact, figuresOf, tableOf, text } from './table.ts';
import { decimalsOf, fileLink, type Html, html, nameHtml } from './text.ts';

/** The most currencies with a chart, and with a row in a table; the others are in the files. */
const CHARTS_MAX = 12;
const ROWS_MAX = 60;

const isMoved = (figures: readonly string[]): boolean => figures.some((figure) => figure !== '0');

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

const feesOf = ({ fees }: Money): string => sum([...fees.values()].map(sum));

type FigurePlace = { readonly page: PageOf; readonly id: string };

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

/** An exact amount inside a sentence of text. */
const plain = ({ mark }: Phrases, exact: string): string => exact.replace('.', mark);

const tableWithQuery = (
  { facts, phrases }: PageOf,
  table: Parameters<typeof figuresOf>[1],
  query: Html | null,
): Html => {
  const unit = phrases.text(`unit.${facts.money.unit}`);
  return figuresOf(phrases.text('with.query', { unit }), { ...table, mark: phrases.mark }, query);
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

const spanOf = ({ facts, phrases }: PageOf): Html => {
  const { days, unit } = facts.money;
  return html`<p class="span" aria-hidden="true"><span>${phrases.day(days[0] ?? '', unit)}</span><span>${phrases.day(days.at(-1) ?? '', unit)}</span></p>`;
};

/** What entered and left the platform. Trades between currencies are not part of it. */
export const flowsSection = (page: PageOf): Html => {
  const { money } = page.facts;
  const { say } = page.phrases;
  const moving = money.currencies.filter((currency) => isMoved(currency.in) || isMoved(currency.out));
  const shown = moving.slice(0, CHARTS_MAX);
  return html`<section id="flows" aria-labelledby="flows-h">
<h2 id="flows-h">${say('flows')}</h2>
<p class="lead">${say('flows.lead', { file: fileLink('journal.csv') })}</p>
${
  moving.length === 0
    ? html`<p>${say('parties.none')}</p>`
    : html`<ul class="legend"><li class="in">${say('flows.up')}</li><li class="out">${say('flows.down')}</li></ul>
<div class="multiples">${shown.map((totals, i) => flowOf(totals, { page, id: `flow-${i}` }))}</div>
${flowsTable(page, moving)}${moreIn(page.phrases, moving.length - CHARTS_MAX, 'trial_balance.csv', 'more.currencies')}`
}
</section>`;
};

const flowOf = (totals: Money, { page, id }: FigurePlace): Html => {
  const { days, unit } = page.facts.money;
  const { say, text: word, amount: amountHtml } = page.phrases;
  const { currency } = totals;
  const [received, sent] = [sum(totals.in), sum(totals.out)];
  const unitName = word(`unit.${unit}`);
  const figures = { in: plain(page.phrases, received), out: plain(page.phrases, sent) };
  const chart = {
    id,
    title: word('flows.of', { currency }),
    desc: word('flows.desc', { ...figures, unit: unitName }),
  };
  const bars = days.map((_, i) => [totals.in[i] ?? '0', negate(totals.out[i] ?? '0')]);
  const table = {
    caption: word('flows.table', { currency, unit: unitName }),
    columns: [text(unitName), amount(word('step.in')), amount(word('step.out'))],
    rows: days.map((day, i) => [day, totals.in[i] ?? '0', totals.out[i] ?? '0']).filter(hasFigures),
  };
  return html`<figure><figcaption><b>${nameHtml(currency)}</b> <span class="pair">${say('step.in')} ${amountHtml(received)} <br>${say('step.out')} ${amountHtml(sent)}</span></figcaption>${barChart(chart, bars, { classes: ['in', 'out'] })}${spanOf(page)}
${tableWithQuery(page, table, periodQuery(page.manifest, currency, 'outside'))}</figure>\n`;
};

const hasFigures = ([, ...figures]: readonly string[]): boolean => isMoved(figures);

/** The figures per month: days grouped by the month in which they begin. */
const perMonth = (days: readonly string[], figures: readonly string[]): ReadonlyMap<string, string> => {
  const months = new Map<string, string>();
  for (const [i, day] of days.entries())
    months.set(day.slice(0, 7), sum([months.get(day.slice(0, 7)) ?? '0', figures[i] ?? '0']));
  return months;
};

const flowsTable = ({ facts, phrases }: PageOf, moving: readonly Money[]): Html => {
  const { days } = facts.money;
  const rows = moving.slice(0, ROWS_MAX).flatMap((totals) => {
    const sent = perMonth(days, totals.out);
    return [...perMonth(days, totals.in)]
      .map(([month, received]) => [nameHtml(totals.currency), month, received, sent.get(month) ?? '0'])
      .filter(([, , received, paid]) => received !== '0' || paid !== '0');
  });
  const { text: word, heading } = phrases;
  return tableOf({
    caption: word('flows.month'),
    columns: [
      text(heading('currency')),
      exact(word('month')),
      amount(word('step.in')),
      amount(word('step.out')),
    ],
    rows,
    mark: phrases.mark,
  });
};

/** Kinds of fees in the order of their colours; all others share the last colour. */
const KINDS = ['trading', 'network', 'teller'] as const;

/** Fees, by kind, currency and month. */
export const feesSection = (page: PageOf): Html => {
  const { facts, phrases } = page;
  const { say, word } = phrases;
  const paying = facts.money.currencies.filter(({ fees }) => [...fees.values()].some(isMoved));
  const shown = paying.slice(0, CHARTS_MAX);
  return html`<section id="fees" aria-labelledby="fees-h">
<h2 id="fees-h">${say('fees')}</h2>
<p class="lead">${say('fees.lead', { file: fileLink('fees.csv') })}</p>
${
  paying.length === 0
    ? html`<p>${say('paid.none')}</p>`
    : html`<ul class="legend">${KINDS.map((kind, i) => html`<li class="kind-${i}">${word('fee', kind)}</li>`)}<li class="kind-${KINDS.length}">${say('statement.other')}</li></ul>
<div class="multiples">${shown.map((totals, i) => feeOf(totals, { page, id: `fee-${i}` }))}</div>
${feeTable(page, paying)}${moreIn(phrases, paying.length - CHARTS_MAX, 'fees.csv', 'more.currencies')}`
}
</section>`;
};

const feeOf = (totals: Money, { page, id }: FigurePlace): Html => {
  const { phrases, facts, manifest } = page;
  const { days, unit } = facts.money;
  const { currency } = totals;
  const { text: word } = phrases;
  const others = [...totals.fees].filter(([kind]) => !KINDS.some((known) => known === kind));
  const bars = days.map((_, i) => [
    ...KINDS.map((kind) => totals.fees.get(kind)?.[i] ?? '0'),
    sum(others.map(([, figures]) => figures[i] ?? '0')),
  ]);
  const kinds = [...totals.fees];
  const total = feesOf(totals);
  const unitName = word(`unit.${unit}`);
  const chart = {
    id,
    title: word('fees.of', { currency }),
    desc: word('fees.desc', { total: plain(phrases, total), currency, unit: unitName }),
  };
  const classes = [...KINDS.keys(), KINDS.length].map((nth) => `kind-${nth}`);
  const table = {
    caption: word('fees.table', { currency, unit: unitName }),
    columns: [text(unitName), ...kinds.map(([kind]) => amount(phrases.word('fee', kind)))],
    rows: days.map((day, i) => [day, ...kinds.map(([, figures]) => figures[i] ?? '0')]).filter(hasFigures),
  };
  return html`<figure><figcaption><b>${nameHtml(currency)}</b> <span class="big">${phrases.amount(total)}</span></figcaption>${barChart(chart, bars, { classes })}${spanOf(page)}
${tableWithQuery(page, table, periodQuery(manifest, currency, 'fees'))}</figure>\n`;
};

const feeTable = ({ facts, phrases }: PageOf, paying: readonly Money[]): Html =>
  tableOf({
    caption: phrases.text('fees.month'),
    columns: [
      text(phrases.heading('currency')),
      text(phrases.text('kind')),
      exact(phrases.text('month')),
      amount(phrases.text('fees.column')),
    ],
    rows: paying
      .slice(0, ROWS_MAX)
      .flatMap((totals) =>
        [...totals.fees].flatMap(([kind, figures]) =>
          [...perMonth(facts.money.days, figures)].map(([month, paid]) => [
            nameHtml(totals.currency),
            phrases.word('fee', kind),
            month,
            paid,
          ]),
        ),
      )
      .filter(([, , , paid]) => paid !== '0'),
    mark: phrases.mark,
  });
