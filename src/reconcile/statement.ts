// A statement of balances from the platform: a CSV of account, currency and balance, read strictly, because it is signed.
// Every refusal names the line, the mistake, and what to do.
import { EARN, isPocketId, pocket, TRADING } from '../ledger/accounts.ts';
import { type RefuseLine, readStated, type StatedRow, shown, statedAmount } from './stated.ts';

/** One line: our name of the account, and the stated balance as exact text. */
export type StatedLine = {
  readonly line: number;
  readonly account: string;
  readonly currency: string;
  readonly stated: string;
};

const COLUMNS = ['account', 'currency', 'balance'] as const;
type Column = (typeof COLUMNS)[number];

const HOW =
  'the first line must name account, currency and balance, with commas, semicolons, tabs or bars between';

/** Reads a whole statement. Throws a UsageError if the file is not one. */
export const readStatement = (file: string, bytes: Uint8Array): StatedLine[] =>
  readStated(file, bytes, {
    required: COLUMNS,
    amounts: ['balance'],
    how: HOW,
    lineOf,
    nameOf: ({ account, currency }) => `${account} ${currency}`,
  });

const lineOf = ({ line, cell }: StatedRow<Column>, refuse: RefuseLine): StatedLine => {
  const account = accountOf(cell('account')) ?? refuse(accountText(cell('account')));
  const currency = cell('currency');
  if (!/^[A-Z0-9]{1,20}$/.test(currency))
    refuse(`the currency ${shown(currency)} is no code: write capitals and digits, such as EUR`);
  return { line, account, currency, stated: statedAmount(cell('balance'), 'balance', refuse) };
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
