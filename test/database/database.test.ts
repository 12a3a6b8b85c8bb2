import { CompiledQuery, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { messageOf } from '../../src/base/errors.ts';
import { readInstant } from '../../src/base/time.ts';
import { type Books, inSession, openBeside, openDatabase, placeOf } from '../../src/database/connection.ts';
import { copyBatch } from '../../src/database/copy.ts';
import { insertOfColumns, insertRows } from '../../src/database/insert.ts';
import { inTurn } from '../../src/database/turns.ts';
import { unnest } from '../../src/database/unnest.ts';
import { instantText } from '../../src/database/values.ts';
import { lockBooks } from '../../src/database/writer-lock.ts';
import { emptyDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await emptyDatabase();
});
afterAll(() => books.close());

const one = async (expression: string): Promise<unknown> =>
  (await books.pool.query(`select ${expression} as value`)).rows[0].value;

const EXACT: [string, unknown][] = [
  ['0.1::numeric', '0.1'],
  ['123456789012345678901234.123456789012345678::numeric', '123456789012345678901234.123456789012345678'],
  ['1.10::numeric', '1.10'],
  ['9223372036854775807::int8', '9223372036854775807'],
  ['7::int4', 7],
  ['array[0.1, 1e-18]::numeric[]', ['0.1', '0.000000000000000001']],
  ['array[9007199254740993]::int8[]', ['9007199254740993']],
  ["array['a,b', null]::text[]", ['a,b', null]],
  ["timestamptz '2026-11-03 12:00:00.123456+02'", '2026-11-03T10:00:00.123456Z'],
  ["timestamptz '2026-11-03 10:00:00.1+00'", '2026-11-03T10:00:00.100Z'],
  ["timestamptz '2026-11-03 10:00:00+00'", '2026-11-03T10:00:00.000Z'],
  ["timestamptz '-infinity'", '-infinity'],
  ["array[timestamptz '2026-11-03 10:00+00', null]", ['2026-11-03T10:00:00.000Z', null]],
  ["timestamp '2026-11-03 10:00:00.5'", '2026-11-03 10:00:00.5'],
  ["date '2026-11-03'", '2026-11-03'],
  ["interval '48 hours'", '48:00:00'],
  [`'{"a": 0.10}'::json`, '{"a": 0.10}'],
  [`'{"a": 0.10}'::jsonb`, '{"a": 0.10}'],
  [`array['{"a": 0.10}'::jsonb]`, ['{"a": 0.10}']],
  ["'\\x00ff'::bytea", Buffer.from([0, 255])],
  ['true', true],
  ['null::numeric', null],
];

test.each(EXACT)('%s arrives exactly', async (expression, expected) => {
  expect(await one(expression)).toEqual(expected);
});

test('an instant from the database has the form of one from the gateway', () => {
  for (const instant of ['2026-11-03T10:00:00.123456Z', '2026-11-03T10:00:00.100Z', '2020-01-01T00:00:00Z']) {
    const asPostgres = instant
      .replace('T', ' ')
      .replace(/\.?0*Z$/, (end) => (end.startsWith('.') ? '' : end.slice(0, -1)));
    expect(instantText(`${asPostgres}+00`)).toBe(readInstant(instant));
  }
});

test('options in a URL do not change the format of times', async () => {
  const url = `${books.url}?options=-c%20TimeZone%3DAsia%2FTokyo%20-c%20work_mem%3D5MB&application_name=other`;
  const { rows } = await inSession(url, 'tieout x', (s) =>
    s.query(
      "select current_setting('TimeZone') as tz, current_setting('work_mem') as mem, current_setting('application_name') as name",
    ),
  );
  expect(rows[0]).toEqual({ tz: 'UTC', mem: '5MB', name: 'tieout x' });
});

test('statements are not compiled, whatever the server or the URL says', async () => {
  for (const url of [books.url, `${books.url}?options=-c%20jit%3Don`]) {
    const { rows } = await inSession(url, 'tieout x', (s) => s.query('show jit'));
    expect(rows).toEqual([{ jit: 'off' }]);
  }
});

test('unnest inserts many rows', async () => {
  const rows = Array.from({ length: 12_000 }, (_, n) => ({ id: `r${n}`, amount: n === 5 ? null : `${n}.5` }));
  const { rows: sums } = await sql<{ n: number; total: string }>`
    select count(*)::int4 as n, sum(amount) as total from ${unnest(rows, { id: 'text', amount: 'numeric' })}`.execute(
    books.db,
  );
  expect(sums[0]).toEqual({ n: 12_000, total: '71999994.5' });
  expect(() => unnest(rows, { 'id; drop': 'text' } as never)).toThrow('not a column');
});

