// What entries come to in value, one rule after the other, as an accountant would check them.
import { describe, expect, test } from 'vitest';
import { disposalsOf, findingsOf, linesOf, lotsOf, standOf } from './stand.ts';

const buy = (units: string, coin: string, cost: string, quote = 'EUR') => [
  `assets:trading <- equity:conversion ${units} ${coin}`,
  `equity:conversion <- assets:trading ${cost} ${quote}`,
];
const sell = (units: string, coin: string, cost: string, quote = 'EUR') => [
  `equity:conversion <- assets:trading ${units} ${coin}`,
  `assets:trading <- equity:conversion ${cost} ${quote}`,
];
const fee = (units: string, coin: string) => `expenses:fees:trading <- assets:trading ${units} ${coin}`;

describe('a fill in the reporting currency is worth its own cost', () => {
  test('a fee on buying enters the cost, one on selling comes out of the proceeds', () => {
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
    expect(
      bought.lines.map(({ feeInCost, feeInProceeds, feeExpensed }) => [
        feeInCost,
        feeInProceeds,
        feeExpensed,
      ])[4],
    ).toEqual([80n * 10n ** 18n, undefined, undefined]);
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

  test('a fee kept back from the coin bought makes less of it come, at the same cost', () => {
    const { book } = standOf();
    const bought = book([...buy('1', 'BTC', '50000'), fee('0.01', 'BTC')]);
    expect(lotsOf(bought)).toEqual(['e1/1: 0.99 BTC at 50000, exchange']);
    expect(disposalsOf(bought)).toEqual([]);
    expect(bought.lines[4]).toMatchObject({
      account: 'expenses:fees:trading',
      exact: 0n,
      feeInCost: 500n * 10n ** 18n,
    });
  });

  test('a fee in the coin sold goes with it, for the same proceeds', () => {
    const { book } = standOf();
    book(buy('2', 'BTC', '80000'));
    expect(disposalsOf(book([...sell('1', 'BTC', '50000'), fee('0.01', 'BTC')]))).toEqual([
      '1 of e1/1: 49500 - 40000 = 9500 for 50000 EUR',
      '0.01 of e1/1: 500 - 400 = 100 for expenses:fees:trading',
    ]);
  });

  test('a fee in any other coin is a disposal of that coin, and in the cost besides', () => {
    const { book } = standOf();
    book(buy('100', 'GEM', '100'));
    const bought = book([...buy('1', 'BTC', '50000'), fee('10', 'GEM')]);
    expect(lotsOf(bought)).toEqual(['e2/1: 1 BTC at 50020, exchange']);
    expect(disposalsOf(bought)).toEqual(['10 of e1/1: 20 - 10 = 10 for expenses:fees:trading']);
    expect(linesOf(bought)).toContain('income:gains:realised EUR = -10');
  });
});

describe('two coins', () => {
  test("are worth the platform's value in euro, else that of the coin received", () => {
    const { book } = standOf();
    book(buy('1', 'BTC', '40000'));
    expect(disposalsOf(book(buy('2', 'ETH', '0.1', 'BTC'), { costEuro: '5100' }))).toEqual([
      '0.1 of e1/1: 5100 - 4000 = 1100 for 2 ETH',
    ]);
    const priced = book(buy('2', 'ETH', '0.1', 'BTC'));
    expect(disposalsOf(priced)).toEqual(['0.1 of e1/1: 5000 - 4000 = 1000 for 2 ETH']);
    expect(priced.lines[0]).toMatchObject({
      rule: 'rate',
      source: 'rates 2026-01-1',
      path: 'through USD',
      ageSeconds: 10_800,
    });
  });

  test('a fee in the coin that pays enters the cost on buying, as a disposal at the price of the trade', () => {
    const { book } = standOf();
    book(buy('1', 'BTC', '40000'));
    const swap = book([...buy('20', 'ETH', '0.5', 'BTC'), fee('0.005', 'BTC')], { costEuro: '25000' });
    expect(lotsOf(swap)).toEqual(['e2/1: 20 ETH at 25250, exchange']);
    expect(disposalsOf(swap)).toEqual([
      '0.5 of e1/1: 25000 - 20000 = 5000 for 20 ETH',
      '0.005 of e1/1: 250 - 200 = 50 for expenses:fees:trading',
    ]);
  });

  test('a fee kept back from what a sale brings lowers its proceeds', () => {
    const { book } = standOf();
    book(buy('20', 'ETH', '40000'));
    const swap = book([...sell('10', 'ETH', '0.5', 'BTC'), fee('0.005', 'BTC')], { costEuro: '25000' });
    expect(disposalsOf(swap)).toEqual(['10 of e1/1: 24750 - 20000 = 4750 for 0.5 BTC']);
    expect(lotsOf(swap)).toEqual(['e2/2: 0.495 BTC at 24750, exchange']);
  });

  test('no coin is euro because of its name', () => {
    const { book } = standOf();
    const bought = book(buy('1', 'BTC', '50000', 'EURT'));
    expect(linesOf(bought).join()).toContain('equity:conversion 50000 EURT = 50000'); // by the rate of BTC
    expect(findingsOf(bought)).toEqual(['finding: no-lot']);
  });
});

describe('the outside', () => {
  const send = 'equity:external:blockchain <- assets:pocket:a 1 BTC';
  const receive = 'assets:pocket:a <- equity:external:blockchain 1 BTC';
  const bought = () => {
    const stand = standOf();
    stand.book([
      'assets:pocket:a <- equity:conversion 1 BTC',
      'equity:conversion <- assets:pocket:e 40000 EUR',
    ]);
    return stand;
  };

  test('sent to somebody else is a disposal at the market value; to nobody knows whom the same, with a note', () => {
    const sent = bought().book([send], { natures: { 1: 'third-party' } });
    expect([disposalsOf(sent), findingsOf(sent)]).toEqual([
      ['1 of e1/1: 50000 - 40000 = 10000 for outside'],
      [],
    ]);
    expect(findingsOf(bought().book([send]))).toEqual(['note: unknown-nature']);
  });

  test('our own takes its cost along and brings it back, and nothing is disposed of', () => {
    const { book } = bought();
    const sent = book([send], { natures: { 1: 'own' } });
    expect([disposalsOf(sent), linesOf(sent)]).toEqual([
      [],
      ['equity:external:blockchain 1 BTC = 40000', 'assets:pocket:a -1 BTC = -40000'],
    ]);
    const back = book([receive], { natures: { 1: 'own' } });
    expect([linesOf(back), findingsOf(back)]).toEqual([
      ['assets:pocket:a 1 BTC = 40000', 'equity:external:blockchain -1 BTC = -40000'],
      [],
    ]);
    const sold = book([
      'equity:conversion <- assets:pocket:a 1 BTC',
      'assets:pocket:e <- equity:conversion 50000 EUR',
    ]);
    expect(disposalsOf(sold)).toEqual(['1 of e3/1.0: 50000 - 40000 = 10000 for 50000 EUR']);
    expect(sold.uses[0]?.lot?.acquiredAt).toBe('2026-01-01T01:00:00.000Z'); // as old as it was
  });

  test('our own that never went there has no cost, which is a finding and not zero', () => {
    const { book } = standOf();
    const back = book([receive], { natures: { 1: 'own' } });
    expect([linesOf(back), lotsOf(back), findingsOf(back)]).toEqual([
      ['assets:pocket:a 1 BTC = ?', 'equity:external:blockchain -1 BTC = ?'],
      ['e1/1.0: 1 BTC at ?, returned'],
      ['finding: no-lot'],
    ]);
  });

  test('a fee of the network is a disposal, and an expense', () => {
    const { book } = bought();
    const sent = book([send.replace(' 1 ', ' 0.9 '), 'expenses:fees:network <- assets:pocket:a 0.1 BTC'], {
      natures: { 1: 'own' },
    });
    expect(disposalsOf(sent)).toEqual(['0.1 of e1/1: 5000 - 4000 = 1000 for expenses:fees:network']);
    expect(linesOf(sent)).toContain('expenses:fees:network 0.1 BTC = 5000');
  });
});

test('a reward is worth what the platform converted it to, the tax apart', () => {
  const { book } = standOf();
  const legs = ['assets:earn <- income:rewards 0.81 ETH', 'assets:tax-withheld <- income:rewards 0.19 ETH'];
  const told = book(legs, { kind: 'earn-movement', convertedAmount: '2400' });
  expect(linesOf(told)).toEqual([
    'assets:earn 0.81 ETH = 1944',
    'income:rewards -0.81 ETH = -1944',
    'assets:tax-withheld 0.19 ETH = 456',
    'income:rewards -0.19 ETH = -456',
  ]);
  expect(lotsOf(told)).toEqual(['e1/1: 0.81 ETH at 1944, reward']);
  expect(linesOf(book(legs, { convertedAmount: '0' }))[0]).toBe('assets:earn 0.81 ETH = 2025'); // a zero is no worth: the rate
});

test('what has no rate within a day has no value, and what rests on it neither', () => {
  const { book } = standOf();
  const late = book(['assets:pocket:a <- equity:external:platform 1 BTC'], {
    hour: 31 * 24 + 1,
    natures: { 1: 'platform' },
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

test('borrowed coins are repaid at what the debt is carried at', () => {
  const { book } = standOf('fifo', { BTC: '50000' });
  book(['assets:trading <- liabilities:working-capital 1 BTC']);
  const repaid = book(['liabilities:working-capital <- assets:trading 1 BTC']);
  expect([linesOf(repaid), disposalsOf(repaid)]).toEqual([
    ['liabilities:working-capital 1 BTC = 50000', 'assets:trading -1 BTC = -50000'],
    ['1 of e1/1: 50000 - 50000 = 0 for owed'],
  ]);
});

describe('lots', () => {
  const fill = (method: 'fifo' | 'average' | 'lifo') => {
    const stand = standOf(method);
    stand.book(buy('1', 'BTC', '30000'));
    stand.book(buy('2', 'BTC', '75000'));
    return disposalsOf(stand.book(sell('1.5', 'BTC', '60000')));
  };

  test('are used oldest first, newest first, or at the average, and the last fraction takes the rest', () => {
    expect(fill('fifo')).toEqual([
      '1 of e1/1: 40000 - 30000 = 10000 for 60000 EUR',
      '0.5 of e2/1: 20000 - 18750 = 1250 for 60000 EUR',
    ]);
    expect(fill('lifo')).toEqual(['1.5 of e2/1: 60000 - 56250 = 3750 for 60000 EUR']);
    expect(fill('average')).toEqual([
      '1 of e1/1: 40000 - 35000 = 5000 for 60000 EUR',
      '0.5 of e2/1: 20000 - 17500 = 2500 for 60000 EUR',
    ]);
  });

  test('thirds leave nothing behind', () => {
    const { book } = standOf();
    book(buy('3', 'BTC', '100'));
    const thirds = [1, 2, 3].flatMap(() => book(sell('1', 'BTC', '40')).uses);
    expect(thirds.map(({ cost }) => cost)).toEqual([
      33333333333333333333n,
      33333333333333333334n,
      33333333333333333333n,
    ]);
  });

  test('lie anywhere: an account that is emptied is worth nothing, and the difference has its own account', () => {
    const { book } = standOf();
    book(['assets:pocket:a <- equity:conversion 1 BTC', 'equity:conversion <- assets:pocket:e 30000 EUR']);
    book(['assets:pocket:b <- equity:conversion 1 BTC', 'equity:conversion <- assets:pocket:e 40000 EUR']);
    const sold = book([
      'equity:conversion <- assets:pocket:b 1 BTC',
      'assets:pocket:e <- equity:conversion 50000 EUR',
    ]);
    expect(linesOf(sold)).toEqual([
      'equity:conversion 1 BTC = 50000',
      'assets:pocket:b -1 BTC = -40000',
      'assets:cost-differences BTC = 10000',
      'income:gains:realised EUR = -20000',
      'assets:pocket:e 50000 EUR = 50000',
      'equity:conversion -50000 EUR = -50000',
    ]);
  });

  test('what an opening had cost is its cost, and its age its age', () => {
    const { book } = standOf();
    const lot = {
      acquiredAt: '2019-05-01T00:00:00.000Z',
      at: 1_556_668_800_000_000,
      cost: 5000n * 10n ** 18n,
    };
    book(buy('1', 'BTC', '40000'));
    book(['assets:trading <- equity:opening 1 BTC'], { kind: 'manual', openings: { 1: lot } });
    expect(disposalsOf(book(sell('1', 'BTC', '50000')))).toEqual([
      '1 of e2/1: 50000 - 5000 = 45000 for 50000 EUR',
    ]);
  });
});

test('cents: an account sums to its exact value rounded once, and a rest is at most a cent a line', () => {
  const { book } = standOf();
  const cents = (outcome: ReturnType<typeof book>) =>
    outcome.lines.reduce((sum, { value }) => sum + (value ?? 0n), 0n);
  let euro = 0n;
  for (let nth = 0; nth < 200; nth += 1) {
    const bought = book([...buy('0.001', 'BTC', '50.004'), fee('0.0333', 'EUR')]);
    expect(cents(bought)).toBe(0n);
    expect(findingsOf(bought)).toEqual([]);
    const conversion = bought.lines.filter(({ account }) => account === 'equity:conversion');
    expect(conversion.reduce((sum, { value }) => sum + (value ?? 0n), 0n)).toBe(0n);
    const ours = bought.lines.filter(
      ({ account, currency }) => account === 'assets:trading' && currency === 'EUR',
    );
    euro += ours.reduce((sum, { value }) => sum + (value ?? 0n), 0n);
  }
  expect(euro).toBe(-1000746n * 10n ** 16n); // 200 × 50.0373
});
