// Commands that only look: status and query. And migrate, which readies a database for looking.
import type { Command } from 'commander';
import { withBooks } from '../../jobs/work.ts';
import { migrate } from '../migrate.ts';
import { queryBooks, toCsv } from '../query.ts';
import { statusOf } from '../status.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { print, printJson, table } from './print.ts';

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

type QueryOptions = Shared & { readonly format: string };

const queryCommand = () =>
  bookCommand(
    'query',
    'ask the books in SQL, read-only',
    'npx tieout query "select * from books.balances order by 1, 2, 3"',
  )
    .argument('<sql>', 'one statement')
    .option('--format <format>', 'table, csv or json', 'table')
    .action(async (sql: string, options: QueryOptions) => {
      const format = options.json ? 'json' : options.format;
      const { columns, rows } = await withBooks(settings(options), (_, url) => queryBooks(url, sql, format));
      if (format === 'json')
        printJson(
          rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null]))),
        );
      else if (format === 'csv') process.stdout.write(toCsv(columns, rows));
      else
        print(
          `${table(
            columns.map(({ name }) => name),
            rows,
          )}\n(${rows.length} row${rows.length === 1 ? '' : 's'})`,
        );
    });

const migrateCommand = () =>
  bookCommand(
    'migrate',
    'bring the database to the current schema and recreate the views',
    'DATABASE_URL=… npx tieout migrate',
  ).action(async (options: Shared) => {
    const done = await withBooks(settings(options), (_, url) => migrate(url));
    if (options.json) return printJson(done);
    print('the schema is current');
  });

export const readCommands = (): Command[] => [statusCommand(), queryCommand(), migrateCommand()];
