// Reads the stored values of an entry that is reversed, or of a reversal after which the entry stands again.
import { type Kysely, type Selectable, sql } from 'kysely';
import { groupBy } from '../base/group.ts';
import { attoOf } from '../base/money.ts';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { negated } from './entry-valuation.ts';
import type { AllottedLot, Disposed, Line, NewLot, StoredLot, StoredValues, Use } from './event.ts';
import type { LotKey } from './lot-queue.ts';
import { ACQUIRED, type AcquiredColumns, acquiredIn, amountOf, type LotRow } from './restoring.ts';

type LineRow = Selectable<DB['value.postings']>;

type UseRow = Selectable<DB['value.uses']> & {
  pool: Use['pool'];
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
    where (u.entity_id, u.entry_id) = (${entity}, ${entryId}::uuid) and u.kind <> 'allotted' order by length(u.use_id), u.use_id`.execute(
    tx,
  );
  const all = uses.map(useFrom);
  const made = lots.map((row) => ({ id: row.lot_id, lot: { ...lotFrom(row), entity, disposed: null } }));
  const restored = all
    .filter(({ units }) => units < 0n)
    .map((use) => ({ id: use.id, lot: restoredLot(use) }));
  const own = [...made, ...restored].sort((a, b) => inOrder(a.id, b.id)).map(({ lot }) => lot);
  const allotted = await allottedOf(tx, own);
  return {
    lines: lines.map(lineFrom),
    lots: own.map((lot) => ({ ...lot, allotted: allotted.get(lot.id) ?? [] })),
    uses: all.filter(({ units }) => units > 0n),
  };
};

/** What an entry used and made is in one order, so that the first units of the one are the first of the other. */
const inOrder = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);

/** The units that a use gave back to a lot, as a lot. What had left without one has no name. */
const restoredLot = (use: Use): Omit<StoredLot, 'allotted'> => ({
  ...(use.lot ?? { entity: '', id: '', acquiredAt: '', micros: 0, seq: 0 }),
  pool: use.pool,
  currency: use.currency,
  leg: use.leg,
  units: -use.units,
  cost: negated(use.cost),
  origin: '',
  disposed: use.exchangedFor === null ? null : disposedBefore(use),
});

const disposedBefore = ({ proceeds, feeInProceeds, exchangedFor }: Use): Disposed => ({
  proceeds: negated(proceeds),
  feeInProceeds: -feeInProceeds,
  exchangedFor,
});

type AllottedRow = Pick<LotRow, 'entity_id' | 'lot_id' | 'pool' | 'seq'> & { readonly origin_id: string };

/** The lots that were made of some lots when places got lots of their own, by the id of each. */
const allottedOf = async (tx: Kysely<DB>, lots: readonly LotKey[]): Promise<Map<string, AllottedLot[]>> => {
  if (lots.length === 0) return new Map();
  const own = lots.map(({ entity: entity_id, id: lot_id }) => ({ entity_id, lot_id }));
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
