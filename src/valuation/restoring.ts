// Restores the state at the start of a month from the stored values of earlier months, and the stored values of an entry
// that is reversed.
import { type Kysely, type Selectable, sql } from 'kysely';
import { groupBy } from '../base/group.ts';
import { type Atto, attoOf } from '../base/money.ts';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { carriedAt, carry } from './carrying.ts';
import type { Line, NewLot, PoolName, Use } from './event.ts';
import { pagesOf } from './fetching.ts';
import type { Acquired } from './lot-queue.ts';
import { addLot } from './pool.ts';
import type { AllottedLot, StoredValues } from './reversal.ts';
import { openState, poolOf, type State } from './state.ts';
import type { Taxpayer } from './taxpayers.ts';

/** A taxpayer's holdings at the start of a month. Takes a sum over the stored values, and memory for the open lots, as bytes. */
export const stateAt = async (tx: Kysely<DB>, taxpayer: Taxpayer, from: string): Promise<State> => {
  const state = openState(taxpayer.method, taxpayer.rules, taxpayer.yearStarts);
  await restoreLots(tx, { taxpayer, from }, state);
  await restoreCarrying(tx, { taxpayer, from }, state);
  return state;
};

type MonthStart = { readonly taxpayer: Taxpayer; readonly from: string };

const amountOf = (text: string | null): Atto | null => (text === null ? null : attoOf(text));

/**
 * What was acquired of a lot `l`, through all its moves: a lot that was moved has the id of the use that moved it. Decides only the order
 * by unit cost.
 */
const ACQUIRED = sql`left join lateral (
      with recursive made as (
        select l.entity_id, l.lot_id, 0 as steps
        union all
        select u.lot_entity_id, u.lot_id, m.steps + 1
        from made m
        join value.uses u on (u.entity_id, u.use_id) = (m.entity_id, m.lot_id) and u.lot_id is not null
      )
      select first.units::text as acquired_units, first.cost::text as acquired_cost
      from made m
      join value.lots first on (first.entity_id, first.lot_id) = (m.entity_id, m.lot_id)
      order by m.steps desc limit 1
    ) as acquired on true`;

type LotRow = Selectable<DB['value.lots']> & { pool: PoolName; micros: string };
type AcquiredColumns = { readonly acquired_units: string | null; readonly acquired_cost: string | null };
type OpenLotRow = Omit<LotRow, 'taxpayer' | 'period' | 'entry_id' | 'leg' | 'origin' | 'method'> &
  AcquiredColumns;

const acquiredIn = ({ acquired_units, acquired_cost }: AcquiredColumns): Acquired => ({
  units: attoOf(acquired_units ?? '0'),
  cost: amountOf(acquired_cost),
});

/** Under `average` a lot's own cost does not count, only the remaining cost of all lots together. */
const restoreLots = async (tx: Kysely<DB>, start: MonthStart, state: State): Promise<void> => {
  state.lots = await lotsSoFar(tx, start.taxpayer);
  for await (const row of lotsBefore(tx, start)) {
    const pool = poolOf(state, { name: row.pool, entity: row.entity_id }, row.currency);
    const [units, cost] = [attoOf(row.units), row.cost === null ? null : attoOf(row.cost)];
    if (units > 0n)
      addLot(pool, {
        entity: row.entity_id,
        id: row.lot_id,
        acquiredAt: row.acquired_at,
        micros: Number.parseInt(row.micros, 10),
        units,
        cost,
        seq: Number.parseInt(row.seq, 10),
        acquired: acquiredIn(row),
      });
    else if (cost !== null) pool.knownCost += cost; // the remainder of an average cost in a used-up lot
  }
};

const LOTS_AT_ONCE = 1_000;

/** The number of the last lot. */
const lotsSoFar = async (tx: Kysely<DB>, { name }: Taxpayer): Promise<number> => {
  const { rows } = await sql<{ seq: string }>`
    select coalesce(max(seq), 0)::text as seq from value.lots where taxpayer = ${name}`.execute(tx);
  return Number.parseInt(rows[0]?.seq ?? '0', 10);
};

