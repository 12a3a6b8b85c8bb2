// Onset: when the difference of a break arose, by effective time. A clearing account diverged with its oldest move that has no
// counterpart, a balance between two readings, unless the record that is known to cause it tells the instant itself.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db-types.ts';
import { compare } from '../money.ts';
import { order } from '../time.ts';
import { type Candidate, KINDS } from './cause.ts';
import { lastAgreement, type Parting, type Place } from './divergence.ts';

/** `at`: when books and gateway diverged, as near as is known. `after`: until then they agreed; null where nothing shows it. */
export type Onset = { readonly at: string | null; readonly after: string | null };

/** What a check found: of an account, or of something whose time, if any, is `since`. */
type About = {
  readonly entity_id: string;
  readonly account: string | null;
  readonly currency: string | null;
  readonly since?: string | null;
};

const UNKNOWN: Onset = { at: null, after: null };

/** From this confidence on a record is known not to be booked, to be booked twice, or to lack its other side. */
const KNOWN = String(KINDS['one-sided']);

/** When what a check found began. `cause` is its likeliest one. */
export const onsetOf = async (db: Kysely<DB>, about: About, cause: Candidate | undefined): Promise<Onset> => {
  const { entity_id, account, currency, since } = about;
  if (account === null || currency === null) return { at: since ?? null, after: since ?? null };
  const place = { entity_id, account, currency };
  if (account.startsWith('assets:clearing:')) return oldestLone(db, place);
  const parting = await lastAgreement(db, place);
  if (parting === null) return UNKNOWN;
  const { after, until } = parting;
  const recordAt = cause ? await earliestOf(db, entity_id, cause) : null;
  return recordAt !== null && isWithin(recordAt, parting)
    ? { at: recordAt, after: recordAt }
    : { at: until, after };
};

/** A record from before the last reading that ties cannot be what brought the difference. */
const isWithin = (at: string, { after, until }: Parting): boolean =>
  (after === null || order(at, after) >= 0) && order(at, until) <= 0;

const oldestLone = async (db: Kysely<DB>, { entity_id, account, currency }: Place): Promise<Onset> => {
  const { rows } = await sql<{ at: string | null }>`
    select min(effective_at) as at from books.lone_clearing_moves(${entity_id})
    where account = ${account} and currency = ${currency}`.execute(db);
  const at = rows[0]?.at ?? null;
  return { at, after: at };
};

/** The earliest of the records that a cause names, where it is certain enough and each of them has a time. */
const earliestOf = async (
  db: Kysely<DB>,
  entity: string,
  { confidence, records }: Candidate,
): Promise<string | null> => {
  if (records.length === 0 || compare(confidence, KNOWN) < 0) return null;
  const names = records.map((name) => [name.slice(0, name.indexOf(' ')), name.slice(name.indexOf(' ') + 1)]);
  const { rows } = await sql<{ at: string | null; count: number }>`
    select min(least(e.effective_at, r.record_at)) as at, count(coalesce(e.effective_at, r.record_at))::int as count
    from unnest(${names.map(([stream]) => stream)}::text[], ${names.map(([, id]) => id)}::text[]) as it (stream, record_id)
    left join books.records r on (r.entity_id, r.stream, r.record_id) = (${entity}, it.stream, it.record_id)
    left join books.entries e on (e.entity_id, e.stream, e.record_id, e.ordinal) = (${entity}, it.stream, it.record_id, 1)`.execute(
    db,
  );
  return rows[0]?.count === records.length ? rows[0].at : null;
};
