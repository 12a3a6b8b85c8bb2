// Normalize: every landed version gets one outcome, and the ledger reflects the latest versions.
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { sum } from '../../src/base/money.ts';
import { HOUR_MS, isoOf, msOf } from '../../src/base/time.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import { instantAt, movement } from '../land/stage.ts';
import { BOOKS, openBooks, withdrawal } from './books.ts';

const books = openBooks();

const entries = () =>
  books.rows('select kind, effective_at, version, ordinal from books.entries order by record_id, ordinal');
const conserved = () =>
  books.rows(
    'select stream, landed::int, booked::int, rejected::int, set_aside::int, undecided::int from books.conservation order by stream',
  );

describe('a landed record', () => {
  const oneOfEach = () =>
    Promise.all([
      books.tell(
        'movements',
        movement('booked'),
        movement('rejected', { amount: '-1' }),
        movement('zero', { amount: '0' }),
      ),
      books.tell(
        'movements',
        movement('waiting', { status: 'pending' }),
        movement('odd', { status: 'in-limbo' }),
      ),
    ]);

  test('is booked, rejected or set aside, and none is left', async () => {
    await oneOfEach();
    const tally = await books.book();
    expect(tally).toEqual({ records: 5, entries: 1, rejected: 2 });
    expect(await conserved()).toEqual([
      { stream: 'movements', landed: 5, booked: 1, rejected: 2, set_aside: 2, undecided: 0 },
    ]);
    expect(await books.rows('select * from land.inbox')).toEqual([]);
  });

  test('that is rejected is listed with its reason', async () => {
    await oneOfEach();
    await books.book();
    expect(await books.rows('select record_id, reason from books.rejects order by 1')).toEqual([
      { record_id: 'odd', reason: 'status: unknown word "in-limbo"' },
      { record_id: 'rejected', reason: 'amount: is negative: -1' },
    ]);
  });

  test('whose time is more than a day after its landing is rejected, by the field that was read', async () => {
    const [landed] = await books.rows('select now() as instant');
    const inHours = (hours: number) => isoOf(msOf(String(landed?.instant)) + hours * HOUR_MS);
    await books.tell(
      'movements',
      movement('m1', { createdAt: inHours(23) }),
      movement('m2', { createdAt: inHours(25) }),
    );
    await books.tell(
      'wallet-transactions',
      withdrawal('completed', { completedAt: inHours(25) }),
      withdrawal('completed', { id: 'w2', date: inHours(25), completedAt: null }),
    );
    expect(await books.book()).toMatchObject({ records: 4, rejected: 3 });
    const fields = await books.rows(
      "select record_id, split_part(reason, ' more ', 1) as field from books.rejects order by 1",
    );
    expect(fields).toEqual([
      { record_id: 'm2', field: 'createdAt: is' },
      { record_id: 'w1', field: 'completedAt: is' },
      { record_id: 'w2', field: 'date: is' },
    ]);
  });

  test('that is normalized is not changed by a second run', async () => {
    await oneOfEach();
    await books.book();
    expect(await books.book()).toEqual({ records: 0, entries: 0, rejected: 0 });
    expect(await entries()).toHaveLength(1);
  });

  test('that names a pocket not listed yet waits while lists are read, with its later versions', async () => {
    await books.stage().read('pocket', 'before', [{ id: 'p1', currency: 'EUR', balance: '0' }]);
    const toPocket = (id: string, pocketId: string, amount: string) => ({
      ...withdrawal('completed', { id, destination: { class: 'pocket', pocketId, amount, currency: 'EUR' } }),
      note: amount,
    });
    await books.tell('wallet-transactions', toPocket('known', 'p1', '99'), toPocket('later', 'p2', '98'));
    await books.tell('wallet-transactions', toPocket('later', 'p2', '99'), withdrawal('completed'));
    const { stage } = books;
    const early = await normalize(stage().db, BOOKS, { isReading: true });
    expect(early).toEqual({ records: 2, entries: 1, rejected: 1 });
    expect(await books.rows('select record_id, version from land.inbox order by version')).toEqual([
      { record_id: 'later', version: 1 },
      { record_id: 'later', version: 2 },
    ]);
    await stage().read('pocket', 'after', [
      { id: 'p1', currency: 'EUR', balance: '0' },
      { id: 'p2', currency: 'EUR', balance: '99' },
    ]);
    expect(await books.book()).toEqual({ records: 2, entries: 3, rejected: 0 });
    expect(await books.balances()).toMatchObject({ 'assets:pocket:p2 EUR': '99' });
  });

  test('of another entity is left to its own run', async () => {
    await books.stage().land([{ rows: [movement('m1')] }], { entity: 'sub-1' });
    expect(await books.book()).toMatchObject({ records: 0 });
    expect(await books.book({ entity: 'sub-1' })).toMatchObject({ records: 1 });
  });

  test('in several batches is conserved after each, to the last digit', async () => {
    const amounts = Array.from({ length: 2_500 }, (_, nth) => `${nth}.${String(nth).padStart(18, '0')}`);
    await books.tell('movements', ...amounts.map((amount, nth) => movement(`m${nth}`, { amount })));
    const seen: unknown[] = [];
    const watched = (tally: { records: number }) => {
      seen.push(tally.records);
    };
    await books.book({}, watched);
    expect(seen).toEqual([1_000, 2_000, 2_500]);
    expect(await conserved()).toEqual([
      { stream: 'movements', landed: 2_500, booked: 2_499, rejected: 0, set_aside: 1, undecided: 0 },
    ]);
    expect((await books.balances())['assets:trading EUR']).toBe(sum(amounts));
  });

  test('is conserved when the run stops between two batches, and the next run books the rest', async () => {
    const rows = Array.from({ length: 1_500 }, (_, nth) => movement(`m${nth}`));
    await books.tell('movements', ...rows);
    const stopped = books.book({}, () => {
      throw new Error('killed');
    });
    await expect(stopped).rejects.toThrow('killed');
    expect(await conserved()).toEqual([
      { stream: 'movements', landed: 1_500, booked: 1_000, rejected: 0, set_aside: 0, undecided: 500 },
    ]);
    expect(await books.book()).toMatchObject({ records: 500 });
    expect((await books.balances())['assets:trading EUR']).toBe('15000');
  });

  test('that changed is corrected in the batch after the one that books its first version', async () => {
    const rows = Array.from({ length: 1_000 }, (_, nth) => movement(`m${nth}`));
    await books.tell('movements', ...rows);
    await books.tell('movements', movement('m0', { amount: '7' }));
    expect(await books.book()).toEqual({ records: 1_001, entries: 1_002, rejected: 0 });
    expect((await books.balances())['assets:trading EUR']).toBe('9997');
  });

  test('stays in the inbox if its batch cannot be written, and so does the batch read meanwhile', async () => {
    await books.tell('movements', ...Array.from({ length: 1_500 }, (_, nth) => movement(`m${nth}`)));
    await books.rows(
      `insert into ledger.outcomes (entity_id, stream, record_id, version, outcome, final, rule_version)
       values ('main', 'movements', 'm5', 1, 'booked', true, 2)`,
    );
    await expect(books.book()).rejects.toThrow('duplicate key');
    expect(await books.rows('select count(*)::int4 as n from land.inbox')).toEqual([{ n: 1_500 }]);
    expect(await books.rows('select * from ledger.entries')).toEqual([]);
    await books.rows('delete from ledger.outcomes');
    expect(await books.book()).toMatchObject({ records: 1_500 });
  });
});

