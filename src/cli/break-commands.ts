// breaks: the differences that finance must look at, and which of them a close may accept.
import { Command } from 'commander';
import { keptEntities } from '../../jobs/entities.ts';
import { withBooks } from '../../jobs/work.ts';
import { atDesk, decisionCommand, jobs, lists, type Signed, signatureOf } from './desk.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { print, printJson, table } from './print.ts';

type ListOptions = Shared & { readonly entity?: string; readonly all?: boolean };

const listCommand = (): Command =>
  bookCommand('list', 'the breaks that are not resolved', 'npx tieout breaks list --all')
    .option('--all', 'those that are resolved too')
    .option('--entity <id>', 'of this entity')
    .action(async (options: ListOptions) => {
      const rows = await withBooks(settings(options), async ({ db }) => {
        await keptEntities({ db }, options.entity);
        return (await lists()).breaksIn(db, { only: options.entity, isAll: options.all ?? false });
      });
      if (options.json) return printJson(rows);
      const head = ['break', 'entity', 'check', 'subject', 'difference', 'status', 'opened at', 'reason'];
      const cells = rows.map((it) => [
        ...[it.break_id, it.entity_id, it.check_name, it.subject, it.difference, it.status, it.opened_at],
        it.reason,
      ]);
      print(rows.length === 0 ? 'no break' : table(head, cells));
    });

type WaiveOptions = Signed & { readonly period: string };

const waiveCommand = (): Command =>
  decisionCommand(
    'waive',
    'accept a break for the close of one month, at the difference that it has now',
    'npx tieout breaks waive 3f9c21d07a44 --period 2026-10 --by "Ada B." --reason "the platform will pay it in November"',
  )
    .argument('<break>', 'its id, twelve hex digits')
    .requiredOption('--period <month>', 'the month that is to be closed, such as 2026-10')
    .action(async (id: string, options: WaiveOptions) => {
      const { only, by, reason } = await signatureOf(options, false);
      const result = await atDesk(settings(options), 'waive', async (work) =>
        (await jobs()).waiveOne(work, { id, only, period: options.period, by, reason }),
      );
      if (options.json) printJson({ exit_code: result.exitCode, summary: result.summary });
      else print(result.summary);
    });

export const breakCommands = (): Command =>
  new Command('breaks')
    .description('the differences between what is reported and what is booked: list them, or waive one')
    .addCommand(listCommand())
    .addCommand(waiveCommand())
    .addHelpText('after', '\nExample:\n  npx tieout breaks list\n');
