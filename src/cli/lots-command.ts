// lots: what is ours and lies outside, with what it cost, from a file that a person hands in.
import { Command } from 'commander';
import { decided } from '../../jobs/close.ts';
import { keptEntities } from '../../jobs/entities.ts';
import { valueAll } from '../../jobs/values.ts';
import { isoOf, nowMs } from '../time.ts';
import { atDesk, decisionCommand, evidenced, room, type Signed, signatureOf } from './desk.ts';
import { settings } from './options.ts';
import { print, printJson } from './print.ts';

const importCommand = (): Command =>
  evidenced(
    decisionCommand(
      'import',
      'keep lots that lie in wallets of our own, to come in with what they cost',
      'npx tieout lots import ledger-wallet.csv --evidence invoices.pdf --by "Ada Byron" --reason "bought in 2021"',
    ).argument(
      '<file>',
      'currency,units,cost,cost_currency,acquired_on: a lot a line, cost of all its units',
    ),
  ).action(async (path: string, options: Signed) => {
    const config = settings(options);
    const { by, reason, evidence, only } = await signatureOf(options);
    const { readOutsideLots, keepOutsideLots } = await room();
    const file = readOutsideLots(path);
    let added = 0;
    await atDesk(config, 'lots', async (work) => {
      const [entity = ''] = await keptEntities(work, only ?? config.entity);
      const handedIn = {
        entity,
        by,
        reason,
        evidence: evidence ?? { name: '', sha256: '' },
        at: isoOf(nowMs()),
      };
      added = await keepOutsideLots(await work.as('preparer'), file, handedIn);
      await valueAll(work);
      return decided(0, `${added} of ${file.lots.length} lots of ${file.name} were new`);
    });
    if (options.json) printJson({ file: file.name, sha256: file.sha256, lots: file.lots.length, added });
    else print(`${added} of ${file.lots.length} lots of ${file.name} were new (SHA-256 ${file.sha256})`);
  });

export const lotsCommand = (): Command =>
  new Command('lots').description('lots that are ours and lie outside').addCommand(importCommand());
