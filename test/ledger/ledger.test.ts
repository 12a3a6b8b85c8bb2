// The ledger: legs that cannot be unbalanced, ids derived from content, and entries that are added and never changed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPocketId, isUnder, pocket } from '../../src/ledger/accounts.ts';
import { post, standing } from '../../src/ledger/entries.ts';
import { type Draft, leg } from '../../src/ledger/entry.ts';
import { entryId } from '../../src/ledger/entry-id.ts';
import { entryOf, reversalOf } from '../../src/ledger/posting.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

const AT = '2026-03-01T10:00:00.123456Z';
const LATER = '2026-04-02T00:00:00.000Z';
const draft: Draft = {
  kind: 'movement',
  effectiveAt: AT,
  description: 'deposit wallet',
  legs: [
    ...leg('assets:trading', 'assets:clearing:trading', '0.000000000000000001', 'BTC'),
    ...leg(
      'assets:trading',
      'assets:clearing:trading',
      '999999999999999999999999999999.999999999999999999',
      'EUR',
    ),
  ],
};
const posting = (recordId: string, ordinal = 1) => ({
  entity: 'main',
  stream: 'movements',
  recordId,
  ordinal,
  version: 1,
  ruleVersion: 1,
  recordedAt: LATER,
  period: '2026-03',
  originalPeriod: null,
});

describe('a leg', () => {
  test('of zero does not exist', () => expect(leg('a', 'b', '0', 'EUR')).toEqual([]));

  test('with a negative amount cannot be built', () => {
    expect(() => leg('a', 'b', '-1', 'EUR')).toThrow('a leg of a negative amount: -1 EUR');
  });

  test('from an account to itself cannot be built', () => {
    expect(() => leg('a', 'a', '1', 'EUR')).toThrow('a leg from a to itself');
  });
});

test.each([
  ['assets:pocket:*', 'assets:pocket:p1', true],
  ['assets:pocket:*', 'assets:pocket', false],
  ['assets:pocket:*', 'assets:pockets:p1', false],
  ['assets:*', 'assets:pocket:p1', true],
  ['*', 'income:rewards', true],
  ['assets:trading', 'assets:trading', true],
  ['assets:trading', 'assets:trading-bots', false],
  ['assets:trading', 'assets:trading:x', false],
])('%s matches %s: %s', (pattern, account, expected) => {
  expect(isUnder(pattern, account)).toBe(expected);
});

describe('the account of a pocket', () => {
  test('is in lower case, whatever the case of its id', () => {
    expect(pocket('3F2A-B')).toBe('assets:pocket:3f2a-b');
  });

  test('is refused if its id would change the path', () => {
    expect(['a:b', 'a b', '', 'x'.repeat(101)].map(isPocketId)).toEqual([false, false, false, false]);
    expect(() => pocket('a:b')).toThrow('not a pocket id');
  });

  test('is refused if databases and this program may not agree on the small form of its letters', () => {
    expect(
      ['PÖCKET', '\u212aa', 'cafe\u0301', '\u202ex', '\u001b[31m', '\u0000'].map(isPocketId),
    ).not.toContain(true);
  });
});

describe('the id of an entry', () => {
  const name = { entity: 'main', stream: 'movements', recordId: 'm1', ordinal: 1 };

  test('begins with its milliseconds, then version 8 and the RFC variant', () => {
    expect(entryId(AT, name)).toMatch(/^019ca8d7-2d7b-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('is the same for the same name and time, and different for any other', () => {
    const others = [{ entity: 'sub' }, { stream: 'trades' }, { recordId: 'm2' }, { ordinal: 2 }];
    const ids = [{}, {}, ...others].map((other) => entryId(AT, { ...name, ...other }));
    expect(ids[0]).toBe(ids[1]);
    expect(new Set(ids).size).toBe(5);
  });

  test('is unambiguous for a name that looks like two', () => {
    const [a, b] = [
      { stream: 'a', recordId: 'b"c' },
      { stream: 'a","b', recordId: 'c' },
    ];
    expect(entryId(AT, { ...name, ...a })).not.toBe(entryId(AT, { ...name, ...b }));
  });

  test('sorts by time, from the first instant to the last', () => {
    const times = ['1970-01-01T00:00:00.000Z', AT, LATER, '9999-12-31T23:59:59.999Z'];
    const ids = times.map((time) => entryId(time, name));
    expect([...ids].sort()).toEqual(ids);
  });
});

describe('posting', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.close());

  const balances = async () => (await database.pool.query('select * from books.balances')).rows;

  test('nothing changes nothing', async () => {
    await post(database.db, []);
    expect(await balances()).toEqual([]);
  });

  test('an entry preserves every digit, and is the current entry of its record', async () => {
    const entry = entryOf(draft, posting('m1'));
    await post(database.db, [entry]);
    const stands = await standing(database.db, {
      entity: 'main',
      stream: 'movements',
      recordIds: ['m1', 'm2'],
    });
    expect([...stands]).toEqual([['m1', { last: entry, reversed: null }]]);
  });

  test('the same entry again fails, and leaves nothing of what was posted with it', async () => {
    const again = [entryOf(draft, posting('m3')), entryOf(draft, posting('m1'))];
    await expect(post(database.db, again)).rejects.toThrow('duplicate key');
    const stands = await standing(database.db, { entity: 'main', stream: 'movements', recordIds: ['m3'] });
    expect(stands.size).toBe(0);
  });

  test('a reversal is equal and opposite, names the entry that it reverses, and leaves every account at zero', async () => {
    const entry = entryOf(draft, posting('m1'));
    const reversal = reversalOf(entry, LATER, posting('m1', 2));
    expect(reversal).toMatchObject({ kind: 'reversal', reverses: entry.id, effectiveAt: LATER });
    await post(database.db, [reversal]);
    expect(await balances()).toEqual([]);
    const stands = await standing(database.db, { entity: 'main', stream: 'movements', recordIds: ['m1'] });
    expect(stands.get('m1')).toEqual({ last: reversal, reversed: entry });
  });

  test('the tables also refuse what a rule could never make', async () => {
    const wrong: [string, object][] = [
      ['transfers_amount_check', { amount: '0' }],
      ['transfers_amount_check', { amount: `1${'0'.repeat(30)}` }],
      ['transfers_amount_check', { amount: '0.0000000000000000001' }],
      ['transfers_check', { credit: 'assets:trading' }],
    ];
    for (const [constraint, part] of wrong) {
      const [first] = draft.legs;
      const entry = entryOf({ ...draft, legs: [{ ...first, ...part } as never] }, posting('m4'));
      const posted = database.db.transaction().execute((tx) => post(tx, [entry]));
      await expect(posted).rejects.toThrow(constraint);
    }
  });
});
