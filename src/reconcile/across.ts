// Across entities: what went from one of our entities to another, paired and stored once all are booked, and the checks
// that look at all of them. Which days to read is told by the daily summary, as with clearing.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import type { Run } from '../run/run.ts';
import { checksOf } from './checks.ts';
import { judge } from './judgement.ts';
import { type OwnPair, type PersonMove, pairOwn } from './own-pairs.ts';
import { grouped } from './pairs.ts';

/** Where one record names the other entity, both views may lie so many days apart. */
const NAMED_DAYS = 7;
const DAY_MS = 86_400_000;

/** Pairs what is new between our own entities, stores the pairs, and judges the checks that look at all entities. */
export const reconcileAcross = (
  db: Kysely<DB>,
  run: Run,
  { transitMs, entities }: { readonly transitMs: number; readonly entities: readonly string[] },
): Promise<{ readonly paired: number }> =>
  db.transaction().execute(async (tx) => {
    const paired = entities.length < 2 ? 0 : await pairNew(tx, run, transitMs);
    for (const check of checksOf('break').filter(({ isAcross }) => isAcross))
      for (const entity of entities) await judge(tx, run, { entity, check, causes: new Map() });
    return { paired };
  });

type TransferDay = {
  readonly entity_id: string;
  readonly currency: string;
  readonly day: string;
  readonly debit: string;
  readonly credit: string;
};
type Placed = PersonMove & { readonly day: string };

const pairNew = async (tx: Kysely<DB>, run: Run, transitMs: number): Promise<number> => {
  const days = await daysToRead(tx);
  if (days.length === 0) return 0;
  const moves = await movesOn(tx, days);
  const patience = { namedMs: NAMED_DAYS * DAY_MS, transitMs };
  const pairs = [...grouped(moves, ({ currency }) => currency).values()].flatMap((sameCurrency) =>
    pairOwn(sameCurrency, patience),
  );
  await storePairs(tx, run, pairs);
  const done = new Set<PersonMove>(pairs.flatMap((pair) => [pair.out, pair.in]));
  await storeDays(
    tx,
    days,
    moves.filter((move) => move.names_entity !== null && !done.has(move)),
  );
  return pairs.length;
};

/** Days that moved, or hold what names one of ours and stands alone, with the days near them of every entity. */
const daysToRead = async (tx: Kysely<DB>): Promise<TransferDay[]> => {
  const { rows } = await sql<TransferDay>`
    with summed as materialized (
      select entity_id, currency, effective_day as day, sum(debit) as debit, sum(credit) as credit
      from ledger.daily
      where account = 'equity:external:person'
      group by 1, 2, 3
    ), moved as materialized (
      select s.*
      from summed s
      left join reconcile.own_days k on (k.entity_id, k.currency, k.effective_day) = (s.entity_id, s.currency, s.day)
      where k.lone is null or k.lone > 0 or (k.debit, k.credit) <> (s.debit, s.credit)
    ), undone as materialized (
      select e.entity_id, e.reverses as entry_id
      from (select distinct entity_id, day from moved) as d
      join ledger.entries e on e.entity_id = d.entity_id and e.entry_id >= books_internal.first_entry_id(d.day::timestamp at time zone 'UTC')
        and e.entry_id < books_internal.first_entry_id((d.day + 1)::timestamp at time zone 'UTC')
      where e.reverses is not null
    ), freed as (
      select k.currency, (k.to_at at time zone 'UTC')::date as day
      from undone u join reconcile.own_transfers k on (k.from_entity, k.from_entry_id) = (u.entity_id, u.entry_id)
      union
      select k.currency, (k.from_at at time zone 'UTC')::date
      from undone u join reconcile.own_transfers k on (k.to_entity, k.to_entry_id) = (u.entity_id, u.entry_id)
    ), near as (
      select distinct it.currency, it.day + apart as day
      from (select currency, day from moved union select currency, day from freed) as it
      cross join generate_series(${-NAMED_DAYS - 1}::int, ${NAMED_DAYS + 1}::int) as apart
    )
    select entity_id, currency, day::text, debit, credit from summed join near using (currency, day)`.execute(
    tx,
  );
  return rows;
};

