// The demo: a stand-in gateway, two nights, and a verdict. It compares its findings with the world's own truth: every
// planted defect must be found with its exact difference, and nothing else.
import { join } from 'node:path';
import { sql } from 'kysely';
import { nightly } from '../../jobs/nightly.ts';
import { DAY_MS, isoOf, nowMs } from '../base/time.ts';
import type { Config, GatewayConfig } from '../config/environment.ts';
import type { Books } from '../database/connection.ts';
import { removeHome } from '../postgres/postgres.ts';
import type { Tell } from '../run/events.ts';
import { withBooks, withRun } from '../run/run.ts';
import type { Result, Work } from '../run/work.ts';
import { DEFECTS, type Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import type { Planted } from '../sandbox/world.ts';
import { type WriteCounts, writeThroughClient } from './demo-writes.ts';

/** The demo's findings beside the planted defects. Differences are exact text. */
export type DemoReport = {
  readonly nights: readonly Result[];
  /** What a client wrote between the nights. */
  readonly written: WriteCounts;
  readonly read: readonly {
    readonly entity_id: string;
    readonly stream: string;
    readonly landed: string;
    readonly booked: string;
    readonly rejected: string;
    readonly set_aside: string;
  }[];
  readonly tieOuts: readonly { readonly status: string; readonly count: number }[];
  readonly found: readonly Found[];
  readonly missed: readonly Found[];
  readonly surplus: readonly Found[];
  /**
   * The number of accounts in which books and truth agree exactly; and the accounts that differ without a planted defect.
   */
  readonly agreeing: number;
  readonly disagreeing: readonly string[];
  readonly home: string;
  readonly exports: string;
};

/** One finding, planted or found: a break with its difference, a reject with its record. */
export type Found = {
  readonly entity: string;
  readonly what: string;
  readonly account: string;
  readonly amount: string;
  readonly why: string;
};

type DemoOf = {
  /** The world's seed, and that of the writes. */
  readonly seed: number;
  /** Plants no defects. */
  readonly isClean: boolean;
  /** How many random writes a client makes between the nights. */
  readonly writes: number;
  readonly tell: Tell;
};

/** Runs the demo in a new home of its own. */
export const demo = async (config: Config, ask: DemoOf): Promise<DemoReport> => {
  await removeHome(config.home);
  const until = isoOf(nowMs() - (nowMs() % DAY_MS) - DAY_MS);
  const sandbox = await startSandbox({
    seed: ask.seed,
    until,
    days: 30,
    references: true,
    defects: ask.isClean ? [] : DEFECTS,
  });
  try {
    const nights = [await night(config, sandbox, { tell: ask.tell, writesFiles: false })];
    const written = await writeThroughClient(sandbox, { seed: ask.seed, count: ask.writes });
    await fetch(`${sandbox.url}/__world/advance`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"days":1}',
    });
    nights.push(await night(config, sandbox, { tell: ask.tell, writesFiles: true }));
    return await withBooks(config, ({ db }) =>
      compareWithWorld(db, sandbox, { nights, written, home: config.home }),
    );
  } finally {
    await sandbox.close();
  }
};

type Night = { readonly tell: Tell; readonly writesFiles: boolean };

const night = (config: Config, sandbox: Sandbox, { tell, writesFiles }: Night): Promise<Result> => {
  const gateway = {
    baseUrl: sandbox.url,
    socketUrl: sandbox.socketUrl,
    key: sandbox.apiKey,
    secret: sandbox.apiSecret,
    entities: 'all' as const,
    requestsPerMinute: 6_000,
    runHours: 1,
    gateUrl: null,
  };
  const settings: GatewayConfig = { ...config, gateway };
  const work = (work: Work) => nightly(work, settings, { isFull: false, writesFiles });
  return withRun(settings, 'nightly', { tell, work, begins: true });
};

