// counterparties: who is on the other side. A named person imports rules from a file; a counterparty without a rule is
// unknown.

import { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import { bookedEntities, withBooks } from '../run/run.ts';
import { approvals, proposeAndPrint } from './action.ts';
import { bookCommand, filled, type Shared, settings, signed } from './options.ts';
import { printJson, printLong, table } from './print.ts';

type CounterpartyListOptions = Shared & { readonly entity?: string };

const LISTED = [
  'counterparty_type',
  'counterparty',
  'account',
  'operation',
  'address',
  'currency',
  'in',
  'out',
  'records',
] as const;

const listCommand = (): Command =>
  bookCommand(
    'list',
    'list counterparties with amounts, unknown ones first, largest first',
    'npx tieout counterparties list',
  )
    .option('--entity <id>', 'only this entity')
    .action(async (options: CounterpartyListOptions) => {
      const config = settings(options);
      const rows = await withBooks(config, async ({ db }) => {
        await bookedEntities({ db }, options.entity);
        return (await ACTIONS.counterparties()).counterpartyRows(db, {
          only: options.entity,
          currency: config.currency,
        });
      });
      if (options.json) return printJson(rows);
      const head = [...LISTED, `value in ${config.currency}`];
      const cells = rows.map((row) => [...LISTED.map((column) => row[column]), row.value]);
      printLong(rows.length === 0 ? 'no deposits or withdrawals' : table(head, cells));
    });

const rulesCommand = (): Command =>
  bookCommand('rules', 'list the rules in force, in order', 'npx tieout counterparties rules').action(
    async (options: Shared) => {
      const rows = await withBooks(settings(options), async ({ db }) =>
        (await ACTIONS.counterparties()).ruleRows(db),
      );
      if (options.json) return printJson(rows);
      const head = [
        'line',
        'class',
        'address',
        'bank account',
        'operation',
        'counterparty',
        'counterparty_type',
        'by',
        'not known to',
      ];
      const cells = rows.map((row) => [
        row.line,
        row.class,
        row.address,
        row.bank_account,
        row.operation,
        row.counterparty,
        row.counterparty_type,
        `${row.imported_by} (version ${row.version})`,
        row.not_known_to,
      ]);
      printLong(rows.length === 0 ? 'no rules are in force' : table(head, cells));
    },
  );

const importCommand = (): Command =>
  signed(
    bookCommand(
      'import',
      'propose a CSV file that replaces the rules; the first rule that matches applies',
      'npx tieout counterparties import counterparties.csv --by "Ada B."',
    ).argument(
      '<file>',
      'CSV file with the columns class,address,bank_account,operation,counterparty,counterparty_type',
    ),
  ).action(async (file: string, options: Shared & { readonly by: string }) => {
    const rules = (await approvals()).readRules(file);
    const by = filled('by', options.by);
    await proposeAndPrint(options, 'counterparties', async (work) =>
      (await ACTIONS.counterparties()).importCounterparties(work, { rules, path: file, by }),
    );
  });

export const counterpartyCommands = (): Command =>
  new Command('counterparties')
    .description('list counterparties, show the rules that identify them, or import rules')
    .addCommand(listCommand())
    .addCommand(rulesCommand())
    .addCommand(importCommand())
    .addHelpText('after', '\nExample:\n  npx tieout counterparties list\n');
