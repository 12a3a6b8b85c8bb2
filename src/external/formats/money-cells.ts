// The amounts of a bank's row as plain figures: without the sign of the currency, and with the side that a column of words gives them.
import { type RefuseFile, shown } from '../statement.ts';
import { type CsvMapping, comparableWord, type MappedColumn } from './csv-mapping.ts';
import { withoutCurrency } from './currency-signs.ts';
import type { BankRow } from './headed-rows.ts';

export const MONEY: readonly MappedColumn[] = ['amount', 'debit', 'credit', 'balance'];

/**
 * The row with plain amounts. Where a column has a word for money out and one for money in, the amount is in debit or in credit, as if
 * the bank had a column for each, and a balance that is owed is negative.
 */
export const plainRow = (row: BankRow, mapping: CsvMapping, refuse: RefuseFile): BankRow => {
  const currency = currencyIn(row, mapping, refuse);
  const plain = (column: MappedColumn) => {
    const [text = ''] = row.cells(column);
    const cell = { line: row.line, column, text };
    return withoutCurrency(cell, { currency, sign: mapping.currencySign }, refuse);
  };
  const texts = new Map(
    MONEY.filter((column) => mapping.headings[column]).map((column) => [column, plain(column)]),
  );
  if (mapping.headings.direction) splitAmount(texts, row, mapping, refuse);
  if (mapping.headings.balance_direction) signBalance(texts, row, mapping, refuse);
  return {
    line: row.line,
    cells: (column) => {
      const text = texts.get(column);
      return text === undefined ? row.cells(column) : [text];
    },
  };
};

/** The currency of a row: as its cell or the mapping names it. */
export const currencyIn = ({ line, cells }: BankRow, mapping: CsvMapping, refuse: RefuseFile): string => {
  const currency = mapping.currency ?? cells('currency')[0] ?? '';
  if (/^[A-Z0-9]{1,20}$/.test(currency)) return currency;
  return refuse(
    line,
    `the currency ${shown(currency)} is no code: write currency-code=EUR instead of currency=HEADING`,
  );
};

type Texts = Map<MappedColumn, string>;

const splitAmount = (texts: Texts, row: BankRow, mapping: CsvMapping, refuse: RefuseFile): void => {
  const text = texts.get('amount') ?? '';
  const isOut = text !== '' && isOutgoing({ row, column: 'direction', text }, mapping, refuse);
  texts.set('debit', isOut ? text : '');
  texts.set('credit', isOut ? '' : text);
  texts.set('amount', '');
};

const signBalance = (texts: Texts, row: BankRow, mapping: CsvMapping, refuse: RefuseFile): void => {
  const text = texts.get('balance') ?? '';
  const isOwed = isOutgoing({ row, column: 'balance_direction', text }, mapping, refuse);
  if (/[^\d.,\s'’]/.test(text))
    refuse(row.line, `the balance ${shown(text)} has a sign of its own: leave balance_direction out`);
  if (isOwed) texts.set('balance', `-${text}`);
};

type Sided = { readonly row: BankRow; readonly column: MappedColumn; readonly text: string };

/** What the word beside an amount says. A zero needs none. */
const isOutgoing = (
  { row, column, text }: Sided,
  { outWords, inWords, headings }: CsvMapping,
  refuse: RefuseFile,
): boolean => {
  const [word = ''] = row.cells(column);
  const isOne = (words: readonly string[]) =>
    words.some((one) => comparableWord(one) === comparableWord(word));
  if (isOne(outWords)) return true;
  if (isOne(inWords) || (word === '' && !/[1-9]/.test(text))) return false;
  return refuse(
    row.line,
    `the ${column} ${shown(word)} (column ${shown(headings[column]?.[0] ?? '')}) is neither money out (${outWords.join(', ')}) nor money in (${inWords.join(', ')}): add out= or in= with that word`,
  );
};