/** 12,000 rows of every type that we write, from the last id to the first; the texts of the first ones are given. */
const manyRows = (texts: readonly string[]) =>
  Array.from({ length: 12_000 }, (_, n) => ({
    id: 12_000 - n,
    amount: n === 5 ? null : '123456789012345678901234.123456789012345678',
    at: '2026-11-03T10:00:00.123456Z',
    digest: '\\x00ff',
    text: texts[n] ?? 'x',
  }));

test('insertRows gives many rows the types of their table, in their order, and takes a conflict clause', async () => {
  await books.pool.query('create schema pile');
  await books.pool.query(`create table pile.rows (id int primary key, amount numeric, at timestamptz, digest bytea,
    text text default 'none', number int generated always as identity)`);
  const odd = 'a "quoted" \\ line\nand another, {braces}';
  const rows = manyRows([odd]);
  const insert = (batch: typeof rows, conflict?: ReturnType<typeof sql>) =>
    insertRows(books.db, 'pile.rows' as never, batch as never, conflict);
  await insert(rows);
  await insert([]);
  await expect(insert(rows.slice(0, 1))).rejects.toThrow('duplicate key');
  await insert(rows.slice(0, 1), sql`on conflict (id) do update set text = 'again'`);
  const stored = await books.pool.query('select * from pile.rows order by number');
  expect(stored.rows).toHaveLength(12_000);
  expect(stored.rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
  expect(stored.rows[5]).toEqual({ ...rows[5], digest: Buffer.from([0, 255]), number: 6 });
  expect(stored.rows[0]).toMatchObject({ amount: rows[0]?.amount, text: 'again' });
});

describe('copyBatch', () => {
  const odd = 'a "quoted" \\ line\nand another,\r\t{braces} \\N \\. €';
  const rows = manyRows([odd, '\\N', '']);
  const batch = copyBatch('loaded.rows' as never) as unknown as {
    add: (row: (typeof rows)[number]) => void;
    take: () => (tx: Books) => Promise<void>;
  };
  const stored = async () => (await books.pool.query('select * from loaded.rows order by number')).rows;
  beforeAll(async () => {
    await books.pool.query('create schema loaded');
    await books.pool.query(`create table loaded.rows (id int primary key, amount numeric, at timestamptz, digest bytea,
      text text default 'none', number int generated always as identity)`);
  });

  test('gives many rows the types of their table, in their order, and stores each once', async () => {
    for (const row of rows) batch.add(row);
    const store = batch.take();
    const storeNothing = batch.take();
    await books.db.transaction().execute(store);
    await books.db.transaction().execute(storeNothing);
    const found = await stored();
    expect(found.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    expect(found.map(({ text }) => text)).toEqual(rows.map(({ text }) => text));
    expect(found[5]).toEqual({ ...rows[5], digest: Buffer.from([0, 255]), number: 6 });
    expect(found[0]).toMatchObject({ amount: rows[0]?.amount });
  });

  test('a refused row rolls back, whatever is still on the way, and the connection goes on', async () => {
    const before = await stored();
    const wide = 'x'.repeat(1_000);
    for (const [nth, row] of rows.entries())
      batch.add({ ...row, id: nth === 300 ? 1 : 20_000 + nth, text: wide });
    await expect(books.db.transaction().execute(batch.take())).rejects.toThrow('duplicate key');
    expect(await stored()).toEqual(before);
    await books.db.transaction().execute(async (tx) => {
      batch.add({ ...(rows[0] as (typeof rows)[number]), id: 50_000 });
      await batch.take()(tx);
      expect((await sql<{ n: number }>`select 1 as n`.execute(tx)).rows).toEqual([{ n: 1 }]);
    });
    expect(await stored()).toHaveLength(before.length + 1);
  });
});

test('turns run one after the other; after a failure nothing more runs', async () => {
  const turns = inTurn();
  const ran: string[] = [];
  const work = (name: string, fails = false) =>
    turns.run(async () => {
      ran.push(`${name} begins`);
      await new Promise((done) => setTimeout(done, 1));
      if (fails) throw new Error(`${name} failed`);
      ran.push(`${name} ends`);
      return name;
    });
  expect(await Promise.all([work('a'), work('b')])).toEqual(['a', 'b']);
  await turns.settled();
  void work('c', true);
  await expect(work('d')).rejects.toThrow('c failed');
  await expect(turns.settled()).rejects.toThrow('c failed');
  expect(ran).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins']);
});

test('insertOfColumns gives many rows the types named, in their order, and one row or a shared value too', async () => {
  await books.pool.query('create schema heap');
  await books.pool.query(`create table heap.rows (id int primary key, amount numeric, at timestamptz, text text, is_last boolean,
    number int generated always as identity)`);
  const types = { id: 'int4', amount: 'numeric', at: 'timestamptz', text: 'text', is_last: 'bool' };
  const rows = Array.from({ length: 12_000 }, (_, n) => ({
    id: 12_000 - n,
    amount: n === 5 ? null : '123456789012345678901234.123456789012345678',
    at: '2026-11-03T10:00:00.123456Z',
    text: n === 0 ? 'a "quoted" \\ line\nand another, {braces}' : null,
    is_last: false,
  }));
  const insert = (batch: typeof rows) =>
    insertOfColumns('heap.rows' as never, batch, types).execute(books.db);
  await insert(rows);
  expect(() => insert([])).toThrow('at least one row');
  await expect(insert(rows.slice(0, 1))).rejects.toThrow('duplicate key');
  const last = { id: 0, amount: '1.50', at: '2026-11-03T10:00:00.000Z', text: null, is_last: true };
  await insert([last]);
  const { rows: stored } = await books.db.executeQuery(
    CompiledQuery.raw('select id, amount, at, text, is_last from heap.rows order by number'),
  );
  expect(stored).toEqual([...rows, last]);
});

test('an unreachable database is named without its password', async () => {
  const url = 'postgresql://me:hidden@127.0.0.1:1/books';
  await expect(lockBooks(url, 'nightly')).rejects.toThrow(
    /^the database at 127.0.0.1:1\/books cannot be reached: connect/,
  );
  await expect(inSession(url, 'x', async () => {})).rejects.not.toThrow('hidden');
  expect(placeOf('postgresql:///books?host=/run')).toBe('the local socket/books');
});

test('a pool outlives a connection that the server ended', async () => {
  const { db, pool, close } = openDatabase(books.url);
  const pid = (await pool.query('select pg_backend_pid() as pid')).rows[0].pid;
  await books.pool.query('select pg_terminate_backend($1)', [pid]);
  await new Promise((done) => setTimeout(done, 50));
  expect((await sql<{ n: number }>`select 1 as n`.execute(db)).rows[0]?.n).toBe(1);
  await close();
});

test('a borrowed connection that dies between two queries fails the next one, not the process', async () => {
  const { pool, close } = openDatabase(books.url);
  const client = await pool.connect();
  const pid = (await client.query('select pg_backend_pid() as pid')).rows[0].pid;
  const gone = new Promise((done) => client.once('end', done));
  await books.pool.query('select pg_terminate_backend($1)', [pid]);
  await gone;
  expect(client.listenerCount('error')).toBeGreaterThan(0); // without a listener, the event is thrown
  await expect(client.query('select 1')).rejects.toThrow(/not queryable|terminated/);
  client.release();
  expect((await pool.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
  await close();
});

test('a signal cancels the work of a pool and a session, and the pool lends no more', async () => {
  const stop = new AbortController();
  const { pool, close } = openDatabase(books.url, { name: 'tieout cut', signal: stop.signal });
  const sleeping = pool.query('select pg_sleep(50)').catch(String);
  const alone = inSession(books.url, 'tieout cut', (s) => s.query('select pg_sleep(50)'), {
    signal: stop.signal,
  }).catch(String);
  const busy = "select from pg_stat_activity where application_name = 'tieout cut' and state = 'active'";
  await expect.poll(async () => (await books.pool.query(busy)).rowCount).toBe(2);
  stop.abort();
  expect([await sleeping, await alone]).toEqual(
    Array(2).fill(expect.stringMatching(/terminating connection/)),
  );
  await expect(pool.query('select 1')).rejects.toThrow('after calling end');
  await close();
  expect((await books.pool.query(busy)).rowCount).toBe(0);
});

test('who waits for a connection of a pool that ends fails at once, and who has one is waited for', async () => {
  const pool = openBeside(books.url, { name: 'tieout ending', connectionsMax: 1 });
  const [first, second] = [pool.query('select pg_sleep(0.3)'), pool.query('select 1').catch(messageOf)];
  const third = pool.connect().catch(messageOf);
  const ended = pool.end().then(() => 'ended');
  expect(await Promise.race([ended, Promise.all([second, third])])).toEqual(
    Array(2).fill(expect.stringContaining('after calling end')),
  );
  expect([(await first).rowCount, await ended]).toEqual([1, 'ended']);
});

test('a closed pool has no connection, whoever used it', async () => {
  const { pool, close } = openDatabase(books.url, { name: 'tieout closed' });
  await pool.query('select 1');
  await close();
  const left = "select count(*)::int4 as n from pg_stat_activity where application_name = 'tieout closed'";
  await expect.poll(async () => (await books.pool.query(left)).rows[0].n).toBe(0);
});
