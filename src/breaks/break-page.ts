// The page of a break, as an accountant would ask for it: reported and booked amount, since when, the last tie, the
// entries on the account from there to the first broken comparison, and the break's history.
import { type Kysely, type Selectable, sql } from 'kysely';
import { loadSql, readRows, readSql, sqlPaths } from '../database/database.ts';
import type { DB, ReconcileBreaks } from '../database/db-types.ts';
import type { ViewRow } from '../database/view-row.ts';
import { type Divergence, firstDivergence } from './divergence.ts';
import type { FoundBreak } from './life.ts';

/** The break, with the columns of `books.breaks`. Amounts are exact text. */
export type Standing = Omit<
  Selectable<ReconcileBreaks>,
  'explained_records' | 'run_id' | 'diverged_at' | 'diverged_after' | 'position'
> & {
  readonly explained_records: string | null;
  readonly value: string | null;
  readonly reporting_currency: string | null;
  readonly severity: string | null;
  readonly due_at: string | null;
  readonly is_overdue: boolean;
  /** When a run found it, or found it again after a tie; `since` is when books and gateway diverged. */
  readonly found_at: string;
  readonly age_days: number;
  /** Of the last waiver at the current difference: the month, and who waived. */
  readonly waived_for: string | null;
  readonly waived_by: string | null;
};

/** One comparison of the account with the gateway's balance. */
export type Comparison = ViewRow<'books.tie_outs', 'run_id' | 'as_of' | 'booked', 'reported'>;

/**
 * An entry's effect on the account, summed over its legs. `recorded_at`: when it was booked, between the two comparisons.
 */
export type BookedRecord = ViewRow<
  'books.postings',
  'effective_at' | 'recorded_at' | 'stream' | 'record_id' | 'kind' | 'amount'
>;

type HistoryRow = ViewRow<
  'books.break_events',
  'changed_at' | 'status' | 'reason',
  'changed_by' | 'difference' | 'run_id'
>;

/** What blocks funds of the account, in its last reading. Null amounts are not known. */
export type BlockedFunds = ViewRow<
  'books.blocked_balances',
  'taken_at',
  'blocked' | 'in_orders' | 'with_bots' | 'in_payments' | 'unexplained'
>;

export type BreakPage = {
  readonly standing: Standing;
  /** The check's title, and what to do about a row that it returns. */
  readonly check: { readonly title: string; readonly todo: string } | null;
  /** Null if the account did not tie before the break, or the break has no account. */
  readonly last_tie: Comparison | null;
  readonly first_break: Comparison | null;
  /** Where today's books diverge from the reported balances; null if they tie by now, or the break has no account. */
  readonly divergence: Divergence | null;
  /** Null if nothing is blocked. */
  readonly blocked: BlockedFunds | null;
  /** Newest first, at most `RECORDS_MAX` of `records_total`. */
  readonly records: readonly BookedRecord[];
  readonly records_total: number;
  readonly history: readonly HistoryRow[];
};

/** Reads the page of a break. */
export const pageOf = async (db: Kysely<DB>, found: FoundBreak): Promise<BreakPage> => {
  const standing = await standingOf(db, found);
  const began = await firstBreakOf(db, found);
  const last = await comparisonOf(db, standing, { began, isBefore: true });
  const first = await comparisonOf(db, standing, { began, isBefore: false });
  const { records, total } = await recordsAround(db, standing, { last, first });
  return {
    standing,
    check: checkOf(standing.check_name),
    last_tie: last,
    first_break: first,
    divergence: await divergenceOf(db, standing),
    blocked: await blockedOf(db, standing),
    records,
    records_total: total,
    history: await historyOf(db, standing),
  };
};

const standingOf = async (db: Kysely<DB>, { entity_id, break_id }: FoundBreak): Promise<Standing> => {
  const { rows } = await sql<Standing>`
    select b.break_id, b.entity_id, b.check_name, b.subject, b.account, b.currency, trim_scale(b.reported)::text as reported,
      trim_scale(b.booked)::text as booked, trim_scale(b.difference)::text as difference, round(b.value, 2)::text as value,
      n.currency as reporting_currency, b.severity, b.due_at, coalesce(b.due_at < coalesce(b.resolved_at, now()), false) as is_overdue,
      b.since, b.found_at, b.age_days, b.opened_at, b.status, b.assigned_to, b.reason, b.explanation, b.explained_by, b.explained_records,
      b.resolved_at, b.resolved_by, b.tied_run_id, w.period as waived_for, w.prepared_by as waived_by
    from books.breaks b
    left join books.entities n using (entity_id)
    left join books_internal.standing_waivers w on b.status = 'waived' and (w.entity_id, w.break_id) = (b.entity_id, b.break_id)
    where b.entity_id = ${entity_id} and b.break_id = ${break_id}`.execute(db);
  const [standing] = rows;
  if (!standing) throw new Error(`break ${break_id} not found (breaks are never deleted)`);
  return standing;
};

