// The proof of seals: the entries of closed months are what was sealed, and each seal is whole: its root, its reports, its
// own words, and the seal before it.
import assert from 'node:assert/strict';
import type { Database } from '../../database/database.ts';
import { loadSql } from '../../database/sql.ts';
import type { Proof } from '../ledger/ledger.ts';
import { type SealRow, sealFaults, sealRows } from './faults.ts';

/**
 * Recomputes every seal, reopened ones too, but for the entries, which only a closed month keeps. `roots` are roots or
 * seal digests that were kept outside: each must be that of a seal that stands, and was not reopened since.
 */
export const verifySeals = async (
  { db, pool }: Database,
  roots: readonly string[] = [],
): Promise<Proof[]> => {
  const seals = await sealRows(db);
  const faults: string[] = [];
  for (const seal of seals) faults.push(...(await sealFaults(db, seal, seals)));
  const lost = roots.flatMap((root) => lossOf(root, seals) ?? []);
  return [
    await proofOf(pool, 'entries are in the period in which they count', 'seal/proof_periods.sql'),
    await proofOf(pool, 'entries of closed months are those sealed', 'seal/proof_entries.sql'),
    ...(await verifySealedValues(pool)),
    told('seals: roots, reports, one after the other', seals.length, faults),
    ...(roots.length > 0 ? [told('roots kept outside', roots.length, lost)] : []),
  ];
};

/** The money of closed months: what was sealed of it, and what the next month begins with. */
export const verifySealedValues = async (pool: Database['pool']): Promise<Proof[]> => [
  await proofOf(pool, 'values of closed months are those sealed', 'seal/proof_values.sql'),
  await proofOf(pool, 'sealed closing = next opening, in units and in value', 'seal/proof_closings.sql'),
];

/** Why what was kept outside is no longer worth what it was; null where its seal stands. */
const lossOf = (root: string, seals: readonly SealRow[]): string | null => {
  const its = seals.filter((it) => it.root === root || it.seal_sha256 === root);
  const last = its.at(-1);
  if (!last) return `${root} is the root of no seal`;
  if (its.some(({ status }) => status === 'closed')) return null;
  return `${root} is that of seal ${last.seal_number} of ${last.period} of ${last.entity_id}, which was reopened`;
};

const proofOf = async (pool: Database['pool'], proof: string, path: string): Promise<Proof> => {
  const { rows } = await pool.query<Omit<Proof, 'proof'>>(loadSql(path));
  assert(rows[0], `${path} answered nothing`);
  return { proof, ...rows[0] };
};

const told = (proof: string, checked: number, faults: readonly string[]): Proof => ({
  ...{ proof, checked: String(checked), faults: String(faults.length) },
  first: faults[0] ?? null,
});
