// The folders of a lake: an entity is read under the name that it has, whatever that means to a reader of folders.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportReports } from '../../../src/export/export.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { newFolder } from '../../room.ts';
import { openLake } from '../lake.ts';
import { october } from '../world.ts';

const NAMES = [
  'null',
  'NULL',
  '__HIVE_DEFAULT_PARTITION__',
  'nullify',
  '007',
  'true',
  '1e5',
  '2026-11-01',
  '..',
  '%6Eull',
  'a/b=c',
];

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  const id = '01ad0000-0000-8000-8000-000000000001';
  await books.pool.query(
    `insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
     select name, name, 'Europe/Madrid', 'EUR', '2026-10-01' from unnest($1::text[]) as name`,
    [NAMES],
  );
  await books.pool.query(
    `insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal, rule_version, description)
     select name, '${id}', '2026-10-05', '2026-10-05', '2026-10', 'trade', 'trades', 't', 1, 1, 1, '' from unnest($1::text[]) as name`,
    [NAMES],
  );
});
afterAll(() => books.close());

test('each entity keeps its name', async () => {
  const outDir = join(newFolder(), 'lake');
  await exportReports({ ...october(books.pool), format: 'parquet', outDir, isWhole: true });
  const lake = await openLake(outDir);
  const rows = await lake.rows('select entity_id from books.entries');
  lake.close();
  expect(rows.map(({ entity_id }) => entity_id).sort()).toEqual([...NAMES].sort());
});
