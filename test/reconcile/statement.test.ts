// A statement of balances: what is read, and what is refused by line, with what to do.
import { expect, test } from 'vitest';
import { readStatement } from '../../src/reconcile/statement.ts';

const read = (text: string | Uint8Array) =>
  readStatement('s.csv', typeof text === 'string' ? Buffer.from(text) : text);
const HEAD = 'account,currency,balance\n';

test('every way to name an account, exact amounts, and line numbers', () => {
  const text = `${HEAD}trading,BTC,0.100000000000000001\nASSETS:TRADING,EUR,-5.50\n\nearn,ETH,0\nassets:earn,EUR,007\nP-1,EUR,1\nassets:pocket:P-2,EUR,2\n`;
  expect(read(text)).toEqual([
    { line: 2, account: 'assets:trading', currency: 'BTC', stated: '0.100000000000000001' },
    { line: 3, account: 'assets:trading', currency: 'EUR', stated: '-5.5' },
    { line: 5, account: 'assets:earn', currency: 'ETH', stated: '0' },
    { line: 6, account: 'assets:earn', currency: 'EUR', stated: '7' },
    { line: 7, account: 'assets:pocket:p-1', currency: 'EUR', stated: '1' },
    { line: 8, account: 'assets:pocket:p-2', currency: 'EUR', stated: '2' },
  ]);
});

test.for([
  ['semicolons', 'account;currency;balance\ntrading;EUR;1.5\n'],
  ['a byte order mark and CRLF', '\ufeffaccount,currency,balance\r\ntrading,EUR,1.5\r\n'],
  ['the line ends of old', 'account,currency,balance\rtrading,EUR,1.5'],
  [
    'another order, quotes, capitals and a column that is not asked for',
    'Balance,"NOTE",Currency,Account\n"1.5","a, ""b""",EUR,trading',
  ],
  ['blanks', ' account , currency , balance \n trading , EUR , 1.5 '],
] as const)('read: %s', ([, text]) => {
  expect(read(text)).toEqual([{ line: 2, account: 'assets:trading', currency: 'EUR', stated: '1.5' }]);
});

test('line numbers count empty lines and those inside quotes', () => {
  const rows = read('account,currency,balance,note\n\ntrading,EUR,1,"a\nb"\nearn,EUR,1,\n');
  expect(rows.map(({ line }) => line)).toEqual([4, 5]); // a line that continues is counted at its end
});

test.for([
  ['nothing', '', /^s\.csv: is empty: the first line must name account, currency and balance/],
  ['blanks', ' \n\n', /^s\.csv: is empty/],
  ['only a header', HEAD, /^s\.csv: has a header and no rows/],
  [
    'no header',
    'trading,EUR,1\n',
    /^s\.csv line 1: there is no column account, currency, balance: the first line must name/,
  ],
  ['a header that lacks one', 'account,balance\ntrading,1\n', /^s\.csv line 1: there is no column currency/],
  [
    'a column twice',
    'account,currency,balance,balance\ntrading,EUR,1,2\n',
    /line 1: the column balance is there twice/,
  ],
  [
    'twice the same',
    `${HEAD}trading,EUR,1\nassets:trading,EUR,1\n`,
    /^s\.csv line 3: assets:trading EUR is stated on line 2 too/,
  ],
  [
    'an exponent',
    `${HEAD}trading,EUR,1e5\n`,
    /^s\.csv line 2: the balance "1e5" is not written out in digits: write it as 1234\.56/,
  ],
  ['a word', `${HEAD}trading,EUR,much\n`, /line 2: the balance "much" is not written out/],
  ['a plus', `${HEAD}trading,EUR,+5\n`, /line 2: the balance "\+5" is not written out/],
  ['a currency sign', `${HEAD}trading,EUR,5 €\n`, /line 2: the balance "5 €" is not written out/],
  [
    'a decimal comma',
    'account;currency;balance\ntrading;EUR;1.234,56\n',
    /line 2: the balance "1\.234,56" has a comma: write a decimal point/,
  ],
  [
    'a quoted thousands separator',
    `${HEAD}trading,EUR,"1,234.56"\n`,
    /line 2: the balance "1,234\.56" has a comma/,
  ],
  [
    'a decimal comma among commas',
    `${HEAD}trading,EUR,1,5\n`,
    /^s\.csv: line 2 has a different number of columns than the first line: check for decimal commas/,
  ],
  [
    '19 decimals',
    `${HEAD}trading,EUR,0.1234567890123456789\n`,
    /line 2: the balance has 19 decimals, more than 18/,
  ],
  [
    'more than anything can be',
    `${HEAD}trading,EUR,1${'0'.repeat(30)}\n`,
    /line 2: the balance is 1e30 or more/,
  ],
  ['no balance', `${HEAD}trading,EUR,\n`, /line 2: there is no balance: write 0/],
  [
    'no account',
    `${HEAD},EUR,1\n`,
    /line 2: the account "" is none that the platform holds: write trading, earn, or the id/,
  ],
  [
    'an account of ours alone',
    `${HEAD}expenses:fees:trading,EUR,1\n`,
    /line 2: the account "expenses:fees:trading" is none/,
  ],
  ['a currency that is none', `${HEAD}trading,euro,1\n`, /line 2: the currency "euro" is no code/],
  ['quotes without an end', `${HEAD}trading,EUR,"1\n`, /^s\.csv: line \d has an unclosed or misplaced quote/],
  ['a formula', `${HEAD}"=cmd|'/c calc'!A1",EUR,1\n`, /line 2: the account "=cmd/],
  ['a table of another kind', '<html><body>no</body></html>', /line 1: there is no column account/],
] as const)('refused: %s', ([, text, message]) => {
  expect(() => read(text)).toThrow(message);
});

test('UTF-16 without its mark, Latin-1 and a picture are refused as not UTF-8; so is an endless file', () => {
  const message = 's.csv: is not UTF-8: save it as "CSV UTF-8"';
  expect(() => read(Buffer.from(`${HEAD}trading,EUR,1\nespaña,EUR,1\n`, 'latin1'))).toThrow(message);
  expect(() => read(Buffer.from(HEAD, 'utf16le'))).toThrow(message);
  expect(() => read(Buffer.alloc(10_000_001, 32))).toThrow('s.csv: is larger than 10 MB');
});
