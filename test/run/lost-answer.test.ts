// The end of a run whose commit succeeds while its answer is lost, or whose database restarts: the process ends as the row of the run says.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InterruptedError } from '../../src/base/errors.ts';
import { readConfig } from '../../src/config/environment.ts';
import { offlineResult, withRun } from '../../src/run/run.ts';
import { silentProxy } from '../database/silent-proxy.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { newFolder } from '../room.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(() => books.close());

/**
 * A job over a connection that is lost with the answer to the commit of its end, or with the database before that, until a signal or for
 * so long: what the process and the books say of it.
 */
const endedWithout = async (summary: string, database: 'there' | 'gone' | { readonly backMs: number }) => {
  const proxy = await silentProxy(books.url);
  const stop = new AbortController();
  const config = {
    ...readConfig({ TIEOUT_HOME: newFolder(), DATABASE_URL: proxy.url }),
    signal: stop.signal,
  };
  const events: unknown[] = [];
  const work = async () => {
    proxy.loseAnswer('commit');
    if (database !== 'there') proxy.cut();
    if (database === 'gone') setTimeout(() => stop.abort(new InterruptedError('SIGTERM')), 1_000);
    if (typeof database === 'object') setTimeout(proxy.mend, database.backMs);
    return offlineResult(0, summary);
  };
  const tell = ({ event, exit_code: exitCode }: { event: string; [fact: string]: unknown }) =>
    void events.push([event, exitCode]);
  const outcome = await withRun(config, 'reconcile', { tell, work }).then(
    ({ exitCode }) => exitCode,
    () => 'failed',
  );
  await proxy.close();
  const { rows } = await books.pool.query(
    'select exit_code, summary from books.runs order by run_number desc limit 1',
  );
  return { outcome, row: rows[0], last: events.at(-1) };
};

test('a lost answer to the commit of the end', async () => {
  expect(await endedWithout('all tied', 'there')).toEqual({
    outcome: 0,
    row: { exit_code: 0, summary: 'all tied' },
    last: ['run ended', 0],
  });
});

test('a database that is gone before that', async () => {
  expect(await endedWithout('all tied', 'gone')).toEqual({
    outcome: 'failed',
    row: { exit_code: null, summary: null },
    last: ['run ended', 2],
  });
});

test('a database that restarts before that, and loses the answer to the commit of the failure', async () => {
  expect(await endedWithout('all tied', { backMs: 1_500 })).toEqual({
    outcome: 'failed',
    row: { exit_code: 2, summary: expect.stringMatching(/^failed: /) },
    last: ['run ended', 2],
  });
});
