// An entity that the books do not have, among many: a message names the first, and how many others there are.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportReports } from '../../src/export/export.ts';
import { entityOf } from '../../src/export/packages/export-batch.ts';
import { inSnapshot } from '../../src/export/reports/snapshot.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { newFolder } from '../room.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    select 'unit ' || n, '', 'UTC', 'EUR', now() from generate_series(101, 400) n`);
});
afterAll(() => books.close());

const CHOICE = 'unit 101, unit 102, unit 103, unit 104, unit 105 and 295 more';

test('reports', async () => {
  const options = { period: '2026-10', timezone: 'UTC', currency: 'EUR', outDir: newFolder() };
  await expect(exportReports({ ...options, pool: books.pool, entities: ['nobody'] })).rejects.toThrow(
    `no books of nobody: choose from ${CHOICE}`,
  );
});

test('packages', async () => {
  const chosen = (entity?: string) => inSnapshot(books.pool, (snapshot) => entityOf(snapshot, entity));
  await expect(chosen('nobody')).rejects.toThrow(`no books of nobody: choose from ${CHOICE}`);
  await expect(chosen()).rejects.toThrow(`choose it with --entity, one of ${CHOICE}`);
});