/** The lots of earlier months of which something is left. A cursor keeps the position: there may be very many. */
async function* lotsBefore(tx: Kysely<DB>, { taxpayer, from }: MonthStart): AsyncGenerator<OpenLotRow> {
  const isByCost = taxpayer.method === 'hifo';
  await sql`
    declare value_lots_before no scroll cursor for
    select l.entity_id, l.lot_id, l.pool, l.currency, l.acquired_at, (extract(epoch from l.acquired_at) * 1000000)::bigint as micros,
      (l.units - used.units)::text as units, (l.cost - used.cost)::text as cost, l.seq,
      ${isByCost ? sql`acquired_units, acquired_cost` : sql`l.units::text as acquired_units, l.cost::text as acquired_cost`}
    from value.open_lots o
    join value.lots l using (entity_id, lot_id)
    cross join lateral (
      select coalesce(sum(u.units), 0) as units, coalesce(sum(u.cost), 0) as cost from value.uses u
      where (u.lot_entity_id, u.lot_id) = (o.entity_id, o.lot_id) and u.period < ${from}
    ) as used ${isByCost ? ACQUIRED : sql``}
    where o.taxpayer = ${taxpayer.name} and o.period < ${from}
    order by l.acquired_at, l.seq`.execute(tx);
  for await (const rows of pagesOf<OpenLotRow>(tx, { cursor: 'value_lots_before', pageRows: LOTS_AT_ONCE }))
    yield* rows;
}

type CarriedRow = Pick<
  Selectable<DB['value.postings']>,
  'entity_id' | 'account' | 'currency' | 'units' | 'exact'
> & { readonly month: string };

const restoreCarrying = async (
  tx: Kysely<DB>,
  { taxpayer, from }: MonthStart,
  state: State,
): Promise<void> => {
  const { rows } = await sql<CarriedRow>`
    select entity_id, account, currency, case when books_internal.is_of_year(account) then booked_in else '' end as month,
      sum(units)::text as units, sum(exact)::text as exact
    from value.monthly
    where taxpayer = ${taxpayer.name} and period < ${from}
    group by 1, 2, 3, 4`.execute(tx);
  for (const { entity_id: entity, account, currency, month, units, exact } of rows)
    carry(state.carrying, carriedAt({ entity, account, currency }, month, state.yearStarts.get(entity)), {
      units: attoOf(units),
      exact: exact === null ? 0n : attoOf(exact),
    });
};

type LineRow = Selectable<DB['value.postings']>;

type UseRow = Selectable<DB['value.uses']> & {
  pool: PoolName;
  kind: Use['kind'];
  micros: string | null;
  seq: string | null;
} & AcquiredColumns;

const lineFrom = (row: LineRow): Line => ({
  leg: row.leg,
  account: row.account,
  currency: row.currency,
  units: attoOf(row.units),
  exact: amountOf(row.exact),
  value: null,
  basis: { rule: row.rule, source: row.source, path: row.path, ageSeconds: row.age_seconds },
  fee: feeIn(row),
  spread: null,
  memo: null,
});

const feeIn = ({ fee_in_cost, fee_in_proceeds, fee_expensed }: LineRow): Line['fee'] => {
  if (fee_in_cost !== null) return { target: 'cost', value: attoOf(fee_in_cost) };
  if (fee_in_proceeds !== null) return { target: 'proceeds', value: attoOf(fee_in_proceeds) };
  return fee_expensed === null ? null : { target: 'expenses', value: attoOf(fee_expensed) };
};

const lotFrom = (row: LotRow & { leg: number }): NewLot => ({
  id: row.lot_id,
  pool: row.pool,
  currency: row.currency,
  leg: row.leg,
  acquiredAt: row.acquired_at,
  micros: Number.parseInt(row.micros, 10),
  units: attoOf(row.units),
  cost: amountOf(row.cost),
  origin: row.origin,
  seq: Number.parseInt(row.seq, 10),
});

