// Proves a lake from its folder alone. DuckDB reads the Parquet files and adds them up.
import { join } from 'node:path';
import { sha256 } from '../../base/json.ts';
import { fileDigest } from '../../base/named-file.ts';
import { LAKE_SQL, lakeSql, type OpenLake, parsePeriod, withLake } from '../../export/contents.ts';
import type { LakeManifest } from '../../export/reports/manifest.ts';
import { type Proof, proofFrom } from '../proof.ts';
import { asOfFaults, entityFaults } from './lake-facts.ts';
import { balanceProof, closingProof, entryProof, movedProof } from './lake-sums.ts';
import { tablesProof } from './lake-tables.ts';

/** One examination of an open lake. */
type LakeProof = (lake: OpenLake, manifest: LakeManifest) => Promise<Proof>;

/** What a lake must prove. `manifest` names only files that are there. Throws a UsageError without DuckDB's package. */
export const lakeProofs = (dir: string, manifest: LakeManifest): Promise<Proof[]> =>
  withLake(dir, manifest.lake, async (lake) => {
    const proofs: Proof[] = [await openerProof(dir, manifest)];
    for (const [name, prove] of Object.entries(PROOFS))
      proofs.push(await prove(lake, manifest).catch((error: Error) => proofFrom(name, 1, [error.message])));
    return proofs;
  });

const factsProof: LakeProof = async (lake, manifest) =>
  proofFrom(FACTS, 3, [
    ...periodFaults(manifest),
    ...(await entityFaults(lake, manifest)),
    ...(await asOfFaults(lake, manifest)),
  ]);

const FACTS = 'period, entities and as-of are those of the tables';
/** Each by its name, under which a file that cannot be read is a fault. */
const PROOFS: Readonly<Record<string, LakeProof>> = {
  'each has its rows and columns': tablesProof,
  [FACTS]: factsProof,
  'debits and credits of the control totals are those of the files': movedProof,
  'closing balances of the control totals are those of the files': closingProof,
  'each entry balances in each currency': entryProof,
  'balances are the sums of the postings': balanceProof,
};

/** lake.sql has exactly one valid text. */
const openerProof = async (dir: string, { lake }: LakeManifest): Promise<Proof> => {
  const found = await fileDigest(join(dir, LAKE_SQL)).catch(() => null);
  return proofFrom(
    `${LAKE_SQL} opens its tables`,
    1,
    found === sha256(lakeSql(lake))
      ? []
      : [`${LAKE_SQL} is not the one that an export writes for these tables`],
  );
};

const periodFaults = ({ period, timezone, from, to }: LakeManifest): string[] => {
  const stated = parsePeriod(period, timezone);
  return stated.from === from && stated.to === to
    ? []
    : [`the manifest says ${from} to ${to}, ${period} is ${stated.from} to ${stated.to}`];
};
