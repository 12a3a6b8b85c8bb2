// What follows a run: the notice of how it ended, and the file of metrics. Neither changes the exit code.
import { UsageError } from '../base/errors.ts';
import { isoOf, msOf, nowMs } from '../base/time.ts';
import { readMonitorConfig, readNoticeTarget } from '../config/config.ts';
import type { Config, GatewayConfig, MonitorConfig } from '../config/environment.ts';
import type { Stopping } from '../database/connection.ts';
import type { Notice } from '../monitor/notice.ts';
import { withBooks, withOwner } from '../run/run.ts';
import { exitCodeOf, sentenceOf } from './ending.ts';
import { warn } from './print.ts';

const monitor = () => import('../monitor/monitor.ts');

const OUTCOMES = ['success', 'findings'] as const;

type Ended = { readonly exitCode: number; readonly summary: string; readonly verdicts?: readonly object[] };

/** Both instants are by one clock: this host's, unless the end is given by another. */
type Begun = { readonly job: string; readonly startedAt: string; readonly finishedAt?: string };

const noticeOf = (
  { job, startedAt, finishedAt = isoOf(nowMs()) }: Begun,
  { exitCode, summary, verdicts }: Ended,
): Notice => ({
  job,
  outcome: OUTCOMES[exitCode] ?? 'failure',
  exit_code: exitCode,
  summary,
  started_at: isoOf(msOf(startedAt)), // the database's clock gives microseconds
  finished_at: isoOf(msOf(finishedAt)),
  ...(verdicts && { entities: verdicts }),
});

/** Notifies TIEOUT_ON_FINISH, if it is set, that a job ended. Never throws: a failure is a warning. */
const notify = async (
  { onFinish }: Pick<MonitorConfig, 'onFinish'>,
  { begun, ended, stopping = {} }: { begun: Begun; ended: Ended; stopping?: Stopping },
): Promise<void> => {
  if (onFinish === null) return;
  try {
    const failure = await (await monitor()).deliver(onFinish, noticeOf(begun, ended), stopping);
    if (failure !== null) warn(failure);
  } catch (error) {
    warn(`the notice of TIEOUT_ON_FINISH was not delivered: ${sentenceOf(error)}`);
  }
};

/** Begins a job: what it returns notifies TIEOUT_ON_FINISH how the job ended. Throws a UsageError if that setting is wrong. */
const begin = (job: string, stopping: Stopping = {}): ((ended: Ended) => Promise<void>) => {
  const begun = { job, startedAt: isoOf(nowMs()) };
  const target = readNoticeTarget();
  return (ended) => notify(target, { begun, ended, stopping });
};

const failureOf = (error: unknown): Ended => ({ exitCode: exitCodeOf(error), summary: sentenceOf(error) });

/**
 * Runs a job to its end or its failure, even one before it began, and notifies TIEOUT_ON_FINISH, if it is set. After a signal it
 * names the signal, as the process does, not the failures that it caused.
 */
export const withNotice = async <R extends Ended>(
  job: string,
  work: () => Promise<R>,
  { signal }: Stopping = {},
): Promise<R> => {
  const finish = begin(job, { signal });
  try {
    const result = await work();
    await finish(result);
    return result;
  } catch (error) {
    await finish(failureOf(signal?.aborted ? signal.reason : error));
    throw error;
  }
};

/** The same for a process that runs many jobs: only of a mistake, with which no supervisor can start it. */
export const withMistakeNotice = async (job: string, work: () => Promise<void>): Promise<void> => {
  const finish = begin(job);
  try {
    await work();
  } catch (error) {
    if (error instanceof UsageError) await finish(failureOf(error));
    throw error;
  }
};

/** What follows a run that a worker ended: the notice and the metrics. Never throws: a failure is a warning. */
export const afterRun = async (
  config: GatewayConfig & MonitorConfig,
  begun: Begun,
  ended: Ended,
): Promise<void> => {
  await notify(config, { begun, ended });
  if (config.metricsFile !== null) await writeMetrics(config, config.metricsFile);
};

/** Runs a job, and writes the metrics to TIEOUT_METRICS_FILE when it has ended, if that is set. */
export const withMetrics = async <T>(
  config: Config | GatewayConfig,
  begins: boolean,
  work: () => Promise<T>,
): Promise<T> => {
  const { metricsFile } = readMonitorConfig();
  if (metricsFile === null || config.isDemo) return work();
  const both = () => work().finally(() => writeMetrics(config, metricsFile));
  return withOwner(config, both, { begins }); // one start of the embedded server for both
};

const METRICS_MS = 10_000;

/** A run that a signal stopped has ended too, so its metrics are written. */
const writeMetrics = async (
  config: Config | GatewayConfig,
  file: NonNullable<MonitorConfig['metricsFile']>,
): Promise<void> => {
  try {
    const { readMetrics, writeMetricsFile } = await monitor();
    const requestsPerMinute = 'gateway' in config ? config.gateway.requestsPerMinute : undefined;
    const signal = config.signal?.aborted ? AbortSignal.timeout(METRICS_MS) : config.signal;
    const text = await withBooks({ ...config, signal }, ({ db }) => readMetrics(db, { requestsPerMinute }));
    await writeMetricsFile(file, text);
  } catch (error) {
    warn(`the metrics cannot be written to ${file}: ${sentenceOf(error)}`);
  }
};
