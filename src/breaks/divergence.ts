// First divergence: the interval of past nights in which today's books and the reported balances diverge. Records that
// landed late or were rebooked since then move it, so it compares the readings with today's books by bisection: some
// twenty queries for a thousand nights.
import { type Kysely, sql } from 'kysely';
import { subtract } from '../base/money.ts';
import { order } from '../base/time.ts';
import type { DB } from '../database/db-types.ts';

/** An account as in tie-outs: trading and bots together. */
export type AccountPlace = {
  readonly entity_id: string;
  readonly account: string;
  readonly currency: string;
};

/**
 * `until`: the first reading that already shows today's full difference, in that night's books or in today's; `after`:
 * the last one before it that does not, null if there is none. `records` counts the records with effect between the two;
 * `record_names` lists the newest.
 */
export type Divergence = {
  readonly after: string | null;
  readonly until: string;
  readonly records: number;
  readonly record_names: readonly string[];
};

const NAMES_MAX = 20;

/** `difference`: as stored that night, from the books of then, which contained the entries up to number `entries_to`. */
type ReportedReading = {
  readonly as_of: string;
  readonly reported: string;
  readonly difference: string;
  readonly entries_to: string | null;
};

/** Null if no reading covers the account, or if the last one ties with today's books. */
export const firstDivergence = async (db: Kysely<DB>, place: AccountPlace): Promise<Divergence | null> => {
  const readings = await readingsOf(db, place);
  const last = readings.at(-1);
  if (!last) return null;
  const left = await differenceAt(db, place, last);
  if (left === '0') return null;
  const first = await bisect(
    readings,
    async (it) => it.difference === left || (await differenceAt(db, place, it)) === left,
  );
  const [after, until] = [readings[first - 1]?.as_of ?? null, readings[first]?.as_of ?? last.as_of];
  return { after, until, ...(await recordsBetween(db, place, { after, until })) };
};

/**
 * The readings between which books and gateway diverged, according to today's books; `after` is null if none tied before.
 */
export type DivergenceInterval = { readonly after: string | null; readonly until: string };

/**
 * The readings between which the books stopped tying for good; null if no reading covers the account, or if the last one
 * ties. A reading ties if it tied that night or ties with today's books. A difference that arose in several parts began
 * with the first.
 */
export const lastAgreement = async (
  db: Kysely<DB>,
  place: AccountPlace,
): Promise<DivergenceInterval | null> => {
  const readings = await readingsOf(db, place);
  const last = readings.at(-1);
  const isOff = async (reading: ReportedReading) =>
    reading.difference !== '0' && (await differenceAt(db, place, reading)) !== '0';
  if (!last || !(await isOff(last))) return null;
  const tied = readings.findLastIndex(({ difference }) => difference === '0');
  const start = Math.max(tied, 0);
  const lastTie = readings[start - 1 + (await bisect(readings.slice(start), isOff))];
  if (!lastTie) return { after: null, until: readings[0]?.as_of ?? last.as_of };
  const after = await agreedUntil(db, place, lastTie);
  return { after, until: readings.find(({ as_of }) => order(as_of, after) > 0)?.as_of ?? last.as_of };
};

/**
 * Until when today's books agree with a tied reading: up to the first entry that was booked later but is dated before the
 * reading.
 */
const agreedUntil = async (db: Kysely<DB>, place: AccountPlace, tie: ReportedReading): Promise<string> => {
  if ((await differenceAt(db, place, tie)) === '0') return tie.as_of;
  const { rows } = await sql<{ first_at: string | null }>`
    select min(p.effective_at) as first_at from books.postings p
    where p.entity_id = ${place.entity_id} and p.currency = ${place.currency} and p.effective_at < ${tie.as_of}::timestamptz
      and books_internal.tied_account(p.account) = ${place.account}
      and p.entry_number > ${tie.entries_to}::bigint`.execute(db);
  return rows[0]?.first_at ?? tie.as_of;
};

/** The index of the first element that satisfies `has`; the last element must satisfy it. */
const bisect = async <T>(all: readonly T[], has: (item: T) => Promise<boolean>): Promise<number> => {
  let [without, withIt] = [-1, all.length - 1];
  while (withIt - without > 1) {
    const middle = Math.floor((without + withIt) / 2);
    if (await has(all[middle] as T)) withIt = middle;
    else without = middle;
  }
  return withIt;
};

/** The nightly readings with nothing in flight. */
const readingsOf = async (
  db: Kysely<DB>,
  { entity_id, account, currency }: AccountPlace,
): Promise<ReportedReading[]> => {
  const { rows } = await sql<ReportedReading>`
    select t.as_of, trim_scale(t.reported)::text as reported, trim_scale(t.difference)::text as difference, r.entries_to
    from books.tie_outs t
    join books.runs r using (run_id)
    where t.entity_id = ${entity_id} and t.account = ${account} and t.currency = ${currency}
      and t.status in ('tied', 'break') and t.reported is not null
    order by r.run_number`.execute(db);
  return rows;
};

/**
 * Reported minus today's booked balance as of a reading: whole days from the daily summary, the part of the last day from
 * its legs.
 */
const differenceAt = async (
  db: Kysely<DB>,
  place: AccountPlace,
  { as_of, reported }: ReportedReading,
): Promise<string> => {
  const { entity_id, account, currency } = place;
  const { rows } = await sql<{ booked: string }>`
    select trim_scale(coalesce((
      select sum(d.debit - d.credit) from books_internal.daily d
      where d.entity_id = ${entity_id} and d.currency = ${currency}
        and d.account = any (books_internal.accounts_tied_as(${account}))
        and d.effective_day < (${as_of}::timestamptz at time zone 'UTC')::date
    ), 0) + coalesce((
      select sum(m.amount)
      from books_internal.account_postings(${entity_id}, ${account}, ${currency},
        date_trunc('day', ${as_of}::timestamptz at time zone 'UTC') at time zone 'UTC', ${as_of}::timestamptz) m
    ), 0))::text as booked`.execute(db);
  return subtract(reported, rows[0]?.booked ?? '0');
};

const recordsBetween = async (
  db: Kysely<DB>,
  { entity_id, account, currency }: AccountPlace,
  { after, until }: Pick<Divergence, 'after' | 'until'>,
): Promise<Pick<Divergence, 'records' | 'record_names'>> => {
  const { rows } = await sql<{ name: string; records: number }>`
    select stream || ' ' || record_id as name, (count(*) over ())::int as records
    from books_internal.account_postings(${entity_id}, ${account}, ${currency}, ${after}::timestamptz, ${until}::timestamptz)
    group by stream, record_id
    having sum(amount) <> 0
    order by max(effective_at) desc, 1
    limit ${NAMES_MAX}`.execute(db);
  return { records: rows[0]?.records ?? 0, record_names: rows.map(({ name }) => name) };
};
