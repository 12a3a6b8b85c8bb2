// bank list and chain list: the accounts with how their lines stand, and the files that were imported for each.
import type { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import type { ExternalAccountRow } from '../actions/external.ts';
import { bookedEntities, withBooks } from '../run/run.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { printJson, printLong, table } from './print.ts';

export const listCommand = (kind: 'bank' | 'chain'): Command =>
  bookCommand(
    'list',
    kind === 'bank'
      ? 'list your bank accounts, how their lines stand, and the imported files'
      : 'list your addresses, how their lines stand, and the imported files',
    `npx tieout ${kind} list`,
  )
    .option('--entity <id>', 'only this entity')
    .action(async (options: Shared & { readonly entity?: string }) => {
      const rows = await withBooks(settings(options), async ({ db }) => {
        await bookedEntities({ db }, options.entity);
        return (await ACTIONS.external()).externalAccounts(db, { kind, only: options.entity });
      });
      if (options.json) return printJson(rows);
      const what = kind === 'bank' ? 'bank account' : 'address';
      printLong(rows.length === 0 ? `no ${what} yet: npx tieout ${kind} import` : listText(rows));
    });

const ACCOUNT = [
  'entity',
  'account',
  'currency',
  'from',
  'to',
  'balance',
  'statements',
  'lines',
  'matched',
  'differs',
  'open',
  'unrelated',
];
const IMPORT = ['account', 'sha256', 'file', 'from', 'to', 'statements', 'lines', 'imported by', 'withdrawn'];

/** As many digits of a SHA-256 as tell files apart. */
const DIGITS = 12;

const listText = (rows: readonly ExternalAccountRow[]): string =>
  [
    table(
      ACCOUNT,
      rows.map((row) => [
        row.entity_id,
        row.account_name,
        row.currency,
        row.starts_on,
        row.ends_on,
        row.balance,
        row.statements,
        row.lines,
        row.matched,
        row.differs,
        row.open,
        row.unrelated,
      ]),
    ),
    '',
    table(
      IMPORT,
      rows.flatMap(({ imports }) =>
        imports.map((file) => [
          file.account_name,
          file.file_sha256.slice(0, DIGITS),
          file.file_name,
          file.starts_on,
          file.ends_on,
          file.statements,
          file.lines,
          file.imported_by,
          withdrawnText(file),
        ]),
      ),
    ),
  ].join('\n');

const withdrawnText = ({
  withdrawn_by,
  withdrawn_at,
  withdrawal_reason,
}: ExternalAccountRow['imports'][number]): string =>
  withdrawn_by === null ? '' : `${withdrawn_at?.slice(0, 10)} by ${withdrawn_by}: ${withdrawal_reason}`;
