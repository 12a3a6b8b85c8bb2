// The proof of seals: the entries of closed months are what was sealed, the roots are those of their leaves, the sealed
// reports hash to what the seal says, and each seal names the one before it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Books, Database } from '../db.ts';
import type { Proof } from '../export/export.ts';
import { loadSql } from '../sql.ts';
import { leavesOf } from './seal.ts';
import { treeRoot } from './tree.ts';

type SealRow = {
  entity_id: string;
  period: string;
  seal_number: number;
  root: string;
  entries: number;
  seal: string;
  seal_sha256: string;
};

type SealText = {
  readonly root: string;
  readonly previous: {
    readonly period: string;
    readonly seal_number: string;
    readonly seal_sha256: string;
  } | null;
  readonly manifest: { readonly files: readonly { readonly name: string; readonly sha256: string }[] };
};

/**
 * Recomputes every seal, reopened ones too, but for the entries, which only a closed month keeps. `roots` are roots or
 * seal digests that were kept outside: each must be that of a seal.
 */
export const verifySeals = async (
  { db, pool }: Database,
  roots: readonly string[] = [],
): Promise<Proof[]> => {
  const { rows: seals } = await sql<SealRow>`
    select entity_id, period, seal_number, root, entries, seal, seal_sha256 from books.seals
    order by entity_id, period, seal_number`.execute(db);
  const faults: string[] = [];
  for (const seal of seals) faults.push(...(await sealFaults(db, seal, seals)));
  const lost = roots.filter((root) => !seals.some((it) => it.root === root || it.seal_sha256 === root));
  return [
    await proofOf(pool, 'entries are in the period in which they count', 'seal/proof_periods.sql'),
    await proofOf(pool, 'entries of closed months are those sealed', 'seal/proof_entries.sql'),
    told('seals: roots, reports, one after the other', seals.length, faults),
    ...(roots.length > 0
      ? [
          told(
            'roots kept outside',
            roots.length,
            lost.map((root) => `${root} is the root of no seal`),
          ),
        ]
      : []),
  ];
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

const sealFaults = async (db: Books, seal: SealRow, all: readonly SealRow[]): Promise<string[]> => {
  const key = { entity: seal.entity_id, period: seal.period, number: seal.seal_number };
  const name = `seal ${seal.seal_number} of ${seal.period} of ${seal.entity_id}`;
  const text = JSON.parse(seal.seal) as SealText;
  const faults: string[] = [];
  const root = await treeRoot(leavesOf(db, key));
  if (root !== seal.root) faults.push(`${name}: its leaves have the root ${root}, it says ${seal.root}`);
  if (text.root !== seal.root)
    faults.push(`${name}: its text names the root ${text.root}, it says ${seal.root}`);
  for (const file of text.manifest.files) {
    const sha256 = await fileDigest(db, key, file.name);
    if (sha256 !== file.sha256)
      faults.push(`${name}: ${file.name} has the SHA-256 ${sha256}, it was sealed with ${file.sha256}`);
  }
  const previous = text.previous;
  if (previous && !all.some((it) => isThat(it, seal.entity_id, previous)))
    faults.push(`${name}: the seal of ${previous.period} that it names as the one before it is not there`);
  return faults;
};

const isThat = (it: SealRow, entity: string, named: NonNullable<SealText['previous']>): boolean =>
  it.entity_id === entity && it.period === named.period && it.seal_sha256 === named.seal_sha256;

const fileDigest = async (
  db: Books,
  { entity, period, number }: { entity: string; period: string; number: number },
  name: string,
): Promise<string> => {
  const hash = createHash('sha256');
  for (let part = 0; ; part += 1) {
    const { rows } = await sql<{ content: string }>`
      select content from decide.seal_files
      where entity_id = ${entity} and period = ${period} and seal_number = ${number} and name = ${name} and part = ${part}`.execute(
      db,
    );
    if (!rows[0]) return hash.digest('hex');
    hash.update(rows[0].content);
  }
};
