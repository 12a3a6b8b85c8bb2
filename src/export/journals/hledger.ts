// The journal for hledger. Commodities are declared with 18 decimals, so that hledger balances with full precision, and
// accounts with their type, which hledger cannot infer because the entity comes first.
import type { JournalAccount, JournalFormat, JournalPrice } from './journal.ts';
import {
  accountName,
  commodity,
  currenciesOf,
  PLAIN_TEXT,
  PREAMBLE,
  priceText,
  SAMPLE,
} from './journal-text.ts';

const TYPES: Readonly<Record<string, string>> = {
  assets: 'Asset',
  liabilities: 'Liability',
  equity: 'Equity',
  income: 'Revenue',
  expenses: 'Expense',
};

const accountLine = ({ entity, account }: JournalAccount): string => {
  const type = TYPES[account.split(':')[0] ?? ''];
  return `account ${accountName(entity, account)}${type ? `  ; type: ${type}` : ''}`;
};

const head = (accounts: readonly JournalAccount[], prices: readonly JournalPrice[]): string =>
  [
    `${PREAMBLE}; hledger -f books.hledger check --strict ordereddates`,
    'decimal-mark .',
    ...currenciesOf(accounts, prices).map((currency) => `commodity ${SAMPLE} ${commodity(currency)}`),
    ...accounts.map(accountLine),
    ...prices.map(priceText),
    '\n',
  ].join('\n');

export const HLEDGER: JournalFormat = { ...PLAIN_TEXT, file: 'books.hledger', head };
