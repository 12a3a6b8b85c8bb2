// Unfinished books: landed records that are not booked yet, and entries that are not valued yet, as an interrupted run
// leaves them.
import { type Kysely, sql } from 'kysely';
import { FailedError } from '../base/errors.ts';
import type { DB } from '../database/db-types.ts';
import { readChanges } from './changes.ts';
import { taxpayers } from './taxpayers.ts';

/** The timezone of the months, and the reporting currency of entities without one of their own. */
export type ValuedBooks = { readonly timezone: string; readonly currency: string };

/** `values_from`: the first month whose stored values do not match today's entries and rates; null if there is none. */
export type Unfinished = {
  readonly entity_id: string;
  readonly undecided: number;
  readonly values_from: string | null;
};

/**
 * The entities with unfinished books: if one has undecided records, all entities of its taxpayer, because they share
 * lots.
 */
export const unfinished = async (db: Kysely<DB>, books: ValuedBooks): Promise<Unfinished[]> => {
  const stale = new Map(
    (await staleValues(db, books)).flatMap(({ entities, from }) => entities.map((id) => [id, from])),
  );
  const { rows } = await sql<{ entity_id: string; taxpayer: string; undecided: number }>`
    select p.entity_id, p.taxpayer, coalesce(i.records, 0)::int as undecided
    from books.profiles p
    left join (select entity_id, count(*) as records from land.inbox group by 1) as i using (entity_id)
    order by 1`.execute(db);
  const waiting = new Set(rows.filter(({ undecided }) => undecided > 0).map(({ taxpayer }) => taxpayer));
  return rows
    .filter(({ entity_id, taxpayer }) => waiting.has(taxpayer) || stale.has(entity_id))
    .map(({ entity_id, undecided }) => ({ entity_id, undecided, values_from: stale.get(entity_id) ?? null }));
};

/** Throws a FailedError if the books of an entity, or of any, are unfinished: files from them would be wrong. */
export const refuseUnfinished = async (
  db: Kysely<DB>,
  books: ValuedBooks,
  entity?: string,
): Promise<void> => {
  const found = await unfinished(db, books);
  if (entity !== undefined && !found.some(({ entity_id }) => entity_id === entity)) return;
  const records = found.flatMap(({ entity_id, undecided }) =>
    undecided > 0 ? [`${undecided} of ${entity_id}`] : [],
  );
  const values = found.flatMap(({ entity_id, values_from }) =>
    values_from === null ? [] : [`${entity_id} from ${values_from} on`],
  );
  const what = [
    ...(records.length > 0 ? [`landed records are not booked yet (${records.join(', ')})`] : []),
    ...(values.length > 0 ? [`values are out of date (${values.join(', ')})`] : []),
  ];
  if (what.length > 0)
    throw new FailedError(`${what.join('; ')}: run npx tieout normalize, then repeat this command`);
};

/** The taxpayers whose stored values do not match today's books, each with the first such month. */
const staleValues = async (
  db: Kysely<DB>,
  { currency }: ValuedBooks,
): Promise<{ readonly entities: readonly string[]; readonly from: string }[]> => {
  const { changes } = await readChanges(db, await taxpayers(db, currency));
  return changes.flatMap(({ taxpayer: { entities }, from }) => (from === null ? [] : [{ entities, from }]));
};
