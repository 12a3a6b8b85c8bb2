// Fees on the report page in the currencies in which they were paid; paid.ts has them in money.
import { sum } from '../../base/money.ts';
import { barChart } from './charts.ts';
import {
  CHARTS_MAX,
  type FigurePlace,
  feesOf,
  hasFigures,
  isMoved,
  perMonth,
  plain,
  ROWS_MAX,
  spanOf,
  tableWithQuery,
} from './currency-figure.ts';
import type { Money } from './money-facts.ts';
import { periodQuery } from './query.ts';
import { moreIn, type PageOf } from './section.ts';
import { amount, exact, tableOf, text } from './table.ts';
import { fileLink, type Html, html, nameHtml } from './text.ts';

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
