// How the database failed, judged by the errors that pg and PostgreSQL raise, and what a worker and a query make of each.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPassing } from '../../jobs/passing.ts';
import { FailedError, InterruptedError, UsageError } from '../../src/base/errors.ts';
import { LIMITS, queryBooks } from '../../src/cli/query.ts';
import { openDatabase, openSession } from '../../src/database/connection.ts';
import { type DatabaseFailure, databaseFailure, isConnectionLost } from '../../src/database/lost.ts';
import { booksConfig } from '../books-config.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(() => books.close());

const coded = (code: string) => Object.assign(new Error(`an error of code ${code}`), { code });
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.unreachable('it must fail'),
    (error: unknown) => error,
  );

const endedWhileIdle = async () => {
  const session = await openSession(books.url);
  const ended = new Promise<void>((done) => session.on('end', done));
  const { rows } = await session.query('select pg_backend_pid() as pid');
  await books.pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await ended;
  return errorOf(session.query('select 1'));
};

const endedAtWork = async () => {
  const session = await openSession(books.url);
  const { rows } = await session.query('select pg_backend_pid() as pid');
  const failing = errorOf(session.query('select pg_sleep(60)'));
  await books.pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
  return failing;
};

const endedPool = async () => {
  const { pool, close } = openDatabase(books.url);
  await close();
  return errorOf(pool.query('select 1'));
};

const brokenOff = async () => {
  const session = await openSession(books.url);
  const failing = errorOf(session.query('select pg_sleep(60)'));
  (session as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy();
  return failing;
};

const deadlock = () =>
  errorOf(books.pool.query("do $$ begin raise exception using errcode = 'deadlock_detected'; end $$"));
const timeLimit = () =>
  errorOf(books.pool.query('begin; set local statement_timeout = 10; select pg_sleep(60)'));
const mistaken = () => errorOf(books.pool.query('select nothing'));
const refused = () => errorOf(openSession('postgresql://a:b@127.0.0.1:9/c'));

type Kind = readonly [string, () => Promise<unknown> | unknown, DatabaseFailure | null];

test.each<Kind>([
  ['a connection that the server ended at work', endedAtWork, 'lost'],
  ['one that it ended before', endedWhileIdle, 'lost'],
  ['one that broke off, for which pg has no code', brokenOff, 'lost'],
  ['a pool that is closed', endedPool, 'lost'],
  ['a server that does not listen', refused, 'lost'],
  ['pg: no answer in time', () => new Error('timeout expired'), 'lost'],
  ['pool: no connection in time', () => new Error('timeout exceeded when trying to connect'), 'lost'],
  ['a full disk of the server', () => coded('53100'), 'lost'],
  [
    'what we say of one',
    () => new FailedError('cannot be reached', { cause: coded('ECONNREFUSED') }),
    'lost',
  ],
  [
    'what we say of a wrong password',
    () => new FailedError('cannot be reached', { cause: coded('28P01') }),
    null,
  ],
  ['its input and output', () => coded('58030'), 'lost'],
  ['its shutdown', () => coded('57P01'), 'lost'],
  ['a network without a way', () => coded('EHOSTUNREACH'), 'lost'],
  ['a socket on this host that is gone', () => ({ ...coded('ENOENT'), syscall: 'connect' }), 'lost'],
  ['a file of ours that is missing', () => ({ ...coded('ENOENT'), syscall: 'open' }), null],
  ['a time limit', timeLimit, 'stopped'],
  ['a deadlock', deadlock, 'conflict'],
  ['a replica that must go on', () => coded('40001'), 'conflict'],
  ['a replica, since a failover', () => coded('25006'), 'read-only'],
  ['one that refuses to begin', () => ({ ...coded('0A000'), routine: 'call_bool_check_hook' }), 'read-only'],
  ['what is not supported', () => ({ ...coded('0A000'), routine: 'RevalidateCachedQuery' }), null],
  ['a fault of the server', () => coded('XX001'), 'internal'],
  ['a mistake in the statement', mistaken, null],
  ['a row that is there', () => coded('23505'), null],
  ['a full disk of ours', () => coded('ENOSPC'), null],
  ['a fault of ours', () => new TypeError('x is not a function'), null],
  ['no error', () => 'thrown text', null],
])('%s', async (_, cause, failure) => {
  const error = await cause();
  expect(databaseFailure(error)).toBe(failure);
  expect(isConnectionLost(error)).toBe(failure === 'lost');
  expect(isPassing({ config: config() }, error)).toBe(failure !== null && failure !== 'internal');
});

const config = (signal?: AbortSignal) =>
  ({ ...booksConfig('/home'), signal }) as unknown as Parameters<typeof isPassing>[0]['config'];

test('a signal is passing, whatever the error', () => {
  expect(isPassing({ config: config(AbortSignal.abort()) }, new Error('a fault'))).toBe(true);
  expect(isPassing({ config: config() }, new InterruptedError('SIGTERM'))).toBe(true);
});

test.each<[string, typeof FailedError | typeof UsageError, RegExp]>([
  ['deadlock_detected', FailedError, /^the database could not answer: /],
  ['internal_error', FailedError, /^the database could not answer: /],
  ['disk_full', FailedError, /^the database could not answer: /],
  ['query_canceled', UsageError, /^the query cannot be answered: /],
  ['read_only_sql_transaction', UsageError, /^the query cannot be answered: /],
  ['division_by_zero', UsageError, /^the query cannot be answered: /],
])('a query that ends with %s', async (condition, kind, message) => {
  await books.pool.query(`create or replace function public.failing() returns int language plpgsql as $$
    begin raise exception using errcode = '${condition}'; end $$`);
  const answer = errorOf(
    queryBooks(
      books.url,
      { text: 'select public.failing()', values: [] },
      { limits: LIMITS.table, put: () => true },
    ),
  );
  expect(await answer).toBeInstanceOf(kind);
  expect((await answer) as Error).toMatchObject({ message: expect.stringMatching(message) });
});
