// Units that the record states as free: a lot at cost 0, and units given away for 0. A missing amount stays a finding.
import { describe, expect, test } from 'vitest';
import { trade } from '../../src/normalize/trades.ts';
import { buy, disposalsOf, fee, findingsOf, linesOf, lotsOf, sell, standOf } from './stand.ts';

const received = (units: string) => [`assets:trading <- equity:conversion ${units} BTC`];
const disposed = (units: string) => [`equity:conversion <- assets:trading ${units} BTC`];

describe('a purchase at cost 0', () => {
  test.each([
    ['fifo', ['1 of e1/1: 50000 - 0 = 50000 for 50000 EUR']],
    ['average', ['1 of e1/1: 50000 - 20000 = 30000 for 50000 EUR']],
  ] as const)('is a lot at cost 0 (%s)', (method, disposals) => {
    const { book } = standOf(method);
    const free = book(received('1'));
    expect([lotsOf(free), linesOf(free), findingsOf(free)]).toEqual([['e1/1: 1 BTC at 0, exchange'], [], []]);
    book(buy('1', 'BTC', '40000'));
    expect(disposalsOf(book(sell('1', 'BTC', '50000')))).toEqual(disposals);
  });

  test('costs its fee, and a withheld fee reduces the units received', () => {
    const { book } = standOf();
    expect(lotsOf(book([...received('1'), fee('5', 'EUR')]))).toEqual(['e1/1: 1 BTC at 5, exchange']);
    expect(lotsOf(book([...received('1'), fee('0.1', 'BTC')]))).toEqual(['e2/1: 0.9 BTC at 0, exchange']);
  });

  test('in the wallet is treated alike', () => {
    const { book } = standOf();
    const free = book(['assets:pocket:a <- equity:conversion 1 BTC'], { kind: 'wallet-transaction' });
    expect([lotsOf(free), findingsOf(free)]).toEqual([['e1/1: 1 BTC at 0, exchange'], []]);
  });

  test.each(['fee in the coin', 'none'])(
    'entered by a person with only one side is rejected (%s)',
    (fees) => {
      const { book } = standOf();
      const legs = fees === 'none' ? received('1') : [...received('1'), fee('0.1', 'BTC')];
      expect(findingsOf(book(legs, { kind: 'manual' }))).toEqual(['finding: not-understood']);
    },
  );

  test('needs a record with amount 0: one without an amount is a reject', () => {
    const record = {
      id: 't',
      symbol: 'BTC/EUR',
      side: 'buy',
      amount: '1',
      feeAmount: '0',
      price: '0',
      createdAt: '2026-01-01T00:00:00.000Z',
    };
    const context = {} as Parameters<typeof trade>[1];
    expect(trade({ ...record, cost: '0' }, context)).toMatchObject({
      draft: { legs: [{ amount: '1', currency: 'BTC' }] },
    });
    for (const cost of [undefined, null, ''])
      expect(() => trade({ ...record, cost }, context)).toThrow('cost');
  });
});

describe('a disposal for proceeds of 0', () => {
  test('loses its cost', () => {
    const { book } = standOf();
    book(buy('2', 'BTC', '80000'));
    const gone = book(disposed('1'));
    expect([disposalsOf(gone), linesOf(gone), findingsOf(gone)]).toEqual([
      ['1 of e1/1: 0 - 40000 = -40000 for nothing'],
      ['assets:trading -1 BTC = -40000', 'expenses:losses:realised EUR = 40000'],
      [],
    ]);
  });

  test('of the reporting currency is unvalued, and no plug replaces its other side', () => {
    const { book } = standOf();
    const paid = book(['equity:conversion <- assets:trading 5 EUR']);
    expect([linesOf(paid), findingsOf(paid)]).toEqual([
      ['equity:conversion 5 EUR = ?', 'assets:trading -5 EUR = -5'],
      ['finding: not-understood'],
    ]);
  });
});
