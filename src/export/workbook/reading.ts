// Reads a workbook back, sheet by sheet and row by row, from one open file. The only file that imports hucre.
import type { FileHandle } from 'node:fs/promises';
import { type CellValue, streamXlsxRows } from 'hucre/xlsx';
import { partsOf, sheetAlone, type WorkbookParts } from './parts.ts';

const BATCH_ROWS = 100;

/** The rows of a table by its name, the header first, every cell as text; further sheets of it add their rows. */
export type TableRows = (name: string) => AsyncGenerator<string[][]>;

/** Reads the tables of a workbook, whose directory is read once. The caller closes the file. */
export const workbookRows = (file: FileHandle): TableRows => {
  let parts: Promise<WorkbookParts> | undefined;
  return async function* (name) {
    parts ??= partsOf(file);
    const workbook = await parts;
    if (!(yield* rowsOfSheet(workbook, { sheet: name }))) throw new Error('is not in the workbook');
    for (let nth = 2; ; nth += 1)
      if (!(yield* rowsOfSheet(workbook, { sheet: `${name} (${nth})`, isFurther: true }))) return;
  };
};

/** Yields the rows of one sheet as far as none is left out: what follows an empty row is no part of the table. Returns false if
 * there is no sheet of that name. */
async function* rowsOfSheet(
  parts: WorkbookParts,
  { sheet, isFurther = false }: { readonly sheet: string; readonly isFurther?: boolean },
): AsyncGenerator<string[][], boolean> {
  const alone = sheetAlone(parts, sheet);
  if (alone === null) return false;
  let width: number | null = null;
  let batch: string[][] = [];
  try {
    let next = 0;
    for await (const { index, values } of streamXlsxRows(alone.stream, { sheet })) {
      if (index !== next) break;
      next += 1;
      const isHeader = width === null;
      width ??= values.length;
      if (isHeader && isFurther) continue;
      batch.push(Array.from({ length: Math.max(width, values.length) }, (_, index) => textOf(values[index])));
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
    return true;
  } finally {
    alone.end();
  }
}

const textOf = (value: CellValue | undefined): string =>
  value instanceof Date ? value.toISOString() : String(value ?? '');