const useFrom = (row: UseRow): Use => ({
  id: row.use_id,
  pool: row.pool,
  currency: row.currency,
  leg: row.leg,
  kind: row.kind,
  lot:
    row.lot_id === null || row.lot_entity_id === null || row.acquired_at === null
      ? null
      : {
          entity: row.lot_entity_id,
          id: row.lot_id,
          acquiredAt: row.acquired_at,
          micros: Number.parseInt(row.micros ?? '0', 10),
          seq: Number.parseInt(row.seq ?? '0', 10),
          acquired: acquiredIn(row),
        },
  units: attoOf(row.units),
  cost: amountOf(row.cost),
  proceeds: amountOf(row.proceeds),
  feeInProceeds: amountOf(row.fee_in_proceeds) ?? 0n,
  exchangedFor: row.exchanged_for,
});

/** The stored values of an entry. */
export const storedValuesOf = async (
  tx: Kysely<DB>,
  entity: string,
  entryId: string,
): Promise<StoredValues> => {
  const isOfEntry = sql`(entity_id, entry_id) = (${entity}, ${entryId}::uuid)`;
  const { rows: lines } = await sql<LineRow>`
    select * from value.postings where ${isOfEntry} and rule <> 'rounding' order by line`.execute(tx);
  const { rows: lots } = await sql<LotRow & { leg: number }>`
    select *, (extract(epoch from acquired_at) * 1000000)::bigint as micros from value.lots where ${isOfEntry} and origin <> 'allotted' order by seq`.execute(
    tx,
  );
  const { rows: uses } = await sql<UseRow>`
    select u.*, (extract(epoch from u.acquired_at) * 1000000)::bigint as micros, l.seq, acquired_units, acquired_cost
    from value.uses u
    left join value.lots l on (l.entity_id, l.lot_id) = (u.lot_entity_id, u.lot_id)
    ${ACQUIRED}
    where (u.entity_id, u.entry_id) = (${entity}, ${entryId}::uuid) and u.kind <> 'allotted' order by u.use_id`.execute(
    tx,
  );
  const allotted = await allottedOf(tx, lots);
  return {
    lines: lines.map(lineFrom),
    lots: lots.map((row) => ({ ...lotFrom(row), allotted: allotted.get(row.lot_id) ?? [] })),
    uses: uses.map(useFrom),
  };
};

type AllottedRow = Pick<LotRow, 'entity_id' | 'lot_id' | 'pool' | 'seq'> & { readonly origin_id: string };

/** The lots that were made of an entry's lots when places got lots of their own, by the id of the entry's lot. */
const allottedOf = async (tx: Kysely<DB>, lots: readonly LotRow[]): Promise<Map<string, AllottedLot[]>> => {
  if (lots.length === 0) return new Map();
  const own = lots.map(({ entity_id, lot_id }) => ({ entity_id, lot_id }));
  const { rows } = await sql<AllottedRow>`
    with recursive made as (
      select lot_id as origin_id, entity_id, lot_id, null::text as pool, null::bigint as seq
      from ${unnest(own, { entity_id: 'text', lot_id: 'text' })}
      union all
      select m.origin_id, l.entity_id, l.lot_id, l.pool, l.seq
      from made m
      join value.uses u on (u.lot_entity_id, u.lot_id) = (m.entity_id, m.lot_id) and u.kind = 'allotted'
      join value.lots l on (l.entity_id, l.lot_id) = (u.entity_id, u.use_id)
    )
    select * from made where seq is not null order by seq`.execute(tx);
  const parts = rows.map(
    ({ origin_id, entity_id: entity, lot_id: id, pool, seq }) =>
      [origin_id, { entity, id, pool, seq: Number.parseInt(seq, 10) }] as const,
  );
  return new Map(
    [...groupBy(parts, ([origin]) => origin)].map(([origin, all]) => [origin, all.map(([, part]) => part)]),
  );
};
