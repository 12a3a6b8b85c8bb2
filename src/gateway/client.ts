// The client: the room's public module. Opens a gateway that sends reading requests only and returns pages with receipts.
// The only file that opens sockets or retries.
import pRetry, { AbortError } from 'p-retry';
import { Pool } from 'undici';
import { attempt, type Call, type Link, type RequestEvent } from './attempt.ts';
import { openBudget } from './budget.ts';
import { openClock } from './clock.ts';
import type { ReadOperation } from './contract/operation.ts';
import { GatewayError } from './errors.ts';
import { exchange } from './exchange.ts';
import { redaction } from './redaction.ts';
import { originOf, type TargetRequest, targetOf } from './target.ts';
import type { Received } from './verdict.ts';

export type { RequestEvent } from './attempt.ts';
export { isPathPart, isSendable } from './target.ts';
export type { Receipt } from './verdict.ts';

/** As in package.json, which a test compares. */
export const USER_AGENT = 'tieout/0.1.0';

const IN_FLIGHT_MAX = 4;
const MIB = 1_048_576;

export type GatewayOptions = {
  /** An https origin; http on loopback only. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  /** Requests in any 60 seconds, at least 1. */
  readonly rpm: number;
  /** The time limits of one try, and of a call from its first send. */
  readonly perTryMs?: number;
  readonly totalMs?: number;
  readonly bodyMaxBytes?: number;
  /** Tries after the first, not counting the one after a 401. */
  readonly retries?: number;
  /** The first wait between tries; it doubles. */
  readonly backoffMs?: number;
  /** The times of requests of other processes with the same budget, Unix milliseconds of this machine. */
  readonly recentSends?: readonly number[];
  /** Another clock that bounds proofs: the database's, Unix milliseconds. */
  readonly notAfterMs?: () => number;
  /** Called after every try, failed ones too. */
  readonly onRequest?: (event: RequestEvent) => void;
};

export type Gateway = {
  /**
   * Requests one page of one operation. Rejects with a GatewayError, whose `failure` is a word of MEANING. After a 418 every
   * running or later call rejects with `banned`, and nothing more is sent.
   */
  call<Page>(operation: ReadOperation<Page>, ask?: TargetRequest): Promise<Received<Page>>;
  /** Requests sent so far, every try counted. */
  requests(): number;
  /**
   * Now, for proofs: the earliest of the gateway's clock (by the Date of its answers), this machine's and `notAfterMs`,
   * Unix milliseconds.
   */
  nowMs(): number;
  /** The largest difference of the gateway's clock from this machine's, with its sign, in milliseconds. */
  clockOffsetMs(): number;
  /** Ends running calls and closes every socket. */
  close(): Promise<void>;
};

/** Opens a gateway. Sends nothing yet. Throws for options that cannot work (address, credentials, budget). */
export const openGateway = (options: GatewayOptions): Gateway => {
  check(options);
  const pool = poolOf(options);
  const link = linkOf(options, pool);
  const { retries = 6, totalMs = 300_000, notAfterMs = link.clock.provedMs } = options;
  const calls: Calls = { retries, totalMs, stops: new Set(), ended: null };
  return {
    call: (operation, ask = {}) => call(link, calls, { operation, ask }),
    requests: () => link.requests,
    nowMs: () => Math.min(link.clock.provedMs(), notAfterMs()),
    clockOffsetMs: link.clock.offsetMs,
    close: async () => {
      endAll(calls, (operation) => new Error(`${operation}: the gateway is closed`));
      await pool.destroy();
    },
  };
};

const check = ({ apiKey, apiSecret, rpm }: GatewayOptions): void => {
  if (!/^[!-~]+$/.test(apiKey)) throw new Error('the gateway API key is empty or holds what no header can');
  if (apiSecret === '') throw new Error('the gateway API secret is empty');
  if (!Number.isInteger(rpm) || rpm < 1) throw new Error(`the request budget must be 1 or more, not ${rpm}`);
};

type Calls = {
  readonly retries: number;
  readonly totalMs: number;
  readonly stops: Set<() => void>;
  /** Once set, nothing is sent any more. */
  ended: End | null;
};

