// labels: what reports and pages call entities, pockets, accounts and counterparties.
import { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import { withBooks } from '../run/run.ts';
import { approvals, proposeAndPrint } from './action.ts';
import { bookCommand, filled, type Shared, settings, signed } from './options.ts';
import { printJson, printLong, table } from './print.ts';

const importCommand = (): Command =>
  signed(
    bookCommand(
      'import',
      'propose the labels of a CSV file, which replace those in force',
      'npx tieout labels import labels.csv --by "Ada B."',
    ).argument('<file>', 'CSV file with the columns kind,id,label'),
  ).action(async (file: string, options: Shared & { readonly by: string }) => {
    const lines = (await approvals()).readLabels(file);
    const by = filled('by', options.by);
    await proposeAndPrint(options, 'labels', async (work) =>
      (await ACTIONS.labels()).proposeLabels(work, { lines, path: file, by }),
    );
  });

const listCommand = (): Command =>
  bookCommand('list', 'list the labels in force', 'npx tieout labels list').action(
    async (options: Shared) => {
      const rows = await withBooks(settings(options), async ({ db }) =>
        (await ACTIONS.labels()).labelRows(db),
      );
      if (options.json) return printJson(rows);
      const cells = rows.map(({ kind, id, label, imported_by }) => [kind, id, label, imported_by]);
      printLong(rows.length === 0 ? 'no labels yet' : table(['kind', 'id', 'label', 'by'], cells));
    },
  );

export const labelCommands = (): Command =>
  new Command('labels')
    .description('list the labels of entities, pockets, accounts and counterparties, or import others')
    .addCommand(listCommand())
    .addCommand(importCommand())
    .addHelpText('after', '\nExample:\n  npx tieout labels import labels.csv --by "Ada B."\n');
