// Counterparties in money: who is on the other side of what entered and left; unknown ones in red, and by that word.

import { compare, negate, sign, subtract, sum } from '../../base/money.ts';
import { ownValue } from '../../base/own-value.ts';
import { type BarRow, barTable, splitBars } from './bars.ts';
import { byTurnover, knownSum, type Overview, stepOf } from './figures.ts';
import { known, type MoneyPage, money } from './money-page.ts';
import { commandOf } from './query.ts';
import type { ReportRow } from './rows.ts';
import { entityOf } from './section.ts';
import { amount, figuresOf, text } from './table.ts';
import { fileLink, type Html, html, namedHtml, nameHtml } from './text.ts';

/** The most counterparties with bars; the others of all types are one row. */
const BARS_MAX = 10;

export const partiesSection = (page: MoneyPage): Html => {
  const { overview, phrases, currency } = page;
  const { say, text: word } = phrases;
  const parties = [...overview.parties].sort(byTurnover);
  const unvalued = parties.reduce((total, row) => total + Number.parseInt(row.unvalued ?? '0', 10), 0);
  const file = fileLink('counterparties.csv');
  const heading = word('amount', { currency });
  return html`<section id="parties" aria-labelledby="parties-h">
<h2 id="parties-h">${say('parties')}</h2>
<p class="lead">${say('parties.lead', { currency, file })}</p>
${
  parties.length === 0
    ? html`<p>${say('parties.none')}</p>`
    : html`${unknownSentence(page)}
<div class="pair-of">${(['in', 'out'] as const).map((side) =>
        barTable({
          caption: word(`party.${side}`),
          columns: [word('party'), heading],
          rows: barsOf(page, parties, side),
        }),
      )}</div>
${unvalued === 0 ? null : html`<p>${say('parties.unvalued', { n: unvalued })}</p>`}
${partiesTable(page, parties)}`
}
</section>`;
};

const isUnknown = ({ counterparty_type: type }: ReportRow): boolean => type === 'unknown';

const unknownSentence = ({ overview, phrases, manifest }: MoneyPage): Html | null => {
  const unknown = overview.parties.filter(isUnknown);
  if (unknown.length === 0) return null;
  const total = (side: 'in' | 'out') => money(phrases, knownSum(unknown.map((row) => row[side] ?? null)));
  const values = { in: total('in'), out: total('out'), command: commandOf(manifest, 'counterparties list') };
  return html`<p class="late">${phrases.say('parties.unknown', values)}</p>`;
};

/** Bars of one side, the largest first; the rounding closes the sum to that of the accounts. */
const barsOf = (page: MoneyPage, parties: readonly ReportRow[], side: 'in' | 'out'): BarRow[] => {
  const { phrases, overview } = page;
  const moved = parties
    .filter((row) => sign(row[side] ?? '0') !== 0)
    .sort((a, b) => compare(b[side] ?? '0', a[side] ?? '0'));
  const bar = (label: Html, value: string | null, tone: BarRow['tone']): BarRow => ({
    label,
    from: '0',
    to: value ?? '0',
    tone,
    cells: [money(phrases, value)],
  });
  const { shown, others } = splitBars(moved, BARS_MAX);
  const total = totalOf(overview, side);
  const rest = subtract(total ?? '0', sum(moved.map((row) => row[side] ?? '0')));
  return [
    ...shown.map((row) => bar(nameOf(page, row), row[side] ?? '0', isUnknown(row) ? 'bad' : 'plain')),
    ...(others.length === 0
      ? []
      : [
          bar(
            phrases.say('other.n', { n: others.length }),
            sum(others.map((row) => row[side] ?? '0')),
            others.some(isUnknown) ? 'bad' : 'plain',
          ),
        ]),
    ...(sign(rest) === 0 ? [] : [bar(phrases.say('party.rounding'), rest, 'plain')]),
    bar(phrases.say('total'), total, 'total'),
  ];
};

/** What the accounts of the waterfall have: the counterparties and the cents that rounding each once leaves. */
const totalOf = (overview: Overview, side: 'in' | 'out'): string | null => {
  const step = stepOf(overview, side);
  return side === 'in' || step === null ? step : negate(step);
};

const CHANNELS: readonly string[] = ['bank', 'card', 'person', 'blockchain', 'platform'];

/** Names that the books give themselves, as phrases. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  'own wallet': 'party.own wallet',
  other: 'party.other',
  'other, person': 'party.other.person',
  'other, company': 'party.other.company',
};

/** The label or the name, or the type and the channel of one without either; several others are counted. */
const nameOf = (page: MoneyPage, row: ReportRow): Html => {
  const { say, word } = page.phrases;
  const { counterparty, counterparty_label: label, channel } = row;
  if (label) return namedHtml(label, counterparty);
  const own = ownValue(OWN_WORDS, counterparty ?? '');
  if (own !== undefined) return say(own);
  if (row.counterparty_type === 'own-entity') return entityOf(page, counterparty);
  if (counterparty) return nameHtml(word('counterparty', counterparty));
  const type = word('counterparty type', row.counterparty_type);
  if (!channel) return html`${type}: ${say('other.n', { n: Number.parseInt(row.parties ?? '1', 10) })}`;
  return html`${type}: ${CHANNELS.includes(channel) ? say(`channel.${channel}`) : channel}`;
};

const partiesTable = (page: MoneyPage, parties: readonly ReportRow[]): Html => {
  const { overview, phrases } = page;
  const { say, text: word } = phrases;
  const rest = (side: 'in' | 'out') =>
    subtract(totalOf(overview, side) ?? '0', sum(parties.map((row) => row[side] ?? '0')));
  return figuresOf(word('details', { what: word('parties') }), {
    caption: word('parties'),
    columns: [
      text(word('party')),
      text(word('party.type')),
      amount(word('party.in')),
      amount(word('party.out')),
    ],
    rows: [
      ...parties.map((row) => {
        const type = phrases.word('counterparty type', row.counterparty_type);
        return [
          nameOf(page, row),
          isUnknown(row) ? html`<b class="late">${type}</b>` : type,
          known(phrases, row.in),
          known(phrases, row.out),
        ];
      }),
      [say('party.rounding'), '', rest('in'), rest('out')],
      [say('total'), '', known(phrases, totalOf(overview, 'in')), known(phrases, totalOf(overview, 'out'))],
    ],
    mark: phrases.mark,
  });
};
