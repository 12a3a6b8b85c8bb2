// confirm: compares what the platform states with the books, and stores the digest: a signed statement of balances, or its own figures
// of a year.
import { basename } from 'node:path';
import type { Command } from 'commander';
import { counted } from '../base/counted.ts';
import { UsageError } from '../base/errors.ts';
import { readNamedFile } from '../base/named-file.ts';
import { isoOf, nowMs, order, readInstant } from '../base/time.ts';
import { parsePeriod } from '../export/export.ts';
import {
  type ConfirmAsk,
  type Confirmation,
  type ConfirmedLine,
  type ConfirmedYear,
  confirm,
  confirmYear,
  type StatementEvidence,
} from '../reconcile/confirm.ts';
import { bookedEntities, databaseTime, offlineResult } from '../run/run.ts';
import type { Work } from '../run/work.ts';
import { runAction } from './action.ts';
import { requiredText } from './attribution.ts';
import { printYear, yearAsJson, yearIn } from './confirm-year.ts';
import { bookCommand, personName, type Shared, settings } from './options.ts';
import { print, printJson, table } from './print.ts';

type ConfirmOptions = Shared & {
  readonly asOf?: string;
  readonly year?: string;
  readonly tolerance?: string;
  readonly file: string;
  readonly evidence?: string;
  readonly by: string;
  readonly entity?: string;
};

export const confirmCommand = (): Command =>
  bookCommand(
    'confirm',
    "compare a statement signed by the platform, or its yearly figures, with the books; the file's SHA-256 is stored",
    [
      'npx tieout confirm --as-of 2026-11-01 --file statement.csv --evidence statement.pdf --by "Ana Ruiz"',
      'npx tieout confirm --year 2026 --file yearly.csv --evidence yearly.pdf --by "Ana Ruiz"',
    ].join('\n  '),
  )
    .option('--as-of <instant>', 'time of the balances: 2026-11-01T00:00:00Z, or a day (its start)')
    .option('--year <year>', 'calendar year of the figures that the platform reports for tax (DAC8, CARF)')
    .requiredOption(
      '--file <csv>',
      'columns account,currency,balance (account is trading, earn or a pocket id); for a year, those of dac8_check.csv',
    )
    .option('--evidence <file>', 'signed document (PDF or signature); its SHA-256 is stored')
    .option('--tolerance <money>', 'with --year: a difference in money up to this is none (default: 0)')
    .requiredOption('--by <name>', 'your name, kept in the audit trail', personName)
    .option('--entity <id>', 'entity of the statement (default: the main account)')
    .action(async (options: ConfirmOptions) => {
      if (isOfYear(options)) await confirmTheYear(options);
      else await confirmBalances(options);
    });

/** Throws a UsageError unless exactly one of the two options is set. */
const isOfYear = ({ asOf, year, tolerance }: ConfirmOptions): boolean => {
  if ((asOf === undefined) === (year === undefined))
    throw new UsageError(
      'write either --as-of for a statement of balances, or --year for the figures of a year',
    );
  if (year === undefined && tolerance !== undefined)
    throw new UsageError('--tolerance only works with --year: balances are compared to the last digit');
  return year !== undefined;
};

const confirmBalances = async (options: ConfirmOptions): Promise<void> => {
  const { timezone } = settings(options);
  const asOf = asOfIn(options.asOf ?? '', { timezone, now: isoOf(nowMs()) });
  const made = await compareFile(options, asOf, async ({ db }, ask) => {
    const confirmation = await confirm(db, ask);
    return { confirmation, what: `a statement of ${ask.entity} as of ${asOf}` };
  });
  if (options.json) printJson(asJson(made));
  else printConfirmation(made);
};

const confirmTheYear = async (options: ConfirmOptions): Promise<void> => {
  const { timezone } = settings(options);
  const { year, from, to, tolerance } = yearIn(options, { timezone, now: isoOf(nowMs()) });
  const made = await compareFile<ConfirmedYear>(options, to, async ({ db }, ask) => {
    const confirmation = await confirmYear(db, { ...ask, year, from, tolerance });
    return { confirmation, what: `the platform's figures of ${ask.entity} in ${year}` };
  });
  if (options.json) return printJson(yearAsJson(made));
  printYear(made);
  printTrail(made);
};

