// The lines of a package's own files, and of other texts in its encoding.
import { isUtf8 } from 'node:buffer';
import { cp1252Text } from '../../base/cp1252.ts';
import { ownRows } from '../../base/csv-file.ts';
import { BATCH_FILES, MANIFEST } from '../../export/contents.ts';
import { isPackage, packageOf } from '../../export/export.ts';
import type { PackageFormat } from '../../export/packages/package.ts';
import type { Manifest } from '../../export/reports/manifest.ts';

/** The form of the lines of a package's own file; null for any other file. */
export const packageForm = ({ batch }: Pick<Manifest, 'batch'>, name: string): PackageFormat | null =>
  batch && isPackage(batch.package) && !BATCH_FILES.includes(name) && name !== MANIFEST
    ? packageOf(batch.package)
    : null;

/** The cells of a line; none if its quotes are not those of a table. */
export const cellsOf = (line: string, delimiter: ',' | ';'): readonly string[] => {
  try {
    return ownRows(line, delimiter)[0] ?? [];
  } catch {
    return [];
  }
};

/** What the bytes of a line say, in UTF-8 or CP1252. */
export const textOf = (line: string): string => {
  const bytes = Buffer.from(line, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : cp1252Text(bytes);
};
