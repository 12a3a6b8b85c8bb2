// The manifest of consolidated books: its one file, and what each database contributed. It has no period and no control totals.

import { type Manifest, type ManifestFile, parsedManifest, programOf } from '../reports/manifest.ts';
import { oddFileFault } from '../reports/manifest-shape.ts';
import type { SourceRow } from './source.ts';

/** What one database contributed. */
export type SourceFacts = {
  readonly database: string;
  readonly books_id: string;
  readonly entities: readonly SourceRow[];
  readonly links: number;
  readonly links_sha256: string;
};

export type ConsolidatedManifest = {
  readonly program: Manifest['program'];
  readonly format: 'consolidated';
  readonly files: readonly ManifestFile[];
  readonly sources: readonly SourceFacts[];
};

/** Reads such a manifest, or returns its fault as a sentence; null if the text is no manifest of consolidated books. */
export const consolidatedIn = (text: string): ConsolidatedManifest | string | null => {
  const manifest = parsedManifest(text) as Partial<ConsolidatedManifest> | null;
  if (manifest?.program?.name !== programOf().name || manifest.format !== 'consolidated') return null;
  const { files, sources } = manifest;
  if (!Array.isArray(files) || !Array.isArray(sources)) return 'lacks files or sources';
  return oddFileFault(files) ?? (manifest as ConsolidatedManifest);
};
