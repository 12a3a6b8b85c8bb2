// normalize: books landed records; with --restate, applies today's rules to records that older rules decided.

import type { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import type { RestatedOf } from '../actions/restate.ts';
import { UsageError } from '../base/errors.ts';
import { bookCommand, filled, personName, settings } from './options.ts';
import { table } from './print.ts';
import { jobs, only, type RunOptions, runJob } from './run-job.ts';

type NormalizeOptions = RunOptions & {
  readonly restate?: boolean;
  readonly dryRun?: boolean;
  readonly by?: string;
  readonly reason?: string;
};

export const normalizeCommand = (): Command =>
  only(bookCommand('normalize', 'book landed records, offline', 'npx tieout normalize'))
    .option('--restate', 'apply the current rules to records booked by an older version of a rule')
    .option('--dry-run', 'with --restate: show what would change; book nothing')
    .option('--by <name>', 'with --restate: your name, kept in the audit trail', personName)
    .option('--reason <text>', 'with --restate: reason, kept in the audit trail')
    .action(async (options: NormalizeOptions) => {
      if (options.restate) return restate(options);
      const stray = [
        options.dryRun && '--dry-run',
        options.by !== undefined && '--by',
        options.reason !== undefined && '--reason',
      ].filter(Boolean);
      if (stray.length > 0) throw new UsageError(`${stray.join(', ')} only works with --restate: add it`);
      await runJob(settings(options), options, {
        name: 'normalize',
        work: async (work) => (await jobs()).normalizeOnly(work, { only: options.entity }),
      });
    });

const restate = async (options: NormalizeOptions): Promise<void> => {
  const { entity, by, reason, dryRun } = options;
  const why = reason === undefined ? undefined : filled('reason', reason);
  const ask = { only: entity, by, reason: why, isDry: dryRun ?? false };
  await runJob(settings(options), options, {
    name: 'normalize',
    changesClass: true,
    work: async (work) => (await ACTIONS.restate()).restateBooks(work, ask),
    more: ({ restated }) => ({
      text: restatedText(restated, ask.isDry),
      json: { dry_run: ask.isDry, restated },
    }),
  });
};

const COLUMNS = [
  'looked_at',
  'unchanged',
  'restated',
  'newly_booked',
  'newly_rejected',
  'newly_set_aside',
] as const;

const restatedText = (rows: readonly RestatedOf[], isDry: boolean): string => {
  if (rows.length === 0) return 'Nothing to restate: every record was booked by the current rules.';
  const head = ['entity', 'stream', 'rule', 'now', ...COLUMNS.map((name) => name.replaceAll('_', ' '))];
  const lines = rows.map((row) => [
    row.entity_id,
    row.stream,
    row.from_rule,
    row.to_rule,
    ...COLUMNS.map((name) => row[name]),
  ]);
  return `${table(head, lines)}${isDry ? '\n\nDry run: nothing was booked.' : ''}`;
};
