// Money in and out of the platform on the report page, by currency.
import { negate, sum } from '../../base/money.ts';
import { barChart } from './charts.ts';
import {
  CHARTS_MAX,
  type FigurePlace,
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
