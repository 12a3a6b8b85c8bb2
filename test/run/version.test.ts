// A job that waited for its turn while another version migrated the books: it changes nothing.
import { expect, onTestFinished, test } from 'vitest';
import { inSession, lockBooks } from '../../src/database/database.ts';
import { markOf, writeMarks } from '../../src/database/schema.ts';
import { BooksMigrated, offlineResult, withRun } from '../../src/run/run.ts';
import { booksConfig } from '../books-config.ts';
import { freshDatabase } from '../database.ts';
import { newFolder } from '../room.ts';

test('a job that waited while another version migrated the books begins no run', async () => {
  const books = await freshDatabase();
  onTestFinished(() => books.close());
  const { booksId = '' } = (await markOf(books.db)) ?? {};
  const other = await lockBooks(books.url, 'migrate');
  let works = 0;
  const migrated = async (): Promise<void> => {
    await inSession(books.url, 'test', (session) => writeMarks(session, booksId, 'f'.repeat(64)));
    await other.release();
  };
  const run = withRun({ ...booksConfig(newFolder()), databaseUrl: books.url }, 'reconcile', {
    waitMs: 20_000,
    tell: ({ event }) => void (event === 'night waits' && migrated()),
    work: async () => {
      works += 1;
      return offlineResult(0, '');
    },
  });
  await expect(run).rejects.toThrow(BooksMigrated);
  expect([works, (await books.pool.query('select from run.runs')).rowCount]).toEqual([0, 0]);
});
