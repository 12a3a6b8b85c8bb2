// Statements side by side: they see one moment, whoever writes in between, and a failure is reported once, as what it is.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLanes } from '../../../src/export/reports/lanes.ts';
import { inSnapshot, type Snapshot } from '../../../src/export/reports/snapshot.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query('create table public.numbers as select generate_series(1, 5) as n');
});
afterAll(() => books.close());

const statement = (text: string) => ({ text, values: [] });
const NUMBERS = statement('select n from public.numbers order by n');

const read = async (snapshot: Snapshot, query = NUMBERS) => {
  const cells: (string | null | undefined)[] = [];
  for await (const { rows } of snapshot.batches(query)) cells.push(...rows.map(([cell]) => cell));
  return cells;
};

test('three statements at once see the moment of the first, although rows were added since', async () => {
  await inSnapshot(books.pool, async (snapshot) => {
    const open = snapshot.batches(NUMBERS);
    await open.next(); // one lane is in use
    await books.pool.query('insert into public.numbers values (6)');
    const beside = [read(snapshot), read(snapshot)];
    expect(await Promise.all(beside)).toEqual([
      ['1', '2', '3', '4', '5'],
      ['1', '2', '3', '4', '5'],
    ]);
    await open.return(undefined);
  });
  expect(await inSnapshot(books.pool, (snapshot) => read(snapshot))).toHaveLength(6);
});

test('the failure of a statement is the error of all others, and the connections still work', async () => {
  const failing = inSnapshot(books.pool, async (snapshot) => {
    const ends = await Promise.allSettled([
      read(snapshot, statement('select 1 / (n - 1) from public.numbers')),
      read(snapshot),
      read(snapshot),
      read(snapshot),
    ]);
    const [first, ...others] = ends.filter((end) => end.status === 'rejected').map(({ reason }) => reason);
    expect(others.every((other) => other === first)).toBe(true);
    await read(snapshot);
  });
  await expect(failing).rejects.toThrow('division by zero');
  expect(await inSnapshot(books.pool, (snapshot) => read(snapshot))).toContain('1');
});

test('a connection that comes too late for the moment, because its first transaction failed, gets the reason of that', async () => {
  const lanes = await openLanes(books.pool);
  const first = await lanes.take();
  await expect(first.query('select 1 / 0')).rejects.toThrow('division by zero');
  const second = lanes.take();
  await lanes.first.query('rollback');
  lanes.fail(new Error('the reason'));
  await expect(second).rejects.toThrow('the reason');
  await lanes.close();
});
