// What hledger and ledger journals share: nearly one language. Names and texts are encoded so that neither program reads a
// comment, a virtual account, an amount or a second line in text from outside.
import type { JournalAccount, JournalEntry, JournalPrice } from './journal.ts';

/** 18 decimals, the most an amount may have: programs round to the decimals that a commodity is declared with. */
export const SAMPLE = '1.000000000000000000';

/** Encodes every byte that `unsafe` matches as % and two hex digits. `unsafe` must match % itself, so it can be decoded. */
const spelled = (text: string, unsafe: RegExp): string =>
  text.replace(unsafe, (found) =>
    [...Buffer.from(found, 'utf8')]
      .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
      .join(''),
  );

const NOT_OF_A_NAME = /[^A-Za-z0-9._-]/gu;
const NOT_OF_A_TAG = /[^A-Za-z0-9._ :/+-]|^ | $| (?= )/gu;
/** Controls and invisible characters, separators, and characters that start a comment, a note, a price or a date. */
const NOT_OF_A_LINE = /[\p{C}\p{Zl}\p{Zp}%;|@[\]]|(?! )\p{Zs}|^ | $| (?= )/gu;

/** Text from outside on one line; the programs print it unchanged. */
export const lineText = (text: string): string => spelled(text, NOT_OF_A_LINE);

export const tagText = (text: string): string => spelled(text, NOT_OF_A_TAG);

/** Characters, or bytes written as %XX, on one line: ledger refuses a line of more than 4,096 bytes, and a character has four at most. */
const PIECE = /(?:%[0-9A-F]{2}|[^%]){1,950}/gu;

/** The tags for the rest of a text that is too long for one line: a record's id has at most 512 characters, each nine bytes as %XX. */
export const REST_TAGS = ['record_id_2', 'description_2'];

/** An encoded text in parts that fit on a line each, to be joined before %XX is decoded. */
const partsOf = (encoded: string): string[] =>
  (encoded.match(PIECE) ?? ['']).map((part) => part.replace(/^ | $/g, '%20'));

const tagLine = (name: string, part: string, index: number): string =>
  `    ; ${index === 0 ? name : `${name}_${index + 1}`}: ${part}`;

/** `main:assets:trading`: the entity first, then the account as in the books. */
export const accountName = (entity: string, account: string): string =>
  [entity, ...account.split(':')].map((part) => spelled(part, NOT_OF_A_NAME)).join(':');

const currencyName = (currency: string): string => spelled(currency, NOT_OF_A_NAME);

/** A commodity in an amount: in quotes unless it consists of letters only. */
export const commodity = (currency: string): string =>
  /^[A-Z]+$/.test(currency) ? currency : `"${currencyName(currency)}"`;

/** The distinct currencies of some accounts and prices, in byte order. */
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

/** A price in the syntax of both programs. */
export const priceText = ({ day, currency, price, priceCurrency }: JournalPrice): string =>
  `P ${day} ${commodity(currency)} ${price} ${commodity(priceCurrency)}`;

/** An entry: its id as code, its text, its tags, and a line per posting. The last posting of a day asserts its balance. */
const entryText = ({ entity, id, day, description, tags, postings }: JournalEntry): string => {
  const [payee = '', ...rest] = partsOf(lineText(description));
  return [
    `${day} * (${id}) ${payee}`.trimEnd(),
    ...rest.map((part, index) => tagLine('description', part, index + 1)),
    ...tags.flatMap(([name, value]) =>
      partsOf(tagText(value)).map((part, index) => tagLine(name, part, index)),
    ),
    ...postings.map(({ account, currency, amount, balance }) => {
      const asserted = balance === null ? '' : ` = ${balance} ${commodity(currency)}`;
      return `    ${accountName(entity, account)}  ${amount} ${commodity(currency)}${asserted}`;
    }),
    '\n',
  ].join('\n');
};

/** What hledger and ledger journals have in common; the assertions of a day are at its postings. */
export const PLAIN_TEXT = {
  beside: () => ({}),
  accountName,
  currencyName,
  entry: entryText,
  dayEnd: () => '',
};

/** Notes for the reader of the file, as comment lines. */
export const PREAMBLE = `; The full journal of the books, from the beginning, debit positive. Written by tieout; do not edit.
; An account is the entity, then the account. In names, texts and tags %XX is a byte that the format would misread.
; A description or record_id that is too long for one line goes on in description_2 or record_id_2.
; The last posting of an account in a day asserts what the account holds then.
`;
