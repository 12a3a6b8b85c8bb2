// The journal for ledger. Commodities are declared with 18 decimals, because ledger treats as zero what it would not print.
// Accounts and tags are declared, so that --pedantic refuses any other.
import { type JournalAccount, type JournalFormat, type JournalPrice, TAG_NAMES } from './journal.ts';
import {
  accountName,
  commodity,
  currenciesOf,
  PLAIN_TEXT,
  PREAMBLE,
  priceText,
  REST_TAGS,
  SAMPLE,
} from './journal-text.ts';

const head = (accounts: readonly JournalAccount[], prices: readonly JournalPrice[]): string =>
  [
    `${PREAMBLE}; ledger --args-only --pedantic -f books.ledger balance`,
    ...currenciesOf(accounts, prices).flatMap((currency) => [
      `commodity ${commodity(currency)}`,
      `    format ${SAMPLE} ${commodity(currency)}`,
    ]),
    ...[...TAG_NAMES, ...REST_TAGS].map((name) => `tag ${name}`),
    ...accounts.map(({ entity, account }) => `account ${accountName(entity, account)}`),
    ...prices.map(priceText),
    '\n',
  ].join('\n');

export const LEDGER: JournalFormat = { ...PLAIN_TEXT, file: 'books.ledger', head };
