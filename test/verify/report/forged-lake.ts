// Changes a lake as a careful forger would: the manifest stays canonical, and has the digests of changed files.
import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { canonical, sha256 } from '../../../src/base/json.ts';
import { newFolder } from '../../room.ts';

/** A copy of a lake that a test may damage. */
export const copyOf = (dir: string): string => {
  const copy = join(newFolder(), 'copy');
  cpSync(dir, copy, { recursive: true });
  return copy;
};

/** What a manifest has after JSON.parse, as far as a test changes it. */
export type ManifestJson = Record<string, unknown> & {
  readonly files: { name: string; sha256: string }[];
  readonly control_totals: { debit: string; credit: string; closing: Record<string, string> }[];
  readonly lake: { tables: Record<string, unknown>[]; books: Record<string, unknown> };
};

export const changeManifest = (dir: string, change: (manifest: ManifestJson) => void): void => {
  const path = join(dir, 'manifest.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  change(manifest);
  writeFileSync(path, `${JSON.stringify(JSON.parse(canonical(manifest)), null, 2)}\n`);
};

/** Writes a file again with other columns, and its digest into the manifest, as a careful forger would. */
export const forge = async (dir: string, file: string, columns: string): Promise<void> => {
  const path = join(dir, file);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(
    `set timezone = 'UTC'; copy (select ${columns} from read_parquet('${path}', hive_partitioning = false)) to '${path}.new' (format parquet)`,
  );
  connection.closeSync();
  instance.closeSync();
  renameSync(`${path}.new`, path);
  changeManifest(dir, (manifest) => {
    for (const entry of manifest.files) if (entry.name === file) entry.sha256 = sha256(readFileSync(path));
  });
};
