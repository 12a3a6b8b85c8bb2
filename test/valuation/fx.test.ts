// Fiat currencies: an exchange with one fiat side has the value of that fiat at its own rate, so that a constant rate gives
// no gain or loss on it; its results have their own accounts.
import { describe, expect, test } from 'vitest';
import { type Atto, attoOf, attoText, converted } from '../../src/base/money.ts';
import { randomOf } from '../../src/sandbox/random.ts';
import { buy, disposalsOf, fee, linesOf, sell, standOf } from './stand.ts';

describe('an exchange with one fiat side', () => {
  const euro = ['assets:pocket:e <- equity:external:bank 100000 EUR'];
  const inDollars = () => standOf('fifo', { EUR: '1.1', GBP: '1.25', BTC: '60000' }, 'USD');

  test('has the value of the fiat at its own rate, on either side', () => {
    const { book } = inDollars();
    book(euro);
    const bought = book(
      [
        'assets:trading <- equity:conversion 1 BTC',
        'equity:conversion <- assets:pocket:e 50000 EUR',
        'expenses:fees:teller <- assets:pocket:e 10 EUR',
      ],
      { kind: 'wallet-transaction', reportedValue: '1' },
    );
    expect(disposalsOf(bought).map((it) => it.split(': ')[1])).toEqual([
      '55000 - 55000 = 0 for 1 BTC',
      '11 - 11 = 0 for expenses:fees:teller',
    ]);
    expect(bought.lots[0]?.cost).toBe(attoOf('55011')); // the coin bears the fee
    const sold = book(sell('1', 'BTC', '52000'));
    expect(disposalsOf(sold).map((it) => it.split(': ')[1])).toEqual(['57200 - 55011 = 2189 for 52000 EUR']);
    expect(linesOf(sold)).toContain('income:gains:realised USD = -2189');
  });

  test('falls back to the platform, then to the other side, if the fiat has no rate', () => {
    const stand = () => standOf('fifo', { BTC: '60000' });
    expect(stand().book(buy('1', 'BTC', '50000', 'USD'), { reportedValue: '46000' }).lots[0]?.cost).toBe(
      attoOf('46000'),
    );
    expect(stand().book(buy('1', 'BTC', '50000', 'USD')).lots[0]?.cost).toBe(attoOf('60000'));
  });

  test('between two fiat currencies the received side sets the value, and a fee is an expense; the result has its own account', () => {
    const { book } = inDollars();
    book(euro);
    const out = book([
      ...sell('1000', 'EUR', '850', 'GBP').map((leg) => leg.replaceAll('assets:trading', 'assets:pocket:e')),
      'expenses:fees:teller <- assets:pocket:e 1 EUR',
    ]);
    expect(disposalsOf(out).map((it) => it.split(': ')[1])).toEqual([
      '1062.5 - 1100 = -37.5 for 850 GBP',
      '1.1 - 1.1 = 0 for expenses:fees:teller',
    ]);
    expect(linesOf(out)).toEqual(
      expect.arrayContaining(['expenses:losses:fx USD = 37.5', 'expenses:fees:teller 1 EUR = 1.1']),
    );
    expect(out.lots[0]?.cost).toBe(attoOf('1062.5'));
  });

  test('a token that tracks a currency is a coin', () => {
    const { book } = standOf('fifo', { USDC: '0.9', BTC: '50000' });
    book(['assets:trading <- equity:external:platform 60000 USDC'], { counterpartyTypes: { 1: 'platform' } });
    expect(disposalsOf(book(buy('1', 'BTC', '60000', 'USDC')))).toEqual([
      '60000 of e1/1: 50000 - 54000 = -4000 for 1 BTC',
    ]);
  });
});

/** A world of one fiat currency against coins with moving rates: the gains of its disposals, and the same recomputed. */
const lived = (seed: number, reporting: 'EUR' | 'USD', rateOf: (day: number) => string) => {
  const foreign = reporting === 'EUR' ? 'USD' : 'EUR';
  const random = randomOf(`fx ${seed} ${reporting}`);
  const coins = ['BTC', 'ETH'];
  const prices = Object.fromEntries([...coins, foreign].map((currency) => [currency, '1']));
  const { book } = standOf('fifo', prices, reporting, (currency, day) =>
    currency === foreign ? rateOf(day) : `${1000 + random.below(500)}.${random.below(99) + 1}`,
  );
  const lots: { units: Atto; cost: Atto }[] = [];
  let [gains, booked, expected, disposals] = [0n, 0n, 0n, 0];
  const worth = (units: Atto, day: number) => converted(units, '1', rateOf(day));
  const useUp = (units: Atto, day: number): void => {
    let rest = units;
    for (const lot of lots) {
      const part = lot.units < rest ? lot.units : rest;
      expected += worth(part, day) - worth(part, Number(lot.cost));
      lot.units -= part;
      rest -= part;
    }
  };
  for (let day = 0; day < 30; day += 1) {
    const amount = attoText(random.units(10n ** 21n) + 10n ** 18n);
    const coin = random.pick(coins);
    const paid = attoText(random.units(attoOf(amount)));
    const hour = day * 24 + 1;
    const outcomes = [
      book([`assets:trading <- equity:external:bank ${amount} ${foreign}`], { hour }),
      book(buy('0.5', coin, paid, foreign), { hour, reportedValue: '1234.5' }),
      book([...sell('0.25', coin, paid, foreign), fee('0.01', foreign)], { hour, reportedValue: '77' }),
    ];
    lots.push({ units: attoOf(amount), cost: BigInt(day) });
    useUp(attoOf(paid), day);
    lots.push({ units: attoOf(paid) - attoOf('0.01'), cost: BigInt(day) });
    for (const { uses, lines } of outcomes) {
      const fiat = uses.filter(({ currency, kind }) => currency === foreign && kind === 'disposal');
      disposals += fiat.length;
      gains += fiat.reduce((sum, { proceeds, cost }) => sum + (proceeds ?? 0n) - (cost ?? 0n), 0n);
      booked -= lines
        .filter(({ account }) => account.endsWith(':fx'))
        .reduce((sum, { value }) => sum + (value ?? 0n), 0n);
    }
  }
  return { gains, booked, expected, disposals };
};

const size = (units: Atto): Atto => (units < 0n ? -units : units);

describe.each(['EUR', 'USD'] as const)('books in %s', (reporting) => {
  test('at a constant rate there is no gain or loss on the other currency, however coins move', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const { gains, booked, disposals } = lived(seed, reporting, () => '0.917431192660550459');
      expect(disposals).toBeGreaterThan(25);
      expect([booked, size(gains) <= BigInt(disposals)]).toEqual([0n, true]); // 1e-18 for each: a share of a cost is rounded
    }
  });

  test('at a rate that moves, the result is that of the lots, recomputed', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const { gains, booked, expected, disposals } = lived(
        seed,
        reporting,
        (day) => `0.9${10 + ((day * 7 + seed) % 80)}`,
      );
      expect(size(gains - expected) <= BigInt(disposals) * 4n).toBe(true);
      expect(size(booked - gains) <= 10n ** 16n * 2n).toBe(true);
      expect(size(expected)).toBeGreaterThan(10n ** 17n);
    }
  });
});
