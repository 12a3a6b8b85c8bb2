// Fees in money on the report page: what was paid for each kind, and what trades paid of their value.
import { sign } from '../../base/money.ts';
import { type BarRow, barTable } from './bars.ts';
import { knownSum } from './figures.ts';
import { known, type MoneyPage, money } from './money-page.ts';
import type { ReportRow } from './rows.ts';
import { amount, count, figuresOf, text } from './table.ts';
import { fileLink, type Html, html } from './text.ts';

const PARTS = ['in_cost', 'in_proceeds', 'expensed'] as const;

/** Null if there are only fees without a value. */
const paidIn = (row: ReportRow): string | null => knownSum(PARTS.map((part) => partOf(row, part)));

const partOf = (row: ReportRow, part: (typeof PARTS)[number]): string | null =>
  row.fees === row.unvalued && row.fees !== '0' ? null : (row[part] ?? '0');

type Paid = { readonly total: string | null; readonly trading: string | null };

/** All fees, and those of trades alone. */
export const paidOf = (fees: readonly ReportRow[]): Paid => ({
  total: knownSum(fees.map(paidIn)),
  trading: knownSum(fees.filter(({ fee }) => fee === 'trading').map(paidIn)),
});

export const paidSection = (page: MoneyPage): Html => {
  const { overview, phrases } = page;
  const { say, text: word } = phrases;
  const unvalued = overview.fees.reduce((total, row) => total + Number.parseInt(row.unvalued ?? '0', 10), 0);
  const conversions = fileLink('conversions.csv');
  return html`<section id="paid" aria-labelledby="paid-h">
<h2 id="paid-h">${say('paid')}</h2>
<p class="lead">${say('paid.lead', { conversions })}</p>
${
  overview.fees.length === 0
    ? html`<p>${say('paid.none')}</p>`
    : html`${barTable({ caption: word('paid'), isTitled: true, columns: [word('kind'), word('amount', { currency: page.currency })], rows: barsOf(page) })}
${ratesOf(page)}
${unvalued === 0 ? null : html`<p>${say('paid.unvalued', { n: unvalued })}</p>`}
${partsTable(page)}`
}
</section>`;
};

const barsOf = (page: MoneyPage): BarRow[] => {
  const { overview, phrases } = page;
  const bars = overview.fees.map((row) => {
    const paid = paidIn(row);
    const tone = sign(paid ?? '0') < 0 ? ('down' as const) : ('plain' as const);
    return {
      label: phrases.word('fee', row.fee),
      from: '0',
      to: paid ?? '0',
      tone,
      cells: [money(phrases, paid)],
    };
  });
  const { total } = paidOf(overview.fees);
  return [
    ...bars,
    {
      label: phrases.say('total'),
      from: '0',
      to: total ?? '0',
      tone: 'total',
      cells: [money(phrases, total)],
    },
  ];
};

const ratesOf = ({ overview, phrases, currency }: MoneyPage): Html => {
  const { say, percent } = phrases;
  const paid = paidOf(overview.fees);
  return html`<dl class="rates"><div><dt>${say('volume')}</dt><dd>${money(phrases, overview.volume)} ${currency}</dd></div>
<div><dt>${say('rate.trading')}</dt><dd>${percent(paid.trading, overview.volume, 3)}</dd></div></dl>`;
};

const partsTable = (page: MoneyPage): Html => {
  const { overview, phrases } = page;
  const word = phrases.text;
  return figuresOf(word('details', { what: word('paid') }), {
    caption: word('paid'),
    columns: [
      text(word('kind')),
      amount(word('in.cost')),
      amount(word('in.proceeds')),
      amount(word('expensed')),
      amount(word('paid.all')),
      count(word('records')),
    ],
    rows: overview.fees.map((row) => [
      phrases.word('fee', row.fee),
      ...PARTS.map((part) => known(phrases, partOf(row, part))),
      known(phrases, paidIn(row)),
      phrases.count(Number.parseInt(row.fees ?? '0', 10)),
    ]),
    mark: phrases.mark,
  });
};