const compareWithWorld = async (
  db: Books,
  sandbox: Sandbox,
  run: Pick<DemoReport, 'nights' | 'written' | 'home'>,
): Promise<DemoReport> => {
  const planted = (await (await fetch(`${sandbox.url}/__world/defects`)).json()) as Planted[];
  const expected = planted.flatMap(expectations);
  const made = [...(await madeBreaks(db)), ...(await madeRejects(db))];
  const has = (list: readonly Found[], one: Found) => list.some((other) => key(other) === key(one));
  const truth = await compareTruth(db, sandbox, expected);
  return {
    ...run,
    read: await readSoFar(db),
    tieOuts: await tieOutCounts(db),
    found: made.filter((one) => has(expected, one)),
    missed: expected.filter((one) => !has(made, one)),
    surplus: made.filter((one) => !has(expected, one)),
    ...truth,
    exports: join(run.home, 'exports'),
  };
};

const key = ({ entity, what, account, amount }: Found): string => [entity, what, account, amount].join(' | ');

const expectations = (defect: Planted): Found[] =>
  defect.expect.map((expected) =>
    expected.finding === 'break'
      ? {
          entity: defect.entity_id,
          what: expected.check,
          account: expected.account,
          amount: `${expected.difference} ${expected.currency}`,
          why: defect.what,
        }
      : {
          entity: defect.entity_id,
          what: 'reject',
          account: expected.stream,
          amount: expected.record_id,
          why: defect.what,
        },
  );

const madeBreaks = async (db: Books): Promise<Found[]> => {
  const { rows } = await sql<Found>`
    select entity_id as entity, check_name as what, coalesce(account, subject) as account,
      trim_scale(difference)::text || coalesce(' ' || currency, '') as amount, reason as why
    from books.breaks where status <> 'resolved' order by 1, 2, 3, 4`.execute(db);
  return rows;
};

const madeRejects = async (db: Books): Promise<Found[]> => {
  const { rows } = await sql<Found>`
    select entity_id as entity, 'reject' as what, stream as account, record_id as amount, reason as why
    from books.rejects order by 1, 3, 4`.execute(db);
  return rows;
};

const readSoFar = async (db: Books) => {
  const { rows } = await sql<DemoReport['read'][number]>`
    select entity_id, stream, landed, booked, rejected, set_aside from books.conservation order by 1, 2`.execute(
    db,
  );
  return rows;
};

const tieOutCounts = async (db: Books) => {
  const { rows } = await sql<{ status: string; count: number }>`
    select status, count(*)::int as count from books.tie_outs
    where run_id = (select run_id from books.runs order by run_number desc limit 1) group by 1 order by 1`.execute(
    db,
  );
  return rows;
};

/** The accounts that a planted difference affects: its own, and that of the fee that the wrong record books. */
const excuses = ({ entity, account, amount }: Found): string[] => {
  const currency = amount.split(' ')[1];
  return [account, 'expenses:fees:trading'].map((it) => `${entity} ${it} ${currency}`);
};

type Balance = { entity_id: string; account: string; currency: string; balance: string };

/** Compares every account of the world's truth with the books; they must agree, except where a difference was planted. */
const compareTruth = async (db: Books, sandbox: Sandbox, expected: readonly Found[]) => {
  const truth = (await (await fetch(`${sandbox.url}/__world/truth`)).json()) as { balances: Balance[] };
  const { rows } = await sql<Balance>`
    select entity_id, books_internal.tied_account(account) as account, currency, trim_scale(sum(balance))::text as balance
    from books.balances
    where account not like 'equity:%' and account not like 'assets:clearing:%'
    group by 1, 2, 3 having sum(balance) <> 0`.execute(db);
  const place = (balance: Balance) => `${balance.entity_id} ${balance.account} ${balance.currency}`;
  const [reported, booked] = [truth.balances, rows].map(
    (list) => new Map(list.map((it) => [place(it), it.balance])),
  );
  const excused = new Set(expected.flatMap(excuses));
  const places = [...new Set([...(reported?.keys() ?? []), ...(booked?.keys() ?? [])])];
  const differing = places.filter((key) => reported?.get(key) !== booked?.get(key));
  return {
    agreeing: places.length - differing.length,
    disagreeing: differing
      .filter((key) => !excused.has(key))
      .map((key) => `${key}: truth ${reported?.get(key) ?? 0}, books ${booked?.get(key) ?? 0}`),
  };
};
