// The state of the close on the report page: who prepared, sealed and approved each month, and what was accepted as it is, in money.
import { sum, unsigned } from '../../base/money.ts';
import { type MoneyPage, money } from './money-page.ts';
import { commandOf } from './query.ts';
import type { ReportRow } from './rows.ts';
import { entityOf } from './section.ts';
import { exact, tableOf, text } from './table.ts';
import { type Html, html, instant, nameHtml } from './text.ts';

const ROWS_MAX = 24;

/** `isSealing`: the page is rendered for a seal that does not exist yet. */
export const closeSection = (page: MoneyPage, isSealing: boolean): Html => {
  const { facts, phrases, manifest } = page;
  const { say } = phrases;
  const states = facts.closeStates;
  const counted = (state: string) => states.filter((row) => row.state === state).length;
  const counts = {
    approved: counted('approved'),
    closed: counted('closed'),
    open: counted('open'),
    total: states.length,
  };
  return html`<section id="close" aria-labelledby="close-h">
<h2 id="close-h">${say('state')}</h2>
${
  isSealing
    ? html`<p>${say('state.sealing', { command: commandOf(manifest, 'approve') })}</p>`
    : html`<p class="lead">${say('state.lead', counts)}</p>`
}
<p>${acceptedOf(page)}</p>
${isSealing ? null : statesTable(page, states)}
</section>`;
};

/** The differences that people accepted: those waived for an open month, and those in the seal of a closed one. */
const acceptedOf = ({ facts, phrases, currency }: MoneyPage): Html => {
  const sealed = facts.seals.filter(({ break_id }) => break_id !== null);
  const n = facts.breaks.waived.total + sealed.length;
  if (n === 0) return phrases.say('state.accepted.none');
  const values = [
    ...sealed.flatMap(({ value }) => value ?? []),
    ...(facts.breaks.waived.value === null ? [] : [facts.breaks.waived.value]),
  ];
  const key = values.length === 0 ? 'state.accepted.unpriced' : 'state.accepted';
  return phrases.say(key, { n, currency, value: money(phrases, sum(values.map(unsigned))) });
};

const statesTable = (page: MoneyPage, states: readonly ReportRow[]): Html => {
  const { say, text: word } = page.phrases;
  const names = ['entity', 'month', 'state', 'prepared', 'sealed', 'approved.by'] as const;
  const none = html`<span class="none">–</span>`;
  const moment = (time: string | null | undefined) => (time ? instant(time) : none);
  const person = (name: string | null | undefined) => (name ? nameHtml(name) : none);
  return html`${tableOf({
    caption: word('state.caption'),
    columns: names.map((name) => (name === 'month' ? exact(word(name)) : text(word(`state.${name}`)))),
    rows: states
      .slice(0, ROWS_MAX)
      .map((row) => [
        entityOf(page, row.entity_id),
        row.month ?? '',
        say(`state.${row.state ?? 'open'}`),
        person(row.prepared_by),
        moment(row.sealed_at),
        person(row.approved_by),
      ]),
  })}${states.length <= ROWS_MAX ? null : html`<p class="more">${say('state.more', { n: states.length - ROWS_MAX })}</p>`}`;
};
