// A stored batch: its settings, and its files, which can be written again from its lines, byte for byte, at any time.
import assert from 'node:assert/strict';
import type { BatchKey } from '../../approvals/batches.ts';
import { UsageError } from '../../base/errors.ts';
import { parseExact } from '../../base/json.ts';
import { instantText, loadSql } from '../../database/database.ts';
import type { Folder } from '../reports/folder.ts';
import { type BatchFacts, parsedManifest } from '../reports/manifest.ts';
import { parsePeriod } from '../reports/period.ts';
import { rowsOf, type Snapshot } from '../reports/snapshot.ts';
import type { BatchHead } from './package.ts';
import type { Written } from './package-files.ts';
import { isPackage, type PackageName, packageOf } from './packages.ts';
import { writeBatchFiles } from './summary-files.ts';
import { daysOf, SUMMARIES, type Summary } from './summary-span.ts';
import { mappedEntries, valueEntries } from './value-lines.ts';

type StoredBatch = {
  readonly package: PackageName;
  readonly period: string;
  readonly currency: string;
  readonly timezone: string;
  readonly map_sha256: string;
  readonly exportedAt: string;
  readonly exportedBy: string;
  /** Null if each entry is a journal of its own. */
  readonly summary: Summary | null;
  readonly settings: BatchHead['settings'];
  readonly facts: BatchFacts;
};

/** Reads a stored batch. Throws a UsageError if it does not exist. */
export const readStoredBatch = async (snapshot: Snapshot, key: BatchKey): Promise<StoredBatch> => {
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
    package: name,
    period: text('period'),
    currency: text('currency'),
    timezone: text('timezone'),
    map_sha256: text('map_sha256'),
    summary: SUMMARIES.find((summary) => summary === row.summary) ?? null,
    exportedAt: instantText(text('exported_at')),
    exportedBy: text('exported_by'),
    settings: parseExact(text('settings')) as StoredBatch['settings'],
    facts: parsedManifest(text('facts')) as BatchFacts,
  };
};

/** Writes the files of a batch into a folder, unchanged; `isCopy` marks their names as a re-export. */
export const writeStoredBatch = (
  snapshot: Snapshot,
  folder: Folder,
  { key, stored, isCopy }: { readonly key: BatchKey; readonly stored: StoredBatch; readonly isCopy: boolean },
): Promise<Written> => {
  const lines = loadSql('export/batch_lines.sql', { ...key, number: String(key.number) });
  const read = () => mappedEntries(valueEntries(snapshot, lines), () => null);
  const { exportedAt, currency, settings, summary, period, timezone } = stored;
  const cut = summary && { summary, period: daysOf(parsePeriod(period, timezone), timezone) };
  const head = { year: key.year, number: key.number, exportedAt, currency, settings };
  const batching = { folder, format: packageOf(stored.package), head, isCopy };
  return writeBatchFiles(batching, { first: read, last: read }, cut);
};
