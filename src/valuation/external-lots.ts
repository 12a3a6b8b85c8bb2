// Externally held lots from imported files, in the pool `external`. They precede all months or, if a month was closed
// before the import, belong to the first open month.
import { type Kysely, type Selectable, sql } from 'kysely';
import { attoOf } from '../base/money.ts';
import type { DB } from '../database/db-types.ts';
import { monthAfter } from '../ledger/ledger.ts';
import { ALWAYS, type NewLot } from './event.ts';
import { acquisitionOf } from './facts.ts';
import { addLot } from './pool.ts';
import { EXTERNAL, nextLot, poolOf, type State } from './state.ts';
import type { Taxpayer } from './taxpayers.ts';

type ExternalLotRow = Pick<
  Selectable<DB['decide.external_lots']>,
  'entity_id' | 'lot_number' | 'currency' | 'units' | 'cost' | 'cost_currency' | 'acquired_on'
>;

export type ExternalLot = Omit<NewLot, 'leg'> & { readonly entity: string; readonly period: string };

/** The month in which externally held lots count, if the months up to one are closed: before all months if none is. */
export const firstMonthOf = (closed: string): string => (closed === '' ? ALWAYS : monthAfter(closed));

/** Adds imported lots to a state if they are not stored yet, and returns them for storing. */
export const addExternalLots = async (
  tx: Kysely<DB>,
  { entities, currency: reporting, closed }: Taxpayer,
  state: State,
): Promise<ExternalLot[]> => {
  const { rows } = await sql<ExternalLotRow>`
    select o.entity_id, o.lot_number, o.currency, o.units::text, o.cost::text, o.cost_currency, o.acquired_on::text
    from decide.external_lots o
    where o.entity_id = any(${entities}::text[]) and not exists (
      select from value.lots l where (l.entity_id, l.lot_id) = (o.entity_id, 'external/' || o.lot_number)
    )
    order by o.acquired_on, o.lot_number`.execute(tx);
  const lots: ExternalLot[] = [];
  for (const row of rows) {
    const lot: ExternalLot = {
      ...(await acquisitionOf(tx, row, reporting)),
      entity: row.entity_id,
      id: `external/${row.lot_number}`,
      pool: 'external',
      currency: row.currency,
      seq: nextLot(state),
      units: attoOf(row.units),
      origin: 'imported',
      period: firstMonthOf(closed),
    };
    lots.push(lot);
    addLot(poolOf(state, EXTERNAL, row.currency), { ...lot, acquired: lot });
  }
  return lots;
};

type CostRow = Pick<ExternalLotRow, 'cost' | 'cost_currency' | 'acquired_on'> & {
  readonly stored: string | null;
};

/**
 * Whether a lot that no closed month rests on would have another cost today, because a rate came later. For a taxpayer without entries in an
 * open month: otherwise a month's fingerprint shows it.
 */
export const hasOtherCosts = async (
  db: Kysely<DB>,
  { name, entities, currency, closed }: Taxpayer,
): Promise<boolean> => {
  const { rows } = await sql<CostRow>`
    select distinct o.cost::text, o.cost_currency, o.acquired_on::text, l.cost::text as stored
    from decide.external_lots o
    join value.lots l on (l.entity_id, l.lot_id) = (o.entity_id, 'external/' || o.lot_number)
    where o.entity_id = any(${entities}::text[]) and o.cost_currency <> ${currency} and l.taxpayer = ${name} and l.period > ${closed}`.execute(
    db,
  );
  for (const { stored, ...row } of rows) {
    const { cost } = await acquisitionOf(db, row, currency);
    if (cost !== (stored === null ? null : attoOf(stored))) return true;
  }
  return false;
};
