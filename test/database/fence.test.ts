// One writer: a takeover stops the earlier writer, whatever happened to the lock; and readers never block.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Books, openReader, openSession, wholly, writerOf } from '../../src/database/connection.ts';
import { copyBatch } from '../../src/database/copy.ts';
import { lockBooks, lockSchema } from '../../src/database/writer-lock.ts';
import { openRun } from '../../src/run/job-run.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { openStage } from '../jobs/stage.ts';
import { addressesOf } from './roles/logins.ts';
import { silentProxy } from './silent-proxy.ts';

let books: TestDatabase;
let addresses: Awaited<ReturnType<typeof addressesOf>>;
beforeAll(async () => {
  books = await freshDatabase();
  addresses = await addressesOf(books.url);
});
afterAll(() => books?.close());

const REPLACED =
  'a later run has taken over these books: this run stopped and rolled back its unfinished work';

const entity = (name: string) =>
  sql`insert into run.entities (entity_id, name, first_seen_at) values (${name}, ${name}, now())`;
const storeLine = (db: Books) => {
  const batch = copyBatch('value.months');
  const month = { entity_id: 'late', period: '2026-01', taxpayer: 'late', entries: 1 };
  batch.add({ ...month, last_at: '2026-01-01', counterparties: '', fingerprint: '' });
  return batch.take()(db);
};
const entities = async () =>
  (await books.pool.query('select entity_id from run.entities order by 1')).rows.map((row) => row.entity_id);

test('a second writer sees who holds the lock', async () => {
  const first = await lockBooks(books.url, 'nightly');
  const who = new RegExp(
    `another run is writing these books \\(tieout nightly pid ${process.pid}, since 2\\d{3}-.*Z\\): wait`,
  );
  await expect(lockBooks(addresses.loader, 'extract')).rejects.toThrow(who);
  await first.release();
  await (await lockBooks(addresses.loader, 'extract')).release();
});

test('a run that a later one replaced writes nothing more, in any statement, transaction or role', async () => {
  const reader = openReader(addresses.loader);
  const approver = openReader(addresses.approver);
  const fence = { runNumber: (await openRun(reader.db, 'nightly')).number };
  const [first, decider] = [writerOf(reader, fence), writerOf(approver, fence)];
  await entity('before').execute(first);
  await first.transaction().execute((tx) => entity('also').execute(tx));
  const waiver = sql`insert into decide.waivers (entity_id, break_id, period, difference, by_name, reason, at)
    select 'x', 'x', '2026-01', 0, 'x', 'x', now() where false`;
  await waiver.execute(decider);
  const second = writerOf(reader, { runNumber: (await openRun(reader.db, 'nightly')).number });
  const late = [
    () => entity('late').execute(first),
    () =>
      sql`-- select nothing
      insert into run.entities select from run.entities where false`.execute(first),
    () =>
      first.insertInto('run.entities').values({ entity_id: 'l', name: 'l', first_seen_at: 'now' }).execute(),
    () => first.transaction().execute((tx) => entity('late').execute(tx)),
    () => sql`with new as (${entity('late')} returning 1) select * from new`.execute(first),
    () => waiver.execute(decider),
    () => decider.transaction().execute((tx) => waiver.execute(tx)),
    () => storeLine(first),
    () => first.transaction().execute(storeLine),
  ];
  for (const write of late) await expect(write()).rejects.toThrow(REPLACED);
  expect((await sql`select 1 as n`.execute(first)).rows).toEqual([{ n: 1 }]);
  expect(
    (
      await sql`-- A file.
    select 1 as n`.execute(first)
    ).rows,
  ).toEqual([{ n: 1 }]);
  await entity('later').execute(second);
  expect(await entities()).toEqual(['also', 'before', 'later']);
  await Promise.all([reader.close(), approver.close()]);
});

test('the database refuses writes that bypass the fence', async () => {
  const reader = openReader(addresses.loader);
  for (const db of [reader.db, writerOf(reader, { runNumber: '1' })])
    await expect(sql`select * from run.entities for update`.execute(db)).rejects.toThrow(
      'read-only transaction',
    );
  await expect(entity('around').execute(reader.db)).rejects.toThrow('read-only transaction');
  await expect(reader.pool.query("select nextval('run.runs_run_number_seq')")).rejects.toThrow(
    /read-only|denied/,
  );
  await reader.close();
});

test('a takeover waits for an open transaction, and later ones of the old run are refused', async () => {
  const reader = openReader(addresses.loader);
  const first = writerOf(reader, { runNumber: (await openRun(reader.db, 'nightly')).number });
  const order: string[] = [];
  let next: Promise<unknown> = Promise.resolve();
  await first.transaction().execute(async (tx) => {
    next = openRun(reader.db, 'nightly').then(() => order.push('taken over'));
    await new Promise((done) => setTimeout(done, 200));
    await entity('in flight').execute(tx);
    order.push('committed');
  });
  await next;
  expect(order).toEqual(['committed', 'taken over']);
  expect(await entities()).toContain('in flight');
  await expect(entity('after').execute(first)).rejects.toThrow(REPLACED);
  await reader.close();
});

test('a failed statement of its own leaves the connection usable', async () => {
  const reader = openReader(addresses.loader);
  const run = writerOf(reader, { runNumber: (await openRun(reader.db, 'nightly')).number });
  const wrong = (db: Books) => sql`insert into run.entities (entity_id) values (null)`.execute(db);
  for (let tries = 0; tries < 20; tries += 1) await expect(wrong(run)).rejects.toThrow(/null value/);
  await entity(`usable`).execute(run);
  expect(await entities()).toContain('usable');
  await reader.close();
});

const kill = (like: string) =>
  books.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name like $1', [
    like,
  ]);

