// The folder of a batch and its record: whatever becomes of the commit, a recorded batch has its files, and no other has any.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../../src/database/connection.ts';
import { exportBatch } from '../../../src/export/packages/export-batch.ts';
import { silentProxy } from '../../database/silent-proxy.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { newFolder } from '../../room.ts';
import { makeValueWorld, tell } from '../value-world.ts';
import { ask, hand, numbers, type Stand } from './batches.ts';

let books: TestDatabase;
let stand: Stand;
let day = 3;

beforeAll(async () => {
  books = await freshDatabase();
  await makeValueWorld(books);
});
afterAll(() => books.close());

/** One more entry that no package has received. */
beforeEach(async () => {
  stand = { books, folder: newFolder() };
  day += 1;
  const sides = ['assets:pocket:p1 EUR 5 5', 'equity:external:bank EUR -5 -5 own'];
  await tell(
    books,
    sides.map((side) => `2026-10-0${day} in${day} ${side}`),
  );
});

/** Exports what is new over a connection that is lost with the answer to the commit. */
const handUnanswered = async () => {
  const proxy = await silentProxy(books.url);
  const { db: decider, close } = openDatabase(proxy.url, { name: 'tieout test' });
  const outDir = () => {
    proxy.loseAnswer('commit');
    return join(stand.folder, 'out');
  };
  try {
    return await exportBatch({ pool: books.pool, decider, url: books.url }, ask(stand, 'xero', { outDir }));
  } finally {
    await close();
    await proxy.close();
  }
};

test('a batch that was recorded keeps its files when the answer to the commit is lost', async () => {
  const batch = await handUnanswered();
  expect(await numbers(stand)).toEqual(['1 xero']);
  expect(batch?.dir).toBe(join(stand.folder, 'out'));
  expect(existsSync(join(stand.folder, 'out', 'manifest.json'))).toBe(true);
});

test('the batch that a failed one would have replaced stays', async () => {
  const outDir = () => join(stand.folder, 'out');
  const before = await hand(stand, 'xero', { outDir });
  const manifest = readFileSync(join(outDir(), 'manifest.json'));
  await tell(books, [
    '2026-10-20 more assets:pocket:p1 EUR 6 6',
    '2026-10-20 more equity:external:bank EUR -6 -6 own',
  ]);
  await books.pool.query(`
    create function books.no() returns trigger language plpgsql as $$ begin raise exception 'the disk of the server is full'; end $$;
    create constraint trigger no after insert on decide.batches deferrable initially deferred for each row execute function books.no()`);
  await expect(hand(stand, 'xero', { outDir })).rejects.toThrow('the disk of the server is full');
  await books.pool.query('drop trigger no on decide.batches');
  expect(before).not.toBeNull();
  expect(readFileSync(join(outDir(), 'manifest.json'))).toEqual(manifest);
});
