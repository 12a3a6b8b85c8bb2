// lots: our externally held lots with their cost, from a file.

import { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import {
  type AttributedOptions,
  attributedCommand,
  proposeAndPrint,
  room,
  signatureOf,
  withEvidence,
} from './action.ts';

const importCommand = (): Command =>
  withEvidence(
    attributedCommand(
      'import',
      'import lots held in our external wallets, with their cost basis',
      'npx tieout lots import ledger-wallet.csv --evidence invoices.pdf --by "Ada Byron" --reason "bought in 2021"',
    ).argument(
      '<file>',
      'CSV file, one lot per line: currency,units,cost,cost_currency,acquired_on; cost is the total of the lot',
    ),
  ).action(async (path: string, options: AttributedOptions) => {
    const signature = await signatureOf(options);
    const file = (await room()).readOutsideLots(path);
    await proposeAndPrint(options, 'lots', async (work) =>
      (await ACTIONS.changes()).importLots(work, file, signature),
    );
  });

export const lotsCommand = (): Command =>
  new Command('lots')
    .description('lots held outside the platform')
    .addCommand(importCommand())
    .addHelpText(
      'after',
      '\nExample:\n  npx tieout lots import ledger-wallet.csv --evidence invoices.pdf --by "Ada Byron" --reason "bought in 2021"\n',
    );
