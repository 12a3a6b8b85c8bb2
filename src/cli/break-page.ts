// The page of a break as text, most important facts first.
import { counted } from '../base/counted.ts';
import type { BlockedFunds, BookedRecord, BreakPage, Comparison, Standing } from '../breaks/break-page.ts';
import type { Divergence } from '../breaks/divergence.ts';
import { table } from './print.ts';
import { oneLine } from './table-layout.ts';

export const pageText = (page: BreakPage): string =>
  [headOf(page), ...(page.standing.account === null ? [] : [recordsOf(page)]), historyOf(page)].join('\n\n');

const headOf = ({ standing, check, last_tie, first_break, divergence, blocked }: BreakPage): string => {
  const isResolved = standing.status === 'resolved';
  const lines: [string, string | null][] = [
    ['check', check === null ? standing.check_name : `${standing.check_name}: ${check.title}`],
    ['reported', amount(standing.reported, standing)],
    ['booked', amount(standing.booked, standing)],
    ['difference', differenceOf(standing)],
    ['value', valueText(standing)],
    ['severity', isResolved ? null : severityOf(standing)],
    ['status', statusOf(standing)],
    [
      'since',
      `${standing.since}, ${days(standing.age_days)}${standing.opened_at === standing.since ? '' : `; first seen ${standing.opened_at}`}`,
    ],
    ...(standing.account === null
      ? []
      : ([[isResolved ? 'tie before' : 'last tie', tieOf(last_tie, standing)]] as [string, string][])),
    ['first break', first_break === null ? null : comparedOf(first_break, standing)],
    ['diverged', divergence === null ? null : divergedText(divergence)],
    ['blocked', isResolved || blocked === null ? null : blockedText(blocked, standing)],
    ['reason', standing.reason],
    ['explanation', explanationOf(standing)],
    ['to do', isResolved ? null : (check?.todo ?? null)],
  ];
  const shown = lines.flatMap(([name, text]) =>
    text === null ? [] : [`  ${name.padEnd(12)} ${oneLine(text)}`],
  );
  return [oneLine(`BREAK ${standing.break_id} of ${standing.entity_id}: ${standing.subject}`), ...shown].join(
    '\n',
  );
};

const days = (many: number): string => counted(many, 'day');

const amount = (text: string | null, { currency }: Standing): string | null =>
  text === null ? null : `${text} ${currency ?? ''}`.trim();

const differenceOf = (standing: Standing): string | null => {
  if (standing.difference === null) return null;
  const side = standing.difference.startsWith('-') ? 'booked exceeds reported' : 'reported exceeds booked';
  const remarks = [
    ...(standing.account === null ? [] : [side]),
    ...(standing.status === 'resolved' ? ['before it was resolved'] : []),
  ];
  return `${amount(standing.difference, standing)}${remarks.length === 0 ? '' : ` (${remarks.join(', ')})`}`;
};

const valueText = ({ value, currency, reporting_currency: reporting }: Standing): string => {
  if (value !== null) return `${value} ${reporting ?? ''}`.trim();
  return currency === null || reporting === null
    ? 'none: not an amount of money'
    : `unknown: no trade or rate prices ${currency} in ${reporting}`;
};

const severityOf = ({ severity, due_at: due, is_overdue }: Standing): string | null =>
  severity === null ? null : `${severity}, due ${due ?? 'never'}${is_overdue ? ': OVERDUE' : ''}`;

/** The status of a break; for a waived one with the month and the person. */
export const standsAs = (standing: Pick<Standing, 'status' | 'waived_for' | 'waived_by'>): string =>
  standing.waived_for === null
    ? standing.status
    : `${standing.status} for ${standing.waived_for} by ${standing.waived_by}`;

const statusOf = (standing: Standing): string => {
  const whose = standing.assigned_to === null ? '' : `, assigned to ${standing.assigned_to}`;
  if (standing.status !== 'resolved') return `${standsAs(standing)}${whose}`;
  if (standing.tied_run_id === null)
    return `resolved ${standing.resolved_at} by ${standing.resolved_by}: not confirmed by a comparison yet`;
  const who = standing.resolved_by === null ? '' : `by ${standing.resolved_by}, `;
  return `resolved ${standing.resolved_at}, ${who}confirmed by run ${standing.tied_run_id}`;
};

const comparedOf = ({ as_of, reported, booked, run_id }: Comparison, standing: Standing): string =>
  `balance of ${as_of}: reported ${amount(reported, standing) ?? 'nothing'}, booked ${amount(booked, standing)} (run ${run_id})`;

const tieOf = (tie: Comparison | null, standing: Standing): string =>
  tie === null ? 'none: it never tied' : comparedOf(tie, standing);

const NAMES_SHOWN = 5;

const divergedText = ({ after, until, records, record_names: names }: Divergence): string => {
  if (after === null) return `at or before the first balance read, of ${until}`;
  const shown = names.slice(0, NAMES_SHOWN);
  const more = records > shown.length ? `, and ${records - shown.length} more` : '';
  const inside = records === 0 ? 'no booked entry falls in between' : `${shown.join(', ')}${more}`;
  return `between the balances of ${after} and ${until}: ${inside}`;
};

const blockedText = (funds: BlockedFunds, standing: Standing): string => {
  const shown = (text: string | null) => text ?? 'unknown';
  const parts = [
    ['open orders', funds.in_orders],
    ['bots', funds.with_bots],
    ['payments that are not final', funds.in_payments],
    ['unexplained', funds.unexplained],
  ] as const;
  const filled = parts.filter(([, units]) => units !== '0').map(([name, units]) => `${name} ${shown(units)}`);
  const total = amount(funds.blocked, standing) ?? 'an unknown amount';
  return `${total} in the balance of ${funds.taken_at}${filled.length === 0 ? '' : `: ${filled.join(', ')}`}`;
};

const explanationOf = ({ explanation, explained_by, explained_records: records }: Standing): string | null =>
  explanation === null ? null : `${explanation} (${explained_by}${records === null ? '' : `; ${records}`})`;

const recordsOf = ({ records, records_total: total, last_tie }: BreakPage): string => {
  const from = last_tie === null ? 'from the beginning' : 'after the last tie';
  const many = total > records.length ? `the newest ${records.length} of ${total}` : `${total}`;
  const title = `BOOKED ON THE ACCOUNT ${from} to the first break: ${total === 0 ? 'nothing' : many}`;
  if (total === 0) return title;
  const cells = (record: BookedRecord) => [
    record.effective_at,
    record.kind,
    record.stream,
    record.record_id,
    record.amount,
    record.recorded_at,
  ];
  return `${title}\n${table(['effective at', 'kind', 'stream', 'record', 'amount', 'booked at'], records.map(cells))}`;
};

const historyOf = ({ history }: BreakPage): string => {
  const cells = history.map((event) => [
    event.changed_at,
    event.status,
    event.changed_by ?? 'a run',
    event.difference,
    event.reason,
  ]);
  return `HISTORY\n${table(['at', 'status', 'by', 'difference', 'what'], cells)}`;
};
