// Chosen lots: the lots that persons named for the disposals of some entries.
import type { Kysely } from 'kysely';
import { attoOf } from '../base/money.ts';
import { loadSql, readRows } from '../database/database.ts';
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
  micros: string;
  entries: string[];
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
  const query = loadSql('valuation/chosen_lots.sql', {
    entities: rows.map(({ entity_id }) => entity_id),
    streams: rows.map(({ stream }) => stream),
    records: rows.map(({ record_id }) => record_id),
  });
  const choices = await readRows<ChoiceRow>(tx, query);
  const chosen = new Map<string, Map<string, ChosenLot[]>>();
  for (const choice of choices) {
    const lots = chosen.get(nameOf(choice)) ?? new Map<string, ChosenLot[]>();
    const { currency, lot_entity_id: entity, lot_id: id, units, micros, entries } = choice;
    chosen.set(nameOf(choice), lots);
    lots.set(currency, [
      ...(lots.get(currency) ?? []),
      { entity, id, units: attoOf(units), micros: Number.parseInt(micros, 10), entries },
    ]);
  }
  return (row) => chosen.get(nameOf(row)) ?? NONE;
};
