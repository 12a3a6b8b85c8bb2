// The page of a break as text: what an accountant asks first stands first.
import { counted } from '../base/counted.ts';
import type { Around, BreakPage, Compared, Standing } from '../breaks/break-page.ts';
import type { Divergence } from '../breaks/divergence.ts';
import { oneLine, table } from './print.ts';

/** The whole page. */
export const pageText = (page: BreakPage): string =>
  [headOf(page), ...(page.standing.account === null ? [] : [recordsOf(page)]), historyOf(page)].join('\n\n');

const headOf = ({ standing: it, check, last_tie, first_break, divergence }: BreakPage): string => {
  const lines: [string, string | null][] = [
    ['check', check === null ? it.check_name : `${it.check_name}: ${check.title}`],
    ['reported', amount(it.reported, it)],
    ['booked', amount(it.booked, it)],
    ['difference', differenceOf(it)],
    ['value', worthOf(it)],
    ['severity', severityOf(it)],
    ['status', statusOf(it)],
    [
      'since',
      `${it.since}, ${days(it.age_days)}${it.opened_at === it.since ? '' : `; first seen ${it.opened_at}`}`,
    ],
    ...(it.account === null ? [] : ([['last tie', tieOf(last_tie, it)]] as [string, string][])),
    ['first break', first_break === null ? null : comparedOf(first_break, it)],
    ['diverged', divergence === null ? null : partedOf(divergence)],
    ['reason', it.reason],
    ['explanation', explanationOf(it)],
    ['to do', check?.todo ?? null],
  ];
  const shown = lines.flatMap(([name, text]) =>
    text === null ? [] : [`  ${name.padEnd(12)} ${oneLine(text)}`],
  );
  return [oneLine(`BREAK ${it.break_id} of ${it.entity_id}: ${it.subject}`), ...shown].join('\n');
};

const days = (many: number): string => counted(many, 'day');

const amount = (text: string | null, { currency }: Standing): string | null =>
  text === null ? null : `${text} ${currency ?? ''}`.trim();

const differenceOf = (it: Standing): string | null => {
  if (it.difference === null) return null;
  const side = it.difference.startsWith('-') ? 'booked exceeds reported' : 'reported exceeds booked';
  return `${amount(it.difference, it)}${it.account === null ? '' : ` (${side})`}`;
};

const worthOf = ({ value, currency, reporting_currency: reporting }: Standing): string => {
  if (value !== null) return `${value} ${reporting ?? ''}`.trim();
  return currency === null || reporting === null
    ? 'none: not an amount of money'
    : `unknown: no trade or rate prices ${currency} in ${reporting}`;
};

const severityOf = ({ severity, due_at: due, is_overdue }: Standing): string | null =>
  severity === null ? null : `${severity}, due ${due ?? 'never'}${is_overdue ? ': OVERDUE' : ''}`;

/** The status of a break; of one that is waived, for which month and by whom. */
export const standsAs = (it: Pick<Standing, 'status' | 'waived_for' | 'waived_by'>): string =>
  it.waived_for === null ? it.status : `${it.status} for ${it.waived_for} by ${it.waived_by}`;

const statusOf = (it: Standing): string => {
  const whose = it.assigned_to === null ? '' : `, assigned to ${it.assigned_to}`;
  if (it.status !== 'resolved') return `${standsAs(it)}${whose}`;
  if (it.tied_run_id === null)
    return `resolved ${it.resolved_at} by ${it.resolved_by}: not confirmed by a comparison yet`;
  const who = it.resolved_by === null ? '' : `by ${it.resolved_by}, `;
  return `resolved ${it.resolved_at}, ${who}confirmed by run ${it.tied_run_id}`;
};

const comparedOf = ({ as_of, reported, booked, run_id }: Compared, it: Standing): string =>
  `balance of ${as_of}: reported ${amount(reported, it) ?? 'nothing'}, booked ${amount(booked, it)} (run ${run_id})`;

const tieOf = (tie: Compared | null, it: Standing): string =>
  tie === null ? 'none: it never tied' : comparedOf(tie, it);

const NAMES_SHOWN = 5;

const partedOf = ({ after, until, records, record_names: names }: Divergence): string => {
  if (after === null) return `at or before the first balance read, of ${until}`;
  const shown = names.slice(0, NAMES_SHOWN);
  const more = records > shown.length ? `, and ${records - shown.length} more` : '';
  const inside = records === 0 ? 'no booked entry falls in between' : `${shown.join(', ')}${more}`;
  return `between the balances of ${after} and ${until}: ${inside}`;
};

const explanationOf = ({ explanation, explained_by, explained_records: records }: Standing): string | null =>
  explanation === null ? null : `${explanation} (${explained_by}${records === null ? '' : `; ${records}`})`;

const recordsOf = ({ records, records_total: total, last_tie }: BreakPage): string => {
  const from = last_tie === null ? 'from the beginning' : 'after the last tie';
  const many = total > records.length ? `the newest ${records.length} of ${total}` : `${total}`;
  const title = `BOOKED ON THE ACCOUNT ${from} to the first break: ${total === 0 ? 'nothing' : many}`;
  if (total === 0) return title;
  const cells = (it: Around) => [
    it.effective_at,
    it.kind,
    it.stream,
    it.record_id,
    it.amount,
    it.recorded_at,
  ];
  return `${title}\n${table(['effective at', 'kind', 'stream', 'record', 'amount', 'booked at'], records.map(cells))}`;
};

const historyOf = ({ history }: BreakPage): string => {
  const cells = history.map((it) => [it.at, it.status, it.by_name ?? 'a run', it.difference, it.reason]);
  return `HISTORY\n${table(['at', 'status', 'by', 'difference', 'what'], cells)}`;
};
