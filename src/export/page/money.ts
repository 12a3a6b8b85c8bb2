// Money on the report page: balances, flows and fees, one currency at a time, because amounts of two currencies have no
// common scale.
import { negate, sum } from '../../base/money.ts';
import { barChart, levelChart } from './charts.ts';
import type { Money, MoneyFacts } from './money-facts.ts';
import { periodQuery } from './query.ts';
import { amount, figuresOf, tableOf, text } from './table.ts';
import { dayName, decimalsOf, type Html, html, moreOf, nameHtml, quantity } from './text.ts';
import type { PageOf } from './verdict.ts';

/** The most currencies with a chart, and with a row in a table; the others are in the files. */
const CHARTS_MAX = 12;
const ROWS_MAX = 60;

const isMoved = (figures: readonly string[]): boolean => figures.some((figure) => figure !== '0');

/** The balances over the period, and how each opening leads to its closing. */
export const balancesSection = (page: PageOf): Html => {
  const { money, breaks } = page.facts;
  const broken = new Set(breaks.open.shown.map(({ currency }) => currency));
  const known = knownDays(page.facts);
  const card = (totals: Money, i: number) =>
    balanceOf(totals, { page, id: `bal-${i}`, known, isBroken: broken.has(totals.currency) });
  const others = money.currencies.slice(CHARTS_MAX, ROWS_MAX);
  return html`<section id="balances" aria-labelledby="balances-h">
<h2 id="balances-h">Balances</h2>
<p class="lead">Assets less liabilities at the end of each ${money.unit}, without withholding tax receivable, over all entities of this export. By account: <a href="trial_balance.csv">trial_balance.csv</a>; each posting: <a href="journal.csv">journal.csv</a>.${known < money.days.length ? html` The lines end on ${dayName(money.days[known - 1] ?? '', money.unit)}, the last ${money.unit} that was read.` : null}</p>
<div class="multiples">${money.currencies.slice(0, CHARTS_MAX).map(card)}</div>
${
  others.length === 0
    ? null
    : tableOf({
        caption: 'Other currencies: opening and closing balance',
        columns: [text('currency'), amount('opening'), amount('closing')],
        rows: others.map(({ currency, opening, closing }) => [nameHtml(currency), opening, closing]),
      })
}
${moreOf(money.currencies.length - ROWS_MAX, 'trial_balance.csv', ' currencies')}
</section>`;
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
  const { days, unit } = on.page.facts.money;
  const chart = {
    id: on.id,
    title: `${totals.currency} held`,
    desc: `From ${totals.opening} to ${totals.closing} ${totals.currency}, at the end of each ${unit}.`,
  };
  const perDay = days.slice(0, on.known).map((day, i) => [day, totals.levels[i] ?? '0']);
  return html`<figure><figcaption><b>${nameHtml(totals.currency)}</b>${on.isBroken ? html` <a class="tag open" href="#breaks">does not tie</a>` : null} <span class="big">${quantity(totals.closing)}</span></figcaption>${levelChart(chart, { levels: totals.levels, known: on.known })}${spanOf(days, unit)}
${statementOf(totals)}
${figuresOf(`By ${unit}, with the query`, { caption: `${totals.currency} held at the end of each ${unit}`, columns: [text(unit), amount('held')], rows: perDay }, periodQuery(on.page.manifest, totals.currency, 'held'))}</figure>\n`;
};

/** How the opening leads to the closing; lines of zero are left out. */
const statementOf = (totals: Money): Html => {
  const lines = [
    ['opening', totals.opening] as const,
    ['in', sum(totals.in)] as const,
    ['out', negate(sum(totals.out))] as const,
    ['swapped', totals.swapped] as const,
    ['rewards', totals.rewards] as const,
    ['tax withheld', negate(totals.withheld)] as const,
    ['fees', negate(feesOf(totals))] as const,
    ['other', totals.other] as const,
    ['closing', totals.closing] as const,
  ].filter(([name, figure]) => figure !== '0' || name === 'opening' || name === 'closing');
  const decimals = Math.max(...lines.map(([, figure]) => decimalsOf(figure)));
  return html`<dl class="statement">${lines.map(([name, figure]) => html`<div class="${name}"><dt>${name}</dt><dd>${quantity(figure, decimals)}</dd></div>\n`)}</dl>`;
};

const spanOf = (days: readonly string[], unit: 'day' | 'month'): Html =>
  html`<p class="span" aria-hidden="true"><span>${dayName(days[0] ?? '', unit)}</span><span>${dayName(days.at(-1) ?? '', unit)}</span></p>`;

/** What entered and left the platform. Trades between currencies are not part of it. */
export const flowsSection = (page: PageOf): Html => {
  const { money } = page.facts;
  const moving = money.currencies.filter((currency) => isMoved(currency.in) || isMoved(currency.out));
  const shown = moving.slice(0, CHARTS_MAX);
  return html`<section id="flows" aria-labelledby="flows-h">
<h2 id="flows-h">Money in and out</h2>
<p class="lead">Deposits from outside the platform and withdrawals to it, net of reversals. Trades and transfers between our own accounts are excluded. Each posting: accounts equity:external:* in <a href="journal.csv">journal.csv</a>.</p>
${
  moving.length === 0
    ? html`<p>No deposits or withdrawals.</p>`
    : html`<ul class="legend"><li class="in">in, upward</li><li class="out">out, downward</li></ul>
<div class="multiples">${shown.map((totals, i) => flowOf(totals, { page, id: `flow-${i}` }))}</div>
${monthTable(money, moving)}${moreOf(moving.length - CHARTS_MAX, 'trial_balance.csv', ' currencies')}`
}
</section>`;
};

