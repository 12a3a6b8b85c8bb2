// Lot rules: the choices on which tax authorities differ, and that a swap has one gain, whichever way the pair is quoted.
import { describe, expect, test } from 'vitest';
import { faultInLotRules, lotRulesOf, lotRulesText } from '../../src/approvals/lot-rules.ts';
import { attoText } from '../../src/base/money.ts';
import { randomOf } from '../../src/sandbox/random.ts';
import type { EntryValues } from '../../src/valuation/event.ts';
import type { Method } from '../../src/valuation/pool.ts';
import { buy, disposalsOf, fee, findingsOf, linesOf, lotsOf, standOf } from './stand.ts';

const standWith = (rules: string, method: Method = 'fifo') =>
  standOf(method, undefined, undefined, undefined, rules);

describe('a text of rules', () => {
  test('has one form, without defaults', () => {
    expect(lotRulesText('swap-fee:cost,  without-lot:unknown network-fee:cost')).toBe(
      'network-fee:cost swap-fee:cost',
    );
    expect(lotRulesText('swap-fee:proceeds')).toBe('');
    expect(lotRulesOf('swap-fee:cost')).toEqual({
      'swap-fee': 'cost',
      'received-fee': 'kept-back',
      'network-fee': 'disposal',
      'without-lot': 'unknown',
      'wallets-from': null,
    });
  });

  test('may name the month from which each place has a pool of its own', () => {
    expect(faultInLotRules('wallets-from:2025-01-01')).toBeNull();
    expect(lotRulesOf(lotRulesText('wallets-from:2025-01-01'))['wallets-from']).toBe('2025-01-01');
  });

  test.each([
    [
      'wallets-from:2025-01-15',
      /^write rules such as .* wallets-from:2025-01-01 \(the first day of a month\)/,
    ],
    ['wallets-from:2025-13-01', /^write rules such as/],
    ['swap-fee', /^write rules such as swap-fee:cost, of swap-fee:proceeds\|cost, /],
    ['swap-fee:both', /^write rules such as/],
    ['toString:x', /^write rules such as/],
    ['swap-fee:cost swap-fee:proceeds', /^names swap-fee twice/],
  ])('%s is refused', (text, fault) => {
    expect(faultInLotRules(text)).toMatch(fault);
  });
});

/** A swap of BTC for ETH with a fee, as a purchase of ETH in BTC or as a sale of BTC for ETH. */
const swapped = (rules: string, method: Method, seed: string, isQuotedInBtc: boolean): EntryValues => {
  const random = randomOf(seed);
  const { book } = standWith(rules, method);
  const some = (most: number) => attoText(random.units(BigInt(most) * 10n ** 18n) + 10n ** 15n);
  for (let nth = 0; nth < 6; nth += 1) {
    const coin = random.pick(['BTC', 'ETH', 'GEM']);
    book(buy(some(3), coin, some(90_000)));
  }
  const received = `assets:trading <- equity:conversion ${some(20)} ETH`;
  const sold = `equity:conversion <- assets:trading ${some(2)} BTC`;
  const fees = random.pick([
    [],
    [fee('0.0001', 'ETH')],
    [fee('0.0002', 'BTC')],
    [fee(some(3), 'EUR')],
    [fee(some(1), 'GEM')],
    [fee('0.0001', 'ETH'), fee('0.3', 'GEM')],
  ]);
  const legs = isQuotedInBtc ? [received, sold] : [sold, received];
  const reportedValue = random.pick([undefined, some(60_000)]);
  return book([...legs, ...fees], reportedValue === undefined ? {} : { reportedValue });
};

/** What tax sees of it: without the numbers of its legs, which follow the quote. */
const taxed = ({ uses, lots, lines }: EntryValues) => ({
  disposals: uses
    .map(({ currency, lot, units, cost, proceeds, feeInProceeds }) =>
      [currency, lot?.id.replace(/^(e7).*/, '$1'), units, cost, proceeds, feeInProceeds].join(' '),
    )
    .sort(),
  lots: lots.map(({ currency, units, cost }) => [currency, units, cost].join(' ')),
  gains: lines
    .filter(({ account }) => /realised$/.test(account))
    .map(({ account, exact }) => `${account} ${exact}`)
    .sort(),
  fees: lines
    .filter(({ fee: part }) => part !== null)
    .map(({ fee: part }) => `${part?.target} ${part?.value}`),
});