type End = (operation: string, job: Call) => Error;

const PER_TRY_MS = 30_000;

/** Keep-alive sockets to one origin. Certificates are verified whatever the environment says. */
const poolOf = ({ baseUrl, perTryMs = PER_TRY_MS }: GatewayOptions): Pool =>
  new Pool(originOf(baseUrl), {
    connections: IN_FLIGHT_MAX,
    pipelining: 1,
    connect: { rejectUnauthorized: true, timeout: perTryMs },
    headersTimeout: 0, // an exchange has a limit of its own, over head and body
    bodyTimeout: 0,
  });

const linkOf = (options: GatewayOptions, pool: Pool): Link => {
  const { apiKey, apiSecret, rpm, recentSends = [], onRequest = () => {} } = options;
  const { perTryMs = PER_TRY_MS, bodyMaxBytes = 8 * MIB, backoffMs = 1_000 } = options;
  return {
    apiKey,
    apiSecret,
    userAgent: USER_AGENT,
    backoffMs,
    onRequest,
    get: (request) => exchange(pool, request, { perTryMs, bodyMaxBytes }),
    budget: openBudget({ rpm, inFlightMax: IN_FLIGHT_MAX, recentSends }),
    clock: openClock(),
    clean: redaction([apiSecret, apiKey]),
    requests: 0,
    throttles: 0,
  };
};

type ClientRequest<Page> = { readonly operation: ReadOperation<Page>; readonly ask: TargetRequest };

const call = async <Page>(
  link: Link,
  calls: Calls,
  { operation, ask }: ClientRequest<Page>,
): Promise<Received<Page>> => {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const began = () => {
    timer ??= setTimeout(() => controller.abort(tooLong(operation.name, job, calls.totalMs)), calls.totalMs);
  };
  const fresh = { tries: 0, resynced: false, last: null };
  const target = targetOf(operation, ask);
  const job: Call = { target, subaccount: ask.subaccount, signal: controller.signal, began, ...fresh };
  const stop = () => controller.abort(calls.ended?.(operation.name, job));
  calls.stops.add(stop);
  if (calls.ended) stop();
  try {
    return await retried(link, calls, { job, operation });
  } finally {
    clearTimeout(timer);
    calls.stops.delete(stop);
  }
};

type RetryContext<Page> = { readonly job: Call; readonly operation: ReadOperation<Page> };

const retried = <Page>(
  link: Link,
  calls: Calls,
  { job, operation }: RetryContext<Page>,
): Promise<Received<Page>> => {
  const once = async (): Promise<Received<Page>> => {
    try {
      return await attempt(link, job, operation);
    } catch (error) {
      const failure = error instanceof GatewayError ? error.failure : null;
      if (failure === 'banned') endAll(calls, banned);
      if (failure !== 'clockSkew') throw error;
      job.resynced = true; // the clock is set: sign once more, at once
      return await once();
    }
  };
  const waits = { minTimeout: link.backoffMs, maxTimeout: BACKOFF_MAX_MS, factor: 2, randomize: true };
  return pRetry(() => once().catch(retryOrGiveUp), { retries: calls.retries, ...waits, signal: job.signal });
};

const BACKOFF_MAX_MS = 30_000;

/** Only temporary failures are retried; a bug or a final answer ends the call. */
const retryOrGiveUp = (error: unknown): never => {
  throw error instanceof GatewayError && error.retry === true ? error : new AbortError(error as Error);
};

const endAll = (calls: Calls, end: End): void => {
  calls.ended ??= end;
  for (const stop of [...calls.stops]) stop();
};

const unanswered = { status: null, requestId: null };

const banned: End = (operation, { target, tries }) => {
  const detail = 'nothing more is sent; run again later';
  return new GatewayError({ failure: 'banned', ...unanswered, operation, target, tries, detail });
};

const tooLong = (operation: string, { target, tries, last }: Call, totalMs: number): GatewayError => {
  const { failure, status, requestId } = last ?? { failure: 'unreachable' as const, ...unanswered };
  const detail = `time limit of ${totalMs} ms for all tries`;
  return new GatewayError({ failure, status, requestId, operation, target, tries, detail });
};
