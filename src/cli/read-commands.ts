// Commands that read the books, status and query, and migrate, which prepares a database.

import { type Command, Option } from 'commander';
import { counted } from '../base/counted.ts';
import { UsageError } from '../base/errors.ts';
import type { Config } from '../config/config.ts';
import type { RowsPage } from '../database/cursor.ts';
import { makeLogins } from '../database/logins.ts';
import { type Migrated, migrate } from '../database/migrate.ts';
import { statusOf } from '../run/status.ts';
import { withBooks, withOwner } from '../run/work.ts';
import { unfinished } from '../valuation/valuation.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { print, printJson, printPiece, table } from './print.ts';
import {
  type AnswerLimits,
  csvWriter,
  FORMATS,
  type Format,
  jsonWriter,
  LIMITS,
  type PutRows,
  queryBooks,
  refuseWriting,
  type Writer,
} from './query.ts';

export const statusCommand = (): Command =>
  bookCommand(
    'status',
    'show runs, watermarks, gaps, open breaks, rejects and unfinished work',
    'npx tieout status --json',
  ).action(async (options: Shared) => {
    const config = settings(options);
    const status = await withBooks(config, async ({ db }) => ({
      unfinished: await unfinished(db, config),
      ...(await statusOf(db)),
    }));
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
  });

type QueryOptions = Shared & { readonly format: Format; readonly limit?: number };

export const queryCommand = (): Command =>
  bookCommand(
    'query',
    'run one read-only SQL statement on the books',
    'npx tieout query "select * from books.balances order by 1, 2, 3"',
  )
    .argument('<sql>', 'SQL statement')
    .addOption(new Option('--format <format>', 'output format').choices(FORMATS).default('table'))
    .option(
      '--limit <rows>',
      'highest number of rows (default: 10000 for table, 10000000 for csv and json)',
      rowsMax,
    )
    .action(async (sql: string, options: QueryOptions) => {
      refuseWriting(sql); // before any database is opened
      const format = options.json ? 'json' : options.format;
      const limits = { ...LIMITS[format], ...(options.limit === undefined ? {} : { rows: options.limit }) };
      const { signal } = options;
      const writer = writerOf(format);
      const ask = (_: unknown, url: string) => queryBooks(url, sql, { limits, put: writer.put, signal });
      const { rows, cut } = await withBooks(settings(options), ask, { as: 'analyst' });
      await writer.end();
      if (cut !== null) tellCut(rows, { cut, isAsked: options.limit !== undefined });
    });

const rowsMax = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--limit ${text}: write a number of rows, from 1`);
  return Number.parseInt(text, 10);
};

/** An answer that is not whole says so, and does not end as if it were, unless that was what was asked for. */
const tellCut = (rows: number, { cut, isAsked }: { cut: keyof AnswerLimits; isAsked: boolean }): void => {
  const why = cut === 'rows' ? 'the answer has more rows' : 'the answer is too large for this format';
  const advice =
    cut === 'rows' ? 'raise --limit N, or narrow the query' : 'use --format csv, or narrow the query';
  process.stderr.write(`tieout: printed only the first ${rows} rows, ${why}: ${advice}\n`);
  if (!isAsked || cut === 'bytes') process.exitCode = 1;
};

const writerOf = (format: Format): Writer => {
  if (format === 'json') return jsonWriter(printPiece);
  if (format === 'csv') return csvWriter(printPiece);
  return tableWriter();
};

/** A table is as wide as its widest cells, so that it is laid out when all are there. */
const tableWriter = (): Writer => {
  let head: string[] = [];
  const all: RowsPage['rows'][number][] = [];
  const put: PutRows = ({ columns, rows }) => {
    head = columns.map(({ name }) => name);
    all.push(...rows);
    return true;
  };
  const end = async () => print(`${table(head, all)}\n(${counted(all.length, 'row')})`);
  return { put, end };
};

type MigrateFlags = Shared & { readonly dropDependents?: boolean };

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
    .action(async (options: MigrateFlags) => {
      const config = settings(options);
      const done = await withOwner(config, (url) => migrated(config, url, options.dropDependents), {
        begins: true,
      });
      if (options.json) return printJson(done);
      print(`${migratedText(done)}\n\n${table(['role', 'login'], Object.entries(done.logins))}`);
    });

const migrated = async (config: Config, url: string, dropsDependents = false) => ({
  ...(await migrate(url, { dropsDependents, signal: config.signal })),
  logins: await makeLogins(config, url),
});

const migratedText = ({ applied, viewsRecreated, dropped }: Migrated): string =>
  [
    ...applied.map((version) => `applied migration ${version}`),
    ...(viewsRecreated ? ['recreated the views and rights'] : []),
    ...dropped.map((name) => `dropped ${name}`),
    viewsRecreated ? 'the schema is current' : 'the schema is already current: nothing was changed',
  ].join('\n');
