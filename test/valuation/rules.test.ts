// The values of entries, one rule after another, as an accountant would check them.
import { describe, expect, test } from 'vitest';
import { buy, disposalsOf, fee, findingsOf, linesOf, lotsOf, sell, standOf } from './stand.ts';

describe('a fill in the reporting currency has its own cost as value', () => {
  test('a fee on buying enters the cost, one on selling is deducted from the proceeds', () => {
    const { book } = standOf();
    const bought = book([...buy('2', 'BTC', '80000'), fee('80', 'EUR')]);
    expect(linesOf(bought)).toEqual([
      'assets:trading 2 BTC = 80080',
      'equity:conversion -2 BTC = -80000',
      'equity:conversion 80000 EUR = 80000',
      'assets:trading -80000 EUR = -80000',
      'assets:trading -80 EUR = -80',
    ]);
    expect(lotsOf(bought)).toEqual(['e1/1: 2 BTC at 80080, exchange']);
    expect(bought.lines[4]?.fee).toEqual({ target: 'cost', value: 80n * 10n ** 18n });
    const sold = book([...sell('1', 'BTC', '50000'), fee('50', 'EUR')]);
    expect(linesOf(sold)).toEqual([
      'equity:conversion 1 BTC = 50000',
      'assets:trading -1 BTC = -40040',
      'income:gains:realised EUR = -9910',
      'assets:trading 50000 EUR = 50000',
      'equity:conversion -50000 EUR = -50000',
      'assets:trading -50 EUR = -50',
    ]);
    expect(disposalsOf(sold)).toEqual(['1 of e1/1: 49950 - 40040 = 9910 for 50000 EUR']);
  });

  test('a loss is an expense', () => {
    const { book } = standOf();
    book(buy('1', 'BTC', '60000'));
    expect(linesOf(book(sell('0.5', 'BTC', '20000')))).toContain('expenses:losses:realised EUR = 10000');
  });

  test('a fee withheld from the bought coin reduces its units, at the same cost', () => {
    const { book } = standOf();
    const bought = book([...buy('1', 'BTC', '50000'), fee('0.01', 'BTC')]);
    expect(lotsOf(bought)).toEqual(['e1/1: 0.99 BTC at 50000, exchange']);
    expect(disposalsOf(bought)).toEqual([]);
    expect(bought.lines[4]).toMatchObject({
      account: 'expenses:fees:trading',
      exact: 0n,
      fee: { target: 'cost', value: 500n * 10n ** 18n },
    });
  });

  test('a fee in the sold coin is disposed of with it, for the same proceeds', () => {
    const { book } = standOf();
    book(buy('2', 'BTC', '80000'));
    expect(disposalsOf(book([...sell('1', 'BTC', '50000'), fee('0.01', 'BTC')]))).toEqual([
      '1 of e1/1: 49500 - 40000 = 9500 for 50000 EUR',
      '0.01 of e1/1: 500 - 400 = 100 for expenses:fees:trading',
    ]);
  });

  test('a fee in any other coin is a disposal of that coin, and part of the cost', () => {
    const { book } = standOf();
    book(buy('100', 'GEM', '100'));
    const bought = book([...buy('1', 'BTC', '50000'), fee('10', 'GEM')]);
    expect(lotsOf(bought)).toEqual(['e2/1: 1 BTC at 50020, exchange']);
    expect(disposalsOf(bought)).toEqual(['10 of e1/1: 20 - 10 = 10 for expenses:fees:trading']);
    expect(linesOf(bought)).toContain('income:gains:realised EUR = -10');
  });
});

describe('a fee that is paid back is less of an expense, so that the fees add up to what their accounts carry', () => {
  const feesOf = (legs: readonly string[]) =>
    standOf()
      .book(legs, { kind: 'manual' })
      .lines.flatMap(({ account, exact, fee: line }) =>
        account.startsWith('expenses:fees:') ? [[account, line?.target, line?.value === exact, exact]] : [],
      );

  test('in money and in a coin', () => {
    const ofTrading = ['expenses:fees:trading', 'expenses', true];
    expect(feesOf(['assets:trading <- expenses:fees:trading 2.5 EUR'])).toEqual([
      [...ofTrading, -25n * 10n ** 17n],
    ]);
    expect(feesOf(['assets:trading <- expenses:fees:trading 0.1 BTC'])).toEqual([
      [...ofTrading, -5000n * 10n ** 18n],
    ]);
  });

  test('moved to another kind of fee', () => {
    expect(feesOf(['expenses:fees:network <- expenses:fees:unclassified 3 EUR'])).toEqual([
      ['expenses:fees:network', 'expenses', true, 3n * 10n ** 18n],
      ['expenses:fees:unclassified', 'expenses', true, -3n * 10n ** 18n],
    ]);
  });
});

