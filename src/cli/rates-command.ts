// rates: imports official rates from a file.

import { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import { proposeAndPrint } from './action.ts';
import { bookCommand, filled, type Shared, signed } from './options.ts';

const importCommand = (): Command =>
  signed(
    bookCommand(
      'import',
      'propose official rates from a file in the format of the European Central Bank',
      'npx tieout rates import eurofxref-hist.csv --by "Ada Byron"',
    ).argument(
      '<file>',
      'CSV file with the columns Date,USD,JPY,…, one day per line: units per euro, N/A if there is no rate',
    ),
  ).action(async (path: string, options: Shared & { readonly by: string }) => {
    const { readOfficial } = await import('../land/land.ts'); // loaded only here, with the contract
    const file = readOfficial(path);
    const by = filled('by', options.by);
    await proposeAndPrint(options, 'rates', async (work) =>
      (await ACTIONS.changes()).importRates(work, file, by),
    );
  });

export const ratesCommand = (): Command =>
  new Command('rates')
    .description('official rates; they take precedence over those of the gateway')
    .addCommand(importCommand())
    .addHelpText('after', '\nExample:\n  npx tieout rates import eurofxref-hist.csv --by "Ada Byron"\n');
