// Versions that change only what the platform says an entry is worth: booked again if the value of the entry may depend on it.
import { expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { forget } from '../../src/normalize/forget.ts';
import { proveEntries } from '../../src/verify/ledger/replay.ts';
import { instantAt } from '../land/stage.ts';
import { BOOKS, openBooks } from './books.ts';

const books = openBooks();

const trade = (costEuro: unknown, symbol = 'ETH/BTC'): WireRecord => ({
  id: 't1',
  symbol,
  side: 'buy',
  amount: '10',
  cost: '1',
  feeAmount: '0',
  costEuro,
  createdAt: instantAt(0),
});
const reward = (convertedAmount: unknown, currency = 'ETH'): WireRecord => ({
  movementId: 'e1',
  type: 'reward',
  amount: { value: '1', currency },
  convertedAmount,
  createdAt: instantAt(0),
});
const inEuro = (value: unknown, currency = 'EUR') => ({ value, currency });

type Versions = Parameters<typeof books.tell>;

/** The versions that are booked: one after the other, or all at once, must book the same. */
const bookedVersions = async (...[stream, ...versions]: Versions) => {
  for (const version of versions) {
    await books.tell(stream, version);
    await books.book();
  }
  const chain = 'select version, kind, effective_at from books.entries order by ordinal';
  const booked = await books.rows(chain);
  await forget(books.stage().db);
  await books.book();
  expect(await books.rows(chain)).toEqual(booked);
  expect(await proveEntries(books.stage().db, { books: [BOOKS] })).toMatchObject({ faults: '0' });
  expect(new Set(booked.map(({ effective_at }) => effective_at))).toEqual(new Set([instantAt(0)]));
  return booked.map(({ version, kind }) => (kind === 'reversal' ? `-${version}` : `${version}`));
};

const AGAIN = ['1', '-2', '2'];

test.each<[string, Versions, string[]]>([
  ['of two coins, filled in later', ['trades', trade(null), trade('50000')], AGAIN],
  ['of two coins, corrected', ['trades', trade('50000'), trade('50000.01')], AGAIN],
  ['of two coins, taken back', ['trades', trade('50000'), trade(null)], AGAIN],
  ['of two coins, as it was once', ['trades', trade('5'), trade('6'), trade('5')], [...AGAIN, '-3', '3']],
  ['of two coins, written with other digits', ['trades', trade('50000'), trade('50000.00')], ['1']],
  ['of two coins, that is no value', ['trades', trade(null), trade('0'), trade('much')], ['1']],
  ['of a coin for euro', ['trades', trade(null, 'ETH/EUR'), trade('5', 'ETH/EUR')], ['1']],
  ['of a reward, filled in later', ['earn-movements', reward(null), reward(inEuro('2400'))], AGAIN],
  [
    'of a reward that has one',
    ['earn-movements', reward(inEuro('2400')), reward(inEuro('2500')), reward(null)],
    ['1'],
  ],
  ['of a reward, in another currency', ['earn-movements', reward(null), reward(inEuro('9', 'USD'))], ['1']],
  ['of a reward in euro', ['earn-movements', reward(null, 'EUR'), reward(inEuro('1'), 'EUR')], ['1']],
])('a later value %s', async (_, versions, expected) => {
  expect(await bookedVersions(...versions)).toEqual(expected);
});

test('the value in euro of a trade books nothing in the books of another currency', async () => {
  for (const costEuro of [null, '50000']) {
    await books.tell('trades', trade(costEuro));
    await books.book({ currency: 'USD' });
  }
  expect(await books.rows('select version from books.entries')).toEqual([{ version: 1 }]);
});

test('several versions in one batch are compared with the one that is booked', async () => {
  for (const costEuro of [null, '5', '5.0', '6']) await books.tell('trades', trade(costEuro));
  expect(await books.book()).toMatchObject({ records: 4, entries: 5 });
});
