// The state of books: their id, and one digest over the ends of all their chains and of what no link covers yet. Equal digests mean
// equal books, unless a run is at work.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { loadSql } from '../../database/database.ts';
import { markOf } from '../../database/schema.ts';
import type { BooksState } from './manifest.ts';
import type { Snapshot } from './snapshot.ts';

/** The state at the moment of a snapshot. */
export const booksStateOf = async (snapshot: Snapshot): Promise<BooksState> => {
  const mark = await markOf(snapshot.db);
  assert(mark, 'books have a mark');
  return { books_id: mark.booksId, ...(await linksOf(snapshot)) };
};

/** The number of chains, and one digest over the ends of all and of what no link covers yet. */
export const linksOf = async (snapshot: Snapshot): Promise<Pick<BooksState, 'links' | 'links_sha256'>> => {
  const hash = createHash('sha256');
  let links = 0;
  for await (const { rows } of snapshot.batches(loadSql('export/source_state.sql'))) {
    links += rows.filter(([, , , , link]) => link !== null).length;
    for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
  }
  return { links, links_sha256: hash.digest('hex') };
};
