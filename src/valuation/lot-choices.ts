// Chosen lots: the lots that persons named for the disposals of some entries.
import { type Kysely, sql } from 'kysely';
import { attoOf } from '../base/money.ts';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { ChosenLot, Event } from './event.ts';
import type { EventRow } from './event-row.ts';
import type { Taxpayer } from './taxpayers.ts';

type ChoiceRow = {
  entity_id: string;
  stream: string;
  record_id: string;
  currency: string;
  lot_entity_id: string;
  lot_id: string;
  units: string;
};

const NONE: Event['chosenLots'] = new Map();

const nameOf = ({ entity_id, stream, record_id }: Pick<ChoiceRow, 'entity_id' | 'stream' | 'record_id'>) =>
  `${entity_id}\n${stream}\n${record_id}`;

/** The lots named for each entry, in the order of their file; only the method `specific` reads any. */
export const chosenLotsOf = async (
  tx: Kysely<DB>,
  { method }: Pick<Taxpayer, 'method'>,
  rows: readonly EventRow[],
): Promise<(row: EventRow) => Event['chosenLots']> => {
  if (method !== 'specific') return () => NONE;
  const names = rows.map(({ entity_id, stream, record_id }) => ({ entity_id, stream, record_id }));
  const { rows: choices } = await sql<ChoiceRow>`
    select c.entity_id, c.stream, c.record_id, c.currency, c.lot_entity_id, c.lot_id, c.units::text as units
    from (
      select distinct * from ${unnest(names, { entity_id: 'text', stream: 'text', record_id: 'text' })}
    ) as entry
    join books_internal.chosen_lots c using (entity_id, stream, record_id)
    order by c.choice_number`.execute(tx);
  const chosen = new Map<string, Map<string, ChosenLot[]>>();
  for (const choice of choices) {
    const lots = chosen.get(nameOf(choice)) ?? new Map<string, ChosenLot[]>();
    const { currency, lot_entity_id: entity, lot_id: id, units } = choice;
    chosen.set(nameOf(choice), lots);
    lots.set(currency, [...(lots.get(currency) ?? []), { entity, id, units: attoOf(units) }]);
  }
  return (row) => chosen.get(nameOf(row)) ?? NONE;
};
