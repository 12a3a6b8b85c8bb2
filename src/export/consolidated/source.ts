// One database of several that are read together: what it contains, all from one snapshot, as any login that may read the views.
import { UsageError } from '../../base/errors.ts';
import type { Stopping } from '../../database/connection.ts';
import {
  type Cell,
  type Column,
  codeOf,
  enterReader,
  loadSql,
  placeOf,
  readRows,
} from '../../database/database.ts';
import { markOf, PLACE, readSchemaFiles } from '../../database/schema.ts';
import type { BoundSql } from '../../database/sql.ts';
import { linksOf } from '../reports/books-state.ts';
import { inSnapshot, rowsOf, type Snapshot } from '../reports/snapshot.ts';

/** A row by column name, as text of Postgres. */
export type SourceRow = Readonly<Record<string, Cell>>;

/** A table as it was read. */
export type SourceTable = {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
};

/**
 * A database: `place` names it in messages, `database_id` is the same behind every address that leads there, `partnerOf`
 * finds a record with one of some names, `names` has the entity behind each of ours, and `accounts` those names that only one account of
 * the gateway has.
 */
export type BooksSource = {
  readonly place: string;
  readonly database_id: string;
  readonly books_id: string;
  readonly entities: readonly SourceRow[];
  readonly consolidated: SourceTable;
  readonly names: ReadonlyMap<string, string>;
  readonly accounts: ReadonlyMap<string, string>;
  readonly links: number;
  readonly links_sha256: string;
  readonly partnerOf: (names: readonly string[]) => Promise<SourceRow | undefined>;
};

/**
 * Opens every database read-only at one moment each, and passes them to `use` in the order given. Throws a FailedError for
 * one that cannot be reached, a UsageError for one without books that can be read.
 */
export const withSources = async <T>(
  urls: readonly string[],
  use: (sources: readonly BooksSource[]) => Promise<T>,
  stopping: Stopping,
): Promise<T> => {
  const [url, ...others] = urls;
  if (url === undefined) return use([]);
  const { pool, close } = await enterReader(url, stopping);
  try {
    return await inSnapshot(pool, async (snapshot) => {
      const source = await readSource(snapshot, placeOf(url)).catch(refuseUnreadable(placeOf(url)));
      return withSources(others, (rest) => use([source, ...rest]), stopping);
    });
  } finally {
    await close();
  }
};

const NOT_ALLOWED = '42501';

const refuseUnreadable =
  (place: string) =>
  (error: Error): never => {
    if (codeOf(error) !== NOT_ALLOWED) throw error;
    throw new UsageError(
      `the login for ${place} may not read its books (${error.message}): use a login of tieout_analyst`,
    );
  };

const readSource = async (snapshot: Snapshot, place: string): Promise<BooksSource> => {
  const books_id = await booksIdOf(snapshot, place);
  const entities = await rowsOf(snapshot, loadSql('export/source_entities.sql'));
  if (entities.length === 0)
    throw new UsageError(`${place} has books without an entity: check its address, or run its first night`);
  const names = await rowsOf(snapshot, loadSql('export/source_names.sql'));
  return {
    place,
    database_id: await databaseIdOf(snapshot),
    books_id,
    entities,
    consolidated: await tableOf(snapshot, loadSql('cookbook/consolidated.sql')),
    names: entityByName(names),
    accounts: entityByName(names.filter(({ account }) => account !== null)),
    ...(await linksOf(snapshot)),
    partnerOf: async (wanted) =>
      (await rowsOf(snapshot, loadSql('export/source_partners.sql', { names: wanted })))[0],
  };
};

const entityByName = (names: readonly SourceRow[]): Map<string, string> =>
  new Map(names.map(({ name, entity_id }) => [name ?? '', entity_id ?? '']));

/** The id of the books in a database. Throws a UsageError if there are none of this version. */
const booksIdOf = async ({ db }: Snapshot, place: string): Promise<string> => {
  const mark = await markOf(db);
  if (mark === null) throw new UsageError(`${place} has no books of tieout: check its address`);
  if (mark.digest !== (await readSchemaFiles()).digest)
    throw new UsageError(
      `the books in ${place} have the schema of another version of tieout: run npx tieout migrate there with this version`,
    );
  return mark.booksId;
};

const databaseIdOf = async ({ db }: Snapshot): Promise<string> => {
  const rows = await readRows<{ place: string }>(db, { text: PLACE, values: [] });
  return rows[0]?.place ?? '';
};

const tableOf = async (snapshot: Snapshot, query: BoundSql): Promise<SourceTable> => {
  let columns: readonly Column[] = [];
  const all: (readonly Cell[])[] = [];
  for await (const batch of snapshot.batches(query)) {
    columns = batch.columns;
    all.push(...batch.rows);
  }
  return { columns, rows: all };
};
