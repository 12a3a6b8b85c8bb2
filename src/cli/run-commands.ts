// Commands that run a job: the night, its stages one by one, the export.
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { withBooks } from '../../jobs/work.ts';
import { UsageError } from '../errors.ts';
import { exportReports, FORMATS, type Format, monthsTouched, spanOf } from '../export/export.ts';
import { isPackage, PACKAGE_NAMES, type PackageName } from '../export/packages.ts';
import { refuseOtherSettings } from '../settings.ts';
import { normalizeCommand } from './normalize-command.ts';
import { bookCommand, gatewaySettings, settings } from './options.ts';
import { exportPackage, type PackageOptions } from './package-export.ts';
import { print, printJson, table } from './print.ts';
import { jobs, only, type RunOptions, runJob } from './run-job.ts';

const nightlyCommand = () =>
  only(
    bookCommand(
      'nightly',
      'extract, land, normalize, reconcile and export, for every entity',
      'npx tieout nightly --entity main',
    ),
  )
    .option('--full', 'read every list again from its start')
    .action(async (options: RunOptions) => {
      const config = gatewaySettings(options);
      const ask = { only: options.entity, isFull: options.full ?? false };
      await runJob(config, options, {
        name: 'nightly',
        work: async (work) => (await jobs()).nightly(work, config, ask),
      });
    });

const extractCommand = () =>
  only(bookCommand('extract', 'read from the gateway and land what is new', 'npx tieout extract --full'))
    .option('--full', 'read every list again from its start')
    .action(async (options: RunOptions) => {
      const config = gatewaySettings(options);
      const ask = { only: options.entity, isFull: options.full ?? false };
      await runJob(config, options, {
        name: 'extract',
        work: async (work) => (await jobs()).extractOnly(work, config, ask),
      });
    });

const reconcileCommand = () =>
  only(
    bookCommand(
      'reconcile',
      'compare the books with the balances read last, offline',
      'npx tieout reconcile',
    ),
  ).action(async (options: RunOptions) => {
    await runJob(settings(options), options, {
      name: 'reconcile',
      work: async (work) => (await jobs()).reconcileOnly(work, { only: options.entity }),
    });
  });

type ExportOptions = PackageOptions & { readonly format: Format | PackageName };

/** A journal is apart from the reports of the same period. */
const nameOf = (period: string, format: Format): string =>
  format === 'csv' ? period : `${period}-${format}`;

/** What belongs to packages says nothing to a report, and is not passed over. */
const refuseForReports = (options: PackageOptions): void => {
  const given = (['map', 'by', 'again', 'datev'] as const).filter((name) => options[name] !== undefined);
  if (given.length > 0)
    throw new UsageError(
      `--${given.join(', --')} are for --format ${PACKAGE_NAMES.join(', ')}: leave them out, or name one of these`,
    );
};

const exportCommand = () =>
  only(
    bookCommand('export', 'write the files of a period', 'npx tieout export --period 2026-10 --out october'),
  )
    .option('--period <period>', '2026-10, 2026-Q4, 2026 or 2026-10-01..2026-10-15; all months, if not said')
    .option(
      '--out <dir>',
      'the folder to write; an earlier export there is replaced. Beside those of the nights, if not said',
    )
    .addOption(
      new Option(
        '--format <format>',
        'reports as csv, the whole journal up to the end of the period, or what a package has not got of it',
      )
        .choices([...FORMATS, ...PACKAGE_NAMES])
        .default('csv'),
    )
    .option('--map <file>', 'for a package: its account for each of ours')
    .option('--by <name>', 'for a package: who hands this out')
    .option('--again <number>', 'for a package: the batch of this number, as it was')
    .option('--datev <consultant/client>', 'for datev: Berater- and Mandantennummer')
    .action(async ({ format, ...options }: ExportOptions) => {
      const config = settings(options);
      if (isPackage(format)) return exportPackage(config, options, format);
      refuseForReports(options);
      const entities = options.entity === undefined ? {} : { entities: [options.entity] };
      const { timezone, currency } = config;
      const exported = await withBooks(config, async ({ db, pool }) => {
        await refuseOtherSettings(db, { timezone: config.timezone, currency: config.currency });
        const period = options.period ?? spanOf(await monthsTouched(pool, timezone));
        if (period === '') throw new UsageError('nothing is booked yet: run nightly first');
        return exportReports({
          pool,
          period,
          outDir: options.out ?? join(config.home, 'exports', nameOf(period, format)),
          timezone,
          currency,
          format,
          ...entities,
        });
      });
      if (options.json) return printJson(exported);
      print(
        table(
          ['file', 'rows', 'sha256'],
          exported.files.map((file) => [file.name, file.rows, file.sha256]),
        ),
      );
      print(`\n${exported.dir}`);
    });

export const runCommands = (): Command[] => [
  nightlyCommand(),
  extractCommand(),
  normalizeCommand(),
  reconcileCommand(),
  exportCommand(),
];
