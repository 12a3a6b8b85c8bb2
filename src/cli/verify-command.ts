// verify: recomputes a proof offline and names the first thing that does not hold.
import { Command, Option } from 'commander';
import { UsageError } from '../base/errors.ts';
import { meantText } from '../base/similar.ts';
import { STREAM_NAMES } from '../base/streams.ts';
import { bookedEntities, withBooks } from '../run/run.ts';
import type { ListVerified } from '../verify/coverage/coverage.ts';
import { verifyCoverage } from '../verify/verify.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { print, printResult, table } from './print.ts';
import { verifyLedgerCommand } from './verify-ledger-command.ts';
import { verifyReportCommand } from './verify-report-command.ts';
import { verifySeal } from './verify-seal.ts';

type CoverageOptions = Shared & { readonly entity?: string; readonly stream?: string };

const coverageCommand = (): Command =>
  bookCommand(
    'coverage',
    'recompute from landed records that every stream is complete',
    'npx tieout verify coverage --entity main',
  )
    .option('--entity <id>', 'only this entity')
    .addOption(new Option('--stream <name>', 'only this stream').choices(STREAM_NAMES))
    .allowExcessArguments() // `verify coverge` arrives here as the default command
    .action(async (options: CoverageOptions, coverage: Command) => {
      refuseUnknownProof(coverage.args);
      const { seal } = coverage.parent?.opts<{ seal?: string }>() ?? {};
      if (seal !== undefined) return verifySeal(seal, options);
      const which = { entity: options.entity, stream: options.stream };
      const verified = await withBooks(settings(options), async ({ db }) => {
        if (which.entity !== undefined) await bookedEntities({ db }, which.entity); // throws for an unknown entity
        return verifyCoverage(db, which);
      });
      if (options.json) printResult(verified);
      else if (verified.length === 0) print('nothing is landed yet, so there is nothing to verify');
      else
        print(
          table(
            ['entity', 'stream', 'scope', 'records', 'pages', 'intervals', 'covered to', 'verdict'],
            verified.map(line),
          ),
        );
      process.exitCode = verified.some(({ fault }) => fault !== null) ? 1 : 0;
    });

const PROOFS = ['coverage', 'ledger', 'report'];

const refuseUnknownProof = ([proof]: readonly string[]): void => {
  if (proof !== undefined && PROOFS.includes(proof))
    throw new UsageError(`write the proof before its options: npx tieout verify ${proof} …`);
  if (proof !== undefined)
    throw new UsageError(
      `unknown proof '${proof.slice(0, 60)}': choose coverage, ledger or report.${meantText(proof, PROOFS)}`,
    );
};

const line = (verified: ListVerified): (string | number | null)[] => {
  const { entity, stream, scope, records, pages, intervals, coveredTo, fault } = verified;
  const verdict = fault ? `DOES NOT HOLD ${interval(fault)}: ${fault.why}` : 'holds';
  return [entity, stream, scope, records, pages, intervals, coveredTo, verdict];
};

const interval = ({ from, to }: { from: string | null; to: string | null }): string =>
  from === null && to === null ? 'at no interval' : `at [${from}, ${to})`;

export const verifyCommand = (): Command =>
  new Command('verify')
    .description('recompute a proof offline (default: coverage)')
    .option(
      '--seal <file>',
      'write the head of every hash chain to a new FILE, to store elsewhere; if FILE exists, compare the books with it',
    )
    .addCommand(coverageCommand(), { isDefault: true })
    .addCommand(verifyLedgerCommand())
    .addCommand(verifyReportCommand())
    .addHelpText(
      'after',
      '\nWithout a command it takes the options of coverage, such as --json and --demo.\n\nExample:\n  npx tieout verify coverage\n  npx tieout verify --seal seals-2026-10.json\n',
    );
