// lots: our externally held lots with their cost, and the lots that disposals use, each from a file.

import { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import {
  type AttributedOptions,
  approvals,
  entityOption,
  evidencedSignatureOf,
  proposeAndPrint,
  reasonedCommand,
  signatureOf,
  withEvidence,
} from './action.ts';

const importCommand = (): Command =>
  withEvidence(
    entityOption(
      reasonedCommand(
        'import',
        'import lots held in our external wallets, with their cost basis',
        'npx tieout lots import ledger-wallet.csv --evidence invoices.pdf --by "Ada Byron" --reason "bought in 2021"',
      ),
      'lots',
    ).argument(
      '<file>',
      'CSV file, one lot per line: currency,units,cost,cost_currency,acquired_on; cost is the total of the lot',
    ),
  )
    .option('--allow-equal', 'also add lots that equal stored ones in every column')
    .action(async (path: string, options: AttributedOptions & { readonly allowEqual?: boolean }) => {
      const signature = await evidencedSignatureOf(options);
      const read = (await approvals()).readExternalLots(path);
      const file = { ...read, allowsEqual: options.allowEqual === true };
      await proposeAndPrint(options, 'lots', async (work) =>
        (await ACTIONS.changes()).importLots(work, file, signature),
      );
    });

const chooseCommand = (): Command =>
  withEvidence(
    entityOption(
      reasonedCommand(
        'choose',
        'name the lots that disposals use (cost method specific)',
        'npx tieout lots choose october.csv --by "Ada Byron" --reason "highest cost first, decided on 30 October"',
      ),
      'disposals',
    ),
  )
    .argument(
      '<file>',
      'CSV file, one lot per line: stream,record_id,currency,lot_id,units; stream and record_id name the disposal, as in realised_gains.csv',
    )
    .action(async (path: string, options: AttributedOptions) => {
      const signature = await signatureOf(options);
      const file = (await approvals()).readLotChoices(path);
      await proposeAndPrint(options, 'lots', async (work) =>
        (await ACTIONS.changes()).chooseLots(work, file, signature),
      );
    });

export const lotsCommand = (): Command =>
  new Command('lots')
    .description('lots held outside the platform, and lots named for disposals')
    .addCommand(importCommand())
    .addCommand(chooseCommand())
    .addHelpText(
      'after',
      '\nExample:\n  npx tieout lots import ledger-wallet.csv --evidence invoices.pdf --by "Ada Byron" --reason "bought in 2021"\n',
    );
