// A bank's own CSV, read by a mapping of its headings: the same lines as a CSV in our form, and how the file was read, as grounds.
import { compactNumber } from '../../base/bank-account.ts';
import { canonical } from '../../base/json.ts';
import { negate, sign, subtract } from '../../base/money.ts';
import { BANK_LINE, type ExternalStatement, type RefuseFile } from '../statement.ts';
import { type StatedLine, statementOf } from './bank-csv.ts';
import type { CsvMapping, MappedColumn } from './csv-mapping.ts';
import { type BankRow, type HeadedRows, headedRows } from './headed-rows.ts';
import { currencyIn, MONEY, plainRow } from './money-cells.ts';
import {
  type DateOrder,
  type DecimalSign,
  decimalOf,
  orderOf,
  type WrittenCell,
  writtenAmount,
  writtenDay,
} from './written-values.ts';

/** How the file writes its values. */
type Notation = {
  readonly order: DateOrder;
  readonly decimal: DecimalSign;
  /** Debits are written with a minus. */
  readonly isDebitSigned: boolean;
};

export const readMappedCsv = (
  file: { readonly name: string; readonly bytes: Uint8Array },
  mapping: CsvMapping,
  refuse: RefuseFile,
): { readonly statements: ExternalStatement[]; readonly reading: string } => {
  const found = headedRows(file, mapping, refuse);
  const rows = found.rows.map((row) => plainRow(row, mapping, refuse));
  const notation = notationOf(rows, mapping, refuse);
  const stated = rows.map((row) => statedLine(row, { mapping, notation }, refuse));
  const statement = statementOf(stated, mapping.balances, refuse);
  return { statements: statement ? [statement] : [], reading: readingOf(found, mapping, notation) };
};

const notationOf = (rows: readonly BankRow[], mapping: CsvMapping, refuse: RefuseFile): Notation => {
  const money = MONEY.flatMap((column) =>
    written(rows, column).map((cell) => ({ ...cell, column: mapping.headings[column] ? column : 'amount' })),
  );
  const decimal = decimalOf(money, mapping.decimal, refuse);
  const days = [...written(rows, 'date', true), ...written(rows, 'value_date')];
  const order = orderOf(days, mapping.dates, refuse);
  const debits = written(rows, 'debit').map(({ text }) => sign(writtenAmount(text, decimal) ?? '0'));
  return { order, decimal, isDebitSigned: debits.some((one) => one < 0) && debits.every((one) => one <= 0) };
};

/** The cells of a column with their places; empty ones too only where each row must have one. */
const written = (rows: readonly BankRow[], column: MappedColumn, isWhole = false): WrittenCell[] =>
  rows.flatMap(({ line, cells }) =>
    cells(column).flatMap((text) => (text === '' && !isWhole ? [] : [{ line, column, text }])),
  );

type LineContext = { readonly mapping: CsvMapping; readonly notation: Notation };

const statedLine = (row: BankRow, { mapping, notation }: LineContext, refuse: RefuseFile): StatedLine => {
  const { line, cells } = row;
  const cell = (column: MappedColumn) => cells(column)[0] ?? '';
  const bookedOn = writtenDay(cell('date'), notation.order) ?? '';
  const valueOn =
    cell('value_date') === '' ? bookedOn : (writtenDay(cell('value_date'), notation.order) ?? '');
  return {
    currency: currencyIn(row, mapping, refuse),
    balance: mapping.balances === null ? amountIn(row, 'balance', notation, refuse) : null,
    line: {
      ...BANK_LINE,
      fileLine: line,
      bookedOn,
      valueOn,
      amount: isOneColumn(mapping)
        ? amountIn(row, 'amount', notation, refuse)
        : debitAndCredit(row, notation, refuse),
      references: cells('reference').filter((reference) => reference !== ''),
      note: cells('text')
        .filter((text) => text !== '')
        .join('\n'),
      counterparty: cell('counterparty'),
      counterpartyAccount: compactNumber(cell('counterparty_account')),
      facts: {},
    },
  };
};

/** The amounts have a sign of their own: no column beside them gives it. */
const isOneColumn = ({ headings }: CsvMapping): boolean =>
  headings.amount !== undefined && headings.direction === undefined;

const amountIn = (
  { line, cells }: BankRow,
  column: MappedColumn,
  { decimal }: Notation,
  refuse: RefuseFile,
): string =>
  writtenAmount(cells(column)[0] ?? '', decimal) ??
  refuse(line, `there is no ${column}: remove lines that are no payments, or download the file again`);

/** What entered less what left. A bank writes one of the two on each line, and debits with or without a minus. */
const debitAndCredit = (row: BankRow, { decimal, isDebitSigned }: Notation, refuse: RefuseFile): string => {
  const [debit, credit] = (['debit', 'credit'] as const).map((column) => {
    const text = row.cells(column)[0] ?? '';
    return text === '' ? null : writtenAmount(text, decimal);
  });
  if (debit == null && credit == null)
    return refuse(row.line, 'has neither a debit nor a credit: remove lines that are no payments');
  if (sign(debit ?? '0') !== 0 && sign(credit ?? '0') !== 0)
    return refuse(row.line, 'has a debit and a credit: a line of a bank has one of them');
  const left = isDebitSigned ? negate(debit ?? '0') : (debit ?? '0');
  return subtract(credit ?? '0', left);
};

/** The mapping and what the file itself showed, as canonical JSON. */
const readingOf = (
  { encoding, separator, headLine }: HeadedRows,
  mapping: CsvMapping,
  notation: Notation,
): string =>
  canonical({
    columns: mapping.headings,
    ...(mapping.currency !== null && { currencyCode: mapping.currency }),
    ...(mapping.currencySign !== null && { currencySign: mapping.currencySign }),
    ...(mapping.outWords.length > 0 && { out: mapping.outWords, in: mapping.inWords }),
    dates: notation.order,
    decimal: notation.decimal,
    encoding,
    separator,
    headingsLine: headLine,
    balances: mapping.balances === null ? 'in the file' : 'stated by the person who imported it',
  });
