// Unfinished books of many entities: the message names a few of them, the one that was asked for first.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refuseUnfinished } from '../../src/valuation/valuation.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(`
    insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    select 'e' || n, 'e' || n, 'UTC', 'EUR', now() from generate_series(100, 399) as n;
    insert into land.inbox (entity_id, stream, record_id, version, request_id)
    select 'e' || n, 'trades', 't1', 1, n from generate_series(100, 399) as n`);
});
afterAll(() => books.close());

const refusal = (entity?: string) => refuseUnfinished(books.db, { timezone: 'UTC', currency: 'EUR' }, entity);

test('the first few of 300 entities are named, and the others counted', async () => {
  await expect(refusal()).rejects.toThrow(
    'landed records are not booked yet (1 of e100, 1 of e101, 1 of e102, 1 of e103, 1 of e104 and 295 more): run npx tieout normalize',
  );
});

test('an entity that was asked for is among them', async () => {
  await expect(refusal('e250')).rejects.toThrow(/booked yet \(1 of e250, 1 of e100, .* and 295 more\)/);
});
