// Commands that run a job: the nightly, its stages one by one.
import type { Result } from '../run/work.ts';
import { withNotice } from './aftermath.ts';
import { bookCommand, gatewaySettings, settings } from './options.ts';
import { jobs, only, type RunOptions, runJob, unattended } from './run-job.ts';

export const nightlyCommand = () =>
  unattended(
    only(
      bookCommand(
        'nightly',
        'extract, land, normalize, reconcile and export every entity',
        'npx tieout nightly --entity main',
      ),
    ),
  )
    .option('--full', 'read every list again from the start')
    .action(async (options: RunOptions) => {
      await withNotice('nightly', () => runNight(options), options);
    });

const runNight = (options: RunOptions) => {
  const config = gatewaySettings(options);
  const request = { only: options.entity, isFull: options.full ?? false };
  return runJob(config, options, {
    name: 'nightly',
    begins: true,
    work: async (work) => (await jobs()).nightly(work, config, request),
    more: ({ verdicts }) => ({ json: { entities: verdicts } }),
    next: nextAfterNight,
  });
};

const nextAfterNight = ({ exitCode }: Result): string[] => {
  if (exitCode === 2) return ['npx tieout nightly      # run again: it continues where this run stopped'];
  const status = 'npx tieout status       # runs, gaps, rejects and open breaks';
  return exitCode === 0 ? [status] : [status, 'npx tieout breaks list  # differences to work on'];
};

export const extractCommand = () =>
  unattended(
    only(
      bookCommand('extract', 'read new records from the gateway and land them', 'npx tieout extract --full'),
    ),
  )
    .option('--full', 'read every list again from the start')
    .action(async (options: RunOptions) => {
      const config = gatewaySettings(options);
      const request = { only: options.entity, isFull: options.full ?? false };
      await runJob(config, options, {
        name: 'extract',
        begins: true,
        work: async (work) => (await jobs()).extractOnly(work, config, request),
      });
    });

export const reconcileCommand = () =>
  only(
    bookCommand(
      'reconcile',
      'compare the books with the last balances read, offline',
      'npx tieout reconcile',
    ),
  ).action(async (options: RunOptions) => {
    await runJob(settings(options), options, {
      name: 'reconcile',
      work: async (work) => (await jobs()).reconcileOnly(work, { only: options.entity }),
    });
  });
