// Opening: what a run makes of the rows of a check. Each row opens, updates or reopens one break, with an event if its status or
// its difference changes. A check may find a row for every line of a bank's file, so breaks are read and written in batches.
import { type Kysely, type Selectable, sql } from 'kysely';
import { inBatches } from '../base/group.ts';
import { insertRows } from '../database/database.ts';
import type { DB, ReconcileBreaks } from '../database/db-types.ts';
import type { Run } from '../run/job-run.ts';
import { storeCandidates } from './candidates.ts';
import { type Candidate, placeOf, type ReasonParts } from './cause.ts';
import { breakId, type CheckRow } from './check-row.ts';
import { type BreakEvent, storeBreakEvents } from './events.ts';
import { onsetOf } from './onset.ts';

/** By account and currency: what may explain a difference, the likeliest first, and its reason in parts. */
export type Explanations = ReadonlyMap<
  string,
  { readonly candidates: readonly Candidate[]; readonly parts: ReasonParts | null }
>;

/** The rows of one check about one entity. */
export type RowsFound = {
  readonly entity: string;
  readonly check: string;
  readonly rows: readonly CheckRow[];
  readonly causes: Explanations;
};

const BATCH = 5_000;

/** Opens, updates or reopens the break of each row. If two rows have one subject, the later one counts. */
export const openBreaks = async (tx: Kysely<DB>, run: Run, found: RowsFound): Promise<void> => {
  for (const rows of inBatches(found.rows, BATCH)) await openBatch(tx, run, { ...found, rows });
};

const openBatch = async (tx: Kysely<DB>, run: Run, found: RowsFound): Promise<void> => {
  const { entity } = found;
  const wrongs = await identified(tx, found);
  const known = await knownBreaks(
    tx,
    entity,
    wrongs.map(({ id }) => id),
  );
  const { states, events } = decided(wrongs, known, run);
  await insertRows(
    tx,
    'reconcile.breaks',
    states.map(({ wrong, standing }) => rowOf(wrong, standing, { run, check: found.check })),
    REPLACED,
  );
  await storeBreakEvents(tx, run, events);
  const explained = wrongs.flatMap(({ id, candidates }) => (candidates ? [{ id, candidates }] : []));
  await storeCandidates(tx, run, { entity, explained });
};

/** A row with the id of its break, its reason in parts, its candidates, and when its difference arose. */
type Wrong = {
  readonly id: string;
  readonly row: CheckRow;
  readonly parts: string | null;
  readonly candidates: readonly Candidate[] | undefined;
  readonly onset: Awaited<ReturnType<typeof onsetOf>>;
};

const identified = async (tx: Kysely<DB>, { entity, check, rows, causes }: RowsFound): Promise<Wrong[]> => {
  const wrongs: Wrong[] = [];
  for (const row of rows) {
    const { candidates, parts = null } = causes.get(placeOf(row.account ?? '', row.currency ?? '')) ?? {};
    const onset = await onsetOf(tx, row, candidates?.[0]);
    const text = row.reason_parts ?? (parts && JSON.stringify(parts));
    wrongs.push({ id: breakId(entity, check, row.subject), row, parts: text, candidates, onset });
  }
  return wrongs;
};

/** What a comparison keeps of a break, or sets. */
type BreakStanding = Pick<
  Selectable<ReconcileBreaks>,
  'status' | 'since' | 'assigned_to' | 'explanation' | 'explained_by' | 'explained_records'
>;

type Known = BreakStanding & Pick<Selectable<ReconcileBreaks>, 'difference' | 'tied_run_id'>;

const knownBreaks = async (
  tx: Kysely<DB>,
  entity: string,
  ids: readonly string[],
): Promise<Map<string, Known>> => {
  const { rows } = await sql<Known & { break_id: string }>`
    select break_id, status, since, assigned_to, explanation, explained_by, explained_records, difference, tied_run_id
    from reconcile.breaks where entity_id = ${entity} and break_id = any (${ids}::text[])`.execute(tx);
  return new Map(rows.map(({ break_id, ...known }) => [break_id, known]));
};

type BreakState = { readonly wrong: Wrong; readonly standing: BreakStanding };

/** The new state of each break, and the events that led to it. */
const decided = (wrongs: readonly Wrong[], before: ReadonlyMap<string, Known>, run: Run) => {
  const known = new Map(before);
  const states = new Map<string, BreakState>();
  const events: BreakEvent[] = [];
  for (const wrong of wrongs) {
    const { id, row } = wrong;
    const { event, standing } = nextOf(known.get(id), run, row.difference);
    const reason = reasonOf(event, known.get(id), row);
    if (reason !== null)
      events.push({
        entity: row.entity_id,
        id,
        status: standing.status,
        difference: row.difference,
        reason,
      });
    known.set(id, { ...standing, difference: row.difference, tied_run_id: null });
    states.set(id, { wrong, standing });
  }
  return { states: [...states.values()], events };
};

/** Null if there is no event: the row is unchanged. */
const reasonOf = (
  event: string | null,
  known: Known | undefined,
  { difference, reason: found }: CheckRow,
): string | null => {
  if (event !== null) return `${event}: ${found}`;
  const reason = known?.difference === difference ? null : `the difference was ${known?.difference}`;
  return reason;
};

const NO_REASON = { explanation: null, explained_by: null, explained_records: null };

/**
 * The new state of a break that a comparison found. After a tie it starts anew: unassigned, and as old as this run. If
 * the difference changes, explanations and resolutions no longer apply, but the assignment stays.
 */
const nextOf = (
  known: Known | undefined,
  run: Run,
  difference: string | null,
): { readonly event: 'opened' | 'reopened' | null; readonly standing: BreakStanding } => {
  const anew = { status: 'open', since: run.startedAt, assigned_to: null, ...NO_REASON };
  if (known === undefined) return { event: 'opened', standing: anew };
  if (known.tied_run_id !== null) return { event: 'reopened', standing: anew };
  const isSame = known.difference === difference;
  const isKept =
    known.status !== 'resolved' && (isSame || known.status === 'open' || known.status === 'assigned');
  if (isKept) return { event: null, standing: known };
  if (isSame && known.explanation !== null)
    return { event: 'reopened', standing: { ...known, status: 'explained' } };
  const status = known.assigned_to === null ? 'open' : 'assigned';
  return { event: 'reopened', standing: { ...known, status, ...(isSame ? {} : NO_REASON) } };
};

const OPEN = { resolved_at: null, resolved_by: null, tied_run_id: null };

const rowOf = (
  { id, row: { since: _, reason_parts: __, ...wrong }, parts, onset }: Wrong,
  standing: BreakStanding,
  { run, check }: { readonly run: Run; readonly check: string },
) => ({
  ...wrong,
  reason_parts: parts,
  break_id: id,
  check_name: check,
  opened_at: run.startedAt,
  run_id: run.id,
  diverged_at: onset.at,
  diverged_after: onset.after,
  status: standing.status,
  since: standing.since,
  assigned_to: standing.assigned_to,
  explanation: standing.explanation,
  explained_by: standing.explained_by,
  explained_records: standing.explained_records,
  ...OPEN,
});

/** What changes in a break that is known: all but what it is about, and when it was first opened. */
const REPLACED = sql`on conflict (entity_id, break_id) do update set ${sql.join(
  [
    'status',
    'reported',
    'booked',
    'difference',
    'reason',
    'reason_parts',
    'run_id',
    'since',
    'diverged_at',
    'diverged_after',
    'assigned_to',
    'explanation',
    'explained_by',
    'explained_records',
    'resolved_at',
    'resolved_by',
    'tied_run_id',
  ].map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`),
)}`;
