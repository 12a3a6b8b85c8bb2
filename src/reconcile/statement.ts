// A statement of balances from the platform: a CSV of account, currency and balance, read strictly, because it is signed.
// Every refusal names the line, the mistake, and what to do.
import { csvLines } from '../base/csv-file.ts';
import { UsageError } from '../base/errors.ts';
import { readAmount } from '../base/money.ts';
import { EARN, isPocketId, pocket, TRADING } from '../ledger/accounts.ts';

/** One line: our name of the account, and the stated balance as exact text. */
export type StatedLine = {
  readonly line: number;
  readonly account: string;
  readonly currency: string;
  readonly stated: string;
};

const COLUMNS = ['account', 'currency', 'balance'] as const;
type Column = (typeof COLUMNS)[number];

const HOW = 'the first line must name account, currency and balance, with commas or semicolons between';

/** Reads a whole statement. Throws a UsageError if the file is not one. */
export const readStatement = (file: string, bytes: Uint8Array): StatedLine[] => {
  const refuse = (where: string, why: string): never => {
    throw new UsageError(`${file}${where}: ${why}`);
  };
  const [head, ...body] = csvLines(file, bytes);
  if (!head) return refuse('', `is empty: ${HOW}`);
  const places = placesOf(head.cells, (why) => refuse(` line ${head.line}`, why));
  if (body.length === 0) refuse('', 'has a header and no rows: there is nothing to compare');
  const lines = body.map(({ line, cells }) => {
    const cell = (column: Column) => (cells[places[column]] ?? '').trim();
    return lineOf({ line, cell }, (why) => refuse(` line ${line}`, why));
  });
  refuseTwice(lines, (line, why) => refuse(` line ${line}`, why));
  return lines;
};

const placesOf = (head: readonly string[], refuse: (why: string) => never): Record<Column, number> => {
  const names = head.map((name) => name.trim().toLowerCase());
  const place = (column: Column): number => {
    const index = names.indexOf(column);
    if (index < 0) return refuse(`there is no column ${column}: ${HOW}`);
    if (names.lastIndexOf(column) !== index) return refuse(`the column ${column} is there twice: leave one`);
    return index;
  };
  return { account: place('account'), currency: place('currency'), balance: place('balance') };
};

type Cells = { readonly line: number; readonly cell: (column: Column) => string };

const lineOf = ({ line, cell }: Cells, refuse: (why: string) => never): StatedLine => {
  const account = accountOf(cell('account')) ?? refuse(accountText(cell('account')));
  const currency = cell('currency');
  if (!/^[A-Z0-9]{1,20}$/.test(currency))
    refuse(`the currency ${shown(currency)} is no code: write capitals and digits, such as EUR`);
  return { line, account, currency, stated: balanceOf(cell('balance'), refuse) };
};

/** Our name of an account; null if the text names no account of the platform. */
const accountOf = (text: string): string | null => {
  const name = text.toLowerCase();
  if (name === 'trading' || name === TRADING) return TRADING;
  if (name === 'earn' || name === EARN) return EARN;
  const id = name.startsWith('assets:pocket:') ? name.slice('assets:pocket:'.length) : name;
  return isPocketId(id) ? pocket(id) : null;
};

const accountText = (text: string): string =>
  `the account ${shown(text)} is none that the platform holds: write trading, earn, or the id of a pocket`;

const balanceOf = (text: string, refuse: (why: string) => never): string => {
  if (text === '') return refuse('there is no balance: write 0 where it is nothing');
  if (/^[+-]?[\d.]*\d,\d/.test(text))
    return refuse(`the balance ${shown(text)} has a comma: write a decimal point and no thousands separator`);
  if (!/^-?\d+(\.\d+)?$/.test(text))
    return refuse(`the balance ${shown(text)} is not written out in digits: write it as 1234.56`);
  const read = readAmount(text);
  return 'amount' in read ? read.amount : refuse(`the balance ${read.wrong}`);
};

const refuseTwice = (lines: readonly StatedLine[], refuse: (line: number, why: string) => never): void => {
  const seen = new Map<string, number>();
  for (const { line, account, currency } of lines) {
    const first = seen.get(`${account} ${currency}`);
    if (first !== undefined)
      refuse(line, `${account} ${currency} is stated on line ${first} too: leave the one that is meant`);
    seen.set(`${account} ${currency}`, line);
  }
};

const shown = (text: string): string => JSON.stringify(text.slice(0, 60));
