// Rows out through COPY: every text arrives as it is stored, wherever the socket cuts it, and the connection serves whatever comes next.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copiedRows } from '../../src/database/database.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(() => books.close());

type Query = Parameters<typeof copiedRows>[1];

const allOf = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

const read = async (text: string, values: Query['values'] = []) => {
  const client = await books.pool.connect();
  try {
    const batches = await allOf(copiedRows(client, { text, values }));
    return {
      columns: batches[0]?.columns,
      rows: batches.flatMap(({ rows }) => rows),
      pieces: batches.length,
    };
  } finally {
    client.release();
  }
};

const ODD = [
  '',
  'N',
  '\\N',
  '\\',
  '\\\\N',
  '\\.',
  '\t',
  'a\nb',
  '\r\n',
  '\b\f\v',
  '$1',
  "it's",
  "\\'",
  '"a","b"',
  '€😀',
  ' x ',
];

test('texts of every kind, as rows and as values of the statement', async () => {
  const { rows } = await read(
    'select n, t, $2::text from unnest($1::text[]) with ordinality as x (t, n) order by n;\n',
    [ODD, "\\ ' $1"],
  );
  expect(rows).toEqual(ODD.map((text, index) => [String(index + 1), text, "\\ ' $1"]));
});

test('null is not the empty text, nor the text of null', async () => {
  const { rows } = await read("select null, '', '\\N', 'null' -- the end");
  expect(rows).toEqual([[null, '', '\\N', 'null']]);
});

test('columns have their types, with rows or without', async () => {
  const { columns, rows } = await read(
    "select now() as \"at\", 1::numeric as n, true as is, 'x' as t where $1 = ''",
    ['x'],
  );
  const types = { at: 1184, n: 1700, is: 16, t: 25 };
  expect(columns).toEqual(Object.entries(types).map(([name, typeId]) => ({ name, typeId })));
  expect(rows).toEqual([]);
});

test('rows that are longer than a piece, and characters at its edge', async () => {
  const { rows, pieces } = await read(
    "select n, repeat('é😀' || n, n * 3000) from generate_series(1, 40) as n order by n",
  );
  expect(rows).toEqual(
    Array.from({ length: 40 }, (_, index) => [
      String(index + 1),
      `é😀${index + 1}`.repeat((index + 1) * 3000),
    ]),
  );
  expect(pieces).toBeGreaterThan(1);
});

test('a reader that stops early leaves a connection that works', async () => {
  const client = await books.pool.connect();
  try {
    for await (const { rows } of copiedRows(client, {
      text: 'select generate_series(1, 500000)',
      values: [],
    })) {
      expect(rows[0]).toEqual(['1']);
      break;
    }
    expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
  } finally {
    client.release();
  }
});

test.each([
  ['at its start', 'select nothing', 'does not exist'],
  ['for want of a value', 'select $1::text', 'there is no parameter $1'],
  ['after many rows', 'select 1 / (100000 - n) from generate_series(1, 100000) as n', 'division by zero'],
])('a statement that fails %s throws its error, and the connection works', async (_when, text, message) => {
  const client = await books.pool.connect();
  try {
    await expect(allOf(copiedRows(client, { text, values: [] }))).rejects.toThrow(message);
    expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
  } finally {
    client.release();
  }
});

type Wire = { readonly connection: { readonly stream: { destroy(): void } } };

test.each([
  ['the server ends', (pid: number) => books.pool.query('select pg_terminate_backend($1)', [pid])],
  ['goes silent and is cut', async (_: number, wire: Wire) => wire.connection.stream.destroy()],
])('a session that %s amid the rows is an error, not the end of the rows', async (_how, end) => {
  const client = await books.pool.connect();
  client.on('error', () => {}); // the pool's own listener serves idle connections alone
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const text = "select repeat('x', 1000), pg_sleep(0.001) from generate_series(1, 100000)";
  const ended = expect(allOf(copiedRows(client, { text, values: [] }))).rejects.toThrow(/terminat/);
  await sleep(300);
  await end(rows[0]?.pid ?? 0, client as unknown as Wire);
  await ended;
  client.release(true);
});
