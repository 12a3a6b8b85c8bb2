// Exports of one month, the proofs of their folders, and forged copies of them.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonical, sha256 } from '../../../src/base/json.ts';
import { figureSettings } from '../../../src/config/config.ts';
import { exportReports } from '../../../src/export/export.ts';
import { verifyAgainstBooks } from '../../../src/verify/report/books.ts';
import type { Stage } from '../../jobs/stage.ts';
import { newFolder } from '../../room.ts';
import { manifestOf } from './stated.ts';

export const MONTH = '2026-10';

/** What the books find in a folder. */
export const proofsOf = (stage: Stage, dir: string) =>
  verifyAgainstBooks(stage.database.pool, dir, {
    manifest: manifestOf(dir),
    settings: figureSettings(stage.settings()),
  });

export const faultIn = async (stage: Stage, dir: string): Promise<string | null> =>
  (await proofsOf(stage, dir))[0]?.first ?? null;

/** A copy of a folder with other text in one file, and the digest of that in its manifest, as a careful forger would leave it. */
export const forged = (dir: string, file: string, change: (text: string) => string): string => {
  const copy = join(newFolder(), 'forged');
  cpSync(dir, copy, { recursive: true });
  const text = change(readFileSync(join(copy, file), 'utf8'));
  writeFileSync(join(copy, file), text);
  const manifest = JSON.parse(readFileSync(join(copy, 'manifest.json'), 'utf8'));
  for (const entry of manifest.files) if (entry.name === file) entry.sha256 = sha256(text);
  writeFileSync(join(copy, 'manifest.json'), `${JSON.stringify(JSON.parse(canonical(manifest)), null, 2)}\n`);
  return copy;
};

type Form = readonly [format: 'csv' | 'xlsx', profile: 'machine' | 'excel-de' | 'excel-en'];

/** The month in each of these formats: their folders. */
export const exported = async (stage: Stage, formats: readonly Form[]): Promise<string[]> => {
  const { pool } = stage.database;
  const settings = figureSettings(stage.settings());
  const clock = { timezone: 'America/New_York', currency: settings.currency, settings };
  const written: string[] = [];
  for (const [format, profile] of formats) {
    const outDir = join(newFolder(), `${format}-${profile}`);
    await exportReports({ pool, period: MONTH, ...clock, format, profile, outDir });
    written.push(outDir);
  }
  return written;
};
