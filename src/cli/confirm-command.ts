// confirm: compares a statement signed by the platform with the books, and stores its digest.
import { basename } from 'node:path';
import type { Command } from 'commander';
import { counted } from '../base/counted.ts';
import { UsageError } from '../base/errors.ts';
import { readNamedFile } from '../base/named-file.ts';
import { isoOf, nowMs, order, readInstant } from '../base/time.ts';
import { parsePeriod } from '../export/export.ts';
import {
  type Confirmation,
  type ConfirmedLine,
  confirm,
  type StatementEvidence,
} from '../reconcile/confirm.ts';
import { bookedEntities, offlineResult } from '../run/run.ts';
import { runAction } from './action.ts';
import { requiredText } from './attribution.ts';
import { bookCommand, nameGiven, type Shared, settings } from './options.ts';
import { print, printJson, table } from './print.ts';

type ConfirmOptions = Shared & {
  readonly asOf: string;
  readonly file: string;
  readonly evidence?: string;
  readonly by: string;
  readonly entity?: string;
};

export const confirmCommand = (): Command =>
  bookCommand(
    'confirm',
    'compare a statement signed by the platform with the books; its SHA-256 is stored',
    'npx tieout confirm --as-of 2026-11-01 --file statement.csv --evidence statement.pdf --by "Ana Ruiz"',
  )
    .requiredOption('--as-of <instant>', 'time of the balances: 2026-11-01T00:00:00Z, or a day (its start)')
    .requiredOption(
      '--file <csv>',
      'statement with the columns account,currency,balance; account is trading, earn or a pocket id',
    )
    .option('--evidence <file>', 'signed document (PDF or signature); its SHA-256 is stored')
    .requiredOption('--by <name>', 'your name, kept in the audit trail', nameGiven)
    .option('--entity <id>', 'entity of the statement (default: the main account)')
    .action(async (options: ConfirmOptions) => {
      const config = settings(options);
      const by = requiredText(options.by, '--by NAME: who confirms');
      const confirmedAt = isoOf(nowMs());
      const asOf = asOfIn(options.asOf, { timezone: config.timezone, now: confirmedAt });
      const statement = fileIn(options.file, '--file', STATEMENT_BYTES_MAX);
      const evidence =
        options.evidence === undefined ? null : fileIn(options.evidence, '--evidence', EVIDENCE_BYTES_MAX);
      const done: Confirmation[] = [];
      await runAction(config, 'confirm', async ({ db }) => {
        const [entity = ''] = await bookedEntities({ db }, options.entity ?? config.entity);
        const made = await confirm(db, { entity, asOf, statement, evidence, by, at: confirmedAt });
        done.push(made);
        const summary = `a statement of ${entity} as of ${asOf}: ${made.differing} of ${counted(made.lines.length, 'line')} differ`;
        return offlineResult(made.differing === 0 ? 0 : 1, summary);
      });
      for (const made of done) {
        if (options.json) printJson(asJson(made));
        else printConfirmation(made);
      }
    });

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
