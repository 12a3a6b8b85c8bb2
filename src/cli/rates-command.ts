// rates: official rates that a person hands in as a file.
import { Command } from 'commander';
import { readOfficial } from '../land/official.ts';
import { proposeAndPrint } from './desk.ts';
import { bookCommand, filled, type Shared, signed } from './options.ts';

const importCommand = (): Command =>
  signed(
    bookCommand(
      'import',
      'propose the official rates of a file in the form of the European Central Bank',
      'npx tieout rates import eurofxref-hist.csv --by "Ada Byron"',
    ).argument(
      '<file>',
      'Date,USD,JPY,… and a day a line: units of each currency for one euro, N/A where there is none',
    ),
  ).action(async (path: string, options: Shared & { readonly by: string }) => {
    const file = readOfficial(path);
    const by = filled('by', options.by);
    await proposeAndPrint(options, 'rates', async (work) =>
      (await import('../actions/changes.ts')).importRates(work, file, by),
    );
  });

export const ratesCommand = (): Command =>
  new Command('rates')
    .description('official rates, which come before what the gateway tells')
    .addCommand(importCommand());
