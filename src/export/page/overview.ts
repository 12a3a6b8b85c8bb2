// The top of the page, for whoever answers for the money: market value, cost, gains and fees of the period with their change, and
// what led from the opening to the closing of the holdings.
import { sign, sum } from '../../base/money.ts';
import { type BarRow, barTable } from './bars.ts';
import { changeOf, type Overview, stepOf, totalOf } from './figures.ts';
import { known, type MoneyPage, money } from './money-page.ts';
import { paidOf } from './paid.ts';
import type { Phrases } from './phrases.ts';
import { amount, figuresOf, text } from './table.ts';
import { fileLink, type Html, html } from './text.ts';

const FINDINGS = fileLink('value_findings.csv');

export const overviewSection = (page: MoneyPage): Html => {
  const { overview, phrases, currency } = page;
  const { say } = phrases;
  const notes = [
    overview.unpriced > 0 ? say('overview.unpriced', { n: overview.unpriced }) : null,
    overview.unvalued > 0 ? say('overview.unvalued', { n: overview.unvalued, file: FINDINGS }) : null,
    overview.hasOthers ? say('overview.others') : null,
  ].filter((note) => note !== null);
  const links = {
    currency,
    appendix: html`<a href="#appendix">${say('overview.appendix')}</a>`,
    json: fileLink('report.json'),
  };
  return html`<section id="overview" aria-labelledby="overview-h">
<h2 id="overview-h">${say('overview')}</h2>
<p class="lead">${say('overview.lead', links)}</p>
${page.standing}
${tiles(page)}
${notes.length === 0 ? null : html`<ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul>`}
${waterfall(page)}
</section>`;
};

const tiles = ({ overview, phrases }: MoneyPage): Html => {
  const { say, percent } = phrases;
  const changing = (figure: 'market' | 'cost' | 'unrealised'): Html => {
    const change = changeOf(overview, figure);
    const before = totalOf(overview.assets.opening, figure);
    const share =
      figure === 'unrealised' || sign(before ?? '0') <= 0 ? null : html` (${percent(change, before)})`;
    return html`${money(phrases, change, true)}${share} ${say('change')}`;
  };
  const tileOf = (figure: 'market' | 'cost' | 'unrealised') => [
    say(figure),
    money(phrases, totalOf(overview.assets.closing, figure), figure === 'unrealised'),
    changing(figure),
  ];
  const paid = paidOf(overview.fees);
  const rate = say('fees.rate.short', { rate: percent(paid.trading, overview.volume, 3) });
  const shown = [
    tileOf('market'),
    tileOf('cost'),
    tileOf('unrealised'),
    [say('gains.realised'), money(phrases, stepOf(overview, 'gains'), true), say('in.period')],
    [say('rewards'), money(phrases, stepOf(overview, 'rewards'), true), say('in.period')],
    [say('fees.paid'), money(phrases, paid.total), rate],
  ];
  return html`<dl class="heads">${shown.map(([name, figure, note]) => html`<div><dt>${name}</dt><dd><b>${figure}</b><span>${note}</span></dd></div>\n`)}</dl>`;
};

/** The steps in order, with the accounts of the trial balance behind each. */
export const STEPS = [
  ['opening', 'assets:* − assets:tax-withheld'],
  ['late', 'prior_period_value'],
  ['opened', 'equity:opening'],
  ['in', 'equity:external:*, credit_value'],
  ['out', 'equity:external:*, debit_value'],
  ['advances', 'liabilities:*'],
  ['gains', 'income:gains:*, expenses:losses:*'],
  ['rewards', 'income:* − income:gains:*'],
  ['tax', 'assets:tax-withheld'],
  ['fees', 'expenses:fees:*'],
  ['other', 'expenses:rounding, rounding_value'],
  ['unvalued', 'missing_value'],
  ['closing', 'assets:* − assets:tax-withheld'],
] as const;

const ENDS: readonly string[] = ['opening', 'closing'];

/** Steps that every reader looks for, even if nothing happened. */
const ALWAYS: readonly string[] = [...ENDS, 'in', 'out', 'gains', 'rewards', 'fees'];

const waterfall = ({ overview, phrases, currency }: MoneyPage): Html => {
  const { say, text: word } = phrases;
  const shown = STEPS.filter(([name]) => ALWAYS.includes(name) || sign(stepOf(overview, name) ?? '0') !== 0);
  const heading = word('amount', { currency });
  const links = {
    trial: fileLink('trial_balance.csv'),
    holdings: fileLink('valuation.csv'),
  };
  return html`<h3 id="waterfall">${say('waterfall')}</h3>
<p class="lead">${say('waterfall.lead', links)}</p>
${barTable({
  caption: word('waterfall'),
  isTitled: true,
  columns: [word('step'), heading],
  rows: barsOf(
    overview,
    shown.map(([name]) => name),
    phrases,
  ),
})}
${figuresOf(word('details', { what: word('waterfall') }), {
  caption: word('waterfall'),
  columns: [text(word('step')), amount(heading), text(word('accounts'))],
  rows: shown.map(([name, accounts]) => [
    say(`step.${name}`),
    known(phrases, stepOf(overview, name)),
    html`<code>${accounts}</code>`,
  ]),
  mark: phrases.mark,
})}`;
};

/** Each step begins where the one before ended; opening and closing begin at zero. */
const barsOf = (overview: Overview, names: readonly string[], phrases: Phrases): BarRow[] => {
  let level = '0';
  return names.map((name) => {
    const step = stepOf(overview, name);
    const value = step ?? '0';
    const from = ENDS.includes(name) ? '0' : level;
    level = ENDS.includes(name) ? value : sum([level, value]);
    return {
      label: phrases.say(`step.${name}`),
      from,
      to: level,
      tone: ENDS.includes(name) ? 'total' : sign(value) < 0 ? 'down' : 'up',
      cells: [money(phrases, step, !ENDS.includes(name))],
    };
  });
};