const checkOf = (name: string): BreakPage['check'] => {
  const path = `checks/${name}.sql`;
  if (!sqlPaths('checks').includes(path)) return null; // the check belongs to another version of tieout
  const { title, todo } = readSql(path);
  return { title, todo: todo ?? '' };
};

/** The number of the run that found a break, or found it again after a tie: run numbers give the order, clocks do not. */
const firstBreakOf = async (db: Kysely<DB>, { entity_id, break_id }: FoundBreak): Promise<string | null> => {
  const { rows } = await sql<{ run_number: string }>`
    select r.run_number
    from (
      select run_id, event_id, status, lag(status) over life as status_before, lag(changed_by) over life as by_before
      from books.break_events
      where entity_id = ${entity_id} and break_id = ${break_id}
      window life as (order by event_id)
    ) as event
    join books.runs r using (run_id)
    where status <> 'resolved' and (status_before is null or (status_before = 'resolved' and by_before is null))
    order by event_id desc limit 1`.execute(db);
  return rows[0]?.run_number ?? null;
};

/** The last comparison that tied before the run in which the break began, or the first broken one from that run on. */
const comparisonOf = async (
  db: Kysely<DB>,
  { entity_id, account, currency }: Standing,
  { began, isBefore }: { readonly began: string | null; readonly isBefore: boolean },
): Promise<Comparison | null> => {
  if (account === null || currency === null) return null;
  const { rows } = await sql<Comparison>`
    select t.run_id, t.as_of, trim_scale(t.reported)::text as reported, trim_scale(t.booked)::text as booked
    from books.tie_outs t
    join books.runs r using (run_id)
    where t.entity_id = ${entity_id} and t.account = ${account} and t.currency = ${currency}
      and t.status = ${isBefore ? 'tied' : 'break'} and (r.run_number < ${began}::bigint) = ${isBefore}
    order by case when ${isBefore}::bool then r.run_number end desc, r.run_number
    limit 1`.execute(db);
  return rows[0] ?? null;
};

const divergenceOf = (db: Kysely<DB>, { entity_id, account, currency }: Standing) =>
  account === null || currency === null ? null : firstDivergence(db, { entity_id, account, currency });

const blockedOf = async (
  db: Kysely<DB>,
  { entity_id, account, currency }: Standing,
): Promise<BlockedFunds | null> => {
  if (account === null || currency === null) return null;
  const { rows } = await sql<BlockedFunds>`
    select taken_at, blocked::text, in_orders::text, with_bots::text, in_payments::text, unexplained::text
    from books.blocked_balances
    where (entity_id, account, currency) = (${entity_id}, ${account}, ${currency})`.execute(db);
  return rows[0] ?? null;
};

const RECORDS_MAX = 20;

type Ends = { readonly last: Comparison | null; readonly first: Comparison | null };

/**
 * The entries on the account from the runs after the last tie up to the run of the first break: exactly what changed its
 * booked balance between the two, late records included. Selected by entry number, so no history is read.
 */
const recordsAround = async (
  db: Kysely<DB>,
  { entity_id: entity, account, currency }: Standing,
  { last, first }: Ends,
): Promise<{ records: BookedRecord[]; total: number }> => {
  if (account === null || currency === null || first === null) return { records: [], total: 0 };
  const rows = await readRows<BookedRecord & { total: number }>(
    db,
    loadSql('breaks/records_between.sql', {
      entity,
      account,
      currency,
      last_tie: last?.run_id ?? '',
      first_break: first.run_id,
      most: String(RECORDS_MAX),
    }),
  );
  return { records: rows.map(({ total: _, ...record }) => record), total: rows[0]?.total ?? 0 };
};

const historyOf = async (db: Kysely<DB>, { entity_id, break_id }: Standing): Promise<HistoryRow[]> => {
  const { rows } = await sql<HistoryRow>`
    select changed_at, status, changed_by, trim_scale(difference)::text as difference, reason, run_id
    from books.break_events
    where entity_id = ${entity_id} and break_id = ${break_id}
    order by event_id`.execute(db);
  return rows;
};