type Compare<C> = (work: Work, ask: ConfirmAsk) => Promise<{ confirmation: C; what: string }>;

/** One comparison as a run of its own: exit 1 if a line differs. */
const compareFile = async <C extends { readonly differing: number; readonly lines: readonly unknown[] }>(
  options: ConfirmOptions,
  asOf: string,
  compare: Compare<C>,
): Promise<C> => {
  const config = settings(options);
  const by = requiredText(options.by, '--by NAME: who confirms');
  const files = {
    statement: fileIn(options.file, '--file', STATEMENT_BYTES_MAX),
    evidence:
      options.evidence === undefined ? null : fileIn(options.evidence, '--evidence', EVIDENCE_BYTES_MAX),
  };
  const done: C[] = [];
  await runAction(config, 'confirm', async (work) => {
    const [entity = ''] = await bookedEntities(work, options.entity ?? config.entity);
    const ask = { entity, asOf, ...files, by, at: await databaseTime(work.db) };
    const { confirmation, what } = await compare(work, ask);
    done.push(confirmation);
    const { differing, lines } = confirmation;
    return offlineResult(
      differing === 0 ? 0 : 1,
      `${what}: ${differing} of ${counted(lines.length, 'line')} differ`,
    );
  });
  return done[0] as C;
};

const DAY = /^\d{4}-\d{2}-\d{2}$/;

const asOfIn = (text: string, { timezone, now }: { timezone: string; now: string }): string => {
  const asOf = DAY.test(text) ? parsePeriod(`${text}..${text}`, timezone).from : readInstant(text);
  if (asOf === null)
    throw new UsageError(
      `--as-of ${text.slice(0, 60)}: write an instant, 2026-11-01T00:00:00Z, or a day, 2026-11-01`,
    );
  if (order(asOf, now) > 0)
    throw new UsageError(`--as-of ${text}: is in the future, and no balance is known yet`);
  return asOf;
};

const STATEMENT_BYTES_MAX = 10_000_000;
const EVIDENCE_BYTES_MAX = 200_000_000;

const fileIn = (path: string, option: string, bytesMax: number): StatementEvidence => {
  const read = readNamedFile(path, { bytesMax });
  if ('bytes' in read) return { name: basename(path), bytes: read.bytes };
  throw new UsageError(`${option} ${path}: the file ${read.refusal}`);
};

const asJson = (confirmation: Confirmation) => ({
  confirmation_id: confirmation.confirmationId,
  entity_id: confirmation.entity,
  as_of: confirmation.asOf,
  file_sha256: confirmation.sha256,
  evidence_sha256: confirmation.evidenceSha256,
  covered_to: confirmation.coveredTo,
  differing: confirmation.differing,
  lines: confirmation.lines,
});

const printConfirmation = (confirmation: Confirmation): void => {
  print(table(['line', 'account', 'currency', 'stated', 'booked', ''], confirmation.lines.map(cellsOf)));
  print(
    `\n${confirmation.lines.length - confirmation.differing} of ${confirmation.lines.length} lines agree as of ${confirmation.asOf}; stored as ${confirmation.confirmationId}`,
  );
  printTrail(confirmation);
};

/** The digests of the files, and how far the books are proved. */
const printTrail = (confirmation: Omit<Confirmation, 'lines'>): void => {
  print(`sha256 of the statement: ${confirmation.sha256}`);
  if (confirmation.evidenceSha256) print(`sha256 of the evidence: ${confirmation.evidenceSha256}`);
  if (confirmation.coveredTo === null || order(confirmation.coveredTo, confirmation.asOf) < 0)
    print(
      `the books of ${confirmation.entity} are proved complete only up to ${confirmation.coveredTo ?? 'no date yet'}: run nightly first`,
    );
};

const VERDICTS: Readonly<Record<ConfirmedLine['status'], (line: ConfirmedLine) => string>> = {
  agrees: () => 'agrees',
  differs: ({ difference }) => `DIFFERS by ${difference}`,
  'not-in-books': ({ difference }) => `NOT IN THE BOOKS, differs by ${difference}`,
  'not-in-statement': ({ difference }) => `NOT IN THE STATEMENT, differs by ${difference}`,
};

const cellsOf = (line: ConfirmedLine): (string | number | null)[] => [
  line.line,
  line.account,
  line.currency,
  line.stated,
  line.booked,
  VERDICTS[line.status](line),
];
