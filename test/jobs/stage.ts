// A stage for nights: a stand-in gateway, a database and a home of their own, and queries on the books.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject, onTestFinished } from 'vitest';
import { nightly } from '../../jobs/nightly.ts';
import type { SessionOptions } from '../../jobs/session.ts';
import { sha256 } from '../../src/base/json.ts';
import { type Entities, type GatewayConfig, readGatewayConfig } from '../../src/config/environment.ts';
import { inSession } from '../../src/database/connection.ts';
import { loadSql, readRows } from '../../src/database/database.ts';
import { type Result, withRun } from '../../src/run/work.ts';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Logged } from '../../src/sandbox/traffic.ts';
import type { TruthRow } from '../../src/sandbox/world.ts';
import { copyOf, freshDatabase, type TestDatabase } from '../database.ts';
import { gatewayEnv } from '../gateway-env.ts';
import { newFolder } from '../room.ts';

/** A small world, the same whenever a test runs. */
export const WORLD: SandboxOptions = {
  seed: 4,
  entities: 2,
  days: 8,
  perDay: 20,
  until: '2026-11-03T00:00:00Z',
};

export type Stage = {
  sandbox: Sandbox;
  readonly database: TestDatabase;
  readonly home: string;
  readonly settings: (entities?: Entities) => GatewayConfig;
  /** A night without its files, which are most of the work of a small one and which few tests read. */
  readonly night: (entities?: Entities) => Promise<Result>;
  readonly nightWithFiles: (entities?: Entities) => Promise<Result>;
  readonly rows: (sql: string) => Promise<Record<string, string>[]>;
  /** Digest of the journal of everything booked. */
  readonly journal: () => Promise<string>;
  readonly advance: (days: number) => Promise<void>;
  /** Adds records of the main account dated `instant`, after others of that time were listed. */
  readonly backdate: (instant: string, count: number) => Promise<void>;
  /** A night that reads every list in full, without its files. */
  readonly fullNight: () => Promise<Result>;
  /** The requests that arrived, except those of the test itself. */
  readonly log: () => Promise<Logged[]>;
};

/** Opens a stage that closes with the test. */
export const openStage = async (
  options: Partial<SandboxOptions> = {},
  finished: (end: () => Promise<void>) => void = onTestFinished,
  newDatabase: () => Promise<TestDatabase> = freshDatabase,
): Promise<Stage> => {
  const database = await newDatabase();
  const sandbox = await startSandbox({ ...WORLD, ...options });
  const home = newFolder();
  finished(async () => {
    await stage.sandbox.close();
    await database.close();
  });
  const settings = (entities: Entities = 'listed') =>
    settingsOf({ sandbox: stage.sandbox, url: database.url, home }, entities);
  const rows = async (sql: string) => (await database.pool.query(sql)).rows;
  const stage: Stage = {
    sandbox,
    database,
    home,
    settings,
    rows,
    night: (entities) => night(settings(entities), { writesFiles: false }),
    nightWithFiles: (entities) => night(settings(entities)),
    journal: () => journalOf(database),
    advance: (days) => post(`${stage.sandbox.url}/__world/advance`, { days }),
    backdate: (instant, count) =>
      post(`${stage.sandbox.url}/__world/backdate`, { entity: 'main', at: instant, count }),
    fullNight: () => night(settings(), { isFull: true, writesFiles: false }),
    log: async () => (await (await fetch(`${stage.sandbox.url}/__world/log`)).json()) as Logged[],
  };
  return stage;
};

type Finished = (end: () => Promise<void>) => void;

/** A start that many tests share: `play` on a stage as `after` has left it, or on empty books. */
export type History<T> = {
  readonly name: string;
  readonly options: Partial<SandboxOptions>;
  readonly play: (stage: Stage) => Promise<T>;
  readonly after?: History<unknown>;
};

type Played = { readonly template: string; readonly outcome: unknown };
const played = new Map<string, Promise<Played>>();

const play = async (history: History<unknown>): Promise<Played> => {
  const database = history.after
    ? await copyOf((await playedOf(history.after)).template)
    : await freshDatabase();
  const stage = await openStage(
    history.options,
    () => {},
    async () => database,
  );
  const outcome = await history.play(stage);
  await stage.sandbox.close();
  return { template: await database.keep(), outcome };
};

