// Proves an export from its folder alone: recomputes everything that its manifest states. A fault names the file, the line,
// the column, the expected and the found text.
import { join } from 'node:path';
import { counted } from '../../base/counted.ts';
import { UsageError } from '../../base/errors.ts';
import { fileDigest, readNamedFile } from '../../base/named-file.ts';
import { withCodes } from '../../base/unseen.ts';
import type { ConsolidatedManifest } from '../../export/consolidated/consolidated-manifest.ts';
import {
  consolidatedIn,
  isLitter,
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
import { lakeProofs } from './lake.ts';
import { checksExamination } from './own-checks.ts';
import { packageLineProofs } from './package-lines.ts';
import { rowSumsExamination } from './row-sums.ts';
import { shapeExamination } from './shape.ts';
import { withTables } from './tables.ts';
import { tiesExamination } from './ties.ts';
import { totalsExamination } from './totals.ts';

/**
 * The proofs of a folder. `manifest` is null if it cannot be used to compare the folder with books; `alone` says why if the folder
 * is right all the same.
 */
type FolderVerified = {
  readonly manifest: Manifest | null;
  readonly alone: string | null;
  readonly proofs: readonly Proof[];
};

/** Whether a folder may be compared with books, by its manifest. Throws a UsageError if it is no export. */
export const hasBooks = (dir: string): boolean => {
  const { manifest } = readManifest(dir);
  return typeof manifest !== 'string' && !('sources' in manifest);
};

/** Recomputes a manifest from its folder, offline. Throws a UsageError if the folder is no export. */
export const verifyFolder = async (dir: string): Promise<FolderVerified> => {
  const { text, manifest } = readManifest(dir);
  if (typeof manifest === 'string')
    return {
      manifest: null,
      alone: null,
      proofs: [proofFrom('the manifest is one of ours', 1, [`${MANIFEST} ${manifest}`])],
    };
  const { proofs, present } = await fileProofs(dir, text, manifest);
  if ('sources' in manifest)
    return {
      manifest: null,
      alone: aloneText(manifest),
      proofs: [...proofs, ...(await sumProofs(dir, present))],
    };
  const whole = { ...manifest, files: present };
  const { lake } = whole;
  const own = lake
    ? await lakeProofs(dir, { ...whole, lake })
    : [
        ...(await tableProofs(dir, whole, examinationsOf(manifest))),
        ...(manifest.batch ? await packageLineProofs(dir, whole) : []),
      ];
  return { manifest, alone: null, proofs: [...proofs, ...own] };
};

type AnyManifest = Manifest | ConsolidatedManifest;

/** The proofs of the manifest's text and of the files, and those of its files that are there. */
const fileProofs = async (dir: string, text: string, manifest: AnyManifest) => {
  const names = manifest.files.map(({ name }) => name);
  const ours = namesOf(names);
  const found = ((await namesIn(dir, ours)) ?? []).filter((name) => !isLitter(name));
  const missing = names.filter((name) => !found.includes(name));
  const extra = found.filter((name) => name !== MANIFEST && !ours.has(name)).sort();
  const present = manifest.files.filter(({ name }) => !missing.includes(name));
  const proofs = [
    proofFrom('the manifest is one of ours', 1, textFaults(text, manifest)),
    proofFrom('its files are here, and no others', names.length, [
      ...missing.map((name) => `${name} is missing`),
      ...extra.map((name) => `${name} is not in the manifest`),
    ]),
    proofFrom('each has its SHA-256', present.length, await digestFaults(dir, present)),
  ];
  return { proofs, present };
};

const sumProofs = (dir: string, files: Manifest['files']): Promise<Proof[]> =>
  tableProofs(dir, { files, profile: 'machine' }, [shapeExamination(), rowSumsExamination()]);

const aloneText = ({ sources }: ConsolidatedManifest): string =>
  `it has the consolidated figures of ${counted(sources.length, 'database')}; run npx tieout consolidate again to compare them`;

const tableProofs = (
  dir: string,
  manifest: Pick<Manifest, 'files' | 'profile' | 'batch'>,
  examinations: readonly Examination[],
): Promise<Proof[]> => withTables(dir, manifest, (tables) => examine(tables, examinations));

const examinationsOf = (manifest: Manifest): Examination[] => [
  shapeExamination(),
  figuresExamination(),
  totalsExamination(manifest),
  checksExamination(),
  rowSumsExamination(),
  tiesExamination(),
  ...(manifest.batch ? [batchExamination(manifest)] : []),
  ...(manifest.batch?.summary ? [linesExamination()] : []),
];

/** The text of a manifest, and what it says; a sentence if it is none of ours. */
const readManifest = (dir: string): { readonly text: string; readonly manifest: AnyManifest | string } => {
  const text = manifestTextIn(dir);
  return { text, manifest: consolidatedIn(text) ?? manifestIn(text) };
};

const manifestTextIn = (dir: string): string => {
  const read = readNamedFile(join(dir, MANIFEST), { bytesMax: MANIFEST_BYTES_MAX, followsLinks: false });
  if ('bytes' in read) return read.bytes.toString('utf8');
  if (read.code === 'ENOENT')
    throw new UsageError(`${dir} has no ${MANIFEST}: name a folder written by an export`);
  throw new UsageError(`${join(dir, MANIFEST)} ${read.refusal}`);
};

/** A line as a message can show it: a carriage return would look like nothing. */
const shown = (line: string): string => withCodes(line).replaceAll('\r', '\\r');

/** A manifest has exactly one valid text. */
const textFaults = (text: string, manifest: AnyManifest): string[] => {
  if (text.startsWith('\ufeff'))
    return [
      `${MANIFEST} begins with a byte order mark, which an editor puts there: save it as UTF-8 without one`,
    ];
  if (text === manifestText(manifest)) return [];
  const [found = [], expected = []] = [text, manifestText(manifest)].map((document) =>
    document.split('\n').map(shown),
  );
  const index = found.findIndex((line, i) => line !== expected[i]);
  if (index < 0)
    return [`${MANIFEST} is cut off after line ${found.length}: take it from a copy, or export again`];
  return [
    `${MANIFEST}, line ${index + 1}: an export writes "${expected[index]}", the file has "${found[index]}"`,
  ];
};

const digestFaults = async (dir: string, files: Manifest['files']): Promise<string[]> => {
  const faults: string[] = [];
  for (const { name, sha256 } of files) {
    const found = await fileDigest(join(dir, name));
    if (found !== sha256) faults.push(`${name}: the manifest says ${sha256}, the file has ${found}`);
  }
  return faults;
};
