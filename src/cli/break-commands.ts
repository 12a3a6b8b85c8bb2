// breaks: the differences that finance must examine, and the steps that people take on them.

import { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import type { RecordReference, StepRequest } from '../actions/breaks.ts';
import { UsageError } from '../base/errors.ts';
import { STREAM_NAMES } from '../base/streams.ts';
import { bookedEntities, withBooks } from '../run/run.ts';
import type { Result, Work } from '../run/work.ts';
import {
  type AttributedOptions,
  attributedCommand,
  proposeAndPrint,
  runAction,
  signatureOf,
} from './action.ts';
import { pageText } from './break-page.ts';
import { breaksText } from './break-table.ts';
import { bookCommand, filled, type Shared, settings } from './options.ts';
import { print, printJson, printLong } from './print.ts';

type BreakListOptions = Shared & { readonly entity?: string; readonly all?: boolean };

const listCommand = (): Command =>
  bookCommand(
    'list',
    'list unresolved breaks, most severe first; values are in the reporting currency; --wide shows every column',
    'npx tieout breaks list --all',
  )
    .option('--all', 'include resolved breaks')
    .option('--entity <id>', 'only this entity')
    .action(async (options: BreakListOptions) => {
      const rows = await withBooks(settings(options), async ({ db }) => {
        await bookedEntities({ db }, options.entity);
        return (await ACTIONS.breaks()).breaksIn(db, { only: options.entity, isAll: options.all ?? false });
      });
      if (options.json) return printJson(rows);
      printLong(breaksText(rows));
    });

const ID = ['<break>', 'break id or unique prefix'] as const;

const showCommand = (): Command =>
  bookCommand(
    'show',
    'show one break: figures, age, last tie, records nearby and what to do',
    'npx tieout breaks show 3f9c21',
  )
    .argument(...ID)
    .option('--entity <id>', 'only this entity')
    .action(async (id: string, options: BreakListOptions) => {
      const page = await withBooks(settings(options), async ({ db }) => {
        await bookedEntities({ db }, options.entity);
        return (await ACTIONS.breaks()).breakPage(db, { id, only: options.entity });
      });
      if (options.json) printJson(page);
      else print(pageText(page));
    });

const stepCommand = (name: string, summary: string, example: string): Command =>
  attributedCommand(name, summary, `npx tieout breaks ${name} 3f9c21d07a44 ${example}`).argument(...ID);

const take = async (
  name: string,
  { id, options }: { readonly id: string; readonly options: AttributedOptions },
  step: (work: Work, request: StepRequest) => Promise<Result>,
): Promise<void> => {
  const { only, by, reason } = await signatureOf(options);
  const result = await runAction(settings(options), name, (work) => step(work, { id, only, by, reason }));
  if (options.json) printJson({ exit_code: result.exitCode, summary: result.summary });
  else print(result.summary);
};

const assignCommand = (): Command =>
  stepCommand(
    'assign',
    'assign a break to a person',
    '--to "Grace H." --by "Ada B." --reason "she knows the cards"',
  )
    .requiredOption('--to <name>', 'person who will work on it')
    .action(async (id: string, options: AttributedOptions & { readonly to: string }) => {
      const to = filled('to', options.to);
      await take('assign', { id, options }, async (work, request) =>
        (await ACTIONS.breaks()).assignOne(work, { ...request, to }),
      );
    });

const recordReference = (text: string): RecordReference => {
  const [, stream = '', recordId = ''] = /^([a-z-]+):(.+)$/s.exec(text) ?? [];
  if (recordId !== '' && (STREAM_NAMES as string[]).includes(stream)) return { stream, recordId };
  throw new UsageError(
    `--record ${text.slice(0, 60)}: write stream:id, where the stream is ${STREAM_NAMES.join(', ')}`,
  );
};

const explainCommand = (): Command =>
  stepCommand(
    'explain',
    'record the cause of a break',
    '--record trades:t17 --by "Ada B." --reason "one fill under two ids; the platform will take one back"',
  )
    .option(
      '--record <stream:id>',
      'record that shows the cause; repeat for several',
      (one, all: string[] = []) => [...all, one],
    )
    .action(async (id: string, options: AttributedOptions & { readonly record?: readonly string[] }) => {
      const records = (options.record ?? []).map(recordReference);
      await take('explain', { id, options }, async (work, request) =>
        (await ACTIONS.breaks()).explainOne(work, { ...request, records }),
      );
    });

const waiveCommand = (): Command =>
  stepCommand(
    'waive',
    'propose to accept a break for the close of one month, at its amount by the end of that month',
    '--period 2026-10 --by "Ada B." --reason "the platform will pay it in November"',
  )
    .requiredOption('--period <month>', 'month to close, such as 2026-10')
    .action(async (id: string, options: AttributedOptions & { readonly period: string }) => {
      const { period } = options;
      const { only, by, reason } = await signatureOf(options);
      await proposeAndPrint(options, 'waive', async (work) =>
        (await ACTIONS.breaks()).waiveOne(work, { id, only, by, reason, period }),
      );
    });

const resolveCommand = (): Command =>
  stepCommand(
    'resolve',
    'mark a break as resolved; it opens again if the next comparison does not tie',
    '--by "Ada B." --reason "the platform corrected the balance"',
  ).action(async (id: string, options: AttributedOptions) =>
    take('resolve', { id, options }, async (work, request) =>
      (await ACTIONS.breaks()).resolveOne(work, request),
    ),
  );

export const breakCommands = (): Command =>
  new Command('breaks')
    .description('list, show and work on differences between reported and booked balances')
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(assignCommand())
    .addCommand(explainCommand())
    .addCommand(waiveCommand())
    .addCommand(resolveCommand())
    .addHelpText('after', '\nExample:\n  npx tieout breaks list\n');
