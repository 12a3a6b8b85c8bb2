// The command worker: runs the jobs of nights until interrupted.
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../base/errors.ts';
import { readNamedFile } from '../base/named-file.ts';
import { packageRoot } from '../base/root.ts';
import { readMonitorConfig } from '../config/config.ts';
import { afterRun, withMistakeNotice } from './aftermath.ts';
import { bookCommand, gatewaySettings, type Shared, whole } from './options.ts';
import { progress } from './print.ts';

type WorkerFlags = Shared & {
  readonly jobs: string;
  readonly crontab?: string;
  readonly files: boolean;
  readonly now?: boolean;
  readonly metrics?: string;
  readonly metricsHost?: string;
};

export const workerCommand = (): Command =>
  bookCommand(
    'worker',
    'run the nights of a crontab until interrupted; start as many on as many hosts as you like',
    'DATABASE_URL=… npx tieout worker --jobs 4',
  )
    .option('--jobs <n>', 'entities that this process works on side by side', '4')
    .option('--crontab <file>', 'when nights begin, in UTC (default: 02:30)')
    .option('--no-files', 'never write the files of a night on this host')
    .option('--metrics <port>', 'serve metrics for Prometheus; 0 picks a free port')
    .option('--metrics-host <address>', 'address to serve metrics on (default: 127.0.0.1)')
    .option('--now', 'begin a night at once, beside the schedule')
    .action((options: WorkerFlags) => withMistakeNotice('worker', () => runWorker(options)));

const runWorker = async (options: WorkerFlags): Promise<void> => {
  if (options.metricsHost !== undefined && options.metrics === undefined)
    throw new UsageError('--metrics-host only works with --metrics: add it');
  const config = { ...gatewaySettings(options), ...readMonitorConfig() };
  const { signal = new AbortController().signal } = options;
  const { tell, stop } = progress(true, config.entity);
  const { work } = await import('../../jobs/worker.ts');
  await work(config, {
    crontab: readCrontab(options.crontab),
    jobsMax: whole('jobs', options.jobs, [1, 64]),
    writesFiles: options.files,
    isNow: options.now ?? false,
    tell,
    onFinish: (run, end) => afterRun(config, run, end),
    metricsPort: options.metrics === undefined ? null : whole('metrics', options.metrics, [0, 65_535]),
    metricsHost: options.metricsHost ?? '127.0.0.1',
    signal,
  }).finally(stop);
};

const BYTES_MAX = 100_000;

const readCrontab = (file: string | undefined): { text: string; path: string } => {
  const path = file === undefined ? join(packageRoot, 'jobs', 'crontab') : resolve(file);
  const read = readNamedFile(path, { bytesMax: BYTES_MAX });
  if ('refusal' in read) throw new UsageError(`${path} ${read.refusal}`);
  return { text: read.bytes.toString('utf8'), path };
};
