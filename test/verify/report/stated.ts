// The manifest of an export as it stands in its folder, for tests that do not need the proofs of the folder.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestIn } from '../../../src/export/contents.ts';
import type { Manifest } from '../../../src/export/reports/manifest.ts';

export const manifestOf = (dir: string): Manifest => {
  const manifest = manifestIn(readFileSync(join(dir, 'manifest.json'), 'utf8'));
  assert(typeof manifest !== 'string', `${dir}: manifest.json ${String(manifest)}`);
  return manifest;
};

/** That of a lake. */
export const lakeManifestOf = (dir: string) => {
  const { lake, ...manifest } = manifestOf(dir);
  assert(lake, `${dir} is no lake`);
  return { ...manifest, lake };
};
