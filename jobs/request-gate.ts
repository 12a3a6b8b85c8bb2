// The request gate: one budget for every process and host that sends with a key, in a database of ours. Nothing is sent that its
// log does not count; src/gateway/budget.ts says how requests count.
import { setTimeout as sleep } from 'node:timers/promises';
import { FailedError, UsageError } from '../src/base/errors.ts';
import { sha256 } from '../src/base/json.ts';
import { codeOf, openBeside, placeOf, reasonOf } from '../src/database/database.ts';
import type { Gate, GateAnswer } from '../src/gateway/gateway.ts';
import type { Tell } from '../src/run/events.ts';
import { mayPass } from './passing.ts';

type GateOptions = {
  /** A login that may take requests: the loader's. */
  readonly url: string;
  readonly apiKey: string;
  /** The origin of the gateway. */
  readonly gateway: string;
  /** The run for which they are sent. Every ban since it first opened the gate counts, in whichever process that was. */
  readonly run: string;
  /** Requests in any 60 seconds, of all processes together. */
  readonly rpm: number;
  /** How long a database that cannot be reached is tried again. Default: two minutes. */
  readonly patienceMs?: number;
  readonly tell: Tell;
  /** Ends the waiting for a database that cannot be reached. */
  readonly signal: AbortSignal;
};

/** Enough for a database that starts again, or whose replica takes over. */
const PATIENCE_MS = 120_000;
const PAUSE_MS = 500;

const TAKE = 'select * from run.take_request($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)';

/** No such schema or function: a database without books of this version. */
const NO_GATE: readonly string[] = ['3F000', '42883'];

/** Raised by run.open_budget if another gateway has taken the key; the message is that gateway. */
const OTHER_GATEWAY = '55T03';

type TakenRow = {
  readonly wait_ms: number | null;
  readonly send_id: string | null;
  readonly nonce: string | null;
  readonly is_banned: boolean;
  readonly right_now_ms: string;
};

/**
 * Passes the gate of a key to `use`. Throws a UsageError if the gate counts for another gateway, and a FailedError that names
 * the database once it has not been reached for the time of patience.
 */
export const withGate = async <T>(options: GateOptions, use: (gate: Gate) => Promise<T>): Promise<T> => {
  const { url, rpm } = options;
  const key = sha256(options.apiKey);
  const pool = openBeside(url, { name: `tieout gate pid ${process.pid}`, connectionsMax: 1 }); // a request takes a millisecond
  const closed = new AbortController();
  const signal = AbortSignal.any([options.signal, closed.signal]);
  const patiently = patienceOf({ ...options, signal });
  const run = async <Row>(text: string, values: () => unknown[]): Promise<Row | undefined> => {
    try {
      return (await patiently(() => pool.query(text, values()))).rows[0] as Row | undefined;
    } catch (error) {
      throw signal.aborted ? signal.reason : gateError(error, options);
    }
  };
  try {
    const opened = await run<{ opened_at: string }>('select run.open_budget($1, $2, $3) as opened_at', () => [
      key,
      options.gateway,
      options.run,
    ]);
    const time = budgetTime();
    const hold = async (ms: number, isBan: boolean) =>
      void (await run('select run.hold_budget($1, $2, $3, $4)', () => [
        key,
        Math.min(Math.ceil(ms), 60_000),
        isBan,
        time.leastMs(),
      ]));
    const budget = { key, rpm, openedAt: opened?.opened_at, run: options.run, time };
    return await use({
      take: taking(budget, (values) => run<TakenRow>(TAKE, values)),
      hold: (ms) => hold(ms, false),
      know: async () => void (await run('select run.know_gateway($1, $2)', () => [key, options.gateway])),
      ban: () => hold(0, true),
    });
  } finally {
    closed.abort();
    await pool.end();
  }
};

type OpenBudget = {
  readonly key: string;
  readonly rpm: number;
  readonly openedAt: string | undefined;
  readonly run: string;
  readonly time: BudgetTime;
};
type TakeRow = (values: () => unknown[]) => Promise<TakenRow | undefined>;

