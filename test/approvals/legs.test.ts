// Legs as people write them, and the message for each that cannot be booked.
import { expect, test } from 'vitest';
import { readLeg } from '../../src/approvals/approvals.ts';
import { TRADING } from '../../src/ledger/accounts.ts';

test.each([
  'assets:trading <- equity:external:platform 1.50 BTC',
  ' assets:trading<-equity:external:platform   1.5 BTC ',
  'assets:trading ← equity:external:platform 1.5 BTC',
])('%s', (text) => {
  expect(readLeg(text)).toEqual({
    debit: TRADING,
    credit: 'equity:external:platform',
    currency: 'BTC',
    amount: '1.5',
  });
});

test('a pocket', () => {
  expect(readLeg('assets:pocket:a-1 <- equity:opening 1 EUR').debit).toBe('assets:pocket:a-1');
});

test.each([
  ['', 'write it as "assets:trading <- equity:external:platform 1.5 BTC"'],
  ['assets:trading -> equity:opening 1 EUR', 'write it as'],
  ['assets:trading <- equity:opening 1', 'write it as'],
  [
    'assets:traiding <- equity:opening 1 EUR',
    'there is no account assets:traiding; there are assets:trading,',
  ],
  ['assets:pocket:A <- equity:opening 1 EUR', 'there is no account assets:pocket:A'],
  ['assets:pocket: <- equity:opening 1 EUR', 'there is no account assets:pocket:'],
  ['assets:trading <- assets:trading 1 EUR', 'debit and credit are the same account'],
  ['assets:trading <- equity:opening 0 EUR', 'not above zero'],
  ['assets:trading <- equity:opening -1 EUR', 'not above zero: swap debit and credit'],
  ['assets:trading <- equity:opening 1,5 EUR', '"1,5" is not written out in digits'],
  ['assets:trading <- equity:opening 1 euro', 'the currency "euro" is no code'],
  ['assets:trading <- equity:opening 0.0000000000000000001 EUR', 'has 19 decimals'],
])('%j is refused', (text, message) => {
  expect(() => readLeg(text)).toThrow(message);
});
