// The table of streams exists twice, in TypeScript and in SQL: both must agree.
import { expect, test } from 'vitest';
import { REFERENCE_NAMES, REFERENCES, STREAM_NAMES, STREAMS } from '../../src/base/streams.ts';
import { freshDatabase } from '../database.ts';

test('SQL and TypeScript have the same streams, in the same order, with the same products', async () => {
  const books = await freshDatabase();
  try {
    const { rows } = await books.pool.query(
      'select stream, product, is_per_item from books_internal.streams',
    );
    expect(rows).toEqual(
      STREAM_NAMES.map((stream) => ({
        stream,
        product: STREAMS[stream].product,
        is_per_item: STREAMS[stream].isPerItem,
      })),
    );
    const references = await books.pool.query(
      'select stream, is_listed from books_internal.reference_streams',
    );
    expect(references.rows).toEqual(
      REFERENCE_NAMES.map((stream) => ({ stream, is_listed: REFERENCES[stream].isListed })),
    );
  } finally {
    await books.close();
  }
});
