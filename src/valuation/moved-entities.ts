// Entities that moved between taxpayers: their old values and those of the others have used each other's lots.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { Sources } from './sources.ts';
import type { Taxpayer } from './taxpayers.ts';

/** Whether an entity has values of open months, or externally held lots, under a taxpayer that is no longer its own. */
export const hasMovedEntity = async (
  db: Kysely<DB>,
  taxpayers: readonly Taxpayer[],
  { stored }: Pick<Sources, 'stored'>,
): Promise<boolean> => {
  const own = new Map(taxpayers.flatMap((payer) => payer.entities.map((entity) => [entity, payer] as const)));
  const isMoved = ({ entity_id, taxpayer, period }: Sources['stored'][number]): boolean => {
    const payer = own.get(entity_id);
    return payer !== undefined && payer.name !== taxpayer && period > payer.closed;
  };
  if (stored.some(isMoved)) return true;
  const { rows } = await sql`${externalLotsOfMoved(taxpayers)} limit 1`.execute(db);
  return rows.length > 0;
};

/** Externally held lots, which belong to no month of their entity, stored under a taxpayer that is no longer the entity's. */
export const externalLotsOfMoved = (taxpayers: readonly Taxpayer[]): RawBuilder<unknown> => {
  const own = taxpayers.flatMap(({ name, entities }) => entities.map((entity) => ({ entity, name })));
  return sql`
    select l.entity_id, l.lot_id from ${unnest(own, { entity: 'text', name: 'text' })}
    join decide.external_lots o on o.entity_id = input.entity
    join value.lots l on (l.entity_id, l.lot_id) = (o.entity_id, 'external/' || o.lot_number)
    where l.taxpayer <> input.name`;
};
