// Clearing by pocket: an Earn movement that names its pocket pairs with a wallet row of that pocket, whatever lies nearer in
// time. The order in which records arrive changes no pair.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { loadSql } from '../../src/database/sql.ts';
import { groundsOf, type Move, pairUp } from '../../src/reconcile/pairs.ts';
import { instantAt } from '../land/stage.ts';
import { AFTER, type Night, type Nights, openNights, wallet } from './stage.ts';

const HOUR = 3_600;
const DAY = 24 * HOUR;

describe('pairs of named pockets', () => {
  const move = (stream: string, amount: string) => (id: string, seconds: number, pocket: string | null) => ({
    entry_id: id,
    stream,
    record_id: id,
    amount,
    effective_at: instantAt(seconds),
    pocket,
  });
  const row = move('wallet-transactions', '50');
  const earn = move('earn-movements', '-50');
  const paired = (moves: readonly Move[], since: string | null = null) => {
    const { pairs, open, left } = pairUp(moves, { transitMs: DAY * 1_000, since });
    return {
      pairs: pairs
        .map((pair) => `${pair.debit.record_id}-${pair.credit.record_id} ${groundsOf(pair)}`)
        .sort(),
      open: open.map(({ record_id }) => record_id),
      left: left.map(({ record_id }) => record_id),
    };
  };

  test('are exact where time misleads: two equal amounts within one minute', () => {
    const rows = [row('w1', 0, 'p1'), row('w2', 30, 'p2')];
    const exactMoves = [earn('e2', 1, 'p2'), earn('e1', 31, 'p1')];
    const unnamed = exactMoves.map((one) => ({ ...one, pocket: null }));
    expect(paired([...rows, ...unnamed]).pairs).toEqual(['w1-e2 amount and time', 'w2-e1 amount and time']);
    const exact = { pairs: ['w1-e1 pocket', 'w2-e2 pocket'], open: [], left: [] };
    expect(paired([...rows, ...exactMoves])).toEqual(exact);
    expect(paired([...exactMoves, ...rows].reverse())).toEqual(exact);
  });

  test('come before movements that name none', () => {
    const moves = [row('w1', 0, 'p1'), row('w2', 600, 'p2'), earn('old', 1, null), earn('e1', 700, 'p1')];
    expect(paired(moves).pairs).toEqual(['w1-e1 pocket', 'w2-old amount and time']);
  });

  test('wait for a row of their own pocket that is too far away, although another one is near', () => {
    const moves = [row('w1', 0, 'p1'), row('w2', 30 * HOUR, 'p2'), earn('e1', 30 * HOUR + 1, 'p1')];
    expect(paired(moves, instantAt(30 * HOUR))).toEqual({
      pairs: [],
      open: ['w1', 'w2', 'e1'],
      left: ['w2'],
    });
    expect(paired(moves, instantAt(60 * HOUR))).toMatchObject({ pairs: ['w1-e1 pocket'], left: ['w2'] });
  });

  test('take a row of another pocket only when both have waited, and say so', () => {
    const moves = [row('w2', 0, 'p2'), earn('e1', 1, 'p1')];
    expect(paired(moves)).toEqual({ pairs: [], open: ['w2', 'e1'], left: [] });
    expect(paired(moves, instantAt(DAY)).pairs).toEqual(['w2-e1 another pocket']);
  });

  test('go both ways, and two movements of one pocket that cancel out are not exact', () => {
    const out = [
      move('earn-movements', '50')('e1', 0, 'p1'),
      move('wallet-transactions', '-50')('w1', 9, 'p1'),
    ];
    expect(paired(out).pairs).toEqual(['e1-w1 pocket']);
    const cancelled = [move('earn-movements', '50')('e1', 0, 'p1'), earn('e2', 1, 'p1')];
    expect(paired(cancelled, instantAt(DAY)).pairs).toEqual(['e1-e2 amount and time']);
  });
});

describe('over several nights', () => {
  let books: Nights;
  beforeEach(async () => {
    books = await openNights();
  });
  afterEach(() => books.close());

  const intoEarn = (id: string, pocketId: string, seconds: number): WireRecord => ({
    id,
    date: instantAt(seconds),
    completedAt: instantAt(seconds),
    status: 'completed',
    origin: { class: 'pocket', pocketId, amount: '50', currency: 'EUR' },
    destination: { class: 'earn', amount: '50', currency: 'EUR' },
  });
  const earnSide = (movementId: string, walletId: string | null, seconds: number): WireRecord => ({
    movementId,
    type: 'deposit',
    createdAt: instantAt(seconds),
    amount: { value: '50', currency: 'EUR' },
    ...(walletId !== null && { source: { walletId, currency: 'EUR' } }),
  });
  const pocket = [wallet('p1', 'EUR', '-50'), wallet('p2', 'EUR', '-50')];
  const night = (records: Night['records'] = {}) => books.night({ records, after: { trading: [], pocket } });
  const matches = () =>
    books.rows(
      `select debit_record_id || '-' || credit_record_id as pair, grounds from books.clearing_matches where stands order by 1`,
    );
  const recent = AFTER - HOUR;
  const [w1, w2] = [intoEarn('w1', 'p1', recent), intoEarn('w2', 'p2', recent + 30)];
  const [e1, e2] = [earnSide('e1', 'p1', recent + 31), earnSide('e2', 'p2', recent + 1)];
  const exact = [
    { pair: 'w1-e1', grounds: 'pocket' },
    { pair: 'w2-e2', grounds: 'pocket' },
  ];

  test('two identical transfers from two pockets pair by pocket, in whatever order their records arrive', async () => {
    await night({ 'wallet-transactions': [w1, w2], 'earn-movements': [e1, e2] });
    expect(await matches()).toEqual(exact);
    await books.close();
    books = await openNights();
    await night({ 'wallet-transactions': [w1], 'earn-movements': [e2] });
    expect(await matches()).toEqual([]); // the sum is zero, and neither is paired yet
    await night({ 'wallet-transactions': [w2], 'earn-movements': [e1] });
    expect(await matches()).toEqual(exact);
  });

  test('a movement without source, or of a pocket never listed, pairs by amount and time', async () => {
    await night({
      'wallet-transactions': [w1, w2],
      'earn-movements': [earnSide('e3', null, recent + 31), earnSide('e4', 'earn-wallet-9', recent + 1)],
    });
    expect(await matches()).toEqual([
      { pair: 'w1-e4', grounds: 'amount and time' },
      { pair: 'w2-e3', grounds: 'amount and time' },
    ]);
  });

  test('clearing_pairs notes a pair of two pockets', async () => {
    const old = AFTER - 2 * DAY;
    await night({
      'wallet-transactions': [intoEarn('w2', 'p2', old)],
      'earn-movements': [earnSide('e1', 'p1', old + 60)],
    });
    expect(await matches()).toEqual([{ pair: 'w2-e1', grounds: 'another pocket' }]);
    const { text, values } = loadSql('checks/clearing_pairs.sql', { run: books.run().id });
    expect(await books.rows(text, values)).toMatchObject([
      {
        subject: 'wallet-transactions w2 and earn-movements e1',
        account: 'assets:clearing:earn',
        reason: '50 EUR were paired in clearing 00:01:00 apart, although they name two pockets',
      },
    ]);
  });
});
