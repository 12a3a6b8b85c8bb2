// Commands that only look: status and query. And migrate, which readies a database for looking.
import { type Command, Option } from 'commander';
import { withBooks, withOwner } from '../../jobs/work.ts';
import type { Config } from '../config.ts';
import { makeLogins } from '../logins.ts';
import { type Migrated, migrate } from '../migrate.ts';
import { statusOf } from '../status.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { print, printJson, table } from './print.ts';
import { FORMATS, type Format, queryBooks, type Rows, refuseWriting, toCsv, toObjects } from './query.ts';

const statusCommand = () =>
  bookCommand('status', 'runs, watermarks, gaps, open breaks, rejects', 'npx tieout status --json').action(
    async (options: Shared) => {
      const status = await withBooks(settings(options), ({ db }) => statusOf(db));
      if (options.json) return printJson(status);
      for (const [title, rows] of Object.entries(status)) {
        const head = Object.keys(rows[0] ?? {});
        print(
          rows.length === 0
            ? `${title.toUpperCase()}: none\n`
            : `${title.toUpperCase()}\n${table(
                head,
                rows.map((row) => Object.values(row)),
              )}\n`,
        );
      }
    },
  );

type QueryOptions = Shared & { readonly format: Format };

const queryCommand = () =>
  bookCommand(
    'query',
    'ask the books in SQL, read-only',
    'npx tieout query "select * from books.balances order by 1, 2, 3"',
  )
    .argument('<sql>', 'one statement')
    .addOption(new Option('--format <format>', 'how rows are printed').choices(FORMATS).default('table'))
    .action(async (sql: string, options: QueryOptions) => {
      refuseWriting(sql); // before any database is opened
      const rows = await withBooks(settings(options), (_, url) => queryBooks(url, sql), { as: 'analyst' });
      printRows(rows, options.json ? 'json' : options.format);
    });

const printRows = (found: Rows, format: Format): void => {
  if (format === 'json') printJson(toObjects(found));
  if (format === 'csv') process.stdout.write(toCsv(found));
  if (format === 'table') printTable(found);
};

const printTable = ({ columns, rows }: Rows): void => {
  const head = columns.map(({ name }) => name);
  print(`${table(head, rows)}\n(${rows.length} row${rows.length === 1 ? '' : 's'})`);
};

type MigrateFlags = Shared & { readonly dropDependents?: boolean };

const migrateCommand = () =>
  bookCommand(
    'migrate',
    'bring the database to the current schema, recreate the views, make the roles',
    'DATABASE_URL=… npx tieout migrate',
  )
    .option('--drop-dependents', 'drop what others built on the views, if the views must be recreated')
    .action(async (options: MigrateFlags) => {
      const config = settings(options);
      const done = await withOwner(config, (url) => migrated(config, url, options.dropDependents), {
        begins: true,
      });
      if (options.json) return printJson(done);
      print(`${migratedText(done)}\n\n${table(['role', 'login'], Object.entries(done.logins))}`);
    });

const migrated = async (config: Config, url: string, dropsDependents = false) => ({
  ...(await migrate(url, { dropsDependents })),
  logins: await makeLogins(config, url),
});

const migratedText = ({ applied, viewsRecreated, dropped }: Migrated): string =>
  [
    ...applied.map((version) => `applied migration ${version}`),
    ...(viewsRecreated ? ['recreated the views and rights'] : []),
    ...dropped.map((name) => `dropped ${name}`),
    viewsRecreated ? 'the schema is current' : 'the schema was current: nothing was changed',
  ].join('\n');

export const readCommands = (): Command[] => [statusCommand(), queryCommand(), migrateCommand()];
