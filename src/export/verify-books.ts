// The proof of an export against the books: they write it again, beside, and both must be the same to the byte.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { differencesOf } from './difference.ts';
import type { Manifest } from './manifest.ts';
import type { Proof } from './verify.ts';
import { proof } from './verify-report.ts';

/** Writes the same export to a folder that it is given. */
type Again = (outDir: string) => Promise<{ readonly dir: string; readonly manifest: Manifest }>;

/** Compares a folder with what `again` writes; the first difference is told by file, line and column. */
export const compareWritten = async (dir: string, again: Again): Promise<Proof> => {
  const place = await mkdtemp(join(tmpdir(), 'tieout-verify-'));
  try {
    const { dir: expected, manifest } = await again(join(place, 'again'));
    const there = await readdir(dir);
    const [files, missing] = [true, false].map((is) =>
      manifest.files.filter(({ name }) => there.includes(name) === is),
    );
    const faults = [
      ...(await differencesOf({ expected, found: dir }, { ...manifest, files: files ?? [] })),
      ...(missing ?? []).map(({ name }) => `${name} is missing`),
    ];
    return proof('the books write each again to the byte', manifest.files.length + 1, faults);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
};
