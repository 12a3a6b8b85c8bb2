// Likely causes of a break: one fault of each kind in nights made by hand, and the row for it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { subtract, sum } from '../../src/base/money.ts';
import type { WireRecord } from '../../src/base/streams.ts';
import { expectWritten } from '../export/page/reasons.ts';
import { instantAt } from '../land/stage.ts';
import {
  adjustment,
  BEFORE,
  type Night,
  type Nights,
  openNights,
  wallet,
  walletSide,
} from '../reconcile/stage.ts';

let books: Nights;
beforeEach(async () => {
  books = await openNights();
});
afterEach(() => books.close());

const fill = (id: string, rest: WireRecord = {}): WireRecord => ({
  id,
  orderId: `o-${id}`,
  symbol: 'BTC/EUR',
  side: 'buy',
  orderType: 'limit',
  createdAt: instantAt(60),
  price: '50000',
  amount: '0.01',
  cost: '500',
  feeAmount: '1.25',
  feeCurrency: 'EUR',
  ...rest,
});

/** Deposits of 1000 EUR and 10 EUR, and one fill: 508.75 EUR and 0.01 BTC are left. */
const MOVEMENTS = [adjustment('m1', '1000'), adjustment('m2', '10', { createdAt: instantAt(30) })];
const RECORDS = { movements: MOVEMENTS, trades: [fill('t1')] };
const wallets = (euro: string, coin: string, rest: WireRecord = {}) => ({
  trading: [wallet('w1', 'EUR', euro, rest), wallet('w2', 'BTC', coin)],
});

/** The first candidate of each broken account, which is also the reason of the break. */
const firsts = async (night: Night) => {
  await books.night(night);
  const rows = await books.rows(`
    select b.currency, b.reason, b.reason_parts, c.kind, c.confidence, c.records, c.sentence, c.proof
    from books.breaks b join books.break_candidates c using (entity_id, break_id)
    where c.rank = 1 and b.status <> 'resolved' order by b.account, b.currency`);
  for (const { reason_parts: parts } of rows) expectWritten(parts);
  for (const { reason, sentence, currency } of rows)
    if (rows.length > 0 && !String(reason).startsWith('no counterpart'))
      expect([currency, reason]).toEqual([currency, sentence]);
  return rows;
};