describe('two coins', () => {
  test("have the platform's value in euro, otherwise that of the received coin", () => {
    const { book } = standOf();
    book(buy('1', 'BTC', '40000'));
    expect(disposalsOf(book(buy('2', 'ETH', '0.1', 'BTC'), { reportedValue: '5100' }))).toEqual([
      '0.1 of e1/1: 5100 - 4000 = 1100 for 2 ETH',
    ]);
    const priced = book(buy('2', 'ETH', '0.1', 'BTC'));
    expect(disposalsOf(priced)).toEqual(['0.1 of e1/1: 5000 - 4000 = 1000 for 2 ETH']);
    expect(priced.lines[0]?.basis).toEqual({
      rule: 'rate',
      source: 'rates 2026-01-1',
      path: 'through USD',
      ageSeconds: 10_800,
    });
  });

  test('a fee in the coin that pays reduces the proceeds, and is a disposal at the price of the trade', () => {
    const { book } = standOf();
    book(buy('1', 'BTC', '40000'));
    const swap = book([...buy('20', 'ETH', '0.5', 'BTC'), fee('0.005', 'BTC')], { reportedValue: '25000' });
    expect(lotsOf(swap)).toEqual(['e2/1: 20 ETH at 25000, exchange']);
    expect(disposalsOf(swap)).toEqual([
      '0.5 of e1/1: 24750 - 20000 = 4750 for 20 ETH',
      '0.005 of e1/1: 250 - 200 = 50 for expenses:fees:trading',
    ]);
  });

  test('a fee withheld from a sale reduces its proceeds', () => {
    const { book } = standOf();
    book(buy('20', 'ETH', '40000'));
    const swap = book([...sell('10', 'ETH', '0.5', 'BTC'), fee('0.005', 'BTC')], { reportedValue: '25000' });
    expect(disposalsOf(swap)).toEqual(['10 of e1/1: 24750 - 20000 = 4750 for 0.5 BTC']);
    expect(lotsOf(swap)).toEqual(['e2/2: 0.495 BTC at 24750, exchange']);
  });

  test('no coin counts as euro because of its name', () => {
    const { book } = standOf();
    const bought = book(buy('1', 'BTC', '50000', 'EURT'));
    expect(linesOf(bought).join()).toContain('equity:conversion 50000 EURT = 50000'); // by the rate of BTC
    expect(findingsOf(bought)).toEqual(['finding: no-lot']);
  });
});

test('a reward has the value that the platform converted it to, with the tax apart', () => {
  const { book } = standOf();
  const legs = ['assets:earn <- income:rewards 0.81 ETH', 'assets:tax-withheld <- income:rewards 0.19 ETH'];
  const valuation = book(legs, { kind: 'earn-movement', reportedValue: '2400' });
  expect(linesOf(valuation)).toEqual([
    'assets:earn 0.81 ETH = 1944',
    'income:rewards -0.81 ETH = -1944',
    'assets:tax-withheld 0.19 ETH = 456',
    'income:rewards -0.19 ETH = -456',
  ]);
  expect(lotsOf(valuation)).toEqual(['e1/1: 0.81 ETH at 1944, reward']);
  expect(linesOf(book(legs))[0]).toBe('assets:earn 0.81 ETH = 2025'); // by the rate
});

test('an item without a rate within a day has no value, and neither have those that depend on it', () => {
  const { book } = standOf();
  const late = book(['assets:pocket:a <- equity:external:platform 1 BTC'], {
    hour: 31 * 24 + 1,
    counterpartyTypes: { 1: 'platform' },
  });
  expect([linesOf(late), findingsOf(late)]).toEqual([
    ['assets:pocket:a 1 BTC = ?', 'equity:external:platform -1 BTC = ?'],
    ['finding: no-rate'],
  ]);
  const sold = book([
    'equity:conversion <- assets:pocket:a 1 BTC',
    'assets:pocket:e <- equity:conversion 50000 EUR',
  ]);
  expect([disposalsOf(sold), findingsOf(sold)]).toEqual([
    ['1 of e1/1: 50000 - ? = ? for 50000 EUR'],
    ['finding: no-cost'],
  ]);
});

test('borrowed coins are repaid at the carrying amount of the debt', () => {
  const { book } = standOf('fifo', { BTC: '50000' });
  book(['assets:trading <- liabilities:working-capital 1 BTC']);
  const repaid = book(['liabilities:working-capital <- assets:trading 1 BTC']);
  expect([linesOf(repaid), disposalsOf(repaid)]).toEqual([
    ['liabilities:working-capital 1 BTC = 50000', 'assets:trading -1 BTC = -50000'],
    ['1 of e1/1: 50000 - 50000 = 0 for owed'],
  ]);
});
