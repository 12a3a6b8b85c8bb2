// A connection: one pool of sockets, budget, clock and retry policy, shared by all calls of a client.
// The only file that opens HTTP sockets or retries.
import pRetry, { AbortError } from 'p-retry';
import { Pool } from 'undici';
import { attempt, type Call, type Link, type RequestEvent, type Totp } from './attempt.ts';
import { openBudget } from './budget.ts';
import { openClock } from './clock.ts';
import type { Operation } from './contract/operation.ts';
import { type Credentials, checkCredentials, secretsOf } from './credentials.ts';
import { GatewayError, type RequestEffect } from './errors.ts';
import { exchange } from './exchange.ts';
import { redaction } from './redaction.ts';
import { BannedElsewhere, type Gate, shareBudget } from './shared-budget.ts';
import { originOf } from './target.ts';
import type { TokenKeeper } from './token.ts';
import { isSafe, type Readable, type Received } from './verdict.ts';

/** As in package.json, which a test compares. */
export const USER_AGENT = 'tieout/0.1.0';

const IN_FLIGHT_MAX = 4;
const MIB = 1_048_576;

export type ConnectionOptions = {
  /** An https origin; http on loopback only. */
  readonly baseUrl: string;
  /** Requests in any 60 seconds, at least 1. */
  readonly rpm: number;
  /** The time limits of one try, and of a call from its first send. */
  readonly perTryMs?: number;
  readonly totalMs?: number;
  readonly bodyMaxBytes?: number;
  /** Tries after the first, not counting the one after a 401. A gateway that has answered no call yet is given up earlier. */
  readonly retries?: number;
  /** The first wait between tries; it doubles. */
  readonly backoffMs?: number;
  /** Whether the gateway has answered another process: then it is not given up earlier. */
  readonly hasAnswered?: boolean;
  /** The budget of all processes that use the key; without it, only this client's requests are counted. */
  readonly gate?: Gate;
  /** Called after every try, failed ones too. */
  readonly onRequest?: (event: RequestEvent) => void;
};

/** One call, ready to be sent. */
type Ready<Page> = {
  readonly operation: Readable<Page>;
  readonly target: string;
  readonly body?: string | undefined;
  readonly subaccount?: string | undefined;
  readonly totp?: Totp | undefined;
  readonly tokens?: TokenKeeper | null;
  readonly left?: number | undefined;
};

type GatewayConnection = {
  readonly link: Link;
  /** Rejects with a GatewayError. After a 418 every running or later call rejects with `banned`. */
  send<Page>(ready: Ready<Page>): Promise<Received<Page>>;
  /** Every later try uses these. No message shows the old ones either. */
  switchCredentials(credentials: Credentials): void;
  /** Ends running calls, with the reason as their error, and closes every socket. */
  close(reason?: string): Promise<void>;
};

/** Opens a connection. Sends nothing yet. Throws for options that cannot work (address, credentials, budget). */
export const openConnection = (
  options: ConnectionOptions,
  credentials: Credentials | null,
): GatewayConnection => {
  const { rpm, retries = 12, totalMs = 300_000 } = options;
  if (credentials !== null) checkCredentials(credentials);
  if (!Number.isInteger(rpm) || rpm < 1) throw new Error(`the request budget must be 1 or more, not ${rpm}`);
  const pool = poolOf(options);
  const link = linkOf(options, pool, credentials);
  const secrets = credentials === null ? [] : secretsOf(credentials);
  const calls: Calls = { retries, totalMs, stops: new Set(), ended: null };
  return {
    link,
    send: (ready) => send(link, calls, ready),
    switchCredentials: (next) => {
      checkCredentials(next);
      secrets.push(...secretsOf(next));
      link.credentials = next;
      link.clean = redaction(secrets);
    },
    close: async (reason = 'the gateway is closed') => {
      endAll(calls, closed(reason));
      await pool.destroy();
    },
  };
};

type Calls = {
  readonly retries: number;
  readonly totalMs: number;
  readonly stops: Set<() => void>;
  /** Once set, nothing is sent any more. */
  ended: End | null;
};

type End = (operation: Operation, call: Call) => Error;

const PER_TRY_MS = 30_000;

/** Keep-alive sockets to one origin. Certificates are verified whatever the environment says. */
const poolOf = ({ baseUrl, perTryMs = PER_TRY_MS }: ConnectionOptions): Pool =>
  new Pool(originOf(baseUrl), {
    connections: IN_FLIGHT_MAX,
    pipelining: 1,
    connect: { rejectUnauthorized: true, timeout: perTryMs },
    headersTimeout: 0, // an exchange has a limit of its own, over head and body
    bodyTimeout: 0,
  });

