// Proves the ledger: recomputed from its rows alone and, on request, by other accounting programs from the journal that we
// write for them.
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { firstAltered } from '../../approvals/approvals.ts';
import { messageOf } from '../../base/errors.ts';
import { compare, subtract } from '../../base/money.ts';
import { withTemporaryFolder } from '../../base/temporary-folder.ts';
import type { Database } from '../../database/connection.ts';
import { codeOf, loadSql, readRows } from '../../database/database.ts';
import {
  inSnapshot,
  JOURNALS,
  keyOf,
  rowsOf,
  runProgram,
  versionOf,
  writeJournal,
} from '../../export/contents.ts';
import type { JournalName } from '../../export/journals/journals.ts';
import type { ProgramResult } from '../../export/journals/programs.ts';
import type { Snapshot } from '../../export/reports/snapshot.ts';
import type { Proof } from '../proof.ts';

/** The result of another program: accounts compared (each currency counts as one), and how many differ. */
export type Comparison = {
  readonly program: JournalName;
  readonly version: string;
  readonly accounts: number;
  readonly differences: number;
  /** The first difference, or the program's complaint. */
  readonly first: string | null;
};

type LedgerVerified = {
  readonly holds: boolean;
  readonly proofs: readonly Proof[];
  readonly programs: readonly Comparison[];
};

type LedgerOptions = {
  readonly pool: Database['pool'];
  readonly timezone: string;
  readonly programs: readonly JournalName[];
};

/** What must hold of the books as they are stored, and the file that proves it. */
export const PROOFS: readonly (readonly [proof: string, path: string])[] = [
  ['entries balance', 'proofs/entries.sql'],
  ['transfers have their entry', 'proofs/transfers.sql'],
  ['reversals are equal and opposite', 'proofs/reversals.sql'],
  ['landed = booked + rejected + set aside', 'proofs/outcomes.sql'],
  ['manual entries are what was approved', 'proofs/manual.sql'],
  ['other decisions are what was approved', 'proofs/decisions.sql'],
  ['breaks are as their last steps left them', 'proofs/break_states.sql'],
  ['records marked as erased are those of an erasure', 'proofs/erased_records.sql'],
  ['the daily summary is the sum of its postings', 'proofs/daily.sql'],
  ['the totals are the sums of the daily summary', 'proofs/totals.sql'],
  ['balances are the sum of postings', 'proofs/balances.sql'],
  ['entries in value balance, and conversion is zero', 'proofs/value_entries.sql'],
  ['accounts in value are rounded once', 'proofs/value_accounts.sql'],
  ['the monthly summary of values is the sum of its lines', 'proofs/value_monthly.sql'],
  ['the list of open lots names what lots and uses leave', 'proofs/open_lots.sql'],
  ['gains are proceeds less cost', 'proofs/gains.sql'],
  ['lots hold what the books hold', 'proofs/lots.sql'],
  ['lots in transit are what was sent and has not arrived', 'proofs/lots_in_transit.sql'],
];

/** Recomputes everything over one snapshot of the books. Throws a UsageError if a requested program is not installed. */
export const verifyLedger = async (options: LedgerOptions): Promise<LedgerVerified> => {
  const versions: string[] = [];
  for (const program of options.programs) versions.push(await versionOf(program));
  return withTemporaryFolder('tieout-verify-', async (folder) => {
    const { proofs, balances } = await inSnapshot(options.pool, (snapshot) =>
      recompute(snapshot, options, folder),
    );
    const programs: Comparison[] = [];
    for (const [index, program] of options.programs.entries()) {
      const compared = compareWith(program, balances, await runProgram(program, folder));
      programs.push({ program, version: versions[index] ?? '', ...compared });
    }
    const holds =
      proofs.every(({ faults }) => faults === '0') && programs.every(({ first }) => first === null);
    return { holds, proofs, programs };
  });
};

/** The booked balance of an account. */
export type BookedBalance = {
  readonly entity: string;
  readonly account: string;
  readonly currency: string;
  readonly balance: string;
};

const recompute = async (
  snapshot: Snapshot,
  { timezone, programs }: LedgerOptions,
  folder: string,
): Promise<{ proofs: Proof[]; balances: BookedBalance[] }> => {
  const proofs: Proof[] = [];
  for (const [proof, path] of PROOFS) proofs.push({ proof, ...(await prove(snapshot.db, path)) });
  const all = { to: 'infinity', entity: '', timezone, last_run: '' };
  const place = { target: folder, partial: folder };
  for (const program of programs) await writeJournal(place, snapshot, program, all);
  return { proofs, balances: await balancesOf(snapshot) };
};

/**
 * What one file proves. Proofs read numbers and times in the contents of proposals, which are text: one that cannot be read is a
 * fault, and the other proofs go on.
 */
const prove = async (db: Snapshot['db'], path: string): Promise<Omit<Proof, 'proof'>> => {
  await sql`savepoint before_proof`.execute(db);
  try {
    const [row] = await readRows<Omit<Proof, 'proof'>>(db, loadSql(path));
    assert(row, `${path} answered nothing`);
    return row;
  } catch (error) {
    if (!codeOf(error).startsWith(DATA_EXCEPTION)) throw error;
    await sql`rollback to savepoint before_proof`.execute(db);
    const altered = await firstAltered(db);
    const first = altered
      ? `the content of proposal ${altered.proposal_id} of ${altered.entity_id} was altered and cannot be read: ${messageOf(error)}`
      : `a stored value cannot be read: ${messageOf(error)}`;
    return { checked: '0', faults: '1', first };
  }
};

/** The class of SQLSTATE: text that is no number, no instant, no JSON. */
const DATA_EXCEPTION = '22';

const balancesOf = async (snapshot: Snapshot): Promise<BookedBalance[]> =>
  (await rowsOf(snapshot, loadSql('export/balances.sql'))).map((row) => ({
    entity: row.entity_id ?? '',
    account: row.account ?? '',
    currency: row.currency ?? '',
    balance: row.balance ?? '',
  }));

/** Compares every account of both sides to the last digit; an account that one side does not name counts as zero there. */
export const compareWith = (
  program: JournalName,
  balances: readonly BookedBalance[],
  { complaint, balances: summed }: ProgramResult,
): Pick<Comparison, 'accounts' | 'differences' | 'first'> => {
  if (complaint !== null) return { accounts: 0, differences: 0, first: complaint };
  const { accountName, currencyName } = JOURNALS[program];
  const ours = new Map(
    balances.map(({ entity, account, currency, balance }) => [
      keyOf(accountName(entity, account), currencyName(currency)),
      balance,
    ]),
  );
  const keys = [...new Set([...ours.keys(), ...summed.keys()])].sort();
  const differing = keys.flatMap((key) => {
    const [our, their] = [ours.get(key) ?? '0', summed.get(key) ?? '0'];
    if (compare(our, their) === 0) return [];
    return [`${key}: ours ${our}, theirs ${their}, difference ${subtract(our, their)}`];
  });
  const nonZero = keys.filter((key) => ours.has(key) || compare(summed.get(key) ?? '0', '0') !== 0);
  return { accounts: nonZero.length, differences: differing.length, first: differing[0] ?? null };
};
