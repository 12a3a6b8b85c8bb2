// Proves an export from its folder alone: recomputes everything that its manifest states. A fault names the file, the line,
// the column, the expected and the found text.
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { fileDigest, readNamedFile } from '../../base/named-file.ts';
import {
  LITTER,
  MANIFEST,
  MANIFEST_BYTES_MAX,
  manifestIn,
  manifestText,
  namesIn,
  namesOf,
} from '../../export/contents.ts';
import type { Manifest } from '../../export/reports/manifest.ts';
import { type Proof, proofFrom } from '../proof.ts';
import { batchExamination, linesExamination } from './batch.ts';
import { type Examination, examine } from './examine.ts';
import { figuresExamination } from './figures.ts';
import { checksExamination } from './own-checks.ts';
import { rowSumsExamination } from './row-sums.ts';
import { shapeExamination } from './shape.ts';
import { withTables } from './tables.ts';
import { tiesExamination } from './ties.ts';
import { totalsExamination } from './totals.ts';

/** The proofs of a folder; `manifest` is null if it cannot be used. */
type FolderVerified = { readonly manifest: Manifest | null; readonly proofs: readonly Proof[] };

/** Recomputes a manifest from its folder, offline. Throws a UsageError if the folder is no export. */
export const verifyFolder = async (dir: string): Promise<FolderVerified> => {
  const text = manifestTextIn(dir);
  const manifest = manifestIn(text);
  if (typeof manifest === 'string')
    return {
      manifest: null,
      proofs: [proofFrom('the manifest is one of ours', 1, [`${MANIFEST} ${manifest}`])],
    };
  const names = manifest.files.map(({ name }) => name);
  const ours = namesOf(names);
  const present = ((await namesIn(dir, ours)) ?? []).filter((name) => !LITTER.includes(name));
  const missing = names.filter((name) => !present.includes(name));
  const extra = present.filter((name) => name !== MANIFEST && !ours.has(name)).sort();
  const whole = { ...manifest, files: manifest.files.filter(({ name }) => !missing.includes(name)) };
  return {
    manifest,
    proofs: [
      proofFrom('the manifest is one of ours', 1, textFaults(text, manifest)),
      proofFrom('its files are here, and no others', names.length, [
        ...missing.map((name) => `${name} is missing`),
        ...extra.map((name) => `${name} is not in the manifest`),
      ]),
      proofFrom('each has its SHA-256', whole.files.length, await digestFaults(dir, whole)),
      ...(await withTables(dir, whole, (tables) => examine(tables, examinationsOf(manifest)))),
    ],
  };
};

const examinationsOf = (manifest: Manifest): Examination[] => [
  shapeExamination(),
  figuresExamination(manifest),
  totalsExamination(manifest),
  checksExamination(manifest),
  rowSumsExamination(manifest),
  tiesExamination(manifest),
  ...(manifest.batch ? [batchExamination(manifest)] : []),
  ...(manifest.batch?.summary ? [linesExamination()] : []),
];

const manifestTextIn = (dir: string): string => {
  const read = readNamedFile(join(dir, MANIFEST), { bytesMax: MANIFEST_BYTES_MAX, followsLinks: false });
  if ('bytes' in read) return read.bytes.toString('utf8');
  if (read.code === 'ENOENT')
    throw new UsageError(`${dir} has no ${MANIFEST}: name a folder written by an export`);
  throw new UsageError(`${join(dir, MANIFEST)} ${read.refusal}`);
};

/** A manifest has exactly one valid text. */
const textFaults = (text: string, manifest: Manifest): string[] => {
  const [found, expected] = [text, manifestText(manifest)].map((document) => document.split('\n'));
  const index = found?.findIndex((line, i) => line !== expected?.[i]) ?? -1;
  return text === manifestText(manifest)
    ? []
    : [
        `${MANIFEST}, line ${index + 1}: an export writes "${expected?.[index]}", the file has "${found?.[index]}"`,
      ];
};

const digestFaults = async (dir: string, { files }: Manifest): Promise<string[]> => {
  const faults: string[] = [];
  for (const { name, sha256 } of files) {
    const found = await fileDigest(join(dir, name));
    if (found !== sha256) faults.push(`${name}: the manifest says ${sha256}, the file has ${found}`);
  }
  return faults;
};
