// Commands on months: close, reopen, and restate, which changes nothing.

import type { Command } from 'commander';
import { ACTIONS } from '../actions/actions.ts';
import { counted } from '../base/counted.ts';
import { UsageError } from '../base/errors.ts';
import type { Closed, Restatement, StandingSeal } from '../close/close.ts';
import { figureSettings } from '../config/config.ts';
import type { Database } from '../database/connection.ts';
import { bookedEntities, refuseOtherSettings, settingsOf, withBooks } from '../run/run.ts';
import { runAction } from './action.ts';
import { bookCommand, filled, type Shared, settings, signed } from './options.ts';
import { print, printJson, printResult, table } from './print.ts';
import { budgetAmount } from './second-person-commands.ts';

const closing = () => import('../close/close.ts');

type MonthOptions = Shared & { readonly entity?: string };
type SignedMonthOptions = MonthOptions & { readonly by: string };

const monthCommand = (name: string, summary: string, example: string): Command =>
  bookCommand(name, summary, example)
    .argument('<month>', 'month, such as 2026-10')
    .option('--entity <id>', 'only this entity');

type CloseOptions = SignedMonthOptions & {
  readonly budget: string;
  readonly early?: boolean;
  readonly reason?: string;
};

export const closeCommand = (): Command =>
  signed(
    monthCommand(
      'close',
      'close a month: check its preconditions, freeze and seal it',
      'npx tieout close 2026-10 --by "Ada B."',
    ),
  )
    .option(
      '--budget <amount>',
      'highest total value of waived breaks and value findings per entity; limited by budget set',
      '0',
    )
    .option('--early', 'close before the 48-hour wait for late records ends')
    .option('--reason <text>', 'reason for closing before the 48-hour wait')
    .action(async (month: string, options: CloseOptions) => {
      const config = settings(options);
      const { timezone, currency, unknownLimit } = config;
      const request = {
        period: month,
        timezone,
        currency,
        unknownLimit,
        settings: figureSettings(config),
        only: options.entity,
        by: filled('by', options.by),
        budget: budgetAmount('--budget', options.budget),
        early: earlyReason(options),
      };
      const closed: Closed[] = [];
      const result = await runAction(config, 'close', async (work) => {
        const done = await (await ACTIONS.close()).closeMonths(work, request);
        closed.push(...done.closed);
        return done.result;
      });
      if (options.json) printResult({ exit_code: result.exitCode, period: month, entities: closed });
      else print(closed.map((one) => closedText(month, one)).join('\n\n'));
    });

const earlyReason = ({ early, reason }: CloseOptions): string | null => {
  if (early !== true) return null;
  if (reason === undefined) throw new UsageError('--early needs --reason TEXT, which is stored in the seal');
  return filled('reason', reason);
};

const closedText = (month: string, closed: Closed): string => {
  const { entity, sealed, standing, obstacles, waived, unvalued } = closed;
  if (sealed === null) {
    const blockers = table(
      ['precondition', 'subject', 'what to do'],
      obstacles.map(({ need, subject, detail }) => [need, subject, detail]),
    );
    if (standing === null) return `${month} of ${entity} STAYS OPEN:\n${blockers}`;
    const next = standing.approvedBy === null ? [approvalText(month, entity)] : [];
    return [
      `${month} of ${entity} stays closed, its seal is unchanged:`,
      blockers,
      ...sealText(standing),
      ...next,
    ].join('\n');
  }
  return [
    `${month} of ${entity} is closed: ${counted(sealed.entries, 'entry', 'entries')}, ${counted(sealed.files.length, 'file')}, ${counted(waived.length, 'break')} waived.`,
    ...sealText(sealed),
    ...(unvalued.findings > 0 ? [unvaluedText(month, unvalued)] : []),
    approvalText(month, entity),
  ].join('\n');
};

const sealText = ({
  entries,
  root,
  sealSha256,
}: Pick<StandingSeal, 'entries' | 'root' | 'sealSha256'>): string[] => [
  ...(entries > 0 ? [`  root         ${root}`] : []), // without entries, the root is the same for every month
  `  seal sha256  ${sealSha256}`,
  `  Store this SHA-256 outside the database. To check the seal later: npx tieout verify ledger --root ${sealSha256}`,
];