describe('a swap of two coins has the same gain and cost whichever way the pair is quoted', () => {
  test.each(['', 'swap-fee:cost', 'received-fee:full-lot', 'received-fee:full-lot swap-fee:cost'])(
    'with the rules "%s"',
    (rules) => {
      const seen = new Set<string>();
      for (const method of ['fifo', 'hifo', 'average'] as const)
        for (let nth = 0; nth < 150; nth += 1) {
          const seed = `swap ${nth}`;
          const [one, other] = [true, false].map((quoted) => taxed(swapped(rules, method, seed, quoted)));
          expect(one, `${seed}, ${method}`).toEqual(other);
          for (const part of one?.fees ?? []) seen.add(part.split(' ')[0] ?? '');
        }
      expect([...seen]).toEqual([rules.includes('swap-fee:cost') ? 'cost' : 'proceeds']);
    },
  );
});

describe('a fee in the coin received', () => {
  const swap = (rules: string) => {
    const { book } = standWith(rules);
    book(buy('1', 'BTC', '30000'));
    book(buy('1', 'ETH', '1000'));
    return book(
      [
        'assets:trading <- equity:conversion 16 ETH',
        'equity:conversion <- assets:trading 1 BTC',
        fee('1', 'ETH'),
      ],
      { reportedValue: '40000' },
    );
  };

  test.each([
    ['', ['1 of e1/1: 37500 - 30000 = 7500 for 16 ETH'], ['e3/1: 15 ETH at 37500, exchange']],
    ['swap-fee:cost', ['1 of e1/1: 40000 - 30000 = 10000 for 16 ETH'], ['e3/1: 15 ETH at 40000, exchange']],
    [
      'received-fee:full-lot',
      [
        '1 of e1/1: 37500 - 30000 = 7500 for 16 ETH',
        '1 of e2/1: 2500 - 1000 = 1500 for expenses:fees:trading',
      ],
      ['e3/1: 16 ETH at 40000, exchange'],
    ],
    [
      'received-fee:full-lot swap-fee:cost',
      [
        '1 of e1/1: 40000 - 30000 = 10000 for 16 ETH',
        '1 of e2/1: 2500 - 1000 = 1500 for expenses:fees:trading',
      ],
      ['e3/1: 16 ETH at 42500, exchange'],
    ],
  ])('with the rules "%s"', (rules, disposals, lots) => {
    expect([disposalsOf(swap(rules)), lotsOf(swap(rules))]).toEqual([disposals, lots]);
  });
});

describe('a network fee', () => {
  const spent = (rules: string) => {
    const { book } = standWith(rules);
    book(['assets:pocket:a <- equity:conversion 2 BTC', 'equity:conversion <- assets:pocket:e 60000 EUR']);
    return book(['expenses:fees:network <- assets:pocket:a 0.1 BTC'], { kind: 'wallet-transaction' });
  };

  test('is a disposal at market value, or leaves at its cost', () => {
    expect(disposalsOf(spent(''))).toEqual(['0.1 of e1/1: 5000 - 3000 = 2000 for expenses:fees:network']);
    expect(disposalsOf(spent('network-fee:cost'))).toEqual([
      '0.1 of e1/1: 3000 - 3000 = 0 for expenses:fees:network',
    ]);
    expect(linesOf(spent('network-fee:cost'))).toEqual([
      'expenses:fees:network 0.1 BTC = 3000',
      'assets:pocket:a -0.1 BTC = -3000',
    ]);
  });
});

describe('a disposal without a lot', () => {
  const sold = (rules: string) => {
    const { book } = standWith(rules);
    book(buy('1', 'BTC', '30000'));
    return book([
      'equity:conversion <- assets:trading 2 BTC',
      'assets:trading <- equity:conversion 100000 EUR',
    ]);
  };

  test('has no gain and is a finding, or has a cost of 0 and a note', () => {
    expect([disposalsOf(sold('')), findingsOf(sold(''))]).toEqual([
      ['1 of e1/1: 50000 - 30000 = 20000 for 100000 EUR', '1 of no lot: 50000 - ? = ? for 100000 EUR'],
      ['finding: no-lot'],
    ]);
    expect([disposalsOf(sold('without-lot:zero')), findingsOf(sold('without-lot:zero'))]).toEqual([
      ['1 of e1/1: 50000 - 30000 = 20000 for 100000 EUR', '1 of no lot: 50000 - 0 = 50000 for 100000 EUR'],
      ['note: no-lot'],
    ]);
  });
});
