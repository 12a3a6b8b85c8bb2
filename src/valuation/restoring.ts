// Restores the state at the start of a month from the stored values of earlier months.
import { type Kysely, type Selectable, sql } from 'kysely';
import { type Atto, attoOf } from '../base/money.ts';
import type { DB } from '../database/db-types.ts';
import { carry, carryingKey } from './carrying.ts';
import type { PoolName } from './event.ts';
import { pagesOf } from './fetching.ts';
import type { Acquired } from './lot-queue.ts';
import { addLot } from './pool.ts';
import { openState, poolOf, type State } from './state.ts';
import type { Taxpayer } from './taxpayers.ts';

/** A taxpayer's holdings at the start of a month. Takes a sum over the stored values, and memory for the open lots, as bytes. */
export const stateAt = async (tx: Kysely<DB>, taxpayer: Taxpayer, from: string): Promise<State> => {
  const state = openState(taxpayer);
  await restoreLots(tx, { taxpayer, from }, state);
  await restoreCarrying(tx, { taxpayer, from }, state);
  return state;
};

type MonthStart = { readonly taxpayer: Taxpayer; readonly from: string };

export const amountOf = (text: string | null): Atto | null => (text === null ? null : attoOf(text));

/**
 * What was acquired of a lot `l`, through all its moves: a lot that was moved has the id of the use that moved it. Decides only the order
 * by unit cost.
 */
export const ACQUIRED = sql`left join lateral (
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

export type LotRow = Selectable<DB['value.lots']> & { pool: PoolName; micros: string };
export type AcquiredColumns = {
  readonly acquired_units: string | null;
  readonly acquired_cost: string | null;
};
type OpenLotRow = Omit<LotRow, 'taxpayer' | 'period' | 'entry_id' | 'leg' | 'origin' | 'method'> &
  AcquiredColumns;

export const acquiredIn = ({ acquired_units, acquired_cost }: AcquiredColumns): Acquired => ({
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
    carry(state.carrying, carryingKey({ entity, account, currency }, month, state.yearStarts.get(entity)), {
      units: attoOf(units),
      exact: exact === null ? 0n : attoOf(exact),
    });
};