describe('the first candidate is', () => {
  test('the record under two ids, in every account that it touches, with the arithmetic', async () => {
    const night = { records: { ...RECORDS, trades: [fill('t1'), fill('t2', { orderId: 'o-t1' })] } };
    const found = await firsts({ ...night, after: wallets('508.75', '0.01') });
    const sentence = 'trades t1 and t2 look like one fill under two ids';
    expect(found).toMatchObject([
      { currency: 'BTC', kind: 'twin', sentence, records: ['trades t1', 'trades t2'] },
      { currency: 'EUR', kind: 'twin', sentence, confidence: '0.975' },
    ]);
    expect(found[1]?.proof).toBe(
      'assets:trading BTC: reported - booked = -0.01, this cause gives -0.01; ' +
        'assets:trading EUR: reported - booked = 501.25, this cause gives 501.25',
    );
  });

  test('the record that is booked and missing from the balance', async () => {
    const found = await firsts({ records: RECORDS, after: wallets('498.75', '0.01') });
    expect(found).toMatchObject([{ kind: 'surplus', records: ['movements m2'] }]);
  });

  test('the record with the wrong sign', async () => {
    const found = await firsts({ records: RECORDS, after: wallets('488.75', '0.01') });
    expect(found).toMatchObject([{ kind: 'sign', records: ['movements m2'] }]);
  });

  test('the fee that was not charged, and the one charged twice', async () => {
    const free = await firsts({ records: RECORDS, after: wallets('510', '0.01') });
    expect(free).toMatchObject([
      { kind: 'fee', sentence: 'its fee is booked, but may not have been charged: trades t1' },
    ]);
    const twice = await firsts({ records: RECORDS, after: wallets('507.5', '0.01') });
    expect(twice[0]?.sentence).toBe('its fee is booked once, but may have been charged twice: trades t1');
  });

  test('the fill whose amount and cost are swapped', async () => {
    const trades = [fill('t1'), fill('t2', { amount: '300', cost: '0.006', feeAmount: '0' })];
    const found = await firsts({ records: { ...RECORDS, trades }, after: wallets('208.75', '0.016') });
    expect(found).toMatchObject([
      { currency: 'BTC', kind: 'swapped', records: ['trades t2'] },
      { currency: 'EUR', kind: 'swapped' },
    ]);
  });

  test('the amount at the wrong scale', async () => {
    const found = await firsts({ records: RECORDS, after: wallets('1498.75', '0.01') });
    expect(found).toMatchObject([{ kind: 'scale', records: ['movements m2'] }]);
    expect(found[0]?.sentence).toBe('an amount may have the wrong scale, 10^2 times too small: movements m2');
  });

  test('blocked funds that the balance contains too', async () => {
    const found = await firsts({
      records: RECORDS,
      after: wallets('508.75', '0.01', { blockedBalance: '77' }),
    });
    expect(found[0]?.sentence).toBe(
      'the balance may include the blocked 77 as well, so that it counts twice',
    );
  });

  test('funds of bots that the balance leaves out', async () => {
    const bot = adjustment('m3', '44', { movementType: 'withdrawal', serviceOrderName: 'bot' });
    const records = { ...RECORDS, movements: [...MOVEMENTS, bot] };
    const found = await firsts({ records, after: wallets('464.75', '0.01') });
    expect(found).toMatchObject([{ kind: 'bots', sentence: expect.stringMatching(/held by bots: 44$/) }]);
  });

  test('the record that is not final, once it is too old', async () => {
    const waiting = {
      id: 'w1',
      date: instantAt(0),
      status: 'pending',
      origin: { class: 'pocket', pocketId: 'p1', amount: '100', currency: 'EUR' },
      destination: { class: 'blockchain', amount: '99', currency: 'EUR' },
    };
    const found = await firsts({
      records: { 'wallet-transactions': [waiting] },
      after: { pocket: [wallet('p1', 'EUR', '-100')] },
    });
    expect(found).toMatchObject([{ kind: 'not-final', records: ['wallet-transactions w1'] }]);
  });

  test('the record within the hour of the reading', async () => {
    const late = adjustment('m3', '25', { createdAt: instantAt(BEFORE - 300) });
    const records = { ...RECORDS, movements: [...MOVEMENTS, late] };
    const found = await firsts({ records, after: wallets('508.75', '0.01') });
    expect(found).toMatchObject([{ kind: 'in-flight', records: ['movements m3'] }]);
  });

  test('the other side of a transfer, in both accounts that lack it', async () => {
    const found = await firsts({
      records: { 'wallet-transactions': [walletSide('w1', '50')] },
      after: { trading: [wallet('w1', 'EUR', '50')], pocket: [wallet('p1', 'EUR', '-50')] },
    });
    const sentence = 'the counterpart was never listed: wallet-transactions w1';
    expect(found).toMatchObject([
      { reason: expect.stringMatching(/^no counterpart for wallet-transactions w1/), sentence },
      { reason: sentence, kind: 'one-sided' },
    ]);
  });

  test('a difference of rounding, if the balance is reported at fewer decimals', async () => {
    const trades = [fill('t1', { amount: '0.0100000000004' })];
    const found = await firsts({ records: { ...RECORDS, trades }, after: wallets('508.75', '0.01') });
    const sentence =
      'a rounding difference: the gateway reports BTC at 2 decimals; records with more decimals, the newest first: trades t1';
    expect(found).toMatchObject([{ currency: 'BTC', kind: 'rounding', sentence }]);
  });

  test('a small record that is missing, if rounding does not give the reported balance', async () => {
    const found = await firsts({ records: RECORDS, after: wallets('508.75', '0.010000000000000001') });
    expect(found).toMatchObject([{ currency: 'BTC', kind: 'unlisted' }]);
  });

  test('a small record that the balance lacks, if the gateway has reported as many decimals before', async () => {
    const trades = [fill('t1', { amount: '0.0100000000004' })];
    await books.night({ records: { ...RECORDS, trades }, after: wallets('508.75', '0.0100000000004') });
    const small = fill('t2', { amount: '0.0000000000006', cost: '0', feeAmount: '0' });
    const found = await firsts({ records: { trades: [small] }, after: wallets('508.75', '0.0100000000004') });
    expect(found).toMatchObject([{ currency: 'BTC', kind: 'surplus', records: ['trades t2'] }]);
  });

  test('a rejected record, one cause for the two accounts that it would change', async () => {
    const trades = [fill('t1'), fill('t2', { side: 'swap', amount: '0.0300', cost: '1500.00' })];
    const found = await firsts({ records: { ...RECORDS, trades }, after: wallets('-992.5', '0.04') });
    expect(found).toMatchObject([
      { currency: 'BTC', kind: 'rejected', records: ['trades t2'] },
      { currency: 'EUR', kind: 'rejected', records: ['trades t2'] }, // its fee is part of the difference too
    ]);
  });

  test('two records together, if neither alone explains it', async () => {
    const movements = [adjustment('m1', '1000'), adjustment('m4', '3.17'), adjustment('m5', '20.41')];
    const found = await firsts({
      records: { movements },
      after: { trading: [wallet('w1', 'EUR', '1000')] },
    });
    expect(found[0]?.kind).toBe('combination');
    expect(found[0]?.records).toEqual(expect.arrayContaining(['movements m4', 'movements m5']));
  });

  test('a trade that was never listed, if two currencies diverge in one night', async () => {
    await books.night({ records: RECORDS, after: wallets('508.75', '0.01') });
    const found = await firsts({ after: wallets('208.13', '0.0161') });
    const sentence = 'the gateway may not have listed a trade: 0.0061 BTC in, 300.62 EUR out';
    expect(found).toMatchObject([{ sentence, kind: 'unlisted' }, { sentence }]);
  });

  test('no trade that was never listed, if a record explains one of the two', async () => {
    await books.night({ records: RECORDS, after: wallets('508.75', '0.01') });
    const rejected = adjustment('m9', '7', { createdAt: instantAt(90), serviceOrderName: 'lottery' });
    const found = await firsts({
      records: { movements: [...MOVEMENTS, rejected] },
      after: wallets('515.75', '0.0087'),
    });
    expect(found).toMatchObject([
      { currency: 'BTC', sentence: expect.stringMatching(/^no record explains -0\.0013 BTC/) },
      { currency: 'EUR', kind: 'rejected' },
    ]);
  });

  test('the record under two ids, although another fault adds to one of its accounts', async () => {
    const trades = [fill('t1'), fill('t2', { orderId: 'o-t1' })];
    const found = await firsts({ records: { ...RECORDS, trades }, after: wallets('515.87', '0.01') });
    expect(found).toMatchObject([
      { currency: 'BTC', kind: 'twin', records: ['trades t1', 'trades t2'] },
      { currency: 'EUR', kind: 'unlisted' },
    ]);
    expect(found[0]?.proof).toContain('this cause gives 501.25, but the difference is 508.37');
  });

  /** Fills of days before the tie, none of them the sum of others. */
  const withdrawable = ['0.0113', '0.0271', '0.0347', '0.0459'].map((amount, nth) =>
    fill(`t${nth + 1}`, {
      createdAt: instantAt((nth + 1) * -86_400),
      amount,
      cost: `${nth + 1}07.1${nth}`,
      feeAmount: `0.${nth + 1}`,
    }),
  );
  const reported = (rows: readonly WireRecord[]) => {
    const sumOf = (field: string) => sum(rows.map((row) => String(row[field])));
    return wallets(subtract('1010', sum([sumOf('cost'), sumOf('feeAmount')])), sumOf('amount'));
  };
  test.each([
    [1, { kind: 'surplus', records: ['trades t4'] }],
    [2, { kind: 'combination', records: expect.arrayContaining(['trades t3', 'trades t4']) }],
    [3, { kind: 'combination', records: expect.arrayContaining(['trades t2', 'trades t3', 'trades t4']) }],
    [
      4,
      {
        kind: 'surplus',
        records: [],
        sentence: expect.stringMatching(/^4 of 4 landed records of trades are no/),
      },
    ],
  ])(
    '%i of the trades that were listed once and are no longer, not one that was never listed',
    async (gone, cause) => {
      const [count, left] = [withdrawable.length, withdrawable.slice(0, withdrawable.length - gone)];
      const all = { movements: MOVEMENTS, trades: withdrawable };
      await books.night({ records: all, after: reported(withdrawable), totals: { trades: count } });
      const found = await firsts({
        records: { trades: left },
        after: reported(left),
        totals: { trades: count - gone },
      });
      expect(found).toMatchObject([
        { currency: 'BTC', ...cause },
        { currency: 'EUR', ...cause },
      ]);
    },
  );

  test('unexplained, if the difference changes and no record is near', async () => {
    await books.night({ records: RECORDS, after: wallets('508.75', '0.01') });
    await books.night({ after: wallets('505.03', '0.01') });
    const found = await firsts({ after: wallets('501.64', '0.01') });
    expect(found[0]?.sentence).toBe(
      'unexplained: the difference was -3.72 EUR at first and is -7.11 now, so more than one record is involved',
    );
  });
});