const flowOf = (totals: Money, { page, id }: FigurePlace): Html => {
  const { days, unit } = page.facts.money;
  const [received, sent] = [sum(totals.in), sum(totals.out)];
  const chart = {
    id,
    title: `${totals.currency} in and out`,
    desc: `${received} in and ${sent} out, per ${unit}.`,
  };
  const bars = days.map((_, i) => [totals.in[i] ?? '0', negate(totals.out[i] ?? '0')]);
  return html`<figure><figcaption><b>${nameHtml(totals.currency)}</b> <span class="pair">in ${quantity(received)} <br>out ${quantity(sent)}</span></figcaption>${barChart(chart, bars, { classes: ['in', 'out'] })}${spanOf(days, unit)}
${figuresOf(
  `By ${unit}, with the query`,
  {
    caption: `${totals.currency} in and out per ${unit}; only ${unit}s with amounts`,
    columns: [text(unit), amount('in'), amount('out')],
    rows: days.map((day, i) => [day, totals.in[i] ?? '0', totals.out[i] ?? '0']).filter(hasFigures),
  },
  periodQuery(page.manifest, totals.currency, 'outside'),
)}</figure>\n`;
};

const hasFigures = ([, ...figures]: readonly string[]): boolean => isMoved(figures);

/** The figures per month: days grouped by the month in which they begin. */
const perMonth = (days: readonly string[], figures: readonly string[]): ReadonlyMap<string, string> => {
  const months = new Map<string, string>();
  for (const [i, day] of days.entries())
    months.set(day.slice(0, 7), sum([months.get(day.slice(0, 7)) ?? '0', figures[i] ?? '0']));
  return months;
};

const monthTable = ({ days }: MoneyFacts, moving: readonly Money[]): Html => {
  const rows = moving.slice(0, ROWS_MAX).flatMap((totals) => {
    const sent = perMonth(days, totals.out);
    return [...perMonth(days, totals.in)]
      .map(([month, received]) => [nameHtml(totals.currency), month, received, sent.get(month) ?? '0'])
      .filter(([, , received, paid]) => received !== '0' || paid !== '0');
  });
  return tableOf({
    caption: 'In and out per month',
    columns: [text('currency'), text('month'), amount('in'), amount('out')],
    rows,
  });
};

/** Kinds of fees in the order of their colours; all others share the last colour. */
const KINDS = ['trading', 'network', 'teller'] as const;

/** Fees, by kind, currency and month. */
export const feesSection = (page: PageOf): Html => {
  const { money } = page.facts;
  const paying = money.currencies.filter(({ fees }) => [...fees.values()].some(isMoved));
  const shown = paying.slice(0, CHARTS_MAX);
  return html`<section id="fees" aria-labelledby="fees-h">
<h2 id="fees-h">Fees</h2>
<p class="lead">Each fee with its record: <a href="fees.csv">fees.csv</a>.</p>
${
  paying.length === 0
    ? html`<p>No fees.</p>`
    : html`<ul class="legend"><li class="kind-0">trading</li><li class="kind-1">network</li><li class="kind-2">teller</li><li class="kind-3">other</li></ul>
<div class="multiples">${shown.map((totals, i) => feeOf(totals, { page, id: `fee-${i}` }))}</div>
${feeTable(money, paying)}${moreOf(paying.length - CHARTS_MAX, 'fees.csv', ' currencies')}`
}
</section>`;
};

const feeOf = (totals: Money, { page, id }: FigurePlace): Html => {
  const { days, unit } = page.facts.money;
  const others = [...totals.fees].filter(([kind]) => !KINDS.some((known) => known === kind));
  const bars = days.map((_, i) => [
    ...KINDS.map((kind) => totals.fees.get(kind)?.[i] ?? '0'),
    sum(others.map(([, figures]) => figures[i] ?? '0')),
  ]);
  const kinds = [...totals.fees];
  const total = feesOf(totals);
  const chart = {
    id,
    title: `Fees in ${totals.currency}`,
    desc: `${total} ${totals.currency} in all, per ${unit} and kind.`,
  };
  const classes = [...KINDS.keys(), KINDS.length].map((nth) => `kind-${nth}`);
  return html`<figure><figcaption><b>${nameHtml(totals.currency)}</b> <span class="big">${quantity(total)}</span></figcaption>${barChart(chart, bars, { classes })}${spanOf(days, unit)}
${figuresOf(
  `By ${unit}, with the query`,
  {
    caption: `Fees in ${totals.currency} per ${unit} and kind; only ${unit}s with amounts`,
    columns: [text(unit), ...kinds.map(([kind]) => amount(kind))],
    rows: days.map((day, i) => [day, ...kinds.map(([, figures]) => figures[i] ?? '0')]).filter(hasFigures),
  },
  periodQuery(page.manifest, totals.currency, 'fees'),
)}</figure>\n`;
};

const feeTable = ({ days }: MoneyFacts, paying: readonly Money[]): Html =>
  tableOf({
    caption: 'Fees per currency, kind and month',
    columns: [text('currency'), text('kind'), text('month'), amount('fees')],
    rows: paying
      .slice(0, ROWS_MAX)
      .flatMap((totals) =>
        [...totals.fees].flatMap(([kind, figures]) =>
          [...perMonth(days, figures)].map(([month, paid]) => [
            nameHtml(totals.currency),
            nameHtml(kind),
            month,
            paid,
          ]),
        ),
      )
      .filter(([, , , paid]) => paid !== '0'),
  });