/** The legs to and from people of some days that stand and are in no pair that holds. */
const movesOn = async (tx: Kysely<DB>, days: readonly TransferDay[]): Promise<Placed[]> => {
  const text = (column: (day: TransferDay) => string) => sql`${days.map(column)}::text[]`;
  const { rows } = await sql<Placed>`
    with asked as materialized (
      select * from unnest(${text((d) => d.entity_id)}, ${text((d) => d.currency)}, ${text((d) => d.day)}::date[]) as it (entity_id, currency, day)
    )
    select m.entity_id, m.entry_id, m.currency, d.day::text, m.stream, m.record_id, m.amount::text, m.pocketed::text,
      m.effective_at as at, m.names_entity, m.names_by, m.elsewhere
    from (select distinct entity_id, day from asked) as d
    cross join lateral books_internal.lone_person_moves(d.entity_id, d.day::timestamp at time zone 'UTC', (d.day + 1)::timestamp at time zone 'UTC') m
    join asked a on (a.entity_id, a.currency, a.day) = (m.entity_id, m.currency, d.day)`.execute(tx);
  return rows;
};

const storePairs = async (tx: Kysely<DB>, run: Run, pairs: readonly OwnPair[]): Promise<void> => {
  if (pairs.length === 0) return;
  const text = (column: (pair: OwnPair) => string) => sql`${pairs.map(column)}::text[]`;
  await sql`
    insert into reconcile.own_transfers (from_entity, from_entry_id, to_entity, to_entry_id, currency, amount_out, amount_in,
      from_stream, from_record_id, from_at, to_stream, to_record_id, to_at, grounds, run_id, matched_at)
    select it.from_entity, it.from_entry::uuid, it.to_entity, it.to_entry::uuid, it.currency, it.sent::numeric, -it.came::numeric,
      it.from_stream, it.from_record, it.from_at::timestamptz, it.to_stream, it.to_record, it.to_at::timestamptz, it.grounds,
      ${run.id}::uuid, ${run.startedAt}::timestamptz
    from unnest(${text((p) => p.out.entity_id)}, ${text((p) => p.out.entry_id)}, ${text((p) => p.in.entity_id)},
      ${text((p) => p.in.entry_id)}, ${text((p) => p.out.currency)}, ${text((p) => p.out.amount)}, ${text((p) => p.in.amount)},
      ${text((p) => p.out.stream)}, ${text((p) => p.out.record_id)}, ${text((p) => p.out.at)}, ${text((p) => p.in.stream)},
      ${text((p) => p.in.record_id)}, ${text((p) => p.in.at)}, ${text((p) => p.grounds)})
      as it (from_entity, from_entry, to_entity, to_entry, currency, sent, came, from_stream, from_record, from_at, to_stream,
        to_record, to_at, grounds)`.execute(tx);
};

const storeDays = async (
  tx: Kysely<DB>,
  days: readonly TransferDay[],
  lone: readonly Placed[],
): Promise<void> => {
  const text = (column: (day: TransferDay) => string) => sql`${days.map(column)}::text[]`;
  const alone = grouped(lone, placeOf);
  const many = days.map((day) => alone.get(placeOf(day))?.length ?? 0);
  await sql`
    insert into reconcile.own_days (entity_id, currency, effective_day, debit, credit, lone)
    select it.entity_id, it.currency, it.day::date, it.debit::numeric, it.credit::numeric, it.lone
    from unnest(${text((d) => d.entity_id)}, ${text((d) => d.currency)}, ${text((d) => d.day)}, ${text((d) => d.debit)},
      ${text((d) => d.credit)}, ${many}::int[]) as it (entity_id, currency, day, debit, credit, lone)
    on conflict (entity_id, currency, effective_day)
    do update set debit = excluded.debit, credit = excluded.credit, lone = excluded.lone`.execute(tx);
};

const placeOf = ({ entity_id, currency, day }: Pick<Placed, 'entity_id' | 'currency' | 'day'>) =>
  `${entity_id} ${currency} ${day}`;
