// Where the money is: market value by asset and by place, and what of it moves with a foreign rate.
import { negate, sign, subtract, sum, unsigned } from '../../base/money.ts';
import { type BarRow, barTable, splitBars } from './bars.ts';
import { type Overview, type Position, totalOf } from './figures.ts';
import { known, type MoneyPage, money } from './money-page.ts';
import { moreIn } from './section.ts';
import { amount, figuresOf, text } from './table.ts';
import { fileLink, type Html, html, nameHtml } from './text.ts';

/** The most bars of a kind, and the most rows of a table; the others are one bar, or in the files. */
const BARS_MAX = 8;
const ROWS_MAX = 60;

const HOLDINGS = fileLink('valuation.csv');

export const allocationSection = (page: MoneyPage): Html => {
  const { overview, phrases } = page;
  const { say, text: word } = phrases;
  const assets = overview.assets.closing;
  const columns = [word('amount', { currency: page.currency }), word('share')];
  const byAsset = barTable({
    caption: word('by.asset'),
    columns: [word('asset'), ...columns],
    rows: barsOf(page, assets, ({ name }) => nameHtml(name)),
  });
  const places = barsOf(page, overview.places, ({ name }) => say(`place.${name}`));
  return html`<section id="allocation" aria-labelledby="allocation-h">
<h2 id="allocation-h">${say('allocation')}</h2>
<p class="lead">${say('allocation.lead', { holdings: HOLDINGS })}</p>
<div class="pair-of">${byAsset}${barTable({ caption: word('by.place'), columns: [word('place'), ...columns], rows: places })}</div>
${assetTable(page, assets)}
${placeTable(page)}
</section>`;
};

/** A bar for each, the smaller ones as one, and the total. A position without a price has no bar. */
const barsOf = (
  page: MoneyPage,
  positions: readonly Position[],
  labelOf: (position: Position) => Html,
): BarRow[] => {
  const { phrases } = page;
  const priced = positions.filter(({ market }) => market !== null && sign(market) !== 0);
  const { shown, others } = splitBars(priced, BARS_MAX);
  const total = totalOf(positions, 'market');
  const bar = (label: Html, value: string | null, tone: BarRow['tone']): BarRow => ({
    label,
    from: '0',
    to: value ?? '0',
    tone,
    cells: [money(phrases, value), phrases.percent(value, total)],
  });
  return [
    ...shown.map((position) =>
      bar(labelOf(position), position.market ?? '0', sign(position.market ?? '0') < 0 ? 'down' : 'plain'),
    ),
    ...(others.length === 0
      ? []
      : [bar(phrases.say('other.n', { n: others.length }), totalOf(others, 'market'), 'plain')]),
    { ...bar(phrases.say('total'), total, 'total'), to: '0' },
  ];
};

const assetTable = (page: MoneyPage, assets: readonly Position[]): Html => {
  const word = page.phrases.text;
  const table = figuresOf(word('details', { what: word('by.asset') }), {
    caption: word('by.asset'),
    columns: [
      text(word('asset')),
      text(word('class')),
      ...['units', 'cost', 'market', 'unrealised'].map((name) => amount(word(name))),
    ],
    rows: assets
      .slice(0, ROWS_MAX)
      .map((asset) => [
        nameHtml(asset.name),
        page.phrases.word('asset class', asset.assetClass),
        asset.units,
        known(page.phrases, asset.cost),
        known(page.phrases, asset.market),
        known(page.phrases, asset.unrealised),
      ]),
    mark: page.phrases.mark,
  });
  return html`${table}${moreIn(page.phrases, assets.length - ROWS_MAX, 'valuation.csv')}`;
};

const placeTable = (page: MoneyPage): Html => {
  const word = page.phrases.text;
  return figuresOf(word('details', { what: word('by.place') }), {
    caption: word('by.place'),
    columns: [text(word('place')), amount(word('cost')), amount(word('market'))],
    rows: page.overview.places.map(({ name, cost, market }) => [
      page.phrases.say(`place.${name}`),
      known(page.phrases, cost),
      known(page.phrases, name === 'differences' ? '0' : market),
    ]),
    mark: page.phrases.mark,
  });
};