test('a lock whose session was ended is lost, with an error', async () => {
  const lost = new Promise<void>((done) => void lockBooks(addresses.loader, 'killed', done).catch(done));
  await expect.poll(async () => (await kill('tieout killed%')).rowCount).toBe(1);
  await lost;
  await (await lockBooks(addresses.loader, 'next')).release();
});

test('a run whose lock has ended writes nothing more, in any role, also while its process does not know', async () => {
  const reader = openReader(addresses.loader);
  const approver = openReader(addresses.approver);
  const lock = await lockBooks(addresses.loader, 'cut off');
  const fence = { runNumber: (await openRun(reader.db, 'nightly')).number, holder: lock.holder };
  const writers = [writerOf(reader, fence), writerOf(approver, fence)];
  await entity('held').execute(writers[0] as Books);
  expect((await kill('tieout cut off%')).rowCount).toBe(1);
  await expect.poll(async () => (await kill('tieout cut off%')).rowCount).toBe(0);
  for (const db of writers)
    await expect(entity('cut off').execute(db)).rejects.toThrow(
      'the run stopped because the database session with its writer lock ended: run again',
    );
  expect(await entities()).not.toContain('cut off');
  await lock.release();
  await reader.close();
  await approver.close();
});

test('a transaction that is open when the lock of its run ends does not commit, however it was begun', async () => {
  const reader = openReader(addresses.loader);
  const run = await openRun(reader.db, 'nightly');
  const lock = { runNumber: run.number, holder: 0 };
  const cutOff = (db: Books) =>
    sql`insert into run.entities (entity_id, name, first_seen_at)
      select 'open', 'open', now() where pg_terminate_backend(${lock.holder}, 10000)`.execute(db);
  const ways = [
    cutOff,
    (db: Books) => db.transaction().execute(cutOff),
    () => wholly(reader, { ...lock }, cutOff),
  ];
  for (const write of ways) {
    const { holder, release } = await lockBooks(addresses.loader, 'ended early');
    lock.holder = holder;
    await expect(write(writerOf(reader, { ...lock }))).rejects.toThrow('session with its writer lock ended');
    await release();
  }
  expect(await entities()).not.toContain('open');
  await reader.close();
});

test('a lock whose server has not answered for a minute is lost, and one that is slow is not', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const proxy = await silentProxy(addresses.loader);
  try {
    let losses = 0;
    const lock = await lockBooks(proxy.url, 'silent', () => {
      losses += 1;
    });
    const looks = async (count: number) => {
      for (let nth = 0; nth < count; nth += 1) {
        vi.advanceTimersByTime(10_000);
        await new Promise((done) => setTimeout(done, 50));
      }
    };
    await looks(20);
    proxy.pause();
    await looks(5);
    proxy.resume();
    await looks(5);
    expect(losses).toBe(0);
    proxy.pause();
    await looks(8);
    expect(losses).toBe(1);
    await lock.release();
  } finally {
    vi.useRealTimers();
    await proxy.close();
  }
});

test('a night that lost its lock stops with one sentence, and the next one finishes alone', async () => {
  const stage = await openStage({ entities: 1, faults: ['slow:20'] });
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'tieout nightly%'`;
  const first = stage.night().catch((error: Error) => error);
  const landed = async () => (await stage.rows('select from land.records limit 1')).length;
  await expect.poll(landed, { timeout: 30_000 }).toBe(1);
  await stage.rows(end);
  const [stopped, second] = await Promise.all([first, stage.night()]);
  expect(stopped).toMatchObject({ name: 'FailedError', exitCode: 2 });
  expect((stopped as Error).message).toMatch(
    /^the run stopped because the database session with its writer lock ended/,
  );
  expect(second.exitCode).toBe(0);
  const { rows } = await stage.database.pool.query('select exit_code from run.runs order by run_number');
  // the first one ends without an exit code if the next one has taken the books before it could store one
  expect([
    [2, 0],
    [null, 0],
  ]).toContainEqual(rows.map((row) => row.exit_code));
});

test('readers do not block a run or a migration', async () => {
  const analyst = await openSession(addresses.analyst);
  for (const statement of [
    'select pg_advisory_lock(1952804207, 1)',
    'select run.lock_books()',
    'select run.take_over()',
    'select run.hold(1)',
    'lock table run.writer_lock in exclusive mode',
    'lock table run.runs in row share mode',
    'create schema tieout_migrating',
    'select * from books.runs for share',
    'lock table books.runs in share mode',
  ]) {
    await analyst.query('begin read write');
    await expect(analyst.query(statement), statement).rejects.toThrow(/permission denied/);
    await analyst.query('rollback');
  }
  await analyst.query('begin; lock table books.runs in access share mode; select * from books.runs');
  await (await lockBooks(addresses.loader, 'nightly')).release();
  await (await lockSchema(books.url, 500)).release();
  await openRun(books.db, 'nightly');
  await analyst.end();
});

test('one process changes the schema, and releases its lock', async () => {
  const first = await lockSchema(books.url, 500);
  await expect(lockSchema(books.url, 200)).rejects.toThrow('is still changing the schema');
  const waiting = lockSchema(books.url, 5_000);
  await first.release();
  await (await waiting).release();
  expect((await books.pool.query("select to_regnamespace('tieout_migrating') as it")).rows).toEqual([
    { it: null },
  ]);
});

test('the lock does not delay vacuum', async () => {
  const lock = await lockBooks(addresses.loader, 'idle');
  const { rows } = await books.pool.query(
    "select backend_xid, backend_xmin from pg_stat_activity where application_name like 'tieout idle%'",
  );
  expect(rows).toEqual([{ backend_xid: null, backend_xmin: null }]);
  await lock.release();
});
