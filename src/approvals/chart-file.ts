// Reads the files of a chart of accounts: its lines, and the corrections of asset classes. Every error names line and column.
import { type CsvRow, readCsvFile } from '../base/csv-file.ts';
import { UsageError } from '../base/errors.ts';
import { isOneLine } from '../base/unseen.ts';
import {
  ASSET_CLASSES,
  type AssetClass,
  CHART_COLUMNS,
  type ChartLine,
  CLASS_COLUMNS,
  STATEMENTS,
} from './chart.ts';

const LINES_MAX = 1_000;
const TEXT_MAX = 200;
/** Characters that start a formula in a spreadsheet. */
const FORMULA = /^[=+\-@＝＋－＠]/;
const ACCOUNT = /^(\*|[a-z][^*\s]*?(:\*)?)$/;
const CURRENCY = /^[A-Z0-9]{1,12}$/;

type CellRefusal = (column: string, why: string) => never;

/** Reads a chart, one line per line of the file. Throws UsageError for the first mistake. */
export const readChart = (path: string): ChartLine[] => {
  const rows = readCsvFile(path, CHART_COLUMNS);
  if (rows.length > LINES_MAX)
    throw new UsageError(`${path}: has ${rows.length} lines: write at most ${LINES_MAX}`);
  const lines = rows.map((row) => chartLine(path, row));
  refuseTwoNames(path, rows);
  return lines;
};

const refusalIn =
  (path: string, line: number): CellRefusal =>
  (column, why) => {
    throw new UsageError(`${path}: line ${line}, column ${column}: ${why}`);
  };

const chartLine = (path: string, { line, cells }: CsvRow<(typeof CHART_COLUMNS)[number]>): ChartLine => {
  const refuse = refusalIn(path, line);
  for (const column of CHART_COLUMNS) refuseText(column, cells[column], refuse);
  for (const column of ['code', 'name_en', 'name_es', 'name_de', 'statement_class'] as const)
    if (cells[column] === '') refuse(column, 'is empty');
  if (!ACCOUNT.test(cells.account))
    refuse(
      'account',
      `"${cells.account}" is not a path: write one such as assets:trading or assets:pocket:*`,
    );
  if (cells.class !== '') refuseOther('class', cells.class, { words: ASSET_CLASSES, refuse });
  if (cells.currency !== '' && !CURRENCY.test(cells.currency))
    refuse(
      'currency',
      `"${cells.currency}" is not a currency: write its code, such as BTC, or leave it empty`,
    );
  refuseOther('statement', cells.statement, { words: STATEMENTS, refuse });
  return cells;
};

const refuseText = (column: string, text: string, refuse: CellRefusal): void => {
  if (!isOneLine(text) || text.length > TEXT_MAX)
    refuse(column, `write one line of at most ${TEXT_MAX} visible characters`);
  if (FORMULA.test(text)) refuse(column, `"${text.slice(0, 60)}" begins like a formula of a spreadsheet`);
};

const refuseOther = (
  column: string,
  text: string,
  { words, refuse }: { readonly words: readonly string[]; readonly refuse: CellRefusal },
): void => {
  if (!words.includes(text)) refuse(column, `"${text.slice(0, 60)}": write ${words.join(', ')}`);
};

/** Reports are translated by the English name, so one has the same name everywhere in the other languages. */
const refuseTwoNames = (path: string, rows: readonly CsvRow<(typeof CHART_COLUMNS)[number]>[]): void => {
  const first = new Map<string, CsvRow<(typeof CHART_COLUMNS)[number]>>();
  for (const row of rows) {
    const known = first.get(row.cells.name_en) ?? row;
    first.set(row.cells.name_en, known);
    for (const column of ['name_es', 'name_de'] as const)
      if (known.cells[column] !== row.cells[column])
        refusalIn(path, row.line)(
          column,
          `"${row.cells.name_en}" is "${known.cells[column]}" in line ${known.line}: write the same, or another English name`,
        );
  }
};

/** Reads a file of asset classes, each currency once. Throws UsageError for the first mistake. */
export const readAssetClasses = (path: string): AssetClass[] => {
  const seen = new Map<string, number>();
  return readCsvFile(path, CLASS_COLUMNS).map(({ line, cells }) => {
    const refuse = refusalIn(path, line);
    if (!CURRENCY.test(cells.currency))
      refuse('currency', `"${cells.currency.slice(0, 60)}" is not a currency: write its code, such as USDC`);
    refuseOther('class', cells.class, { words: ASSET_CLASSES, refuse });
    const twin = seen.get(cells.currency);
    if (twin !== undefined)
      refuse('currency', `${cells.currency} is also in line ${twin}: remove one of the lines`);
    seen.set(cells.currency, line);
    return cells;
  });
};