describe('an entry', () => {
  const ids = () => books.rows('select entry_id from books.entries order by record_id, ordinal');

  test('has an id of version 8 that begins with its time, the same in every rebuild', async () => {
    for (const amount of ['10', '11']) await books.tell('movements', movement('m1', { amount }));
    await books.book();
    const before = await ids();
    for (const { entry_id } of before)
      expect(entry_id).toMatch(/^019ca8d7-2d00-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    await books.rows(
      'truncate ledger.entries, ledger.transfers, ledger.daily, ledger.totals, ledger.outcomes',
    );
    await books.rows(
      'insert into land.inbox select entity_id, stream, record_id, version, request_id from land.records',
    );
    await books.book();
    expect(await ids()).toEqual(before);
  });

  test('is recorded at the landing time of the version that caused it', async () => {
    for (const amount of ['10', '11']) await books.tell('movements', movement('m1', { amount }));
    await books.book();
    const late = await books.rows(
      'select e.ordinal from books.entries e join land.records r using (entity_id, stream, record_id, version) where e.recorded_at <> r.landed_at',
    );
    expect(late).toEqual([]);
  });

  test('belongs to the month of its time in the timezone of the books, winter and summer', async () => {
    const times = [
      '2026-01-31T22:59:59.999Z',
      '2026-01-31T23:00:00Z',
      '2026-06-30T21:59:59Z',
      '2026-06-30T22:00:00Z',
    ];
    await books.tell('movements', ...times.map((createdAt, nth) => movement(`m${nth}`, { createdAt })));
    await books.book({ timezone: 'Europe/Madrid' });
    expect(await books.rows('select period from books.entries order by record_id')).toEqual(
      ['2026-01', '2026-02', '2026-06', '2026-07'].map((period) => ({ period })),
    );
  });
});

describe('timezone and currency of the books', () => {
  test('are fixed by the first entry, and another value later is a usage error', async () => {
    await books.tell('movements', movement('m1'));
    await books.book({ timezone: 'Europe/Madrid' });
    const other = books.book({ timezone: 'UTC' });
    await expect(other).rejects.toThrow(UsageError);
    await expect(other).rejects.toMatchObject({ exitCode: 64 });
    await expect(other).rejects.toThrow(
      'TIEOUT_TIMEZONE is UTC, but the books of main use Europe/Madrid: set TIEOUT_TIMEZONE=Europe/Madrid',
    );
    await expect(books.book({ timezone: 'Europe/Madrid', currency: 'USD' })).rejects.toThrow(
      'TIEOUT_CURRENCY is USD',
    );
    await expect(books.book({ timezone: 'Europe/Madrid', fiscalYearStart: 4 })).rejects.toThrow(
      'TIEOUT_FISCAL_YEAR_START is 4, but the books of main use 1: set TIEOUT_FISCAL_YEAR_START=1',
    );
    expect(await books.book({ timezone: 'Europe/Madrid' })).toMatchObject({ records: 0 });
  });

  test('are not fixed yet while nothing was booked', async () => {
    await books.tell('movements', movement('m1', { status: 'pending' }));
    await books.book({ timezone: 'Europe/Madrid' });
    expect(await books.book({ timezone: 'UTC' })).toMatchObject({ records: 0 });
  });
});

describe('balances', () => {
  test("equal the test's own sums, over all streams", async () => {
    await books.tell('movements', movement('m1', { amount: '1000.5' }));
    await books.tell('trades', {
      id: 't1',
      createdAt: instantAt(1),
      symbol: 'BTC/EUR',
      side: 'buy',
      amount: '0.01',
      cost: '500.000000000000000001',
      feeAmount: '0.8',
      feeCurrency: 'EUR',
    });
    const reward = {
      movementId: 'e1',
      createdAt: instantAt(2),
      type: 'reward',
      amount: { value: '3', currency: 'ETH' },
    };
    await books.stage().land([{ rows: [reward] }], { stream: 'earn-movements', scope: 'wallet-1' });
    await books.tell('wallet-transactions', withdrawal('completed'));
    await books.book();
    const balances = await books.balances();
    expect(balances).toEqual({
      'assets:clearing:trading EUR': '-1000.5',
      'assets:earn ETH': '3',
      'assets:pocket:p1 EUR': '-100',
      'assets:trading BTC': '0.01',
      'assets:trading EUR': '499.699999999999999999',
      'equity:conversion BTC': '-0.01',
      'equity:conversion EUR': '500.000000000000000001',
      'equity:external:bank EUR': '99',
      'expenses:fees:unclassified EUR': '1',
      'expenses:fees:trading EUR': '0.8',
      'income:rewards ETH': '-3',
    });
    for (const code of ['EUR', 'BTC', 'ETH']) {
      const all = Object.entries(balances).filter(([name]) => name.endsWith(code));
      expect([code, sum(all.map(([, balance]) => String(balance)))]).toEqual([code, '0']);
    }
  });
});
