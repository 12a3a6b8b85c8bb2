// verify --seal FILE: writes the latest heads of the chains to a new file or, if the file exists, compares them with it.
import { existsSync } from 'node:fs';
import { diskAdvice, diskRefusal, isMisnamedFile } from '../base/disk-errors.ts';
import { FailedError, UsageError } from '../base/errors.ts';
import { readNamedFile } from '../base/named-file.ts';
import { createPrivate } from '../base/private-file.ts';
import { shellWord } from '../base/shell-word.ts';
import type { Database } from '../database/connection.ts';
import { withBooks } from '../run/run.ts';
import {
  headsIn,
  type Proof,
  proveHeads,
  proveLinks,
  sealText,
  verifyCoverage,
  verifySeals,
} from '../verify/verify.ts';
import { type Shared, settings } from './options.ts';
import { print, printJson } from './print.ts';
import { proofTable } from './verify-ledger-command.ts';

/** Larger than the heads of thousands of entities over years. */
const BYTES_MAX = 100_000_000;

/**
 * Proves the chains, then compares their heads with FILE or, if it does not exist and all proofs hold, writes it. Exit
 * code 1 if anything does not hold.
 */
export const verifySeal = async (file: string, options: Shared): Promise<void> => {
  const storedHeads = existsSync(file) ? headsOf(file) : null;
  const proofs = await withBooks(settings(options), async (database) => {
    const all = await chainProofs(database);
    if (storedHeads !== null) all.push(await proveHeads(database.db, storedHeads));
    else if (holds(all)) await writeSeals(file, await sealText(database.db));
    return all;
  });
  const done = outcomeOf(file, { isKept: storedHeads !== null, holds: holds(proofs) });
  if (options.json)
    printJson({ holds: holds(proofs), file, written: storedHeads === null && holds(proofs), proofs });
  else print(`${proofTable(proofs)}\n\n${done}`);
  process.exitCode = holds(proofs) ? 0 : 1;
};

const holds = (proofs: readonly Proof[]): boolean => proofs.every(({ faults }) => faults === '0');

const outcomeOf = (file: string, outcome: { readonly isKept: boolean; readonly holds: boolean }): string => {
  if (outcome.isKept)
    return outcome.holds
      ? `The books match every head in ${file}.`
      : `The books do not match every head in ${file}.`;
  return outcome.holds
    ? `Written: ${file}. Store it where nobody with access to the database can change it. To compare later: npx tieout verify --seal ${shellWord(file)}`
    : 'Nothing was written, because a proof does not hold.';
};

const headsOf = (file: string) => {
  const read = readNamedFile(file, { bytesMax: BYTES_MAX });
  if ('refusal' in read) throw new UsageError(`--seal ${file} ${read.refusal}`);
  const heads = headsIn(read.bytes.toString('utf8'));
  if (typeof heads === 'string')
    throw new UsageError(`--seal ${file} ${heads}: name a file written by verify --seal, or a new file`);
  return heads;
};

/** A disk that is full leaves no file: the next run would compare the books with half of one. */
const writeSeals = async (file: string, text: string): Promise<void> => {
  try {
    await createPrivate(file, text);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!isMisnamedFile(code))
      throw new FailedError(
        `--seal ${file} cannot be written: ${diskRefusal(code)}; ${diskAdvice(code)}, and run again`,
      );
    throw new UsageError(`--seal ${file} cannot be written (${code}): name a new file in an existing folder`);
  }
};

/** Recomputes every chain: a head proves nothing without its chain. */
const chainProofs = async (database: Database): Promise<Proof[]> => {
  const lists = await verifyCoverage(database.db);
  const broken = lists.filter(({ fault }) => fault !== null);
  const [first] = broken;
  return [
    {
      proof: 'every list is complete',
      checked: String(lists.length),
      faults: String(broken.length),
      first: first ? `${first.stream} of ${first.entity}: ${first.fault?.why}` : null,
    },
    await proveLinks(database.db),
    ...(await verifySeals(database)),
  ];
};
