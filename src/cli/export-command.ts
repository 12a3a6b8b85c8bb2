// export: writes the files of a period in a format and a profile.
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { UsageError } from '../base/errors.ts';
import { msOf } from '../base/time.ts';
import { figureSettings } from '../config/config.ts';
import type { Config } from '../config/environment.ts';
import type { Database } from '../database/connection.ts';
import {
  bookedMonths,
  type Exported,
  exportReports,
  FORMATS,
  type Format,
  isPackage,
  PACKAGE_NAMES,
  PROFILES,
  type ProfileName,
  parsePeriod,
  SUMMARIES,
  spanOf,
} from '../export/export.ts';
import type { PackageName } from '../export/packages/packages.ts';
import { databaseTime, refuseOtherSettings, settingsOf, withBooks } from '../run/run.ts';
import { refuseUnfinished } from '../valuation/valuation.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { exportPackage, filesText, type PackageOptions, refuseForReports } from './package-export.ts';
import { print, printJson } from './print.ts';
import { only } from './run-job.ts';

type ReportOptions = Shared & {
  readonly period?: string;
  readonly out?: string;
  readonly entity?: string;
  readonly format: Format;
  readonly profile?: ProfileName;
};

type ExportOptions = Omit<ReportOptions, 'format'> &
  PackageOptions & { readonly format: Format | PackageName };

const formatOption = new Option(
  '--format <format>',
  'csv, xlsx: reports; parquet: all views, for DuckDB, Spark, Trino or ClickHouse; hledger, ledger, beancount: full journal; xero, quickbooks, datev, holded: entries not exported yet',
);
const profileOption = new Option(
  '--profile <profile>',
  'CSV dialect: machine (default) or localised for Excel (xlsx: excel-en by default)',
);

const summaryOption = new Option(
  '--summary <span>',
  'packages: one journal per day, week or month, with the total of each account (default: one journal per entry)',
);

export const exportCommand = (): Command =>
  only(
    bookCommand(
      'export',
      'write the reports, journal or package files of a period',
      'npx tieout export --period 2026-10 --out october',
    ),
  )
    .option('--period <period>', '2026-10, 2026-Q4, 2026 or 2026-10-01..2026-10-15 (default: all months)')
    .option(
      '--out <dir>',
      'folder to write; replaces an earlier export there (default: under TIEOUT_HOME/exports)',
    )
    .addOption(formatOption.choices([...FORMATS, ...PACKAGE_NAMES]).default('csv'))
    .addOption(profileOption.choices(PROFILES))
    .option(
      '--map <file>',
      'packages: CSV file that maps our accounts to those of the package (default: the chart of accounts)',
    )
    .option('--by <name>', 'packages: your name, kept in the audit trail')
    .addOption(summaryOption.choices(SUMMARIES))
    .option('--again <number>', 'packages: export the batch with this number again, unchanged')
    .option('--datev <consultant/client>', 'datev: consultant and client number (Berater, Mandant)')
    .action(async ({ format, ...options }: ExportOptions) => {
      const config = settings(options);
      if (isPackage(format)) return exportPackage(config, options, format);
      refuseForReports(options);
      const reportOptions = { ...options, format };
      const exported = await withBooks(config, (database) => exportAs(database, config, reportOptions), {
        isReading: true,
      });
      if (options.json) return printJson(exported);
      print(filesText(exported));
    });

const exportAs = async (
  { db, pool }: Database,
  config: Config,
  options: ReportOptions,
): Promise<Exported> => {
  const { timezone, currency } = config;
  await refuseOtherSettings(db, settingsOf(config));
  const period = options.period ?? spanOf(await bookedMonths(pool, timezone));
  if (period === '') throw new UsageError('nothing is booked yet: run npx tieout nightly first');
  if (options.period !== undefined) await refuseFuture({ db, pool }, options.period, timezone);
  const outDir = options.out ?? join(config.home, 'exports', nameOf(period, options));
  return exportReports({
    pool,
    period,
    outDir,
    timezone,
    currency,
    format: options.format,
    isWhole: options.period === undefined,
    settings: figureSettings(config),
    refuse: (moment) => refuseUnfinished(moment, config, options.entity),
    ...(options.profile === undefined ? {} : { profile: options.profile }),
    ...(options.entity === undefined ? {} : { entities: [options.entity] }),
  });
};

/** Files without rows would state that nothing happened in a time that has not come. What is dated ahead by a wrong clock can be exported. */
const refuseFuture = async (
  { db, pool }: Pick<Database, 'db' | 'pool'>,
  text: string,
  timezone: string,
): Promise<void> => {
  const { name, from } = parsePeriod(text, timezone);
  if (msOf(from) <= msOf(await databaseTime(db))) return;
  const last = (await bookedMonths(pool, timezone)).at(-1);
  if (last !== undefined && msOf(parsePeriod(last, timezone).to) > msOf(from)) return;
  throw new UsageError(
    `${name} begins only at ${from}, so nothing can be exported for it: write an earlier period with --period`,
  );
};

/** Exports in another format or profile go to a folder apart from the nightly's reports. */
const nameOf = (period: string, { format, profile = 'machine' }: ReportOptions): string =>
  [period, ...(format === 'csv' ? [] : [format]), ...(profile === 'machine' ? [] : [profile])].join('-');
