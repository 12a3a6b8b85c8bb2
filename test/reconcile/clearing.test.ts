// Clearing: the two records of a transfer are paired one to one and the pairs stored; the rest is reported with its age
// and the nearest candidates.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Move, pairUp } from '../../src/reconcile/pairs.ts';
import { withReasons } from '../export/page/reasons.ts';
import { instantAt } from '../land/stage.ts';
import { AFTER, type Night, type Nights, openNights, tradingSide, walletSide } from './stage.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

describe('pairs', () => {
  const move = (stream: string, id: string, amount: string, seconds: number): Move => ({
    entry_id: id,
    stream,
    record_id: id,
    amount,
    effective_at: instantAt(seconds),
    pocket: null,
  });
  const wallet = (id: string, seconds: number, amount = '50') =>
    move('wallet-transactions', id, amount, seconds);
  const trading = (id: string, seconds: number, amount = '-50') => move('movements', id, amount, seconds);
  /** Pairs and the rest, as ids; by default, nothing has waited too long yet. */
  const paired = (moves: readonly Move[], since: string | null = null) => {
    const { pairs, open, left } = pairUp(moves, { transitMs: DAY * 1_000, since });
    return {
      pairs: pairs.map(({ debit, credit }) => `${debit.record_id}-${credit.record_id}`).sort(),
      open: open.map(({ record_id }) => record_id),
      left: left.map(({ record_id }) => record_id),
    };
  };

  test('are of one amount, and the nearest in time', () => {
    const moves = [wallet('w1', 0), wallet('w2', 10 * HOUR), trading('m1', 11 * HOUR), wallet('w3', 0, '51')];
    expect(paired(moves)).toMatchObject({ pairs: ['w2-m1'], left: ['w1', 'w3'] });
  });

  test('of many equal transfers at once follow their order', () => {
    const ids = Array.from({ length: 30 }, (_, nth) => nth);
    const moves = [
      ...ids.map((nth) => wallet(`w${nth}`, nth)),
      ...ids.map((nth) => trading(`m${nth}`, nth + 40)),
    ];
    expect(paired([...moves].reverse()).pairs).toEqual(ids.map((nth) => `w${nth}-m${nth}`).sort());
  });

  test('of daily equal transfers leave the two without a counterpart, and shift no other', () => {
    const days = Array.from({ length: 30 }, (_, day) => day);
    const moves = days.flatMap((day) => [
      ...(day === 29 ? [] : [wallet(`w${day}`, day * DAY)]),
      ...(day === 0 ? [] : [trading(`m${day}`, day * DAY + 60)]),
    ]);
    expect(paired(moves).open).toEqual(['w0', 'm29']);
  });

  test('are of two streams, in one direction: two transfers that cancel out are not two records of one', () => {
    expect(paired([trading('m1', 0, '50'), trading('m2', 1, '-50')]).open).toEqual(['m1', 'm2']);
    expect(paired([wallet('w1', 0, '-50'), trading('m1', 1, '50')]).pairs).toEqual(['m1-w1']);
  });

  test('may be any time apart once both have waited long enough, and may then cancel out within a stream', () => {
    const far = [wallet('w1', 0), trading('m1', 5 * DAY)];
    expect(paired(far).pairs).toEqual([]);
    expect(paired(far, instantAt(4 * DAY)).pairs).toEqual([]); // m1 may still find a nearer one
    expect(paired(far, instantAt(6 * DAY)).pairs).toEqual(['w1-m1']);
    expect(paired([trading('m1', 0, '50'), trading('m2', 1, '-50')], instantAt(DAY)).pairs).toEqual([
      'm1-m2',
    ]);
  });

  test('that may still be wrong are not stored, and leave only transfers without any counterpart', () => {
    const moves = [trading('m1', 0), wallet('w1', 30 * HOUR), trading('m2', 31 * HOUR, '-9')];
    expect(paired(moves, instantAt(7 * HOUR))).toEqual({ pairs: [], open: ['m1', 'w1', 'm2'], left: ['m2'] });
  });

  test("may be a person's entry", () => {
    expect(paired([wallet('w1', 0), move('manual', 'p1', '-50', 9 * DAY)], instantAt(DAY)).pairs).toEqual([
      'w1-p1',
    ]);
  });

  test('of too many transfers to compare are made in order', () => {
    const ids = Array.from({ length: 2_100 }, (_, nth) => nth);
    const moves = [
      ...ids.map((nth) => wallet(`w${nth}`, nth * 2)),
      ...ids.slice(1).map((nth) => trading(`m${nth}`, nth * 2)),
    ];
    expect(paired(moves).left).toHaveLength(1);
  });
});