/** Plays once in a whole test run: the first worker that needs it plays, the others wait for the file that it writes. */
const playOnce = (key: string, history: History<unknown>): Promise<Played> =>
  inSession(inject('database').url, 'tieout test', async (session) => {
    const file = join(inject('scratch'), `played-${sha256(key)}.json`);
    await session.query('select pg_advisory_lock(hashtextextended($1, 0))', [file]);
    if (!existsSync(file)) writeFileSync(file, JSON.stringify(await play(history)));
    return JSON.parse(readFileSync(file, 'utf8'));
  });

const playedOf = (history: History<unknown>): Promise<Played> => {
  const key = `${history.name} ${JSON.stringify(history.options)}`;
  const before = played.get(key) ?? playOnce(key, history);
  played.set(key, before);
  return before;
};

/** A stage with a history: a clone of its database, with the world of its options beside it. `outcome` is what it returned, as JSON. */
export const openStageAfter = async <T>(
  history: History<T>,
  finished: Finished = onTestFinished,
): Promise<{ readonly stage: Stage; readonly outcome: T }> => {
  const { template, outcome } = await playedOf(history);
  const stage = await openStage(history.options, finished, () => copyOf(template));
  return { stage, outcome: outcome as T };
};

/** A first night, without files. */
export const firstNight = (options: Partial<SandboxOptions> = {}): History<Result> => ({
  name: 'night',
  options,
  play: (stage) => stage.night(),
});

/** A stage after its first night. */
export const openStageAfterNight = async (
  options: Partial<SandboxOptions> = {},
  finished?: Finished,
): Promise<Stage> => (await openStageAfter(firstNight(options), finished)).stage;

type At = { readonly sandbox: Sandbox; readonly url: string; readonly home: string };

const settingsOf = ({ sandbox, url, home }: At, entities: Entities): GatewayConfig => {
  const { gateway, ...config } = readGatewayConfig({
    TIEOUT_HOME: home,
    DATABASE_URL: url,
    ...gatewayEnv(sandbox),
  });
  return { ...config, gateway: { ...gateway, entities } };
};

/** The environment of a program that works on the stage. */
export const environmentOf = ({ home, database, settings }: Stage) => {
  const { baseUrl: url, key: apiKey, secret: apiSecret } = settings().gateway;
  return { TIEOUT_HOME: home, DATABASE_URL: database.url, ...gatewayEnv({ url, apiKey, apiSecret }) };
};

/** One night, in this process. */
export const night = (settings: GatewayConfig, options: Partial<SessionOptions> = {}): Promise<Result> =>
  withRun(settings, 'nightly', {
    tell: () => {},
    work: (work) => nightly(work, settings, { isFull: false, ...options }),
  });

/** Digest of the journal of everything that a database has booked. */
export const journalOf = async ({ db }: TestDatabase): Promise<string> => {
  const all = {
    from: '2026-01-01T00:00:00Z',
    to: '2027-01-01T00:00:00Z',
    by: 'posted_at',
    entity: '',
    last_run: '',
  };
  return sha256(JSON.stringify(await readRows(db, loadSql('reports/journal.sql', all))));
};

const post = async (url: string, body: object): Promise<void> => {
  const headers = { 'content-type': 'application/json' };
  const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  assert.equal(status, 200, url);
};

/** Every file that the nights wrote, by month and name, as digests of its bytes. */
export const exported = (home: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(home, 'exports')).flatMap((month) =>
      readdirSync(join(home, 'exports', month)).map((name) => [
        `${month}/${name}`,
        createHash('sha256')
          .update(readFileSync(join(home, 'exports', month, name)))
          .digest('hex'),
      ]),
    ),
  );

const line = (row: TruthRow): string => `${row.entity_id} ${row.account} ${row.currency} ${row.balance}`;

/** The booked balances, a line per account that the world's truth contains; trading and bots are one account. */
export const booked = async (stage: Stage): Promise<string[]> => {
  const rows = await stage.rows(`
    select entity_id, replace(account, 'assets:trading-bots', 'assets:trading') as account, currency,
      trim_scale(sum(balance))::text as balance
    from books.balances where account not like 'equity:%' and account not like 'assets:clearing:%'
    group by 1, 2, 3 having sum(balance) <> 0`);
  return (rows as TruthRow[]).map(line).sort();
};

/** The true balances, in the same form. */
export const truth = async (stage: Stage): Promise<string[]> => {
  const body = await (await fetch(`${stage.sandbox.url}/__world/truth`)).json();
  return (body as { balances: TruthRow[] }).balances.map(line).sort();
};
