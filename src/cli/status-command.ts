// status: the state of the books on one screen, or every table behind it.

import type { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import { withBooks } from '../run/run.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { printJson, printLong, titledTable } from './print.ts';
import { type BooksStatus, statusText } from './status-page.ts';

type StatusOptions = Shared & { readonly all?: boolean };

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
    .map(([title, rows]) => titledTable(title, rows))
    .join('\n');

export const statusCommand = (): Command =>
  bookCommand(
    'status',
    'show what needs attention: verdict, last clean nights, top breaks, rejects, gaps, unfinished work',
    'npx tieout status --all',
  )
    .option('--all', 'print every table: runs, watermarks, gaps, periods, consolidated balances and more')
    .action(async (options: StatusOptions) => {
      const { breakRows, ...status } = await readStatus(options);
      if (options.json) return printJson(status);
      printLong(options.all ? allTables(status) : statusText({ ...status, breakRows }));
    });
