// The parts of a lake: where one ends follows from the rows, however many of them a read of the database brings at once.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeLake } from '../../../src/export/lake/lake.ts';
import { inSnapshot, type Snapshot } from '../../../src/export/reports/snapshot.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { newFolder } from '../../room.ts';

const WHOLE = { entities: null, months: null, timezone: 'Europe/Madrid' };

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(
    `insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal, rule_version, description)
     select 'main', ('01ad0000-0000-8000-8000-' || lpad(n::text, 12, '0'))::uuid, '2026-10-05', '2026-10-05', '2026-10', 'trade', 'trades', 't' || n, 1, 1, 1,
       case when n > 12600 then repeat('long', 100000) else '' end
     from generate_series(1, 12650) as n`,
  );
});
afterAll(() => books.close());

/** The same snapshot, whose reads bring so many rows at once. */
const inReadsOf = (size: number, { batches, db }: Snapshot): Snapshot => ({
  db,
  batches: async function* (query) {
    for await (const { columns, rows } of batches(query))
      for (let from = 0; from < rows.length; from += size)
        yield { columns, rows: rows.slice(from, from + size) };
  },
});

test('two lakes of the same rows have the same parts', async () => {
  const partsIn = async (size: number, snapshot: Snapshot) => {
    const partial = join(newFolder(), 'partial');
    mkdirSync(partial);
    return (await writeLake({ target: partial, partial }, inReadsOf(size, snapshot), WHOLE)).files;
  };
  const [few = [], many = []] = await inSnapshot(books.pool, async (snapshot) => [
    await partsIn(90, snapshot),
    await partsIn(1000, snapshot),
  ]);
  expect(few).toEqual(many);
  const entries = few.filter(({ name }) => name.startsWith('entries/')).map(({ rows }) => rows);
  expect(entries).toEqual([12_500, 140, 10]);
});
