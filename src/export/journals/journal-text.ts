// What hledger and ledger journals share. Both read nearly one language; names and texts are spelled so that neither finds
// a comment, a virtual account, an amount or a second line in what somebody else wrote.
import type { DayEndBalance, JournalAccount, JournalEntry, JournalPrice } from './journal.ts';

/** 18 decimals, the most an amount may carry: programs round to what a commodity is declared with. */
export const SAMPLE = '1.000000000000000000';

/** The tags of an entry, in order; `reverses` only where it does. */
export const TAG_NAMES = [
  'entity',
  'entry_id',
  'effective_at',
  'kind',
  'stream',
  'record_id',
  'version',
  'reverses',
];

/** Every byte of what `unsafe` matches as % and two hex digits; % itself is always among them, so it can be undone. */
export const spelled = (text: string, unsafe: RegExp): string =>
  text.replace(unsafe, (found) =>
    [...Buffer.from(found, 'utf8')]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );

const NOT_OF_A_NAME = /[^A-Za-z0-9._-]/gu;
const NOT_OF_A_TAG = /[^A-Za-z0-9._ :/+-]|^ | $| (?= )/gu;
/** Controls and what cannot be seen, separators, and what starts a comment, a note, a price or a date. */
const NOT_OF_A_LINE = /[\p{C}\p{Zl}\p{Zp}%;|@[\]]|(?! )\p{Zs}|^ | $| (?= )/gu;

/** Text of outside on one line, told by the programs as it stands. */
export const lineText = (text: string): string => spelled(text, NOT_OF_A_LINE);

export const tagText = (text: string): string => spelled(text, NOT_OF_A_TAG);

/** `main:assets:trading`: the entity first, then the account as the books name it. */
export const accountName = (entity: string, account: string): string =>
  [entity, ...account.split(':')].map((part) => spelled(part, NOT_OF_A_NAME)).join(':');

export const currencyName = (currency: string): string => spelled(currency, NOT_OF_A_NAME);

/** A commodity in an amount: in quotes unless it is letters and nothing else. */
export const commodity = (currency: string): string =>
  /^[A-Z]+$/.test(currency) ? currency : `"${currencyName(currency)}"`;

/** The currencies of some accounts and prices, once each, in order of bytes. */
export const currenciesOf = (
  accounts: readonly JournalAccount[],
  prices: readonly JournalPrice[] = [],
): string[] =>
  [
    ...new Set([
      ...accounts.flatMap(({ currencies }) => currencies.map(({ currency }) => currency)),
      ...prices.flatMap(({ currency, priceCurrency }) => [currency, priceCurrency]),
    ]),
  ].sort();

/** A price as both programs read it. */
export const priceText = ({ day, currency, price, priceCurrency }: JournalPrice): string =>
  `P ${day} ${commodity(currency)} ${price} ${commodity(priceCurrency)}`;

/** An entry: its id as code, its text, its tags, and a line per posting, the last of a day asserting its balance. */
export const entryText = ({ entity, id, day, description, tags, postings }: JournalEntry): string =>
  [
    `${day} * (${id}) ${lineText(description)}`.trimEnd(),
    ...tags.map(([name, value]) => `    ; ${name}: ${tagText(value)}`),
    ...postings.map(({ account, currency, amount, balance }) => {
      const asserted = balance === null ? '' : ` = ${balance} ${commodity(currency)}`;
      return `    ${accountName(entity, account)}  ${amount} ${commodity(currency)}${asserted}`;
    }),
    '\n',
  ].join('\n');

/** The assertions stand at the postings themselves. */
export const nothingAtDayEnd = (_nextDay: string, _balances: readonly DayEndBalance[]): string => '';

/** What the reader of the file should know, as comment lines. */
export const PREAMBLE = `; The full journal of the books, from the beginning, debit positive. Written by tieout; do not edit.
; An account is the entity, then the account. In names, texts and tags %XX is a byte that the format would misread.
; The last posting of an account in a day asserts what the account holds then.
`;
