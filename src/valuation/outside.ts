// Lots from outside, as a file told them: they wait in the pool of what is ours elsewhere. They stand before all months, or
// in the first open one where months were closed before they were handed in.
import { type Kysely, sql } from 'kysely';
import { attoOf } from '../base/money.ts';
import { isoOf, msOf } from '../base/time.ts';
import type { DB } from '../database/db-types.ts';
import { monthAfter } from '../ledger/period.ts';
import type { NewLot } from './event.ts';
import { costIn } from './facts.ts';
import { addLot } from './pool.ts';
import { nextLot, poolOf, type State } from './state.ts';
import type { Taxpayer } from './taxpayers.ts';

/** Before every month. */
const ALWAYS = '0000-00';

type Row = {
  entity_id: string;
  lot_number: string;
  currency: string;
  units: string;
  cost: string;
  cost_currency: string;
  acquired_on: string;
};

export type OutsideLot = Omit<NewLot, 'leg'> & { readonly entity: string; readonly period: string };

/** Adds what is not there yet to a state, and gives it back to be stored. */
export const addOutsideLots = async (
  tx: Kysely<DB>,
  { entities, currency: reporting, closed }: Taxpayer,
  state: State,
): Promise<OutsideLot[]> => {
  const { rows } = await sql<Row>`
    select o.entity_id, o.lot_number, o.currency, o.units::text, o.cost::text, o.cost_currency, o.acquired_on::text
    from decide.outside_lots o
    where o.entity_id = any(${entities}::text[]) and not exists (
      select from value.lots l where (l.entity_id, l.lot_id) = (o.entity_id, 'outside/' || o.lot_number)
    )
    order by o.acquired_on, o.lot_number`.execute(tx);
  const lots: OutsideLot[] = [];
  for (const row of rows) {
    const acquiredAt = isoOf(msOf(`${row.acquired_on}T00:00:00Z`));
    const at = msOf(acquiredAt) * 1_000;
    const lot: OutsideLot = {
      ...{ entity: row.entity_id, id: `outside/${row.lot_number}`, pool: 'outside', currency: row.currency },
      ...{ acquiredAt, at, seq: nextLot(state), units: attoOf(row.units), origin: 'outside-file' },
      ...{
        cost: await costIn(tx, row, { reporting, at }),
        period: closed === '' ? ALWAYS : monthAfter(closed),
      },
    };
    lots.push(lot);
    addLot(poolOf(state, 'outside', row.currency), { ...lot });
  }
  return lots;
};
