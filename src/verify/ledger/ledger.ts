// The proof of the ledger: recomputed from its rows alone, and, where asked, by programs that are not ours from the
// journal that we write for them.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare, subtract } from '../../base/money.ts';
import type { Database } from '../../database/database.ts';
import { loadSql } from '../../database/sql.ts';
import { JOURNALS, type JournalName, writeJournal } from '../../export/journals/journals.ts';
import { type Answer, askProgram, keyOf, versionOf } from '../../export/journals/programs.ts';
import { inSnapshot, rowsOf, type Snapshot } from '../../export/reports/snapshot.ts';

/** One thing that must hold: how much was looked at, how much of it does not hold, and the first of that, named. */
export type Proof = {
  readonly proof: string;
  readonly checked: string;
  readonly faults: string;
  readonly first: string | null;
};

/** What another program made of the journal: accounts (each currency of one counts) compared, and how many differ. */
export type Comparison = {
  readonly program: JournalName;
  readonly version: string;
  readonly accounts: number;
  readonly differences: number;
  /** The first difference, or what the program complained of. */
  readonly first: string | null;
};

export type LedgerVerified = {
  readonly holds: boolean;
  readonly proofs: readonly Proof[];
  readonly programs: readonly Comparison[];
};

export type LedgerOptions = {
  readonly pool: Database['pool'];
  readonly timezone: string;
  readonly programs: readonly JournalName[];
};

const PROOFS: readonly (readonly [proof: string, path: string])[] = [
  ['entries balance', 'export/proof_entries.sql'],
  ['transfers have their entry', 'export/proof_transfers.sql'],
  ['reversals are equal and opposite', 'export/proof_reversals.sql'],
  ['landed = booked + rejected + set aside', 'export/proof_outcomes.sql'],
  ['manual entries are what was approved', 'export/proof_manual.sql'],
  ['the daily summary is the sum of its postings', 'export/proof_daily.sql'],
  ['balances are the sum of postings', 'export/proof_balances.sql'],
  ['entries in value balance, and conversion is zero', 'export/proof_value_entries.sql'],
  ['accounts in value are rounded once', 'export/proof_value_accounts.sql'],
  ['gains are proceeds less cost', 'export/proof_gains.sql'],
  ['lots hold what the books hold', 'export/proof_lots.sql'],
];

/** Recomputes all of it over one moment of the books. Throws a UsageError where a program asked for is not installed. */
export const verifyLedger = async (options: LedgerOptions): Promise<LedgerVerified> => {
  const versions: string[] = [];
  for (const program of options.programs) versions.push(await versionOf(program));
  const folder = await mkdtemp(join(tmpdir(), 'tieout-verify-'));
  try {
    const { proofs, balances } = await inSnapshot(options.pool, (snapshot) =>
      recompute(snapshot, options, folder),
    );
    const programs: Comparison[] = [];
    for (const [at, program] of options.programs.entries()) {
      const compared = compareWith(program, balances, await askProgram(program, folder));
      programs.push({ program, version: versions[at] ?? '', ...compared });
    }
    const holds =
      proofs.every(({ faults }) => faults === '0') && programs.every(({ first }) => first === null);
    return { holds, proofs, programs };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** What an account holds, as the books say. */
export type Balance = {
  readonly entity: string;
  readonly account: string;
  readonly currency: string;
  readonly balance: string;
};

const recompute = async (
  snapshot: Snapshot,
  { timezone, programs }: LedgerOptions,
  folder: string,
): Promise<{ proofs: Proof[]; balances: Balance[] }> => {
  const proofs: Proof[] = [];
  for (const [proof, path] of PROOFS) {
    const [row] = await rowsOf(snapshot, loadSql(path));
    assert(row?.checked && row.faults, `${path} answered nothing`);
    proofs.push({ proof, checked: row.checked, faults: row.faults, first: row.first ?? null });
  }
  const all = { to: 'infinity', entity: '', timezone };
  const place = { target: folder, partial: folder };
  for (const program of programs) await writeJournal(place, snapshot, program, all);
  return { proofs, balances: await balancesOf(snapshot) };
};

const balancesOf = async (snapshot: Snapshot): Promise<Balance[]> =>
  (await rowsOf(snapshot, loadSql('export/balances.sql'))).map((row) => ({
    entity: row.entity_id ?? '',
    account: row.account ?? '',
    currency: row.currency ?? '',
    balance: row.balance ?? '',
  }));

/** Every account of either side, to the last digit; what one side does not name, it holds nothing of. */
export const compareWith = (
  program: JournalName,
  balances: readonly Balance[],
  { complaint, held }: Answer,
): Pick<Comparison, 'accounts' | 'differences' | 'first'> => {
  if (complaint !== null) return { accounts: 0, differences: 0, first: complaint };
  const { accountName, currencyName } = JOURNALS[program];
  const ours = new Map(
    balances.map((it) => [keyOf(accountName(it.entity, it.account), currencyName(it.currency)), it.balance]),
  );
  const keys = [...new Set([...ours.keys(), ...held.keys()])].sort();
  const differing = keys.flatMap((key) => {
    const [our, their] = [ours.get(key) ?? '0', held.get(key) ?? '0'];
    if (compare(our, their) === 0) return [];
    return [`${key}: ours ${our}, theirs ${their}, difference ${subtract(our, their)}`];
  });
  const nonZero = keys.filter((key) => ours.has(key) || compare(held.get(key) ?? '0', '0') !== 0);
  return { accounts: nonZero.length, differences: differing.length, first: differing[0] ?? null };
};