const linkOf = (options: ConnectionOptions, pool: Pool, credentials: Credentials | null): Link => {
  const { rpm, gate, hasAnswered = false, onRequest = () => {} } = options;
  const clock = openClock();
  const own = openBudget({ rpm, inFlightMax: IN_FLIGHT_MAX });
  const { perTryMs = PER_TRY_MS, bodyMaxBytes = 8 * MIB, backoffMs = 1_000 } = options;
  return {
    credentials,
    userAgent: USER_AGENT,
    backoffMs,
    onRequest,
    exchange: (request) => exchange(pool, request, { perTryMs, bodyMaxBytes }),
    budget: gate === undefined ? own : shareBudget(own, gate, clock.nowMs),
    clock,
    clean: redaction(credentials === null ? [] : secretsOf(credentials)),
    requests: 0,
    answered: hasAnswered,
    answers: 0,
    throttles: 0,
    throttlesEver: 0,
  };
};

const send = async <Page>(link: Link, calls: Calls, ready: Ready<Page>): Promise<Received<Page>> => {
  const { operation, target, body, subaccount, totp, tokens = null, left } = ready;
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const began = () => {
    timer ??= setTimeout(() => controller.abort(tooLong(operation, call, calls.totalMs)), calls.totalMs);
  };
  const fresh = { tries: 0, inFlight: 0, resynced: false, last: null };
  const request = { target, body, subaccount, totp, tokens, left };
  const call: Call = { ...request, signal: controller.signal, began, ...fresh };
  const stop = () => controller.abort(calls.ended?.(operation, call));
  calls.stops.add(stop);
  if (calls.ended) stop();
  try {
    return await withRetries(link, calls, { call, operation });
  } finally {
    clearTimeout(timer);
    calls.stops.delete(stop);
  }
};

type RetryContext<Page> = { readonly call: Call; readonly operation: Readable<Page> };

const withRetries = <Page>(
  link: Link,
  calls: Calls,
  { call, operation }: RetryContext<Page>,
): Promise<Received<Page>> => {
  const once = async (): Promise<Received<Page>> => {
    try {
      return await attempt(link, call, operation);
    } catch (error) {
      if (error instanceof BannedElsewhere) {
        endAll(calls, banned);
        throw banned(operation, call);
      }
      const failure = error instanceof GatewayError ? error.failure : null;
      if (failure === 'banned') {
        endAll(calls, banned);
        await link.budget.ban();
      }
      if (failure !== 'clockSkew') throw error;
      call.resynced = true; // the clock is set: sign once more, at once
      return await once();
    }
  };
  const giveUp = retryOrGiveUp(link, call, operation);
  const waits = { minTimeout: link.backoffMs, maxTimeout: BACKOFF_MAX_MS, factor: 2, randomize: true };
  const answers = link.answers;
  return pRetry(() => once().catch(giveUp), {
    retries: calls.retries,
    ...waits,
    signal: call.signal,
  }).catch((error: unknown) => {
    const isAway = error instanceof GatewayError && AWAY.has(error.failure);
    if (isAway && link.answers === answers) link.answered = false; // the next calls of a long night do not wait as long each
    throw error;
  });
};

const BACKOFF_MAX_MS = 30_000;
const AWAY: ReadonlySet<string> = new Set(['unreachable', 'unavailable']);

/** The tries of a call to a gateway that has answered none yet, or none since a call failed: it is down, or it is another service. */
const TRIES_AT_FIRST = 7;

/** Only temporary failures are retried; a bug, a final answer or a failed sign-in (it has had its own tries) ends the call. */
const retryOrGiveUp =
  (link: Link, call: Call, { name }: Operation) =>
  (error: unknown): never => {
    const isTemporary = error instanceof GatewayError && error.operation === name && error.retry === true;
    const isDown = !link.answered && call.tries >= TRIES_AT_FIRST;
    throw isTemporary && !isDown ? error : new AbortError(error as Error);
  };

const endAll = (calls: Calls, end: End): void => {
  calls.ended ??= end;
  for (const stop of [...calls.stops]) stop();
};

const unanswered = { status: null, requestId: null };

/** A call that ends while a try waits for its answer may have changed something. */
const effectNow = (operation: Operation, { inFlight }: Call): RequestEffect =>
  inFlight > 0 && !isSafe(operation) ? 'unknown' : 'none';

const closed =
  (reason: string): End =>
  (operation, call) => {
    const { target, tries } = call;
    const effect = effectNow(operation, call);
    if (effect === 'none') return new Error(`${operation.name}: ${reason}`);
    const facts = { failure: 'unreachable' as const, ...unanswered, operation, target, tries };
    return new GatewayError({ ...facts, effect, detail: reason });
  };

const banned: End = (operation, call) => {
  const { target, tries } = call;
  const detail = 'nothing more is sent; run again later';
  const effect = effectNow(operation, call);
  return new GatewayError({ failure: 'banned', ...unanswered, operation, target, tries, effect, detail });
};

const tooLong = (operation: Operation, call: Call, totalMs: number): GatewayError => {
  const { target, tries, last } = call;
  const { failure, status, requestId } = last ?? { failure: 'unreachable' as const, ...unanswered };
  const limit = `time limit of ${totalMs} ms for all tries`;
  const detail = last?.detail ? `${last.detail}; ${limit}` : limit; // the limit alone does not show what was wrong
  const effect = effectNow(operation, call);
  return new GatewayError({ failure, status, requestId, operation, target, tries, effect, detail });
};
