// Onset: when the difference of a break arose, by effective time. Closes, ages and severities all use this rule:
// 1. A clearing account diverged at its oldest move without a counterpart.
// 2. Any other account diverged at the earliest record of its most likely cause, whatever the confidence, if the cause
// adds up to the difference exactly and lies between the two readings of 3.
// 3. Otherwise it diverged between two readings: `after` is the last at which today's books tie, `at` the first at which
// they do not.
// 4. Without an earlier reading, `after` is unknown. The difference may then have arisen in any month before the first
// reading, and it blocks each of them until somebody finds the cause or waives the difference for that month.
import { type Kysely, type Selectable, sql } from 'kysely';
import { order } from '../base/time.ts';
import type { DB, ReconcileBreaks } from '../database/db-types.ts';
import type { Candidate } from './cause.ts';
import { type AccountPlace, type DivergenceInterval as Divergence, lastAgreement } from './divergence.ts';

/** `at`: the best known time when books and gateway diverged. `after`: until then they agreed; null if nothing shows it. */
type Onset = { readonly at: string | null; readonly after: string | null };

/** A row of a check: about an account, or about something that arose at `since`, if known. */
type About = Pick<Selectable<ReconcileBreaks>, 'entity_id' | 'account' | 'currency'> & {
  readonly since?: string | null;
};

const UNKNOWN: Onset = { at: null, after: null };

/** When the difference that a check found arose. `cause` is its most likely cause. */
export const onsetOf = async (db: Kysely<DB>, about: About, cause: Candidate | undefined): Promise<Onset> => {
  const { entity_id, account, currency, since } = about;
  if (account === null || currency === null) return { at: since ?? null, after: since ?? null };
  const place = { entity_id, account, currency };
  if (account.startsWith('assets:clearing:')) return oldestLone(db, place);
  const parting = await lastAgreement(db, place);
  if (parting === null) return UNKNOWN;
  const { after, until } = parting;
  const recordAt = cause?.isExact ? await earliestOf(db, entity_id, cause.records) : null;
  return recordAt !== null && isWithin(recordAt, parting)
    ? { at: recordAt, after: recordAt }
    : { at: until, after };
};

/** A record from before the last tied reading cannot have caused the difference. */
const isWithin = (instant: string, { after, until }: Divergence): boolean =>
  (after === null || order(instant, after) >= 0) && order(instant, until) <= 0;

const oldestLone = async (db: Kysely<DB>, { entity_id, account, currency }: AccountPlace): Promise<Onset> => {
  const { rows } = await sql<{ first_at: string | null }>`
    select min(effective_at) as first_at from books_internal.lone_clearing_moves(${entity_id})
    where account = ${account} and currency = ${currency}`.execute(db);
  const onset = rows[0]?.first_at ?? null;
  return { at: onset, after: onset };
};

/** The earliest time of some records; null if one of them has none. */
const earliestOf = async (
  db: Kysely<DB>,
  entity: string,
  records: readonly string[],
): Promise<string | null> => {
  const names = records.map((name) => [name.slice(0, name.indexOf(' ')), name.slice(name.indexOf(' ') + 1)]);
  const { rows } = await sql<{ first_at: string | null; count: number }>`
    select min(least(e.effective_at, r.record_at)) as first_at, count(coalesce(e.effective_at, r.record_at))::int as count
    from unnest(${names.map(([stream]) => stream)}::text[], ${names.map(([, id]) => id)}::text[]) as key (stream, record_id)
    left join books.records r on (r.entity_id, r.stream, r.record_id) = (${entity}, key.stream, key.record_id)
    left join books.entries e on (e.entity_id, e.stream, e.record_id, e.ordinal) = (${entity}, key.stream, key.record_id, 1)`.execute(
    db,
  );
  return rows[0]?.count === records.length ? rows[0].first_at : null;
};