test('a record of an account that ties is less likely, because it would break it', async () => {
  const movements = [adjustment('m1', '2000'), adjustment('m2', '500', { createdAt: instantAt(30) })];
  const trades = [fill('t1', { cost: '500', feeAmount: '0' })];
  await books.night({ records: { movements, trades }, after: wallets('1500', '0.01') });
  const records = await firsts({ after: wallets('2500', '0.01') }); // + 1000: t1 with the wrong sign, but BTC ties
  expect(records[0]?.kind).not.toBe('sign');
});

test('candidates are stored once, and again only if they change', async () => {
  const readings = async () =>
    (await books.rows('select distinct reading from reconcile.candidates order by 1')).map(
      (it) => it.reading,
    );
  const night = { records: RECORDS, after: wallets('498.75', '0.01') };
  await books.night(night);
  await books.again();
  await books.night(night);
  expect(await readings()).toEqual([1]);
  await books.night({ after: wallets('488.75', '0.01') });
  expect(await readings()).toEqual([1, 2]);
  const [first] = await books.rows('select kind from books.break_candidates where rank = 1');
  expect(first?.kind).toBe('sign');
});

describe('the first divergence', () => {
  const divergence = () =>
    books.rows(`select currency, tied_at is null as never_tied, first_difference, records_inside, record_names
      from books.first_divergence order by currency`);

  test('lies between the last reading that tied and the first that broke, and stays there', async () => {
    await books.night({ records: RECORDS, after: wallets('508.75', '0.01') });
    expect(await divergence()).toEqual([]);
    await books.night({ after: wallets('505', '0.01') });
    await books.night({ after: wallets('500', '0.01') });
    expect(await divergence()).toMatchObject([
      { currency: 'EUR', never_tied: false, first_difference: '-3.75', records_inside: '0' },
    ]);
  });

  test('starts at the beginning if an account never tied, with everything booked since', async () => {
    await books.night({ records: RECORDS, after: wallets('500', '0.01') });
    expect(await divergence()).toMatchObject([
      {
        currency: 'EUR',
        never_tied: true,
        records_inside: '3',
        record_names: ['trades t1', 'movements m2', 'movements m1'],
      },
    ]);
  });

  test('disappears once the account ties again', async () => {
    await books.night({ records: RECORDS, after: wallets('500', '0.01') });
    await books.night({ after: wallets('508.75', '0.01') });
    expect(await divergence()).toEqual([]);
  });
});
