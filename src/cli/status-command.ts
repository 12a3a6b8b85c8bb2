// status: the state of the books on one screen, or every table behind it.

import type { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import { UsageError } from '../base/errors.ts';
import type { Database } from '../database/connection.ts';
import { withBooks } from '../run/run.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { printJson, printLong, titledTable } from './print.ts';
import { type CheckOptions, checkNights, MAX_AGE } from './status-check.ts';
import { type BooksStatus, statusText, verdictOf } from './status-page.ts';

type StatusOptions = Shared & CheckOptions & { readonly all?: boolean; readonly check?: boolean };

const readStatus = async (options: Shared): Promise<BooksStatus> => {
  const config = settings(options);
  const [{ breaksIn }, { statusOf }, { unfinished }] = await Promise.all([
    ACTIONS.breaks(),
    import('../run/run.ts'),
    import('../valuation/valuation.ts'),
  ]);
  return withBooks(config, async (database) => ({
    unfinished: await unfinished(database.db, config),
    ...(await statusOf(database)),
    breakRows: (await breaksIn(database.db, { isAll: false })).filter(({ status }) => status !== 'waived'),
  }));
};

const allTables = (status: object): string =>
  Object.entries(status)
    .filter(([, rows]) => Array.isArray(rows))
    .map(([title, rows]) => titledTable(title, rows))
    .join('\n');

/** A probe that forgets --check would exit with 0 whatever the nights are. */
const refuseStray = ({ check, all, maxAge, clean, entity }: StatusOptions): void => {
  if (check && all) throw new UsageError('--check prints one line: leave out --all, or --check');
  const stray = Object.entries({ '--max-age': maxAge, '--clean': clean, '--entity': entity })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  if (!check && stray.length > 0) throw new UsageError(`${stray.join(', ')} only works with --check: add it`);
};

export const statusCommand = (): Command =>
  bookCommand(
    'status',
    'show what needs attention: verdict, last clean nights, top breaks, rejects, gaps, unfinished work',
    'npx tieout status --all',
  )
    .option('--all', 'print every table: runs, watermarks, gaps, periods, consolidated balances and more')
    .option('--check', 'only check that every entity has a recent finished night: exit 0, or 1 with one line')
    .option(
      '--max-age <duration>',
      `with --check: how old the last night may be, such as 26h or 2d (default: ${MAX_AGE})`,
    )
    .option('--clean', 'with --check: the last clean night instead of the last finished one')
    .option('--entity <id>', 'with --check: only this entity')
    .action(async (options: StatusOptions) => {
      refuseStray(options);
      if (options.check) {
        const check = (database: Database) => checkNights(database, options);
        process.exitCode = await withBooks(settings(options), check);
        return;
      }
      const status = await readStatus(options);
      const { breakRows, ...tables } = status;
      if (options.json) return printJson({ verdict: verdictOf(status).text, ...tables });
      printLong(options.all ? allTables(tables) : statusText(status));
    });
