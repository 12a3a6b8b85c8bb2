// Nights that several workers share, one of them killed halfway: the books of one process alone, within one request budget. It runs the
// built program, so `npm run build` comes first.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { packageRoot } from '../../src/base/root.ts';
import type { GatewayConfig } from '../../src/config/environment.ts';
import { childEnv } from '../../src/config/environment.ts';
import { inSession } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { openServer } from '../../src/postgres/postgres.ts';
import { inHome } from '../own-server.ts';
import type { Figure } from './figure.ts';
import { onStage, type Stage } from './stage.ts';

const WORKERS = 4;
const MINUTE_MS = 60_000;

/** Everything booked, proved and compared, in one line; what depends on the order of arrival and on the run left out. */
const BOOKS = `
  select md5(string_agg(line, e'\\n' order by line)) as hash from (
    select (to_jsonb(e) - 'recorded_at' - 'entry_number')::text as line from books.entries e
    union all select (to_jsonb(p) - 'recorded_at' - 'entry_number')::text from books.postings p
    union all select jsonb_build_array(entity_id, stream, scope, covered_from, records)::text from books.coverage
    union all select jsonb_build_array(entity_id, account, currency, reported, booked, difference, status)::text from books.tie_outs
  ) as lines`;

const hashOf = (url: string): Promise<string> =>
  inSession(url, 'tieout bench', async (session) => String((await session.query(BOOKS)).rows[0]?.hash));

/** With BENCH_LOG its log goes to standard error. */
const startWorker = ({ gateway }: GatewayConfig, home: string, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [join(packageRoot, 'dist', 'program', 'cli', 'main.js'), 'worker', ...args], {
    env: childEnv({
      TIEOUT_HOME: home,
      GATEWAY_BASE_URL: gateway.baseUrl,
      GATEWAY_API_KEY: gateway.key,
      GATEWAY_API_SECRET: gateway.secret,
      GATEWAY_RPM: String(gateway.requestsPerMinute),
    }),
    cwd: home,
    stdio: ['ignore', 'ignore', process.env.BENCH_LOG ? 'inherit' : 'ignore'],
  });

const endWorker = (worker: ChildProcess): Promise<unknown> => {
  if (worker.exitCode !== null || worker.signalCode !== null) return Promise.resolve();
  const ended = new Promise((done) => worker.once('exit', done));
  worker.kill('SIGTERM');
  return ended;
};

type Sent = { readonly at: number };

const sentTo = async ({ gateway }: GatewayConfig): Promise<number[]> => {
  const log = (await (await fetch(`${gateway.baseUrl}/__world/log`)).json()) as Sent[];
  return log.map((request) => request.at).sort((a, b) => a - b);
};

/** The most requests that any 60 seconds hold. */
const densestOf = (times: readonly number[]): number => {
  let [first, most] = [0, 0];
  times.forEach((time, last) => {
    while ((times[first] ?? 0) <= time - MINUTE_MS) first += 1;
    most = Math.max(most, last - first + 1);
  });
  return most;
};

type Shared = {
  readonly hash: string;
  readonly nights: number;
  readonly times: number[];
  readonly rows: Row;
};
type Row = { readonly nights: number; readonly entities: number; readonly exit_code: number };

/** Four workers on books of their own, until their night is over. */
const nightOfWorkers = (config: GatewayConfig, entities: number): Promise<Shared> =>
  inHome(async (home) => {
    const server = await openServer(home);
    const read = <T>(text: string) =>
      inSession(server.url, 'tieout bench', async (session) => (await session.query(text)).rows[0] as T);
    const before = (await sentTo(config)).length;
    const workers: ChildProcess[] = [];
    try {
      await migrate(server.url);
      workers.push(startWorker(config, home, ['--now']));
      while (
        !(await read<{ there: boolean }>("select to_regclass('tieout_queue.jobs') is not null as there"))
          .there
      )
        await pause(100);
      for (let nth = 1; nth < WORKERS; nth += 1) workers.push(startWorker(config, home, ['--no-files']));
      const ended = 'select count(*)::int as ended from run.tasks where ended_at is not null';
      while ((await read<{ ended: number }>(ended)).ended < entities / 2) await pause(100);
      workers[1]?.kill('SIGKILL');
      while (!(await read('select from run.runs where finished_at is not null'))) await pause(250);
      const rows = await read<Row>(`select (select count(*)::int from run.nights) as nights,
        (select count(distinct entity_id)::int from run.nights) as entities, exit_code from run.runs`);
      const times = (await sentTo(config)).slice(before);
      return { hash: await hashOf(server.url), nights: rows.nights, times, rows };
    } finally {
      await Promise.all(workers.map(endWorker));
      await server.release();
    }
  });

const hashAlone = async ({ night, config }: Stage): Promise<string> => {
  const server = await openServer(config.home);
  try {
    await night();
    return await hashOf(server.url);
  } finally {
    await server.release();
  }
};

/** `entities` at `rpm` requests a minute; the night of one process alone reads as fast as it can. */
export const sharedNight = async ({ entities = 500, rpm = 600 } = {}): Promise<Figure[]> => {
  const movements = { entities, movements: 4, inOneMs: 1 };
  return onStage({ seed: 1, movements, rpm: 100_000 }, async (stage) => {
    const alone = await hashAlone(stage);
    const { gateway } = stage.config;
    const limited = { ...stage.config, gateway: { ...gateway, requestsPerMinute: rpm } };
    const { hash, times, rows } = await nightOfWorkers(limited, entities);
    const [from, to] = [times[0], times.at(-1)];
    assert(from !== undefined && to !== undefined);
    const densest = densestOf(times);
    const minutes = Math.floor((to - from) / MINUTE_MS);
    const used = times.filter((time) => time < from + minutes * MINUTE_MS).length / (rpm * minutes);
    const seconds = Math.round((to - from) / 1_000);
    return [
      {
        what: `${WORKERS} workers over ${entities} entities, one killed halfway: nights, exit code`,
        figure: `${rows.nights} nights of ${rows.entities} entities, exit ${rows.exit_code}`,
        limit: 'each once, exit 0',
        isKept: rows.nights === entities && rows.entities === entities && rows.exit_code === 0,
      },
      {
        what: 'their books',
        figure: hash,
        limit: `one process alone: ${alone}`,
        isKept: hash === alone,
      },
      {
        what: `requests in any 60 s, of ${times.length} in ${seconds} s`,
        figure: `${densest}`,
        limit: `at most ${rpm}`,
        isKept: densest <= rpm,
      },
      {
        what: `share of the budget of the first ${minutes} minutes that was used`,
        figure: minutes === 0 ? 'no full minute' : `${(used * 100).toFixed(1)} %`,
        limit: 'at least 95 %',
        isKept: minutes === 0 || used >= 0.95,
      },
    ];
  });
};
