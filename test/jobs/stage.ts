// A stage for nights: a stand-in gateway, a database and a home of their own, and queries on the books.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { nightly } from '../../jobs/nightly.ts';
import type { SessionOptions } from '../../jobs/session.ts';
import { sha256 } from '../../src/base/json.ts';
import { type Entities, type GatewayConfig, readGatewayConfig } from '../../src/config/environment.ts';
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
type Played = { readonly template: string; readonly outcome: unknown };
const played = new Map<string, Promise<Played>>();

const playOnce = async (
  options: Partial<SandboxOptions>,
  play: (stage: Stage) => Promise<unknown>,
): Promise<Played> => {
  const database = await freshDatabase();
  const stage = await openStage(
    options,
    () => {},
    async () => database,
  );
  const outcome = await play(stage);
  await stage.sandbox.close();
  return { template: await database.keep(), outcome };
};

/**
 * A stage with a history: `play` runs once per name in a process, then its database is cloned with the same world beside
 * it. For a start that many tests share; `outcome` is the result of the play.
 */
export const openStageAfter = async <T>(
  name: string,
  options: Partial<SandboxOptions>,
  {
    play,
    finished = onTestFinished,
  }: { play: (stage: Stage) => Promise<T>; finished?: Finished | undefined },
): Promise<{ readonly stage: Stage; readonly outcome: T }> => {
  const key = `${name} ${JSON.stringify(options)}`;
  const before = played.get(key) ?? playOnce(options, play);
  played.set(key, before);
  const { template, outcome } = await before;
  const stage = await openStage(options, finished, () => copyOf(template));
  return { stage, outcome: outcome as T };
};

/** A stage after its first night, without files. */
export const openStageAfterNight = async (
  options: Partial<SandboxOptions> = {},
  finished?: Finished,
): Promise<Stage> => {
  const play = (stage: Stage) => stage.night();
  return (await openStageAfter('night', options, { play, finished })).stage;
};

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
