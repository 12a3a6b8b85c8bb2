// A batch as it was kept: what was said of it, and its files from its lines, the same to the byte whenever they are written.
import assert from 'node:assert/strict';
import type { BatchKey } from '../../approvals/batches.ts';
import { UsageError } from '../../base/errors.ts';
import { parseExact } from '../../base/json.ts';
import { loadSql } from '../../database/sql.ts';
import { instantText } from '../../database/values.ts';
import type { Folder } from '../reports/folder.ts';
import { rowsOf, type Snapshot } from '../reports/snapshot.ts';
import type { BatchHead } from './package.ts';
import { type Written, writePackage } from './package-files.ts';
import { isPackage, type PackageName, packageOf } from './packages.ts';
import { mappedEntries, valueEntries } from './value-lines.ts';

export type Kept = {
  readonly package: PackageName;
  readonly period: string;
  readonly currency: string;
  readonly timezone: string;
  readonly map_sha256: string;
  readonly at: string;
  readonly settings: BatchHead['settings'];
};

/** What the books keep of a batch. Throws a UsageError where there is none. */
export const keptBatch = async (snapshot: Snapshot, key: BatchKey): Promise<Kept> => {
  const { entity, year, number } = key;
  const [row] = await rowsOf(snapshot, loadSql('export/batch.sql', { ...key, number: String(number) }));
  if (!row)
    throw new UsageError(
      `${entity} has no batch ${number} of ${year}: npx tieout query "select year, batch_number, package, period from batches" lists them`,
    );
  const text = (name: string): string => row[name] ?? '';
  const name = text('package');
  assert(isPackage(name), `a batch of ${name}`);
  return {
    ...{ package: name, period: text('period'), currency: text('currency'), timezone: text('timezone') },
    ...{ map_sha256: text('map_sha256'), at: instantText(text('at')) },
    settings: parseExact(text('settings')) as Kept['settings'],
  };
};

/** Writes the files of a batch into a folder, as they were; `isAgain` names them so. */
export const writeKept = (
  snapshot: Snapshot,
  folder: Folder,
  { key, kept, isAgain }: { readonly key: BatchKey; readonly kept: Kept; readonly isAgain: boolean },
): Promise<Written> => {
  const lines = loadSql('export/batch_lines.sql', { ...key, number: String(key.number) });
  const entries = mappedEntries(valueEntries(snapshot, lines), () => null);
  const { at, currency, settings } = kept;
  const head = { year: key.year, number: key.number, at, currency, settings };
  return writePackage({ folder, format: packageOf(kept.package), head, isAgain }, entries);
};
