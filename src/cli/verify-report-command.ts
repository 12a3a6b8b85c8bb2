// verify report: recomputes an export from its folder and, if the books are available, writes it again from them.
import type { Command } from 'commander';
import { FailedError } from '../base/errors.ts';
import { figureSettings } from '../config/config.ts';
import type { Config } from '../config/environment.ts';
import type { Books } from '../database/connection.ts';
import type { Manifest } from '../export/export.ts';
import { withBooks } from '../run/run.ts';
import { refuseUnfinished } from '../valuation/valuation.ts';
import type { Proof } from '../verify/proof.ts';
import {
  isExamined,
  verifyAgainstBooks,
  verifyFolder,
  verifyLakeAgainstBooks,
  verifySealedValues,
} from '../verify/verify.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { print, printJson } from './print.ts';
import { proofTable } from './verify-ledger-command.ts';

type ReportOptions = Shared & { readonly offline?: boolean };

export const verifyReportCommand = (): Command =>
  bookCommand(
    'report',
    'recompute an export from its folder and compare it with the books',
    'npx tieout verify report october',
  )
    .argument('<dir>', 'folder written by an export')
    .option('--offline', 'verify the folder alone, without the books')
    .action(async (dir: string, options: ReportOptions) => {
      const { manifest, alone, proofs } = await verifyFolder(dir);
      const books =
        manifest === null || options.offline ? null : await fromBooks(settings(options), dir, manifest);
      const all = [...proofs, ...(books?.proofs ?? [])];
      const holds = all.every(({ faults }) => faults === '0');
      const unreachable = books?.unreachable ?? alone;
      if (options.json) printJson({ holds, proofs: all, unreachable });
      else {
        print(proofTable(all));
        if (unreachable) print(`\nOnly the folder was verified: ${unreachable}`);
      }
      process.exitCode = holds ? 0 : 1;
    });

type FromBooks = { readonly proofs: readonly Proof[]; readonly unreachable: string | null };

/** If the books cannot be reached, adds a note; if there are none, `--offline` verifies the folder alone. */
const fromBooks = async (config: Config, dir: string, manifest: Manifest): Promise<FromBooks> => {
  let isOpen = false;
  try {
    const proofs = await withBooks(config, async ({ pool }) => {
      isOpen = true;
      const refuse = (db: Books) => refuseUnfinished(db, config);
      const ask = { settings: figureSettings(config), refuse };
      const { lake } = manifest;
      const written = lake
        ? await verifyLakeAgainstBooks(pool, dir, { ...ask, manifest: { ...manifest, lake } })
        : await verifyAgainstBooks(pool, dir, { ...ask, manifest });
      return [...written, ...(await verifySealedValues(pool)).filter(isExamined)];
    });
    return { proofs, unreachable: null };
  } catch (error) {
    if (isOpen || !(error instanceof FailedError)) throw error;
    return { proofs: [], unreachable: error.message };
  }
};
