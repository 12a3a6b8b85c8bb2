// Realised and unrealised by month: two small charts on one scale, so that a bar of one can be compared with a bar of the other.
import { compare } from '../../base/money.ts';
import { barChart } from './charts.ts';
import { known, type MoneyPage, money } from './money-page.ts';
import { inCents, type Phrases } from './phrases.ts';
import type { ReportRow } from './rows.ts';
import { amount, figuresOf, text } from './table.ts';
import { type Html, html } from './text.ts';

const SERIES = ['realised', 'unrealised'] as const;
type Series = (typeof SERIES)[number];

export const performanceSection = (page: MoneyPage): Html => {
  const { overview, phrases } = page;
  const { say, text: word } = phrases;
  const { months } = overview;
  if (months.length === 0) return sectionOf(page, html`<p>${say('performance.none')}</p>`);
  const scale = scaleOf(months);
  const [low = '0', high = '0'] = scale;
  const ends = { low: money(phrases, low), high: money(phrases, high), currency: page.currency };
  const lead =
    months.length === 1
      ? say('performance.lead.one', ends)
      : say('performance.lead', { ...ends, n: months.length });
  return sectionOf(
    page,
    html`<p class="lead">${lead}</p>
<div class="multiples">${SERIES.map((series) => chartOf(page, series, scale))}</div>
${figuresOf(word('details', { what: word('performance') }), {
  caption: word('performance'),
  columns: [
    text(word('month')),
    ...['realised', 'unrealised', 'cost', 'market'].map((name) => amount(word(name))),
  ],
  rows: months.map((row) => [
    row.month ?? '',
    known(phrases, row.realised),
    known(phrases, row.unrealised),
    known(phrases, row.cost),
    known(phrases, row.market),
  ]),
  mark: phrases.mark,
})}`,
  );
};

const sectionOf = (
  { phrases }: MoneyPage,
  body: Html,
): Html => html`<section id="performance" aria-labelledby="performance-h">
<h2 id="performance-h">${phrases.say('performance')}</h2>
${body}
</section>`;

const figuresIn = (months: readonly ReportRow[], series: Series): (string | null)[] =>
  months.map((row) => row[series] ?? null);

/** The least and the greatest of both series, and zero. */
const scaleOf = (months: readonly ReportRow[]): string[] => {
  const all = [
    '0',
    ...SERIES.flatMap((series) => figuresIn(months, series).flatMap((figure) => figure ?? [])),
  ].sort(compare);
  return [all[0] ?? '0', all.at(-1) ?? '0'];
};

const described = ({ mark, text: word }: Phrases, figure: string | null): string =>
  figure === null ? word('not.known') : inCents(figure).replace('.', mark);

const chartOf = ({ overview, phrases }: MoneyPage, series: Series, scale: readonly string[]): Html => {
  const { months } = overview;
  const figures = figuresIn(months, series);
  const [first = '', last = ''] = [months[0]?.month ?? '', months.at(-1)?.month ?? ''].map((month) =>
    phrases.day(month, 'month'),
  );
  const texts = months.map(
    ({ month }, i) => `${phrases.day(month ?? '', 'month')} ${described(phrases, figures[i] ?? null)}`,
  );
  const labels = months.map(({ month = '' }) => phrases.day(month ?? '', 'month').slice(0, -5));
  const chart = {
    id: `months-${series}`,
    title: phrases.text(`${series}.month`),
    desc: phrases.text('performance.desc', { first, last, figures: texts.join('; ') }),
  };
  return html`<figure><figcaption><b>${phrases.say(`${series}.month`)}</b> <span class="big">${money(phrases, figures.at(-1) ?? null, true)}</span></figcaption>${barChart(
    chart,
    figures.map((figure) => [figure ?? '0']),
    { classes: [series], scale, labels },
  )}</figure>\n`;
};
