// Reads a workbook back, sheet by sheet and row by row. The only file that imports hucre.
import { type CellValue, streamXlsxRows } from 'hucre/xlsx';

const BATCH_ROWS = 1_000;

/** The rows of a table in a workbook, the header first, every cell as text; further sheets of it add their rows. */
export async function* sheetRows(bytes: Uint8Array, name: string): AsyncGenerator<string[][]> {
  if (!(yield* rowsOfSheet(bytes, { sheet: name }))) throw new Error('is not in the workbook');
  for (let nth = 2; ; nth += 1)
    if (!(yield* rowsOfSheet(bytes, { sheet: `${name} (${nth})`, isFurther: true }))) return;
}

/** Yields the rows of one sheet; returns false if there is none of that name, as every sheet has a header. */
async function* rowsOfSheet(
  bytes: Uint8Array,
  { sheet, isFurther = false }: { readonly sheet: string; readonly isFurther?: boolean },
): AsyncGenerator<string[][], boolean> {
  let width: number | null = null;
  let batch: string[][] = [];
  for await (const { values } of streamXlsxRows(bytes, { sheet })) {
    const isHeader = width === null;
    width ??= values.length;
    if (isHeader && isFurther) continue;
    batch.push(Array.from({ length: Math.max(width, values.length) }, (_, index) => textOf(values[index])));
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
  return width !== null;
}

const textOf = (value: CellValue | undefined): string =>
  value instanceof Date ? value.toISOString() : String(value ?? '');
