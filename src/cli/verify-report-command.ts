// verify report: recomputes an export from its folder and, if the books are available, writes it again from them.
import type { Command } from 'commander';
import { FailedError } from '../base/errors.ts';
import { figureSettings } from '../config/config.ts';
import type { Config } from '../config/environment.ts';
import type { Books, Database } from '../database/connection.ts';
import type { Manifest } from '../export/export.ts';
import { withBooks } from '../run/run.ts';
import { refuseUnfinished } from '../valuation/valuation.ts';
import type { Proof } from '../verify/proof.ts';
import {
  hasBooks,
  isExamined,
  verifyAgainstBooks,
  verifyFolder,
  verifyLakeAgainstBooks,
  verifySealedValues,
} from '../verify/verify.ts';
import { keepNewSpace } from './memory.ts';
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
      keepNewSpace();
      const config = options.offline || !hasBooks(dir) ? null : settings(options);
      const { proofs, unreachable } = config === null ? await alone(dir) : await besideBooks(config, dir);
      const holds = proofs.every(({ faults }) => faults === '0');
      if (options.json) printJson({ holds, proofs, unreachable });
      else {
        print(proofTable(proofs));
        if (unreachable) print(`\nOnly the folder was verified: ${unreachable}`);
        if (unreachable || options.offline) print(`\n${UNSEEN}`);
      }
      process.exitCode = holds ? 0 : 1;
    });

/** What the folder alone cannot show. */
const UNSEEN =
  'The folder alone can show only whether its files agree with its manifest and with each other. Whoever altered a file can have written its SHA-256 in the manifest anew: only a comparison with the books shows that.';

/** `unreachable` says why the folder was not compared with books; null if it was, or was not to be. */
type Verified = { readonly proofs: readonly Proof[]; readonly unreachable: string | null };

const alone = async (dir: string): Promise<Verified> => {
  const { alone: unreachable, proofs } = await verifyFolder(dir);
  return { proofs, unreachable };
};

/**
 * The books are opened before the folder is read, which may take an hour: a command without any ends at once, and `--offline` verifies
 * the folder alone. If they cannot be reached, adds a note.
 */
const besideBooks = async (config: Config, dir: string): Promise<Verified> => {
  let isOpen = false;
  try {
    return await withBooks(config, async ({ pool }) => {
      isOpen = true;
      const { manifest, alone: unreachable, proofs } = await verifyFolder(dir);
      const compared = manifest === null ? [] : await fromBooks(config, pool, { dir, manifest });
      return { proofs: [...proofs, ...compared], unreachable };
    });
  } catch (error) {
    if (isOpen || !(error instanceof FailedError)) throw error;
    return { ...(await alone(dir)), unreachable: error.message };
  }
};

type Folder = { readonly dir: string; readonly manifest: Manifest };

const fromBooks = async (
  config: Config,
  pool: Database['pool'],
  { dir, manifest }: Folder,
): Promise<Proof[]> => {
  const refuse = (db: Books) => refuseUnfinished(db, config);
  const ask = { settings: figureSettings(config), refuse };
  const { lake } = manifest;
  const written = lake
    ? await verifyLakeAgainstBooks(pool, dir, { ...ask, manifest: { ...manifest, lake } })
    : await verifyAgainstBooks(pool, dir, { ...ask, manifest });
  return [...written, ...(await verifySealedValues(pool)).filter(isExamined)];
};
