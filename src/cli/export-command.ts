// export: the files of a period, in a format and a profile.
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { withBooks } from '../../jobs/work.ts';
import { type Config, decisive } from '../config.ts';
import type { Database } from '../db.ts';
import { UsageError } from '../errors.ts';
import {
  type Exported,
  exportReports,
  FORMATS,
  type Format,
  monthsTouched,
  PROFILES,
  type ProfileName,
  spanOf,
} from '../export/export.ts';
import { refuseOtherSettings } from '../settings.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { print, printJson, table } from './print.ts';
import { only } from './run-job.ts';

type ExportOptions = Shared & {
  readonly period?: string;
  readonly out?: string;
  readonly entity?: string;
  readonly format: Format;
  readonly profile?: ProfileName;
};

const formatOption = new Option(
  '--format <format>',
  'reports as csv or as one workbook (xlsx), or the whole journal up to the end of the period',
);
const profileOption = new Option(
  '--profile <profile>',
  'machine (csv, if not said), or what Excel opens right in Spanish, German or English (xlsx: excel-en)',
);

export const exportCommand = (): Command =>
  only(
    bookCommand('export', 'write the files of a period', 'npx tieout export --period 2026-10 --out october'),
  )
    .option('--period <period>', '2026-10, 2026-Q4, 2026 or 2026-10-01..2026-10-15; all months, if not said')
    .option(
      '--out <dir>',
      'the folder to write; an earlier export there is replaced. Beside those of the nights, if not said',
    )
    .addOption(formatOption.choices(FORMATS).default('csv'))
    .addOption(profileOption.choices(PROFILES))
    .action(async (options: ExportOptions) => {
      const config = settings(options);
      const exported = await withBooks(config, (database) => exportAs(database, config, options));
      if (options.json) return printJson(exported);
      print(
        table(
          ['file', 'rows', 'sha256'],
          exported.files.map((file) => [file.name, file.rows, file.sha256]),
        ),
      );
      print(`\n${exported.dir}`);
    });

const exportAs = async (
  { db, pool }: Database,
  config: Config,
  options: ExportOptions,
): Promise<Exported> => {
  const { timezone, currency } = config;
  await refuseOtherSettings(db, { timezone, currency });
  const period = options.period ?? spanOf(await monthsTouched(pool, timezone));
  if (period === '') throw new UsageError('nothing is booked yet: run nightly first');
  const outDir = options.out ?? join(config.home, 'exports', nameOf(period, options));
  return exportReports({
    ...{ pool, period, outDir, timezone, currency, format: options.format, settings: decisive(config) },
    ...(options.profile === undefined ? {} : { profile: options.profile }),
    ...(options.entity === undefined ? {} : { entities: [options.entity] }),
  });
};

/** Another format or profile is apart from the reports of the nights. */
const nameOf = (period: string, { format, profile = 'machine' }: ExportOptions): string =>
  [period, ...(format === 'csv' ? [] : [format]), ...(profile === 'machine' ? [] : [profile])].join('-');
