// lots: what is ours and lies outside, with what it cost, from a file that a person hands in.
import { Command } from 'commander';
import { decisionCommand, evidenced, proposeAndPrint, room, type Signed, signatureOf } from './desk.ts';

const importCommand = (): Command =>
  evidenced(
    decisionCommand(
      'import',
      'propose lots that lie in wallets of our own, to come in with what they cost',
      'npx tieout lots import ledger-wallet.csv --evidence invoices.pdf --by "Ada Byron" --reason "bought in 2021"',
    ).argument(
      '<file>',
      'currency,units,cost,cost_currency,acquired_on: a lot a line, cost of all its units',
    ),
  ).action(async (path: string, options: Signed) => {
    const signature = await signatureOf(options);
    const file = (await room()).readOutsideLots(path);
    await proposeAndPrint(options, 'lots', async (work) =>
      (await import('../actions/changes.ts')).importLots(work, file, signature),
    );
  });

export const lotsCommand = (): Command =>
  new Command('lots').description('lots that are ours and lie outside').addCommand(importCommand());
