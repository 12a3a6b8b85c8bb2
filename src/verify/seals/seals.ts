// Proves the seals: the entries of closed months are those sealed, and each seal is consistent: its root, its reports, its
// own text and the seal before it.
import assert from 'node:assert/strict';
import type { Database } from '../../database/connection.ts';
import { loadSql } from '../../database/database.ts';
import { type Proof, proofFrom } from '../proof.ts';
import { type SealToVerify, sealFaults, sealRows } from './faults.ts';

/**
 * Recomputes every seal, reopened ones included; entries only of closed months, whose entries cannot change. `roots` are
 * roots or seal digests stored elsewhere: each must belong to an existing seal that was not reopened.
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
    await sqlProof(pool, 'entries are in the period in which they count', 'seal/proof_periods.sql'),
    await sqlProof(pool, 'entries of closed months are those sealed', 'seal/proof_entries.sql'),
    ...(await verifySealedValues(pool)),
    proofFrom('seals: roots, reports, one after the other', seals.length, faults),
    ...(roots.length > 0 ? [proofFrom('roots kept outside', roots.length, lost)] : []),
  ];
};

/** Values of closed months: those sealed, and the opening of the next month. */
export const verifySealedValues = async (pool: Database['pool']): Promise<Proof[]> => [
  await sqlProof(pool, 'values of closed months are those sealed', 'seal/proof_values.sql'),
  await sqlProof(pool, 'sealed closing = next opening, in units and in value', 'seal/proof_closings.sql'),
];

/** Why a root stored elsewhere no longer proves anything; null if its seal still counts. */
const lossOf = (root: string, seals: readonly SealToVerify[]): string | null => {
  const sealsOfRoot = seals.filter((seal) => seal.root === root || seal.seal_sha256 === root);
  const last = sealsOfRoot.at(-1);
  if (!last) return `${root} belongs to no seal`;
  if (sealsOfRoot.some(({ status }) => status === 'closed')) return null;
  return `${root} belongs to seal ${last.seal_number} of ${last.period} of ${last.entity_id}, which was reopened`;
};

const sqlProof = async (pool: Database['pool'], proof: string, path: string): Promise<Proof> => {
  const { rows } = await pool.query<Omit<Proof, 'proof'>>(loadSql(path));
  assert(rows[0], `${path} returned no row`);
  return { proof, ...rows[0] };
};
