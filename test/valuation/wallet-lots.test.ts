// Lots in our own external wallets, of a departure that is cancelled once its units have come back.
import { expect, test } from 'vitest';
import { derive } from '../../src/valuation/valuation.ts';
import { BOOKS, booked, books, buy, close, officialRates, reversed, withBooks } from './month-stand.ts';

withBooks(async () => {
  await officialRates('2026-02-28');
  await books.pool.query(`
    insert into decide.counterparty_files (version, file_name, by_name, at) values (1, 'f', 'Ada', now());
    insert into decide.counterparty_rules (version, line, class, counterparty, counterparty_type) values (1, 1, 'blockchain', 'a wallet', 'own')`);
});

const TO_WALLET = ['equity:external:blockchain <- assets:trading 1 BTC'];
const FROM_WALLET = ['assets:trading <- equity:external:blockchain 1 BTC'];

/** Two coins are sent to an own wallet, the first one comes back, and after the close the departure of the first is cancelled. */
const cancelled = async (second: string) => {
  await booked({ day: '2026-01-05', name: 'first' }, buy('1', '40000'));
  await booked({ day: '2026-01-06', name: 'second' }, buy('1', second));
  const sent = await booked({ day: '2026-01-10', name: 'first sent' }, TO_WALLET);
  await booked({ day: '2026-01-11', name: 'second sent' }, TO_WALLET);
  await booked({ day: '2026-01-20', name: 'come back' }, FROM_WALLET);
  await derive(books.db, BOOKS);
  await close('2026-01');
  await reversed(sent, '2026-02-05');
  await derive(books.db, BOOKS);
  const { rows } = await books.pool.query('select kind, severity, detail from books.value_findings');
  return rows;
};

test.each([
  ['60000', '20000 EUR of cost are lost'],
  ['30000', '10000 EUR of cost count twice'],
])('the other coin cost %s: that %s is a finding', async (second, difference) => {
  expect(await cancelled(second)).toEqual([
    {
      kind: 'closed-side',
      severity: 'finding',
      detail: expect.stringContaining(`in their place: ${difference}: reopen `),
    },
  ]);
});

test('lots of the same cost leave in silence', async () => {
  expect(await cancelled('40000')).toEqual([]);
});
