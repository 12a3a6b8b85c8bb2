// The entries of a taxpayer, in the order in which they take effect. An entry and the reversal that corrects it at the same instant
// cancel out and are left out. Late entries count at the start of their posting month, so that no closed month changes, month by month as
// they are booked; reversals there come first, the latest first; the lots of what they reverse leave once the entry in its place is valued.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import type { EventRow } from './event-row.ts';
import { pagesOf } from './fetching.ts';
import type { Range } from './range.ts';

/** The entries of a range, page by page. In the given transaction, because a cursor keeps the position. */
export async function* entryRows(tx: Kysely<DB>, range: Range, pageRows: number): AsyncGenerator<EventRow[]> {
  await sql`set local work_mem = '64MB'`.execute(tx);
  await declare(tx, range);
  yield* pagesOf<EventRow>(tx, { cursor: 'value_events', pageRows });
}

/**
 * Declares the cursor. Entries of a closed month that its values do not include count in the first open month. Legs are
 * looked up entry by entry, and cancelled pairs by a hash, so that the plan does not depend on statistics of tables that
 * were just filled.
 */
const declare = (tx: Kysely<DB>, range: Range) => {
  const from = sql.lit(range.from);
  return sql`
    declare value_events no scroll cursor for
    with ${unvaluedEntries(range)}, ${earlierEntries(range)}
    select e.entity_id, e.entry_id, e.effective_at, (extract(epoch from e.effective_at) * 1000000)::bigint as micros,
      greatest(counted.period, ${from}) as period, e.period as booked_in, e.kind, e.stream, e.record_id, e.ordinal, e.version,
      coalesce(reversed_one.root, e.reverses, restored.undoes) as reverses, e.description,
      concat_ws(' ', counted.counted_at, counted.period, counted.is_first, counted.is_late_reversal, counted.effective_at) as instant, corrected.entry_id as corrected_by,
      legs.debits, legs.credits, legs.currencies, legs.amounts
    from books.entries e
    left join restored as reversed_one on (reversed_one.entity_id, reversed_one.entry_id) = (e.entity_id, e.reverses)
    left join restored on (restored.entity_id, restored.entry_id) = (e.entity_id, e.entry_id)
    ${counted(sql`e`, range)}
    left join lateral (${correction(range)}) as corrected on counted.is_late_reversal
    where e.entity_id = any(${entitiesOf(range)}) and ${isCounted(sql`e`, range)}
    order by counted.counted_at, counted.period, not counted.is_first, not counted.is_late_reversal, case when counted.is_late_reversal then e.effective_at end desc,
      counted.effective_at, counted.is_received, ${LISTED}`.execute(tx);
};

/**
 * The order of entries at one instant, before orderInstant considers the units that they add and use: that of the
 * gateway's lists, by time and then by id (assumption). A correction takes the place of the original record.
 */
const LISTED = sql`e.entity_id collate "C", e.stream collate "C", e.record_id collate "C", e.ordinal`;

/**
 * The entries without values that cancel out (`unvalued`): of an entry (`root`), its reversals, and what undid these (`restored`), as many
 * postings and reversals as count at one time. A reversal that remains reverses the root; what remains of `restored` reverses the reversal
 * that it undid, which has values.
 */
const unvaluedEntries = (range: Range) => {
  const { from, isLate } = range;
  const entities = sql`any(${entitiesOf(range)})`;
  return sql`restored as materialized (
      select n.entity_id, n.entry_id, n.undoes, books_internal.stands_for(n.entity_id, n.entry_id) as root
      from ledger.entries n where n.entity_id = ${entities} and n.undoes is not null
    ), reversed as materialized (
      select r.entity_id, r.entry_id, coalesce(u.root, r.reverses) as root
      from ledger.entries r
      left join restored u on (u.entity_id, u.entry_id) = (r.entity_id, r.reverses)
      where r.entity_id = ${entities} and r.reverses is not null ${isLate ? sql`` : sql`and r.period >= ${sql.lit(from)}`}
    ), opposite as (
      select entity_id, entry_id, root, -1 as sign, true as is_later from reversed
      union all
      select entity_id, entry_id, root, 1, true from restored
      union all
      select distinct entity_id, root, root, 1, false from reversed
    ), unvalued as materialized (
      select n.entity_id, n.entry_id
      from (
        select o.*, sum(o.sign) over (partition by o.entity_id, o.root, e.period, e.counted_at) as rest,
          row_number() over (partition by o.entity_id, o.root, e.period, e.counted_at, o.sign order by o.is_later, e.ordinal desc) as nth
        from opposite o
        cross join lateral (
          select own.period, own.ordinal, greatest(own.posted_at, ${startOf(range)}) as counted_at
          from books.entries own where (own.entity_id, own.entry_id) = (o.entity_id, o.entry_id)
        ) as e
        where not exists (select from value.postings v where (v.entity_id, v.entry_id) = (o.entity_id, o.entry_id))
      ) as n
      where n.sign <> sign(n.rest) or n.nth > abs(n.rest)
    )`;
};

