// Entries of a closed month that are corrected or cancelled late: the units of the lots are those of the books, and what units that
// were sold cost more or less goes to the gain of the open month.
import { beforeEach, describe, expect, test } from 'vitest';
import { post } from '../../src/ledger/entries.ts';
import { reversalOf } from '../../src/ledger/posting.ts';
import {
  booked,
  books,
  buy,
  close,
  derived,
  derivedAgain,
  disposals,
  made,
  officialRates,
  proved,
  reversed,
  sell,
  taxed,
  withBooks,
} from './month-stand.ts';

withBooks();

beforeEach(() => officialRates('2026-02-28'));

const costMethod = (method: string) => taxed(['main'], { taxpayer: 'T', method });

/** What an entry of January becomes in February. */
const corrected = async (wrong: ReturnType<typeof made>, legs: readonly string[], day = '2026-01-10') => {
  const late = { period: '2026-02', originalPeriod: '2026-01' };
  await post(books.db, [
    reversalOf(wrong, wrong.effectiveAt, { ...wrong, ordinal: 2, ...late }),
    made({ day, period: '2026-02', name: wrong.recordId, ordinal: 3 }, legs),
  ]);
};

/** Values the books, and proves that a rebuild gives the same values. Returns what is left of the lots, and what no lot covered. */
const left = async () => {
  await derived();
  expect(await proved()).toEqual([]);
  await derivedAgain();
  const { rows: lots } = await books.pool.query(
    `select concat_ws(' ', currency, sum(units_left), sum(cost_left)) as lot from books.lots group by currency having sum(units_left) <> 0 order by 1`,
  );
  const { rows: withoutLot } = await books.pool.query(
    'select currency, units from books.disposals_without_lot',
  );
  expect(withoutLot).toEqual([]);
  return lots.map(({ lot }) => lot);
};

const gainOf = async (month: string) => {
  const { rows } = await books.pool.query(
    'select trim_scale(sum(gain))::text as gain from books.disposals where period = $1',
    [month],
  );
  return rows[0]?.gain;
};

describe.each(['fifo', 'average', 'hifo'])('with the method %s', (method) => {
  beforeEach(() => costMethod(method));

  test('a purchase that is corrected after its units were sold changes the gain by what it cost more', async () => {
    const bought = await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
    await booked({ day: '2026-01-20', name: 'sold' }, sell('1', '50000'));
    await derived();
    await close('2026-01');
    await corrected(bought, buy('1', '44000'));
    expect(await left()).toEqual([]);
    await booked({ day: '2026-02-10', name: 'second' }, buy('1', '50000'));
    await booked({ day: '2026-02-20', name: 'sold again' }, sell('1', '50000'));
    expect(await left()).toEqual([]);
    expect(await disposals()).toEqual([
      '2026-01: 1 of bought 50000 40000 10000',
      '2026-02: 1 of bought 40000 44000 -4000',
      '2026-02: 1 of second 50000 50000 0',
    ]);
  });

  test('of a purchase that is partly sold, what is left costs more, and the gain is less by the rest', async () => {
    const bought = await booked({ day: '2026-01-10', name: 'bought' }, buy('4', '160000'));
    await booked({ day: '2026-01-20', name: 'sold' }, sell('1', '50000'));
    await derived();
    await close('2026-01');
    await corrected(bought, buy('4', '176000'));
    expect(await left()).toEqual(['BTC 3 132000']);
    expect(await gainOf('2026-02')).toBe('-4000');
  });

  test.each([
    ['corrected', ['BTC 2 44000']],
    ['cancelled', ['BTC 1 10000']],
  ])('a purchase of which nothing was sold and that is %s late has no gain', async (change, lots) => {
    await booked({ day: '2026-01-05', name: 'cheap' }, buy('1', '10000'));
    const dear = await booked({ day: '2026-01-10', name: 'dear' }, buy('1', '30000'));
    await derived();
    await close('2026-01');
    if (change === 'corrected') await corrected(dear, buy('1', '34000'));
    else await reversed(dear, '2026-02-10');
    expect(await left()).toEqual(lots);
    expect(await gainOf('2026-02')).toBeNull();
  });

  /** A purchase of a coin with its fee in another one, and a swap of two. */
  const PURCHASE = (euro: string) => [
    'assets:trading <- equity:conversion 10 ETH',
    `equity:conversion <- assets:trading ${euro} EUR`,
    'expenses:fees:trading <- assets:trading 0.1 BTC',
  ];
  const SWAP = (bitcoin: string) => [
    'assets:trading <- equity:conversion 10 ETH',
    `equity:conversion <- assets:trading ${bitcoin} BTC`,
  ];
  const SALE = [
    'equity:conversion <- assets:trading 10 ETH',
    'assets:trading <- equity:conversion 30000 EUR',
  ];

  test.each([
    // 0.1 BTC at 50,000 are part of the cost
    {
      what: 'a purchase with a fee in a third coin',
      wrong: PURCHASE('20000'),
      right: PURCHASE('22000'),
      gain: '-2000',
      lots: ['BTC 0.4 16000'],
    },
    // 0.1 BTC more cost 4,000 and are sold for 5,000; the coin received costs 5,000 more
    { what: 'a swap', wrong: SWAP('0.4'), right: SWAP('0.5'), gain: '-4000', lots: [] },
  ])('$what is corrected after what it brought was sold', async ({ wrong, right, gain, lots }) => {
    await booked({ day: '2026-01-05', name: 'bought' }, buy('0.5', '20000'));
    const swapped = await booked({ day: '2026-01-10', name: 'swapped' }, wrong);
    await booked({ day: '2026-01-20', name: 'sold' }, SALE);
    await derived();
    await close('2026-01');
    await corrected(swapped, right);
    expect(await left()).toEqual(lots);
    expect(await gainOf('2026-02')).toBe(gain);
  });

  test('a deposit from somebody else is corrected after it was sold', async () => {
    const deposit = (units: string) => [`assets:trading <- equity:external:blockchain ${units} BTC`];
    const wrong = await booked({ day: '2026-01-10', name: 'received' }, deposit('1'));
    await booked({ day: '2026-01-20', name: 'sold' }, sell('1', '60000'));
    await derived();
    await close('2026-01');
    await corrected(wrong, deposit('1.5'));
    expect(await left()).toEqual(['BTC 0.5 25000']);
  });

  test('of two corrected entries neither lacks the lots of the other', async () => {
    const bought = await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
    const sold = await booked({ day: '2026-01-20', name: 'sold' }, sell('1', '50000'));
    await derived();
    await close('2026-01');
    await corrected(sold, sell('1', '52000'), '2026-01-20');
    await corrected(bought, buy('1', '44000'));
    expect(await left()).toEqual([]);
    expect(await gainOf('2026-02')).toBe('-2000');
  });
});

test('what a purchase had too much, and nothing replaces, costs 0 by the rule for units without a lot', async () => {
  await taxed(['main'], { taxpayer: 'T', rules: 'without-lot:zero' });
  const bought = await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  await booked({ day: '2026-01-20', name: 'sold' }, sell('1', '50000'));
  await derived();
  await close('2026-01');
  await corrected(bought, buy('0.6', '24000'));
  await derived();
  expect(await proved()).toEqual([]);
  await derivedAgain();
  expect(await gainOf('2026-02')).toBe('16000');
  const { rows } = await books.pool.query('select severity, kind, units from books.value_findings');
  expect(rows).toEqual([{ severity: 'note', kind: 'no-lot', units: '0.4' }]);
});