describe('over several nights', () => {
  let books: Nights;
  beforeEach(async () => {
    books = await openNights();
  });
  afterEach(() => books.close());

  const night = (records: Night['records'] = {}) =>
    books.night({ records, after: { trading: [], pocket: [] } });
  const clearing = async (records: Night['records'] = {}) =>
    (await night(records))['assets:clearing:trading EUR'];
  const matches = () =>
    books.rows(
      `select debit_record_id || '-' || credit_record_id as pair, time_apart::text, stands from books.clearing_matches order by 1`,
    );
  const old = instantAt(AFTER - 3 * DAY);

  test('a pair is stored once, with its records, its amount and how far apart they are', async () => {
    await night({
      'wallet-transactions': [walletSide('w1', '50', { completedAt: instantAt(0) })],
      movements: [tradingSide('m1', '50', { createdAt: instantAt(90) })],
    });
    await night();
    expect(await books.rows('select * from books.clearing_matches')).toEqual([
      {
        entity_id: 'main',
        account: 'assets:clearing:trading',
        currency: 'EUR',
        amount: '50',
        debit_stream: 'wallet-transactions',
        debit_record_id: 'w1',
        debit_at: instantAt(0),
        credit_stream: 'movements',
        credit_record_id: 'm1',
        credit_at: instantAt(90),
        time_apart: '00:01:30',
        debit_entry_id: expect.any(String),
        credit_entry_id: expect.any(String),
        stands: true,
        grounds: 'amount and time',
        run_id: expect.any(String),
        matched_at: expect.any(String),
      },
    ]);
  });

  test('a side that arrives nights later finds the waiting one; finished days are not read again', async () => {
    await night({ 'wallet-transactions': [walletSide('w1', '50', { completedAt: old })] });
    expect(await books.rows('select unmatched from reconcile.clearing_days')).toEqual([{ unmatched: 1 }]);
    await night({ movements: [tradingSide('m1', '50', { createdAt: old })] });
    expect(await matches()).toEqual([{ pair: 'w1-m1', time_apart: '00:00:00', stands: true }]);
    expect(await books.rows('select unmatched from reconcile.clearing_days')).toEqual([{ unmatched: 0 }]);
    await books.rows('delete from reconcile.clearing_matches'); // a day that is read again would pair again
    await night();
    expect(await matches()).toEqual([]);
  });

  test('a side that is cancelled later frees the other, which pairs again', async () => {
    const move = walletSide('w1', '50', { completedAt: old });
    await night({
      'wallet-transactions': [move],
      movements: [tradingSide('m1', '50', { createdAt: old })],
    });
    const tieOut = await clearing({
      'wallet-transactions': [{ ...move, status: 'cancelled', canceledAt: instantAt(AFTER - DAY) }],
    });
    expect(tieOut).toMatchObject({ status: 'break', difference: '50' });
    expect(tieOut?.reason).toContain('no counterpart for movements m1 (-50 EUR');
    await night({
      'wallet-transactions': [walletSide('w2', '50', { completedAt: instantAt(AFTER - 2 * DAY) })],
    });
    expect(await matches()).toEqual([
      { pair: 'w1-m1', time_apart: '00:00:00', stands: false },
      { pair: 'w2-m1', time_apart: '1 day', stands: true },
    ]);
  });

  test('the rest is in transit for a day, then a break with its age and the nearest candidate', async () => {
    const records = {
      'wallet-transactions': [walletSide('w1', '50', { completedAt: instantAt(AFTER - 30 * HOUR) })],
      movements: [
        tradingSide('m1', '49.5', { createdAt: instantAt(AFTER - 29 * HOUR) }),
        tradingSide('m2', '7', { createdAt: instantAt(AFTER - 5 * DAY) }),
        tradingSide('m3', '8', { createdAt: instantAt(AFTER - 5 * DAY) }),
      ],
    };
    const young = walletSide('w0', '50', { completedAt: instantAt(AFTER - 23 * HOUR) });
    expect((await clearing({ 'wallet-transactions': [young] }))?.status).toBe('in-transit');
    await books.close();
    books = await openNights();
    const tieOut = await clearing(records);
    expect(tieOut?.status).toBe('break');
    const nearest = `movements m1 (-49.5, ${instantAt(AFTER - 29 * HOUR)}), movements m3 (-8, ${instantAt(AFTER - 5 * DAY)})`;
    expect(tieOut?.reason).toContain(
      `wallet-transactions w1 (50 EUR, ${instantAt(AFTER - 30 * HOUR)}, 30 h old; nearest: ${nearest})`,
    );
  });

  const check = async (name: string) => withReasons(await books.check(name));
  const apart = { account: 'assets:clearing:trading', currency: 'EUR', booked: '50', difference: null };

  test('clearing_pairs: two records far apart, and two transfers of one stream that cancel out', async () => {
    const [first, later] = [instantAt(AFTER - 9 * DAY), instantAt(AFTER - 4 * DAY)];
    await night({
      'wallet-transactions': [walletSide('w1', '50', { completedAt: first }), walletSide('w2', '7')],
      movements: [tradingSide('m1', '50', { createdAt: later }), tradingSide('m2', '7')],
    });
    expect(await check('clearing_pairs')).toMatchObject([
      {
        subject: 'wallet-transactions w1 and movements m1',
        ...apart,
        reason: '50 EUR were paired in clearing 5 days apart',
      },
    ]);
    const back = tradingSide('m4', '60', { createdAt: later, movementType: 'withdrawal' });
    await night({ movements: [tradingSide('m3', '60', { createdAt: later }), back] });
    expect(await check('clearing_pairs')).toMatchObject([
      {
        subject: 'movements m4 and movements m3',
        ...apart,
        booked: '60',
        reason: expect.stringMatching(/within one stream$/),
      },
      { subject: 'wallet-transactions w1 and movements m1' },
    ]);
    expect(await check('earn_movements')).toEqual([]);
  });

  test('earn_movements: two that cancel out and have no wallet row', async () => {
    const earn = (movementId: string, type: string) => ({
      movementId,
      type,
      createdAt: old,
      amount: { value: '50', currency: 'EUR' },
    });
    await night({ 'earn-movements': [earn('e1', 'deposit'), earn('e2', 'withdrawal')] });
    expect(await check('earn_movements')).toMatchObject([
      {
        ...apart,
        account: 'assets:clearing:earn',
        subject: 'earn-movements e2 and e1',
        reason:
          'earn-movements e2 and e1 of 50 EUR cancel out, 00:00:00 apart, and neither has a counterpart',
        reason_parts: {
          kind: 'earn_movements.cancelled',
          records: ['earn-movements e2', 'earn-movements e1'],
          amount: '50',
          currency: 'EUR',
        },
      },
    ]);
    expect(await check('clearing_pairs')).toEqual([]);
    expect(await books.rows("select check_name from books.breaks where status = 'open'")).toEqual([
      { check_name: 'earn_movements' },
    ]);
  });
});
