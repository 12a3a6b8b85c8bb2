// migrate: prepares a database.
import type { Command } from 'commander';
import type { Config } from '../config/environment.ts';
import type { Migrated } from '../database/migrate.ts';
import { makeLogins, migrate, PARTITION_COUNTS, schemaStatus } from '../database/schema.ts';
import { withOwner } from '../run/run.ts';
import { bookCommand, type Shared, settings, whole } from './options.ts';
import { print, printJson, printResult, table } from './print.ts';

type MigrateFlags = Shared & {
  readonly dropDependents?: boolean;
  readonly partitions?: number;
  readonly status?: boolean;
  readonly dryRun?: boolean;
};

export const migrateCommand = (): Command =>
  bookCommand(
    'migrate',
    'migrate the schema, recreate the views and create the roles',
    'DATABASE_URL=… npx tieout migrate',
  )
    .option(
      '--drop-dependents',
      'drop objects of others that depend on the views, if the views must be recreated',
    )
    .option(
      '--partitions <number>',
      'split the large tables by entity into so many hash partitions; only when the schema is created (PostgreSQL 17 or newer)',
      (text: string) => whole('partitions', text, PARTITION_COUNTS),
    )
    .option('--status', 'print the version of the schema and what is pending, and change nothing')
    .option('--dry-run', 'make every change, print it, and roll it back')
    .action(async (options: MigrateFlags) => {
      const config = settings(options);
      if (options.status) return showStatus(config, options);
      if (options.dryRun) return rehearse(config, options);
      const done = await withOwner(config, (url) => migrated(config, url, options), {
        begins: true,
      });
      if (options.json) return printResult(done);
      print(`${migratedText(done)}\n\n${table(['role', 'login'], Object.entries(done.logins))}`);
    });

const rehearse = async (
  config: Config,
  { dropDependents, partitions, json }: MigrateFlags,
): Promise<void> => {
  const done = await withOwner(config, (url) =>
    migrate(url, { dropsDependents: dropDependents, partitions, isDryRun: true, signal: config.signal }),
  );
  if (json) return printResult({ dry_run: true, ...done });
  print(done.viewsRecreated ? [...stepsOf(done), 'dry run: nothing was changed'].join('\n') : CURRENT);
};

const showStatus = async (config: Config, { json }: MigrateFlags): Promise<void> => {
  const status = await withOwner(config, (url) => schemaStatus(url, config));
  const { pending, lack } = status;
  process.exitCode = pending.length === 0 && lack === null ? 0 : 1;
  if (json) return printJson(status);
  const lines = [
    placeText(status),
    ...pending.map((one) => `pending: migration ${one}`),
    ...(pending.length === 0 && lack !== null ? [`pending: the books ${lack}`] : []),
  ];
  print(
    [...lines, process.exitCode === 0 ? 'nothing is pending' : 'npx tieout migrate applies it'].join('\n'),
  );
};

const placeText = ({ version, lack }: Awaited<ReturnType<typeof schemaStatus>>): string => {
  if (version !== null) return `the schema is at ${version}`;
  return lack === null ? 'no books yet' : `the books ${lack}`;
};

const migrated = async (
  config: Config,
  url: string,
  { dropDependents = false, partitions }: MigrateFlags,
) => ({
  ...(await migrate(url, { dropsDependents: dropDependents, partitions, signal: config.signal })),
  logins: await makeLogins(config, url),
});

const CURRENT = 'the schema is already current: nothing was changed';

const stepsOf = ({ applied, viewsRecreated, dropped }: Migrated): readonly string[] => [
  ...applied.map((version) => `applied migration ${version}`),
  ...(viewsRecreated ? ['recreated the views and rights'] : []),
  ...dropped.map((name) => `dropped ${name}`),
];

const migratedText = (done: Migrated): string =>
  done.viewsRecreated ? [...stepsOf(done), 'the schema is current'].join('\n') : CURRENT;
