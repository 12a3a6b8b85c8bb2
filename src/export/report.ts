// Reports: one file under sql/reports becomes one CSV, written as it is read.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { bindSql, readSql } from '../sql.ts';
import { csvHeader, csvRows } from './csv.ts';
import { type Folder, writeFileIn } from './folder.ts';
import type { ManifestFile } from './manifest.ts';
import type { Snapshot } from './snapshot.ts';

/** What every report may ask for: the period `[from, to)`, and entity ids with commas between them, '' for all. */
export type Cut = { readonly from: string; readonly to: string; readonly entity: string };

/** Runs one report, such as `reports/journal.sql`, into `journal.csv`; returns what the manifest says of it. */
export const writeReport = (
  folder: Folder,
  snapshot: Snapshot,
  path: string,
  cut: Cut,
): Promise<ManifestFile> => {
  const name = `${basename(path, '.sql')}.csv`;
  const query = cutSql(path, cut);
  return writeFileIn(folder, name, async (write) => {
    const hash = createHash('sha256');
    const put = async (text: string) => {
      const bytes = Buffer.from(text, 'utf8');
      hash.update(bytes);
      await write(bytes);
    };
    let columns: string[] | null = null;
    let count = 0;
    for await (const batch of snapshot.batches(query)) {
      if (columns === null) await put(csvHeader(batch.columns));
      columns ??= batch.columns.map((column) => column.name);
      if (batch.rows.length > 0) await put(csvRows(batch.columns, batch.rows));
      count += batch.rows.length;
    }
    return { name, rows: count, sha256: hash.digest('hex'), columns: columns ?? [] };
  });
};

/** A file bound to the parameters of a cut that it has; one that it has besides is a mistake in the file. */
export const cutSql = (path: string, cut: Cut) => {
  const file = readSql(path);
  const asked = Object.entries(cut).filter(([name]) => file.parameters.includes(name));
  return bindSql(file, Object.fromEntries(asked));
};
