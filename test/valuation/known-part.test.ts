// The known part of a disposal is booked, even if the rest is unknown: a gain of the units with a lot, a cost of 0 that the
// record states, and the cost of transferred lots.
import { describe, expect, test } from 'vitest';
import { attoOf } from '../../src/base/money.ts';
import {
  booked,
  books,
  buy as bought,
  close,
  derived,
  proved,
  reversed,
  sell as sold,
  withBooks,
} from './month-stand.ts';
import { buy, disposalsOf, fee, findingsOf, linesOf, lotsOf, sell, standOf } from './stand.ts';

describe('a disposal with a lot for only a part', () => {
  test.each(['fifo', 'average'] as const)(
    'books the gain of that part, and reports the rest (%s)',
    (method) => {
      const { book } = standOf(method);
      book(buy('1', 'BTC', '30000'));
      const out = book([...sell('3', 'BTC', '150000'), fee('300', 'EUR')]);
      expect(disposalsOf(out)).toEqual([
        '1 of e1/1: 49900 - 30000 = 19900 for 150000 EUR',
        '2 of no lot: 99800 - ? = ? for 150000 EUR',
      ]);
      expect(linesOf(out)).toEqual([
        'equity:conversion 3 BTC = 150000',
        'assets:trading -3 BTC = -90000', // at the average of the lots, including units that the account did not hold
        'assets:cost-differences BTC = 60000',
        'income:gains:realised EUR = -19900',
        'income:gains:realised EUR = ?',
        'assets:trading 150000 EUR = 150000',
        'equity:conversion -150000 EUR = -150000',
        'assets:trading -300 EUR = -300',
      ]);
      expect(out.findings.map(({ kind, units }) => [kind, units])).toEqual([['no-lot', attoOf('2')]]);
    },
  );

  test('books a loss of that part as a loss', () => {
    const { book } = standOf();
    book(buy('1', 'BTC', '30000'));
    expect(linesOf(book(sell('2', 'BTC', '20000')))).toEqual(
      expect.arrayContaining(['expenses:losses:realised EUR = 20000', 'income:gains:realised EUR = ?']),
    );
  });

  test('carries the known cost along on a transfer to our own wallet, and back', () => {
    const { book } = standOf();
    book(buy('1', 'BTC', '30000'));
    const own = { counterpartyTypes: { 1: 'own' } } as const;
    expect(linesOf(book(['equity:external:blockchain <- assets:trading 2 BTC'], own))).toEqual([
      'equity:external:blockchain 2 BTC = 30000',
      'assets:trading -2 BTC = -60000',
      'assets:cost-differences BTC = 30000',
      'equity:external:blockchain BTC = ?',
    ]);
    const back = book(['assets:trading <- equity:external:blockchain 2 BTC'], own);
    expect(linesOf(back)).toContain('equity:external:blockchain -2 BTC = -30000');
    expect(lotsOf(back)).toEqual(['e3/1.0: 1 BTC at 30000, returned', 'e3/1.1: 1 BTC at ?, returned']);
    expect(findingsOf(back)).toEqual(['finding: no-cost']);
  });

  describe('in the books', () => {
    withBooks();
    const gains = async () => {
      const { rows } = await books.pool.query(
        "select period, -sum(value) as gain, count(*) filter (where value is null) as open from books.value_postings where account ~ '^(income:gains|expenses:losses):' group by 1 order by 1",
      );
      return rows.map(({ period, gain, open }) => `${period}: ${gain}, ${open} open`);
    };

    test('is the same in its account and in the list of disposals, and is reversed as a whole', async () => {
      await booked({ day: '2026-01-10', name: 'bought' }, bought('1', '30000'));
      const half = await booked({ day: '2026-01-11', name: 'half' }, sold('2', '100000'));
      await derived();
      expect(await gains()).toEqual(['2026-01: 20000, 1 open']);
      expect(await proved()).toEqual([]);
      await close('2026-01');
      await reversed(half, '2026-01-11', '2026-02');
      await derived();
      expect(await gains()).toEqual(['2026-01: 20000, 1 open', '2026-02: -20000, 1 open']);
      expect(await proved()).toEqual([]);
    });

    test('a purchase reversed after use is replaced by what is left, and the rest is reported', async () => {
      const first = await booked({ day: '2026-01-10', name: 'first' }, bought('2', '60000'));
      await booked({ day: '2026-01-11', name: 'other' }, bought('1', '42000'));
      await booked({ day: '2026-01-12', name: 'sold' }, sold('2', '100000'));
      await derived();
      await close('2026-01');
      await reversed(first, '2026-01-10', '2026-02');
      await derived();
      expect(await gains()).toEqual(['2026-01: 40000, 0 open', '2026-02: -12000, 1 open']);
      expect(await proved()).toEqual([]);
    });
  });
});
