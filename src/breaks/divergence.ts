// First divergence: the interval of past nights in which today's books and the balances that the gateway reported part.
// What landed late or was booked anew since moves it, so the readings are probed with the books as they are, by bisection:
// some twenty questions over a thousand nights.
import { type Kysely, sql } from 'kysely';
import { subtract } from '../base/money.ts';
import { order } from '../base/time.ts';
import type { DB } from '../database/db-types.ts';

/** An account as tie-outs know it: trading and bots are one. */
export type AccountPlace = {
  readonly entity_id: string;
  readonly account: string;
  readonly currency: string;
};

/**
 * `until`: the first reading from which the books, of that night or of today, differ by all that they differ by now; `after`:
 * the one before it, at which neither do, null where there is none. `records` took effect between the two: how many, and the newest, by name.
 */
export type Divergence = {
  readonly after: string | null;
  readonly until: string;
  readonly records: number;
  readonly record_names: readonly string[];
};

const NAMES_MAX = 20;

/** `difference`: as it was stored that night, by the books of then, which had booked the entries up to number `entries_to`. */
type ReportedReading = {
  readonly as_of: string;
  readonly reported: string;
  readonly difference: string;
  readonly entries_to: string | null;
};

/** Null where no reading is compared with the account, or the last one ties with the books as they are by now. */
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

/** The readings between which books and gateway, as the books are today, ceased to agree; `after` is null where none tied before. */
export type DivergenceInterval = { readonly after: string | null; readonly until: string };

/**
 * Between which readings the books ceased to tie and did not tie again; null where no reading is compared with the account, or
 * the last one ties. A reading ties that tied in its own night, or does so with the books as they are today. A difference that
 * came in several parts began with its first one.
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

/** Until when today's books agree with a reading that tied: what was booked since, and is dated before it, was not in it. */
const agreedUntil = async (db: Kysely<DB>, place: AccountPlace, tie: ReportedReading): Promise<string> => {
  if ((await differenceAt(db, place, tie)) === '0') return tie.as_of;
  const { rows } = await sql<{ at: string | null }>`
    select min(p.effective_at) as at from books.postings p
    where p.entity_id = ${place.entity_id} and p.currency = ${place.currency} and p.effective_at < ${tie.as_of}::timestamptz
      and books_internal.tied_account(p.account) = ${place.account}
      and p.entry_number > ${tie.entries_to}::bigint`.execute(db);
  return rows[0]?.at ?? tie.as_of;
};

/** The place of the first element from which `has` holds, of a list whose last one has it. */
const bisect = async <T>(all: readonly T[], has: (item: T) => Promise<boolean>): Promise<number> => {
  let [without, withIt] = [-1, all.length - 1];
  while (withIt - without > 1) {
    const middle = Math.floor((without + withIt) / 2);
    if (await has(all[middle] as T)) withIt = middle;
    else without = middle;
  }
  return withIt;
};

/** What was reported night by night, where nothing was on its way. */
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

/** Reported less what today's books hold as of a reading: whole days from the summary, the last one's part from its legs. */
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
      from books_internal.moved(${entity_id}, ${account}, ${currency},
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
    from books_internal.moved(${entity_id}, ${account}, ${currency}, ${after}::timestamptz, ${until}::timestamptz)
    group by stream, record_id
    having sum(amount) <> 0
    order by max(effective_at) desc, 1
    limit ${NAMES_MAX}`.execute(db);
  return { records: rows[0]?.records ?? 0, record_names: rows.map(({ name }) => name) };
};
