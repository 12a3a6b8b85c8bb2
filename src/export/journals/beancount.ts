// The journal for beancount, whose names are stricter than ours and whose precision is lower. Every name can be decoded:
//   account   the root first (Assets), then the entity, then the rest; each part begins with a capital. A byte that is not
//             a small letter, a digit or a hyphen becomes -X and two hex digits; as the first byte of a part, XX and them.
//   currency  a byte that is not a capital or a digit becomes ' and two hex digits. If the result does not begin with a
//             letter, has one character, or is a keyword (TRUE, FALSE, NULL), X'- goes in front.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../base/root.ts';
import type { DayEndBalance, JournalAccount, JournalEntry, JournalFormat, JournalPrice } from './journal.ts';
import { currenciesOf, lineText } from './journal-text.ts';

const PLUGIN = 'tieout_precision.py';
const ROOTS: Readonly<Record<string, string>> = {
  assets: 'Assets',
  liabilities: 'Liabilities',
  equity: 'Equity',
  income: 'Income',
  expenses: 'Expenses',
};
const CURRENCY_MAX = 24;

const hex = (byte: number): string => byte.toString(16).toUpperCase().padStart(2, '0');

const bytesOf = (text: string): string[] =>
  [...Buffer.from(text, 'utf8')].map((byte) => String.fromCharCode(byte));

/** One part of an account: `main` is Main, `Zeta` is XX5Aeta. */
const partName = (part: string): string =>
  bytesOf(part)
    .map((char, index) => {
      if (index === 0) return /[a-z0-9]/.test(char) ? char.toUpperCase() : `XX${hex(char.charCodeAt(0))}`;
      return /[a-z0-9-]/.test(char) ? char : `-X${hex(char.charCodeAt(0))}`;
    })
    .join('');

/** `assets:trading` of `main` is Assets:Main:Trading. */
const accountName = (entity: string, account: string): string => {
  const [root = '', ...rest] = account.split(':');
  const name = ROOTS[root];
  assert(name !== undefined, `beancount has no root for the account ${account}`);
  return [name, ...[entity, ...rest].map(partName)].join(':');
};

const currencyName = (currency: string): string => {
  const spelled = bytesOf(currency)
    .map((char) => (/[A-Z0-9]/.test(char) ? char : `'${hex(char.charCodeAt(0))}`))
    .join('');
  const isName = /^[A-Z][A-Z0-9']+$/.test(spelled) && !['TRUE', 'FALSE', 'NULL'].includes(spelled);
  const name = isName ? spelled : `X'-${spelled}`;
  assert(name.length <= CURRENCY_MAX, `beancount takes ${CURRENCY_MAX} characters of a currency: ${name}`);
  return name;
};

const quoted = (text: string): string => `"${lineText(text).replace(/["\\]/g, '\\$&')}"`;

const HEAD = `; The full journal of the books, from the beginning, debit positive. Written by tieout; do not edit.
; bean-check books.beancount
; Accounts: the root, the entity, the rest. -X or XX and two hex digits are a byte that a name may not hold; in
; currencies ' and two hex digits are, and X'- stands before what may not begin one. %XX is the same in texts.
; The plugin beside this file reads it again with enough digits: 28, beancount's own, would round. Nothing is tolerated.
option "title" "tieout"
option "insert_pythonpath" "TRUE"
option "inferred_tolerance_default" "*:0"
option "inferred_tolerance_multiplier" "0"
plugin "${PLUGIN.replace('.py', '')}"
`;

type Use = { readonly currency: string; readonly firstDay: string };

const firstDayOf = (uses: readonly Use[]): string => uses.map(({ firstDay }) => firstDay).sort()[0] ?? '';

const usesOf = (accounts: readonly JournalAccount[], prices: readonly JournalPrice[]): Use[] => [
  ...accounts.flatMap(({ currencies }) => currencies),
  ...prices.flatMap(({ day, currency, priceCurrency }) =>
    [currency, priceCurrency].map((code) => ({ currency: code, firstDay: day })),
  ),
];

const head = (accounts: readonly JournalAccount[], prices: readonly JournalPrice[]): string =>
  [
    HEAD,
    ...currenciesOf(accounts, prices).map(
      (currency) =>
        `${firstDayOf(usesOf(accounts, prices).filter((use) => use.currency === currency))} commodity ${currencyName(currency)}\n  name: ${quoted(currency)}`,
    ),
    ...accounts.map(
      (used) =>
        `${firstDayOf(used.currencies)} open ${accountName(used.entity, used.account)}  ${currenciesOf([used]).map(currencyName).join(',')}`,
    ),
    ...prices.map(
      ({ day, currency, price, priceCurrency }) =>
        `${day} price ${currencyName(currency)}  ${price} ${currencyName(priceCurrency)}`,
    ),
    '\n',
  ].join('\n');

const entry = ({ entity, day, description, tags, postings }: JournalEntry): string =>
  [
    `${day} * ${quoted(description)}`,
    ...tags.map(([name, value]) => `  ${name}: ${quoted(value)}`),
    ...postings.map(
      ({ account, currency, amount }) =>
        `  ${accountName(entity, account)}  ${amount} ${currencyName(currency)}`,
    ),
    '\n',
  ].join('\n');

/** beancount checks a balance at the start of its day, hence the next day. */
const dayEnd = (nextDay: string, balances: readonly DayEndBalance[]): string =>
  [
    ...balances.map(
      ({ entity, account, currency, balance }) =>
        `${nextDay} balance ${accountName(entity, account)}  ${balance} ~ 0 ${currencyName(currency)}`,
    ),
    '\n',
  ].join('\n');

export const BEANCOUNT: JournalFormat = {
  file: 'books.beancount',
  beside: () => ({ [PLUGIN]: readFileSync(join(packageRoot, 'src', 'export', 'journals', PLUGIN), 'utf8') }),
  accountName,
  currencyName,
  head,
  entry,
  dayEnd,
};