const approvalText = (month: string, entity: string): string =>
  `  The month awaits a second person: npx tieout approve ${month} --entity ${entity} --by NAME`;

const unvaluedText = (month: string, { findings, accepted_by }: Closed['unvalued']): string =>
  `  VALUE FINDINGS (${findings}, accepted by ${accepted_by}): totals in money may not sum to zero. List them with: npx tieout query "select * from value_findings where period = '${month}'"`;

export const reopenCommand = (): Command =>
  signed(
    monthCommand(
      'reopen',
      'reopen the last closed month; its seal is kept',
      'npx tieout reopen 2026-10 --by "Grace H." --reason "the bank corrected its statement"',
    ),
  )
    .requiredOption('--reason <text>', 'reason, kept in the audit trail')
    .action(async (month: string, options: SignedMonthOptions & { readonly reason: string }) => {
      const request = { period: month, only: options.entity, by: filled('by', options.by) };
      const reason = filled('reason', options.reason);
      const result = await runAction(settings(options), 'reopen', async (work) =>
        (await ACTIONS.close()).reopenMonths(work, { ...request, reason }),
      );
      if (options.json) printJson({ exit_code: result.exitCode, summary: result.summary });
      else
        print(
          `${result.summary}\nIts sealed reports may change: inform everyone who uses them.\nAfter the correction, close it again: npx tieout close ${month}${options.entity === undefined ? '' : ` --entity ${options.entity}`} --by NAME`,
        );
    });

export const restateCommand = (): Command =>
  monthCommand(
    'restate',
    'show what would change in a closed month if it were closed today; changes nothing',
    'npx tieout restate 2026-10',
  ).action(async (month: string, options: MonthOptions) => {
    const config = settings(options);
    const restated = await withBooks(config, async (books) => {
      await refuseOtherSettings(books.db, settingsOf(config));
      const { monthOf } = await closing();
      return restatements(books, monthOf(month, config.timezone), options.entity);
    });
    if (options.json) printResult({ period: month, entities: restated });
    else print(restated.map(restatedText).join('\n\n'));
  });

/** The restatement of each entity, or of `only`, that has the month closed. */
const restatements = async (
  { db, pool }: Database,
  month: { readonly from: string; readonly to: string; readonly period: string },
  only: string | undefined,
): Promise<Restatement[]> => {
  const { closedEntities, restateMonth } = await closing();
  const closed = await closedEntities(db, month.period);
  const all: Restatement[] = [];
  for (const entity of await bookedEntities({ db }, only))
    if (closed.includes(entity)) all.push(await restateMonth(pool, { entity, ...month }));
  if (all.length > 0) return all;
  throw new UsageError(
    `${month.period}${only === undefined ? '' : ` of ${only}`} is not closed, so there is nothing to restate: use npx tieout export for an open month`,
  );
};

const restatedText = ({ entity, period, late, reports }: Restatement): string => {
  const head = `${period} of ${entity}: ${counted(late.length, 'entry', 'entries')} arrived after the close, ${counted(reports.length, 'report')} would change`;
  if (late.length + reports.length === 0) return head;
  const entries = table(
    ['entry', 'effective at', 'counts in', 'kind', 'stream', 'record'],
    late.map((entry) =>
      [entry.entry_id, entry.effective_at, entry.period, entry.kind, entry.stream, entry.record_id].map(
        (cell) => cell ?? '',
      ),
    ),
  );
  const changes = reports.map(({ report, header, removed, added }) =>
    [
      `${report}: ${counted(removed.length, 'row')} removed, ${added.length} added`,
      `  ${header}`,
      ...removed.map((row) => `- ${row}`),
      ...added.map((row) => `+ ${row}`),
    ].join('\n'),
  );
  return [head, entries, ...changes, ...(late.length > 0 ? [VALUES_TODAY] : [])].join('\n\n');
};

const VALUES_TODAY =
  'Units are those of a reopened month. Money is not: entries are shown with the values that they have today, and a reopening values the month anew (if all entities of the taxpayer reopen it), so that lots, costs and gains may differ.';
