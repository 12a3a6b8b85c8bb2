// Moves between databases that end, whatever stops them: a refusal, a restore that fails, a stream that closes, a signal.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { moveBooks, openDump, restoreFile } from '../../src/backup/backup.ts';
import { writeDump } from '../../src/backup/dump.ts';
import { FailedError, InterruptedError, UsageError } from '../../src/base/errors.ts';
import { inSession, showAlive } from '../../src/database/database.ts';
import { silentProxy } from '../database/silent-proxy.ts';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../database.ts';
import { newFolder } from '../room.ts';

/** More rows than the streams between two databases hold at once. */
const RUNS = `insert into run.runs (run_id, job, started_at, finished_at, exit_code)
  select gen_random_uuid(), 'nightly', now(), now(), 0 from generate_series(1, 5000)`;

const lent = async (make: () => Promise<TestDatabase>): Promise<TestDatabase> => {
  const database = await make();
  onTestFinished(() => database.close());
  return database;
};

const filled = async (): Promise<TestDatabase> => {
  const books = await lent(freshDatabase);
  await books.pool.query(RUNS);
  return books;
};

const packedFile = (text: string): string => {
  const path = join(newFolder(), 'packed.gz');
  writeFileSync(path, gzipSync(text));
  return path;
};

/** The error of a move that must not take longer than a moment. */
const failureOf = (move: Promise<unknown>): Promise<Error> =>
  Promise.race([
    move.then(
      () => new Error('it succeeded'),
      (error: Error) => error,
    ),
    new Promise<Error>((done) => setTimeout(done, 15_000, new Error('it has not ended')).unref()),
  ]);

const moveOf = async (from: TestDatabase, to: TestDatabase, signal?: AbortSignal): Promise<Error> =>
  failureOf(moveBooks(from.url, to.url, { signal }));

test('a database with books is refused before the books to move are read', async () => {
  const [from, to] = [await lent(emptyDatabase), await filled()]; // there is nothing to read either
  const error = await moveOf(from, to);
  expect(error).toBeInstanceOf(UsageError);
  expect(error.message).toMatch(
    /^the database at .* already has books \(run\.runs has rows\): move into an empty one$/,
  );
});

test('a worker that waits beside empty books is named, and one that was killed stops no restore', async () => {
  const [from, to] = [await filled(), await lent(freshDatabase)];
  await to.pool.query(`insert into run.workers (worker_id, host, pid, schedule, writes_files)
    values ('pool-1', 'north', 42, '${'0'.repeat(64)}', true)`);
  const worker = await showAlive(to.url, 'pool-1', () => {});
  onTestFinished(() => worker.release());
  const error = await moveOf(from, to);
  expect(error).toBeInstanceOf(UsageError);
  expect(error.message).toMatch(
    /^a worker waits for nights in the database at .* \(north pid 42\): stop it, and run again$/,
  );
  await worker.release(); // its row stays
  expect((await moveOf(from, to)).message).toBe('it succeeded');
  expect((await to.pool.query('select from run.workers')).rowCount).toBe(0);
});

test('a database with books of another version is refused without migrating it', async () => {
  const to = await filled();
  const digest = `select obj_description('books'::regnamespace) as mark`;
  const { rows } = await to.pool.query(digest);
  const mark = String(rows[0]?.mark).replace(/[0-9a-f]{64}$/, '0'.repeat(64));
  await to.pool.query(`comment on schema books is '${mark.replaceAll("'", "''")}'`);
  const file = await openDump(packedFile('no dump'));
  expect(await failureOf(restoreFile(to.url, file, {}))).toBeInstanceOf(UsageError);
  expect((await moveOf(await filled(), to)).message).toContain('already has books');
  expect((await to.pool.query(digest)).rows[0]?.mark).toBe(mark);
});

test('a file that cannot be unpacked is refused, however soon its reader learns of it', async () => {
  const { url } = await lent(freshDatabase);
  const path = packedFile('text');
  writeFileSync(path, readFileSync(path).fill(0xff, 3));
  const error = await failureOf(restoreFile(url, await openDump(path), {}));
  expect([error.constructor, error.message]).toEqual([
    FailedError,
    expect.stringMatching(/cannot be unpacked/),
  ]);
});

test('a file that is no dump is bad input: an empty one, a text, another packed file', async () => {
  const { url } = await lent(freshDatabase);
  const empty = join(newFolder(), 'empty.gz');
  writeFileSync(empty, '');
  for (const path of [empty, new URL('../../package.json', import.meta.url).pathname]) {
    const error = await failureOf(openDump(path));
    expect([error.constructor, error.message]).toEqual([
      UsageError,
      `${path} is no dump: name a file that npx tieout dump wrote`,
    ]);
  }
  for (const text of ['', 'select 1;\n']) {
    const error = await failureOf(restoreFile(url, await openDump(packedFile(text)), {}));
    expect([error.constructor, error.message]).toEqual([
      UsageError,
      'the file does not begin as a dump of tieout: name one that npx tieout dump wrote',
    ]);
  }
});

test('a move whose restore fails among the rows ends with that failure', async () => {
  const to = await lent(freshDatabase);
  await to.pool.query('alter table run.runs add constraint full_table check (false)');
  const error = await moveOf(await filled(), to);
  expect(error).toBeInstanceOf(FailedError);
  expect(error.message).toContain('full_table');
});

test('a dump ends when the stream that it is writing to is destroyed', async () => {
  const { url } = await filled();
  const out = new Writable({
    highWaterMark: 1,
    write: () => setTimeout(() => out.destroy(new Error('closed')), 50),
  });
  const dump = inSession(url, 'dump', (session) => writeDump(session, url, out));
  expect((await failureOf(dump)).message).toBe('closed');
});

test.each([
  ['the source', 'lock table run.runs in access exclusive mode'],
  ['the target', 'create schema tieout_migrating'],
])('a signal ends a move that waits for a lock in %s', async (place, lock) => {
  const [from, to] = [await filled(), await lent(emptyDatabase)];
  const holder = await (place === 'the source' ? from : to).pool.connect();
  await holder.query(`begin; ${lock}`);
  const stopping = new AbortController();
  const move = moveOf(from, to, stopping.signal);
  setTimeout(() => stopping.abort(new InterruptedError('SIGTERM')), 500);
  expect((await move).message).not.toBe('it has not ended');
  await holder.query('rollback');
  holder.release();
});

test('a move whose commit was answered to nobody has moved the books', async () => {
  const [from, to] = [await filled(), await lent(freshDatabase)];
  const way = await silentProxy(to.url);
  onTestFinished(way.close);
  way.loseAnswer('commit');
  const { tables } = await moveBooks(from.url, way.url, {});
  expect(tables.find(({ table }) => table === 'run.runs')).toMatchObject({ rows: 5000 });
  expect((await moveOf(from, to)).message).toContain('already has books');
});
