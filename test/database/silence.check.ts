// A statement whose answer is lost on a way that stays open ends its session; a long one, and a reader that takes its time, do not.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { clientConfig } from '../../src/database/client.ts';
import { readPages } from '../../src/database/cursor.ts';
import { isConnectionLost } from '../../src/database/database.ts';
import { watchAnswers } from '../../src/database/silence.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { silentProxy } from './silent-proxy.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(() => books.close());

const LIMITS = { lookMs: 100, settledSeconds: 0.05 };
/** Long enough for the looks that find an answer lost, and for one more. */
const LONG_S = 2;

const overProxy = async () => {
  const proxy = await silentProxy(books.url);
  const config = clientConfig(proxy.url, 'silence');
  const session = new pg.Client(config);
  session.on('error', () => {});
  watchAnswers(session, () => new pg.Client(config), LIMITS);
  await session.connect();
  onTestFinished(async () => {
    await proxy.close(); // first, since nothing passes it any more
    await session.end();
  });
  return { proxy, session };
};

const lost = (session: pg.Client, text: string): Promise<unknown> =>
  session.query(text).catch((error) => error);

test('a long statement is waited for, and what follows it', async () => {
  const { session } = await overProxy();
  await session.query(`select pg_sleep(${LONG_S})`);
  await sleep(500); // an idle session waits for nothing
  expect((await session.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
});

test.each([
  ['a statement that never arrives', 'select 1', null],
  ['an answer that never arrives', 'select pg_sleep(0.5)', 200],
  ['rows that nobody takes', 'select repeat($$x$$, 1000) from generate_series(1, 100000)', 20],
  ['a transaction', 'begin; select pg_sleep(0.5)', 200],
])('%s ends the session', async (_, text, pauseMs) => {
  const { proxy, session } = await overProxy();
  if (pauseMs === null) proxy.pause();
  const answer = lost(session, text);
  if (pauseMs !== null) await sleep(pauseMs).then(proxy.pause);
  expect(isConnectionLost(await answer)).toBe(true);
});

test('so does a server that is gone without a word, however long its statement would take', async () => {
  const { proxy, session } = await overProxy();
  const { rows } = await session.query<{ pid: number }>('select pg_backend_pid() as pid');
  const answer = lost(session, 'select pg_sleep(60)');
  await sleep(200);
  proxy.pause();
  await books.pool.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  expect(await answer).toMatchObject({
    message: expect.stringMatching(/^Connection terminated: nothing more arrives/),
  });
});

test('a reader of a cursor may take its time', async () => {
  const { session } = await overProxy();
  const text = 'select n from generate_series(1, 3) as n';
  const seen: unknown[] = [];
  for await (const { rows } of readPages(session, { text, values: [] }, { rows: 1, bytesMax: 1_000_000 })) {
    seen.push(...rows.flat());
    await sleep(LONG_S * 500);
  }
  expect(seen).toEqual(['1', '2', '3']);
});
