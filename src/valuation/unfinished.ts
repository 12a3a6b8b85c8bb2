// Unfinished books: landed records that are not booked yet, entries that are not paired yet, and entries that are not valued yet, as an
// interrupted run leaves them.
import { type Kysely, sql } from 'kysely';
import { firstOf } from '../base/counted.ts';
import { FailedError } from '../base/errors.ts';
import type { DB } from '../database/db-types.ts';
import { readChanges } from './changes.ts';
import { taxpayers } from './taxpayers.ts';

/** The timezone of the months, and the reporting currency of entities without one of their own. */
export type ValuedBooks = { readonly timezone: string; readonly currency: string };

/**
 * `is_unpaired`: whether moves on clearing accounts were booked since they were last paired. `values_from`: the first month whose stored
 * values do not match today's entries and rates; null if there is none.
 */
export type Unfinished = {
  readonly entity_id: string;
  readonly undecided: number;
  readonly is_unpaired: boolean;
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
  const rows = await unfinishedSteps(db);
  const withUndecided = new Set(
    rows.filter(({ undecided }) => undecided > 0).map(({ taxpayer }) => taxpayer),
  );
  return rows
    .filter((row) => withUndecided.has(row.taxpayer) || row.is_unpaired || stale.has(row.entity_id))
    .map(({ taxpayer, ...row }) => ({ ...row, values_from: stale.get(row.entity_id) ?? null }));
};

type UnfinishedSteps = Omit<Unfinished, 'values_from'> & { readonly taxpayer: string };

/** How far booking and pairing are: every entity. */
const unfinishedSteps = async (db: Kysely<DB>): Promise<UnfinishedSteps[]> => {
  const { rows } = await sql<UnfinishedSteps>`
    select p.entity_id, p.taxpayer, coalesce(i.records, 0)::int as undecided,
      exists (select from books_internal.unpaired_clearing u where u.entity_id = p.entity_id) as is_unpaired
    from books.profiles p
    left join (select entity_id, count(*) as records from land.inbox group by 1) as i using (entity_id)
    order by 1`.execute(db);
  return rows;
};

/**
 * Throws a FailedError if the books of an entity, or of any, are unfinished: files from them would be wrong. It names that
 * entity first.
 */
export const refuseUnfinished = async (
  db: Kysely<DB>,
  books: ValuedBooks,
  entity?: string,
): Promise<void> => {
  const all = await unfinished(db, books);
  const found = [
    ...all.filter(({ entity_id }) => entity_id === entity),
    ...all.filter(({ entity_id }) => entity_id !== entity),
  ];
  if (entity !== undefined && !found.some(({ entity_id }) => entity_id === entity)) return;
  const records = found.flatMap(({ entity_id, undecided }) =>
    undecided > 0 ? [`${undecided} of ${entity_id}`] : [],
  );
  const unpaired = found.flatMap(({ entity_id, is_unpaired }) => (is_unpaired ? [entity_id] : []));
  const values = found.flatMap(({ entity_id, values_from }) =>
    values_from === null ? [] : [`${entity_id} from ${values_from} on`],
  );
  const what = [
    ...(records.length > 0 ? [`landed records are not booked yet (${firstOf(records)})`] : []),
    ...(unpaired.length > 0 ? [`own transfers are not paired yet (${firstOf(unpaired)})`] : []),
    ...(values.length > 0 ? [`values are out of date (${firstOf(values)})`] : []),
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
