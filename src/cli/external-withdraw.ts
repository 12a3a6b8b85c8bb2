// bank withdraw and chain withdraw: take back a file that was imported wrongly.
import type { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import type { WithdrawalReport } from '../actions/external.ts';
import { counted } from '../base/counted.ts';
import { bookedEntities, databaseTime } from '../run/run.ts';
import { type AttributedOptions, attributedCommand, runAction } from './action.ts';
import { printStanding, statesJson } from './external-standing.ts';
import { filled, settings } from './options.ts';
import { print, printJson } from './print.ts';

type WithdrawOptions = AttributedOptions & { readonly account?: string };

export const withdrawCommand = (kind: 'bank' | 'chain'): Command =>
  attributedCommand(
    'withdraw',
    'take back an imported file: it stays stored, and its lines no longer count',
    `npx tieout ${kind} withdraw 3f9c21d07a44 --reason "the file of another account" --by "Ada Byron"`,
  )
    .argument('<import>', `SHA-256 of the file, or its first 8 digits or more, as ${kind} list shows it`)
    .option('--account <name>', 'the account, if the file was imported for several')
    .action(async (file: string, options: WithdrawOptions) => {
      const config = settings(options);
      const words = { by: filled('by', options.by), reason: filled('reason', options.reason) };
      const account = options.account ?? null;
      const done: WithdrawalReport[] = [];
      await runAction(config, 'withdraw', async (work) => {
        const [entity = ''] = await bookedEntities(work, options.entity ?? config.entity);
        const ask = { entity, kind, file, account, ...words, at: await databaseTime(work.db) };
        const report = await (await ACTIONS.external()).withdraw(work, ask);
        done.push(report);
        return report.result;
      });
      for (const report of done) {
        if (options.json) printJson(withdrawalAsJson(report));
        else printWithdrawal(report);
      }
    });

const withdrawalAsJson = ({ entity, kind, withdrawn, paired, states, breaks }: WithdrawalReport) => ({
  entity_id: entity,
  account_name: withdrawn.account,
  kind,
  file_name: withdrawn.fileName,
  file_sha256: withdrawn.sha256,
  statements: withdrawn.statements,
  lines: withdrawn.lines,
  paired,
  states: statesJson(states),
  breaks,
});

const printWithdrawal = ({ kind, withdrawn, states, breaks }: WithdrawalReport): void => {
  print(
    `withdrawn: ${withdrawn.fileName}, ${counted(withdrawn.statements, 'statement')} with ${counted(withdrawn.lines, 'line')}, sha256 ${withdrawn.sha256}`,
  );
  printStanding({ kind, ...withdrawn }, states, breaks);
};