/** Claims a request, and again as long as the database does nothing because its time is far ahead. */
const taking = ({ key, rpm, openedAt, run, time }: OpenBudget, claim: TakeRow): Gate['take'] => {
  return async ({ account, perSecond = null, left = null, gatewayMs, ended }) => {
    const answered = [ended.map(({ send }) => send), ended.map(({ agoMs }) => agoMs)];
    const limits = [key, account, rpm, perSecond, left, openedAt];
    const claimedMs = performance.now();
    const gatewayNow = () => Math.round(gatewayMs + performance.now() - claimedMs); // of this try: a nonce lives five seconds
    for (let wasSet = false; ; ) {
      const taken = await claim(() => [...limits, gatewayNow(), ...answered, run, time.leastMs(), wasSet]);
      const answer = answerOf(taken);
      if (answer !== null) {
        time.hear(taken?.right_now_ms);
        return answer;
      }
      wasSet = time.isAhead(taken?.right_now_ms);
    }
  };
};

/** Longer than the shortest way of an answer from the database. */
const WAY_MAX_MS = 1_000;

/** The budget's time, Unix milliseconds, as this process carries it on by a clock that nobody sets. */
const budgetTime = () => {
  let aheadMs: number | null = null; // of that clock, at least
  const leastMs = () => (aheadMs === null ? null : Math.floor(aheadMs + performance.now()));
  const read = (rightNowMs = '0') => Number.parseInt(rightNowMs, 10);
  return {
    /** What it must be by now; null before the first answer. */
    leastMs,
    /** Whether an answer has a time that has not come, however long it was on its way: the clock was set. */
    isAhead: (rightNowMs?: string): boolean => (leastMs() ?? Infinity) + WAY_MAX_MS < read(rightNowMs),
    hear: (rightNowMs?: string): void => {
      aheadMs = Math.max(aheadMs ?? -Infinity, read(rightNowMs) - performance.now());
    },
  };
};

type BudgetTime = ReturnType<typeof budgetTime>;

type Patiently = <T>(query: () => Promise<T>) => Promise<T>;

/** Repeats queries of a database that may come back. The time counts from its last answer, whichever query waits. */
const patienceOf = ({ url, patienceMs = PATIENCE_MS, tell, signal }: GateOptions): Patiently => {
  let lostMs: number | null = null;
  const mayReturn = (error: unknown): boolean => {
    if (signal.aborted || !mayPass(error)) return false;
    const why = reasonOf(error as Error);
    if (lostMs === null) tell({ event: 'warning', message: `${nameOf(url)} fails (${why}): trying again` });
    lostMs ??= performance.now();
    return performance.now() - lostMs < patienceMs;
  };
  return async (query) => {
    for (;;) {
      try {
        const result = await query();
        lostMs = null;
        return result;
      } catch (error) {
        if (!mayReturn(error)) throw error;
      }
      await sleep(PAUSE_MS, undefined, { signal });
    }
  };
};

const nameOf = (url: string): string => `the request gate at ${placeOf(url)}`;

/** Null if the database's time is far ahead: then it did nothing. */
const answerOf = (row: TakenRow | undefined): GateAnswer | null => {
  if (row?.is_banned) return 'banned';
  if (row?.send_id && row.nonce) return { send: row.send_id, nonce: Number.parseInt(row.nonce, 10) };
  return row?.wait_ms == null ? null : { waitMs: Math.max(1, row.wait_ms) };
};

const gateError = (error: unknown, { url, gateway }: GateOptions): Error => {
  const reason = reasonOf(error as Error);
  const code = codeOf(error);
  const gate = nameOf(url);
  if (code === OTHER_GATEWAY)
    return new UsageError(
      `${gate} counts the requests of this key to ${reason}, and GATEWAY_BASE_URL is ${gateway}: correct GATEWAY_BASE_URL, ` +
        'or set TIEOUT_GATE_URL to the gate of that gateway',
    );
  if (NO_GATE.includes(code))
    return new UsageError(
      `${placeOf(url)} has no request gate: correct TIEOUT_GATE_URL, or run npx tieout migrate on that database`,
    );
  return new FailedError(
    `${gate} cannot be used, so nothing is sent (${reason}): start that database, or correct TIEOUT_GATE_URL, and run again`,
  );
};
