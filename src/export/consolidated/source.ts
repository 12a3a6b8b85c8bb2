// One database of several that are read together: what it contains, all from one snapshot, as any login that may read the views.
import { createHash } from 'node:crypto';
import { UsageError } from '../../base/errors.ts';
import { loadSql, openReader, placeOf } from '../../database/database.ts';
import { markOf, readSchemaFiles } from '../../database/schema.ts';
import type { BoundSql } from '../../database/sql.ts';
import type { Cell, Column } from '../reports/csv.ts';
import { inSnapshot, rowsOf, type Snapshot } from '../reports/snapshot.ts';

/** A row by column name, as text of Postgres. */
export type SourceRow = Readonly<Record<string, Cell>>;

/** A table as it was read. */
export type SourceTable = {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Cell[])[];
};

/** A database: `place` names it in messages, `partnerOf` finds a wallet transaction with one of some names. */
export type BooksSource = {
  readonly place: string;
  readonly books_id: string;
  readonly entities: readonly SourceRow[];
  readonly consolidated: SourceTable;
  readonly names: ReadonlyMap<string, string>;
  readonly links: number;
  readonly links_sha256: string;
  readonly partnerOf: (names: readonly string[]) => Promise<SourceRow | undefined>;
};

/** Opens every database read-only at one moment each, and passes them to `use` in the order given. */
export const withSources = async <T>(
  urls: readonly string[],
  use: (sources: readonly BooksSource[]) => Promise<T>,
): Promise<T> => {
  const [url, ...others] = urls;
  if (url === undefined) return use([]);
  const { pool, close } = openReader(url);
  try {
    return await inSnapshot(pool, async (snapshot) => {
      const source = await readSource(snapshot, placeOf(url));
      return withSources(others, (rest) => use([source, ...rest]));
    });
  } finally {
    await close();
  }
};

const readSource = async (snapshot: Snapshot, place: string): Promise<BooksSource> => {
  const mark = await markOf(snapshot.db);
  if (mark === null) throw new UsageError(`${place} has no books of tieout: check its address`);
  if (mark.digest !== (await readSchemaFiles()).digest)
    throw new UsageError(
      `the books in ${place} have the schema of another version of tieout: run npx tieout migrate there with this version`,
    );
  const names = await rowsOf(snapshot, loadSql('export/source_names.sql'));
  return {
    place,
    books_id: mark.booksId,
    entities: await rowsOf(snapshot, loadSql('export/source_entities.sql')),
    consolidated: await tableOf(snapshot, loadSql('cookbook/consolidated.sql')),
    names: new Map(names.map(({ name, entity_id }) => [name ?? '', entity_id ?? ''])),
    ...(await linksOf(snapshot)),
    partnerOf: async (wanted) =>
      (await rowsOf(snapshot, loadSql('export/source_partners.sql', { names: wanted })))[0],
  };
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

/** The number of chains, and one digest over the ends of all. */
const linksOf = async (snapshot: Snapshot): Promise<Pick<BooksSource, 'links' | 'links_sha256'>> => {
  const hash = createHash('sha256');
  let links = 0;
  for await (const { rows } of snapshot.batches(loadSql('export/source_links.sql'))) {
    links += rows.length;
    for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
  }
  return { links, links_sha256: hash.digest('hex') };
};