/** Entries of earlier open months that are valued with one from `from` on: what arrived, or was entered as a fee, with what was sent. */
const earlierEntries = (range: Range) => {
  const { taxpayer, from, timezone } = range;
  const { closed } = taxpayer;
  const own = sql`any(${entitiesOf(range)})`;
  return sql`sending as materialized (
      select s.entity_id, s.entry_id
      from reconcile.own_transfers k
      join ledger.entries paired on (paired.entity_id, paired.entry_id) = (k.from_entity, k.from_entry_id)
      join ledger.entries s on (s.entity_id, s.stream, s.record_id) = (paired.entity_id, paired.stream, paired.record_id)
      where k.from_entity = ${own} and k.to_entity = ${own} and s.period >= ${sql.lit(from)} and s.reverses is null
        and k.from_entry_id >= books_internal.first_entry_id(${monthStart(sql.lit(from || '1970-02'), timezone)} - interval '2 days')
    ), valued_later as materialized (
      select o.entity_id, o.entry_id
      from sending s
      cross join lateral books_internal.transfers_of(s.entity_id, s.entry_id) o
      join ledger.entries a on (a.entity_id, a.entry_id) = (o.entity_id, o.entry_id)
      where o.entity_id = ${own} and a.period < ${sql.lit(from)} and a.period > ${sql.lit(closed)} and o.is_sent and o.is_received
      union
      select f.entity_id, f.entry_id
      from books_internal.transfer_fees f
      join ledger.entries s on (s.entity_id, s.entry_id) = (f.from_entity, f.from_entry_id)
      join ledger.entries a on (a.entity_id, a.entry_id) = (f.entity_id, f.entry_id)
      where f.from_entity = ${own} and f.entity_id = ${own} and a.period < ${sql.lit(from)} and a.period > ${sql.lit(closed)} and f.stands
        and s.period >= ${sql.lit(from)}
    )`;
};

/**
 * Laterals of a row of books.entries: its `legs`, and when it is valued (`counted`): at an instant, in a month; before all others there if
 * `is_first`, then if `is_late_reversal`; at one effective date after what was sent if `is_received`.
 */
const counted = (entry: RawBuilder<unknown>, range: Range) => sql`
    cross join lateral (${legsOf(entry)}) as legs
    cross join lateral (${lastReversalBefore(entry, range)}) as reversed_before
    left join lateral (${sentBefore(entry, range)}) as sent on true
    left join lateral (${receivedBefore(entry, range)}) as received on true
    cross join lateral (
      select placed.*, ${entry}.reverses is not null and placed.counted_at > ${entry}.effective_at as is_late_reversal
      from (${placed(entry, range)}) as placed
    ) as counted`;

/** The transfers of an entry as arrays. */
const legsOf = (entry: RawBuilder<unknown>) => sql`
      select array_agg(t.debit order by t.leg) as debits, array_agg(t.credit order by t.leg) as credits,
        array_agg(t.currency order by t.leg) as currencies, array_agg(t.amount::text order by t.leg) as amounts
      from ledger.transfers t where (t.entity_id, t.entry_id) = (${entry}.entity_id, ${entry}.entry_id)`;

/** The last of what others of ours sent to an entry, or of what it is a fee of: it comes after that, whatever the two clocks say. */
const sentBefore = (entry: RawBuilder<unknown>, range: Range) => sql`
      select max(s.effective_at) as effective_at, max(greatest(s.period, sender_reversed.period)) as period,
        bool_or(s.period > ${entry}.period and sender_reversed.period is null and not o.is_fee) as is_later,
        max(greatest(case when s.period > ${entry}.period and not o.is_fee then ${monthStart(sql`s.period`, range.timezone)} else s.posted_at end,
          sender_reversed.posted_at)) as posted_at
      from (
        select t.entity_id, t.entry_id, false as is_fee from books_internal.transfers_of(${entry}.entity_id, ${entry}.entry_id) t
        where not t.is_sent and t.is_received
        union all
        select f.from_entity, f.from_entry_id, true from books_internal.transfer_fees_of(${entry}.entity_id, ${entry}.entry_id) f
        where ${entry}.stream = 'manual' and f.stands
      ) as o
      join books.entries s on (s.entity_id, s.entry_id) = (o.entity_id, o.entry_id)
      cross join lateral (${lastReversalBefore(sql`s`, range)}) as sender_reversed
      where legs.credits && ${OWN_TRANSFER_ACCOUNTS} and o.entity_id = any(${entitiesOf(range)}) and greatest(s.period, sender_reversed.period) >= ${entry}.period`;

/** Whether an earlier month received what an entry sends: it is sent first, so that nothing that comes late changes its cost. */
const receivedBefore = (entry: RawBuilder<unknown>, range: Range) => sql`
      select bool_or(a.period < ${entry}.period) as is_awaited
      from books_internal.transfers_of(${entry}.entity_id, ${entry}.entry_id) o
      join books.entries a on (a.entity_id, a.entry_id) = (o.entity_id, o.entry_id)
      where legs.debits && ${OWN_TRANSFER_ACCOUNTS} and o.is_sent and o.is_received and o.entity_id = any(${entitiesOf(range)})`;