/** Held, owed and the rest of one currency, at market value. */
type Exposure = Position & { readonly owed: string; readonly net: string; readonly netUnits: string };

const exposuresOf = ({ assets, owed }: Overview): Exposure[] => {
  const names = [...new Set([...assets.closing, ...owed].map(({ name }) => name))];
  return names
    .map((name) => {
      const holding = assets.closing.find((asset) => asset.name === name);
      const debt = owed.find((asset) => asset.name === name);
      const either = holding ?? debt;
      const isUnknown =
        (holding !== undefined && holding.market === null) || (debt !== undefined && debt.market === null);
      const market = holding?.market ?? '0';
      return {
        name,
        assetClass: either?.assetClass ?? '',
        units: holding?.units ?? '0',
        cost: holding?.cost ?? null,
        unrealised: null,
        market: isUnknown ? null : market,
        owed: debt?.market ?? '0',
        net: sum([market, debt?.market ?? '0']),
        netUnits: sum([holding?.units ?? '0', debt?.units ?? '0']),
      };
    })
    .sort((a, b) => sign(subtract(unsigned(b.net), unsigned(a.net))) || (a.name < b.name ? -1 : 1));
};

/** What is held less what is owed, per currency: the reporting currency has no risk of its own rate. One without a price has no bar. */
export const exposureSection = (page: MoneyPage): Html | null => {
  const { overview, phrases, currency } = page;
  const { say, text: word, percent } = phrases;
  const all = exposuresOf(overview);
  if (all.length === 0) return null;
  const priced = all.filter(({ market }) => market !== null);
  const total = sum(priced.map(({ net }) => net));
  const foreign = sum(priced.filter(({ name }) => name !== currency).map(({ net }) => net));
  const columns = [word('asset'), word('amount', { currency }), word('share')];
  const bars = exposureBars(page, priced, total);
  return html`<section id="exposure" aria-labelledby="exposure-h">
<h2 id="exposure-h">${say('exposure')}</h2>
<p class="lead">${say('exposure.lead', { currency, share: percent(foreign, total) })}</p>
${priced.length === 0 ? null : html`<div class="pair-of">${barTable({ caption: word('by.asset'), columns, rows: bars })}${barTable({ caption: word('by.class'), columns: [word('class'), ...columns.slice(1)], rows: classBars(page, priced, total) })}</div>`}
${figuresOf(word('details', { what: word('exposure') }), {
  caption: word('exposure'),
  columns: [
    text(word('asset')),
    text(word('class')),
    amount(word('units')),
    amount(word('exposure.held')),
    amount(word('exposure.owed')),
    amount(word('exposure.net')),
  ],
  rows: all
    .slice(0, ROWS_MAX)
    .map((row) => [
      nameHtml(row.name),
      phrases.word('asset class', row.assetClass),
      row.netUnits,
      known(page.phrases, row.market),
      negate(row.owed),
      known(page.phrases, row.market === null ? null : row.net),
    ]),
  mark: phrases.mark,
})}${moreIn(page.phrases, all.length - ROWS_MAX, 'valuation.csv')}
</section>`;
};

const exposureBar = ({ phrases }: MoneyPage, label: Html, net: string, total: string): BarRow => ({
  label,
  from: '0',
  to: net,
  tone: sign(net) < 0 ? 'down' : 'plain',
  cells: [money(phrases, net), phrases.percent(net, total)],
});

const exposureBars = (page: MoneyPage, all: readonly Exposure[], total: string): BarRow[] => {
  const { shown, others } = splitBars(all, BARS_MAX);
  const rest = sum(others.map(({ net }) => net));
  return [
    ...shown.map(({ name, net }) => exposureBar(page, nameHtml(name), net, total)),
    ...(others.length === 0
      ? []
      : [exposureBar(page, page.phrases.say('other.n', { n: others.length }), rest, total)]),
  ];
};

const classBars = (page: MoneyPage, all: readonly Exposure[], total: string): BarRow[] =>
  [...new Set(all.map(({ assetClass }) => assetClass))].map((name) => {
    const net = sum(all.filter(({ assetClass }) => assetClass === name).map((row) => row.net));
    return exposureBar(page, html`${page.phrases.word('asset class', name)}`, net, total);
  });
