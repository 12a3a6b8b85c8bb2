// Own pairs: which leg to a person in one entity's books matches the leg from a person in another's.
import { expect, test } from 'vitest';
import { type OutsideMove, pairOwn } from '../../src/reconcile/own-pairs.ts';
import { instantAt } from '../land/stage.ts';

const HOUR = 3_600;

const move = (id: string, amount: string, seconds: number, rest: Partial<OutsideMove> = {}): OutsideMove => ({
  entity_id: id[0] ?? '',
  entry_id: id,
  currency: 'EUR',
  stream: 'wallet-transactions',
  record_id: id,
  amount,
  pocketed: amount.replace('-', ''),
  effective_at: instantAt(seconds),
  names_entity: null,
  names_by: null,
  elsewhere: false,
  cancelled_at: null,
  is_chain: false,
  hash: null,
  pockets: [],
  ...rest,
});
const names = (entity: string, by: 'pocket' | 'user' = 'pocket') => ({ names_entity: entity, names_by: by });

const paired = (...moves: OutsideMove[]) => {
  const pairsOf = (all: readonly OutsideMove[]) =>
    pairOwn(all, { namedMs: 7 * 24 * HOUR * 1_000, transitMs: 24 * HOUR * 1_000 }).map(
      (it) => `${it.out.record_id}-${it.in.record_id} ${it.grounds}`,
    );
  expect(pairsOf([...moves].reverse())).toEqual(pairsOf(moves));
  return pairsOf(moves);
};

test('a pocket or a user that either side names', () => {
  expect(paired(move('a1', '5', 0, names('b')), move('b1', '-5', 60, names('a')))).toEqual(['a1-b1 pocket']);
  expect(paired(move('a1', '5', 0), move('b1', '-5', 60, names('a', 'user')))).toEqual(['a1-b1 user']);
});

test('two records that name each other are surer than a nearer one, and one shared record is the surest', () => {
  const [out, near] = [move('a1', '5', 0, names('b')), move('b1', '-5', 1)];
  expect(paired(out, near)).toEqual(['a1-b1 pocket']);
  expect(paired(out, near, move('b2', '-5', 3 * HOUR, names('a')))).toEqual(['a1-b2 pocket']);
  const same = move('b3', '-5', 4 * HOUR, { record_id: 'a1' });
  expect(paired(out, near, same)).toEqual(['a1-a1 record']);
});

test('amount and time, where neither names anybody: the nearest, each once, by order among equals', () => {
  expect(paired(move('a1', '5', 0), move('b1', '-5', 2 * HOUR), move('c1', '-5', HOUR))).toEqual([
    'a1-c1 amount and time',
  ]);
  const many = ['1', '2', '3'].flatMap((nth) => [move(`a${nth}`, '5', 0), move(`b${nth}`, '-5', 60)]);
  expect(paired(...many)).toEqual(['1', '2', '3'].map((nth) => `a${nth}-b${nth} amount and time`));
});

test('a record that names somebody else, or another of ours, or is too far away, is not paired', () => {
  expect(paired(move('a1', '5', 0, { elsewhere: true }), move('b1', '-5', 1))).toEqual([]);
  expect(paired(move('a1', '5', 0, names('c')), move('b1', '-5', 1))).toEqual([]);
  expect(paired(move('a1', '5', 0), move('b1', '-5', 25 * HOUR))).toEqual([]);
  expect(paired(move('a1', '5', 0, names('b')), move('b1', '-5', 25 * HOUR))).toEqual(['a1-b1 pocket']);
  expect(paired(move('a1', '5', 0), move('a2', '-5', 1))).toEqual([]);
});

test('only a fee may differ between the sides, on either side', () => {
  const out = move('a1', '5', 0, { ...names('b'), pocketed: '5.1' });
  expect(paired(out, move('b1', '-5', 1))).toEqual(['a1-b1 pocket']);
  expect(paired(out, move('b1', '-5.1', 1, { pocketed: '5' }))).toEqual(['a1-b1 pocket']);
  expect(paired(out, move('b1', '-5.2', 1, { pocketed: '5' }))).toEqual(['a1-b1 pocket']); // it has the amount with the fee
  expect(paired(out, move('b1', '-4.9', 1))).toEqual([]);
});

test('less may arrive of what is certainly one transfer, if nothing else agrees', () => {
  const out = move('a1', '5', 0, names('b'));
  const less = move('b1', '-4.9', 1, { record_id: 'a1' });
  expect(paired(out, less)).toEqual(['a1-a1 record']);
  expect(paired(out, less, move('b2', '-5', 60))).toEqual(['a1-b2 pocket']);
  expect(paired(out, move('b1', '-5.2', 1, { record_id: 'a1' }))).toEqual([]);
  const chain = { is_chain: true, hash: 'h', pockets: ['p'] };
  const sent = move('a1', '5', 0, { ...chain, names_entity: 'b', names_by: 'address' });
  expect(paired(sent, move('b1', '-4.9', 1, chain))).toEqual(['a1-b1 address and hash']);
  expect(paired(sent, move('b1', '-4.9', 1, { ...chain, hash: null }))).toEqual([]);
  expect(paired({ ...sent, names_entity: null }, move('b1', '-4.9', 1, chain))).toEqual([]); // one transaction may pay several
});