/** When an entry is valued, beside what was sent to it, what it sends, and what was reversed before it. */
const placed = (entry: RawBuilder<unknown>, range: Range) => sql`
        select greatest(case when received.is_awaited then ${monthStart(sql`${entry}.period`, range.timezone)} else ${entry}.posted_at end,
            sent.posted_at, reversed_before.posted_at, ${startOf(range)}) as counted_at,
          greatest(${entry}.period, sent.period, reversed_before.period) as period, greatest(${entry}.effective_at, sent.effective_at) as effective_at,
          'equity:external:person' = any (legs.credits) or sent.effective_at is not null as is_received,
          coalesce(received.is_awaited and reversed_before.period is null
            or sent.is_later and coalesce(reversed_before.period < sent.period, true), false) as is_first`;

/**
 * When the last of the earlier reversals of its record takes effect that count in the month of an entry or later: the entry is valued no
 * earlier, so that the entries of a record are valued in the order in which they were booked. What counts late counts in the first month.
 */
const lastReversalBefore = (entry: RawBuilder<unknown>, { from, isLate }: Range) => {
  const own = sql`greatest(${entry}.period, ${sql.lit(from)})`;
  const isLateToo = isLate
    ? sql`or (${own} = ${sql.lit(from)} and r.period < ${sql.lit(from)} and ${isWithoutValues(sql`r`)})`
    : sql``;
  return sql`
    select max(r.posted_at) as posted_at, max(greatest(r.period, ${sql.lit(from)})) as period
    from books.entries r
    where ${entry}.ordinal > 2 and (r.entity_id, r.stream, r.record_id) = (${entry}.entity_id, ${entry}.stream, ${entry}.record_id)
      and r.ordinal < ${entry}.ordinal and r.reverses is not null and (r.period >= ${own} ${isLateToo})
      and (r.entity_id, r.entry_id) not in (select entity_id, entry_id from unvalued)`;
};

/** Which entries are valued, of rows that have `counted`. */
const isCounted = (entry: RawBuilder<unknown>, { from, before, after, isLate }: Range) => sql`
      (${entry}.period >= ${sql.lit(from)} or (${entry}.entity_id, ${entry}.entry_id) in (select entity_id, entry_id from valued_later)
        ${isLate ? sql`or ${isWithoutValues(entry)}` : sql``})
      ${before === undefined ? sql`` : sql`and ${entry}.period < ${sql.lit(before)} and counted.period < ${sql.lit(before)}`}
      ${after === null ? sql`` : sql`and ${entry}.entry_number > ${sql.lit(after)}::bigint`}
      and (${entry}.entity_id, ${entry}.entry_id) not in (select entity_id, entry_id from unvalued)`;

/** Whether an entry of a closed month has no values; few have none. */
const isWithoutValues = (entry: RawBuilder<unknown>) => sql`not exists (
          select from value.postings v where (v.entity_id, v.entry_id) = (${entry}.entity_id, ${entry}.entry_id)
        )`;

/**
 * The next entry of its record, which stands in place of what an entry `e` reverses late, if it is valued after it and counts at the
 * same time: the two are valued together.
 */
const correction = (range: Range) => sql`
      select next.entry_id
      from (
        select n.entry_id, counted.counted_at, counted.period, counted.is_first
        from (
          select * from books.entries c
          where (c.entity_id, c.stream, c.record_id) = (e.entity_id, e.stream, e.record_id) and c.ordinal > e.ordinal and c.reverses is null
            and (c.entity_id, c.entry_id) not in (select entity_id, entry_id from unvalued)
          order by c.ordinal limit 1
        ) as n
        ${counted(sql`n`, range)}
        where ${isCounted(sql`n`, range)} and (n.entity_id, n.entry_id) not in (select entity_id, entry_id from restored)
      ) as next
      where next.counted_at = counted.counted_at and next.period >= counted.period and not next.is_first`;

/** The accounts on which the other side of a transfer between our own is booked. */
const OWN_TRANSFER_ACCOUNTS = sql`'{equity:external:person,equity:external:blockchain}'::text[]`;

/** The first instant of what is valued. */
const startOf = ({ from, timezone }: Range) => monthStart(sql.lit(from || '0001-01'), timezone);

const monthStart = (month: RawBuilder<unknown>, timezone: string): RawBuilder<unknown> =>
  sql`books_internal.local_start((${month} || '-01')::timestamp, ${sql.lit(timezone)})`;

/** The taxpayer's entities as a literal, because a declared cursor takes no parameters. */
const entitiesOf = ({ taxpayer: { entities } }: Range) =>
  sql`${sql.lit(`{${entities.map((id) => `"${id.replace(/["\\]/g, '\\$&')}"`).join(',')}}`)}::text[]`;
