// The gateway client of a run: opens, monitors and closes it, and limits how long the run may read.
import { counted } from '../src/base/counted.ts';
import { FailedError } from '../src/base/errors.ts';
import { pause } from '../src/base/signal.ts';
import { HOUR_MS, msOf, nowMs } from '../src/base/time.ts';
import type { GatewayConfig } from '../src/config/environment.ts';
import type { ReadGateway } from '../src/gateway/client.ts';
import { type Gate, openReadGateway } from '../src/gateway/gateway.ts';
import type { Work } from '../src/run/work.ts';
import { databaseOffsetMs, reportClocks } from './clocks.ts';
import type { Extraction } from './extraction.ts';
import { withGate } from './request-gate.ts';

const LOOK_MS = 250;

/** The most times that an entity is read again because it changed during the reading. */
export const READINGS_MAX = 3;

const SILENCE_MS = 20_000;

export type Limits = {
  /** Give up if no request has been answered within this time. */
  readonly silenceMs: number;
  /** How long a run may read the gateway. */
  readonly deadlineMs: number;
  /** A quarter of that per list: if a changing list is read as often as allowed, a quarter remains for all others. */
  readonly perList: Extraction['perList'];
};

/** The limits of a run from the configured hours; given limits take precedence. */
export const limitsOf = ({ gateway }: GatewayConfig, limits: Partial<Limits>): Limits => {
  const { silenceMs = SILENCE_MS, deadlineMs = gateway.runHours * HOUR_MS } = limits;
  const { perList = { limitMs: (gateway.runHours * HOUR_MS) / (READINGS_MAX + 1), clockMs: nowMs } } = limits;
  return { silenceMs, deadlineMs, perList };
};

type ClientLimits = GatewayConfig &
  Omit<Limits, 'perList'> & {
    /** Whether the gateway has answered another process of this run: then it is not given up early. */
    readonly hasAnswered?: boolean;
  };

type WithClient<T> = (gateway: ReadGateway, reportAllClocks: () => Promise<void>) => Promise<T>;

/**
 * Passes the gateway client to `use`, within the budget that all processes share; fails if the gateway does not answer or the
 * run exceeds its time.
 */
export const withGateway = <T>(work: Work, limits: ClientLimits, use: WithClient<T>): Promise<T> => {
  const { gateUrl, baseUrl, key: apiKey, requestsPerMinute: rpm } = limits.gateway;
  const gate = {
    url: gateUrl ?? work.url,
    apiKey,
    gateway: baseUrl,
    rpm,
    run: work.run.id,
  };
  const { tell, signal } = work;
  return withGate({ ...gate, tell, signal }, (opened) => withClient(work, { ...limits, gate: opened }, use));
};

const withClient = async <T>(
  work: Work,
  {
    gateway: config,
    gate,
    hasAnswered = false,
    silenceMs,
    deadlineMs,
  }: ClientLimits & { readonly gate: Gate },
  use: WithClient<T>,
): Promise<T> => {
  const databaseMs = await databaseOffsetMs(work.db);
  const ranMs = Math.max(0, nowMs() + databaseMs - msOf(work.run.startedAt)); // a shared run may have begun elsewhere
  if (ranMs >= deadlineMs) throw tooLong(deadlineMs);
  const answers = { hasAnswered };
  const gateway = openReadGateway({
    baseUrl: config.baseUrl,
    apiKey: config.key,
    apiSecret: config.secret,
    rpm: config.requestsPerMinute,
    gate,
    hasAnswered,
    notAfterMs: () => nowMs() + databaseMs,
    onRequest: ({ tookMs, ...request }) => {
      answers.hasAnswered ||= request.status !== null || request.failure === 'oversized';
      work.tell({ ...request, event: 'request', duration_ms: tookMs });
    },
  });
  const { baseUrl } = config;
  const watch = watchRun(work.signal, { gateway, answers, silenceMs, deadlineMs, ranMs, baseUrl });
  const begin = async (): Promise<T> => {
    work.signal.throwIfAborted();
    return use(gateway, () => reportClocks(work, gateway, databaseMs));
  };
  const using = begin();
  let failure: string | undefined;
  try {
    return await Promise.race([using, watch.failed]);
  } catch (error) {
    failure = (error as Error).message;
    throw error;
  } finally {
    watch.end();
    await gateway.close(failure);
    await untilSettled(using); // what is still landing belongs to the run, which ends next
    work.sent.requests += gateway.requests();
  }
};

/** What does not end by itself, because the database is silent, is left. */
const LEAVE_MS = 10_000;

const untilSettled = async (using: Promise<unknown>): Promise<void> => {
  const settled = new AbortController();
  await Promise.race([using.catch(() => {}), pause(LEAVE_MS, settled.signal)]);
  settled.abort();
};

type Watched = Pick<Limits, 'silenceMs' | 'deadlineMs'> & {
  readonly gateway: ReadGateway;
  readonly answers: { readonly hasAnswered: boolean };
  /** How long the run has been at work already. */
  readonly ranMs: number;
  readonly baseUrl: string;
};

/** `failed` rejects at the signal, if no request is answered in time, and when the time of the run is over. */
const watchRun = (
  signal: AbortSignal,
  { gateway, answers, silenceMs, deadlineMs, baseUrl, ...watched }: Watched,
): { readonly failed: Promise<never>; readonly end: () => void } => {
  let { ranMs } = watched;
  let waitedMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<never>((_, fail) => {
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
    timer = setInterval(() => {
      ranMs += LOOK_MS;
      waitedMs = answers.hasAnswered || gateway.requests() === 0 ? 0 : waitedMs + LOOK_MS;
      if (waitedMs >= silenceMs) fail(noAnswer(baseUrl, silenceMs));
      if (ranMs >= deadlineMs) fail(tooLong(deadlineMs));
    }, LOOK_MS);
  });
  return { failed, end: () => clearInterval(timer) };
};

const tooLong = (deadlineMs: number): FailedError =>
  new FailedError(
    `the run has read the gateway for ${counted(deadlineMs / HOUR_MS, 'hour')} and has not finished: landed records are stored; ` +
      'run again to continue there, or raise TIEOUT_RUN_HOURS',
  );

const noAnswer = (baseUrl: string, silenceMs: number): FailedError =>
  new FailedError(
    `no answer from ${baseUrl} in ${silenceMs / 1000} s: check GATEWAY_BASE_URL and the network, and run again`,
  );
