// migrate: prepares a database.
import type { Command } from 'commander';
import type { Config } from '../config/environment.ts';
import type { Migrated } from '../database/migrate.ts';
import { makeLogins, migrate } from '../database/schema.ts';
import { withOwner } from '../run/run.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { print, printJson, table } from './print.ts';

type MigrateFlags = Shared & { readonly dropDependents?: boolean; readonly partitions?: number };

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
      (text: string) => Number.parseInt(/^\d{1,6}$/.exec(text)?.[0] ?? '0', 10),
    )
    .action(async (options: MigrateFlags) => {
      const config = settings(options);
      const done = await withOwner(config, (url) => migrated(config, url, options), {
        begins: true,
      });
      if (options.json) return printJson(done);
      print(`${migratedText(done)}\n\n${table(['role', 'login'], Object.entries(done.logins))}`);
    });

const migrated = async (
  config: Config,
  url: string,
  { dropDependents = false, partitions }: MigrateFlags,
) => ({
  ...(await migrate(url, { dropsDependents: dropDependents, partitions, signal: config.signal })),
  logins: await makeLogins(config, url),
});

const migratedText = ({ applied, viewsRecreated, dropped }: Migrated): string =>
  [
    ...applied.map((version) => `applied migration ${version}`),
    ...(viewsRecreated ? ['recreated the views and rights'] : []),
    ...dropped.map((name) => `dropped ${name}`),
    viewsRecreated ? 'the schema is current' : 'the schema is already current: nothing was changed',
  ].join('\n');
