// The cookbook: every query for analysts runs, and gives these rows on the small world, in Postgres and on the lake in DuckDB.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readRows } from '../../src/database/database.ts';
import { loadSql, sqlPaths } from '../../src/database/sql.ts';
import { type Exported, type ExportOptions, exportReports } from '../../src/export/export.ts';
import { loadDuckDb } from '../../src/export/lake/duckdb.ts';
import { verifyFolder } from '../../src/verify/verify.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { newFolder } from '../room.ts';
import { type Lake, openLake, rowText, substituted } from './lake.ts';
import { makeQuestioned, QUESTIONS, SMALLER } from './questions.ts';
import { october } from './world.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await makeQuestioned(books);
});
afterAll(() => books.close());

test('every file of the cookbook has its expected rows here', () => {
  expect(sqlPaths('cookbook')).toEqual(Object.keys(QUESTIONS));
});

test.each(Object.entries(QUESTIONS))('%s', async (path, values) => {
  const { rows } = await books.pool.query(loadSql(path, values));
  const lines = rows.map((row) =>
    Object.values(row)
      .map((value) => value ?? '')
      .join(' | '),
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`golden/${path.replace(/\.sql$/, '.txt')}`);
});

test('a deposit by card with a fee, and one with a fee of the network in another coin, are counted once', async () => {
  const { db, pool } = books;
  const noon = '2026-12-01T12:00:00Z';
  const entry = (id: string) =>
    `('main', '${id}', '${noon}', '${noon}', '2026-12', 'wallet-transaction', 'wallet-transactions', '${id}', 1, 1, 3, '')`;
  const [deposit, purchase] = [
    '01ad0000-0000-8000-8000-000000000001',
    '01ad0000-0000-8000-8000-000000000002',
  ];
  await pool.query(`
    insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal, rule_version, description)
      values ${entry(deposit)}, ${entry(purchase)};
    insert into ledger.transfers values
      ('main', '${deposit}', 1, 'assets:pocket:p-eur', 'equity:external:card', 'EUR', 98.5),
      ('main', '${deposit}', 2, 'expenses:fees:teller', 'equity:external:card', 'EUR', 1.5),
      ('main', '${purchase}', 1, 'equity:conversion', 'equity:external:card', 'EUR', 50),
      ('main', '${purchase}', 2, 'assets:pocket:p-usdc', 'equity:conversion', 'USDC', 52),
      ('main', '${purchase}', 3, 'expenses:fees:network', 'assets:pocket:p-eth', 'ETH', 0.0004)`);
  const rows = await readRows(
    db,
    loadSql('cookbook/card_purchases.sql', { from: '2026-12-01T00:00:00Z', to: '2027-01-01T00:00:00Z' }),
  );
  expect(rows).toMatchObject([
    { paid: '100', paid_currency: 'EUR', received: '98.5', received_currency: 'EUR' },
    { paid: '50', paid_currency: 'EUR', received: '52', received_currency: 'USDC' },
  ]);
  expect(rows).toHaveLength(2);
  await pool.query(`delete from ledger.transfers where entry_id in ('${deposit}', '${purchase}');
    delete from ledger.entries where entry_id in ('${deposit}', '${purchase}')`);
});

describe('on the lake', () => {
  const outDir = join(newFolder(), 'lake');
  const writeLake = (options: Partial<ExportOptions> = {}) =>
    exportReports({ ...october(books.pool), format: 'parquet', outDir, isWhole: true, ...options });
  let exported: Exported;
  let lake: Lake;
  beforeAll(async () => {
    exported = await writeLake();
    await books.pool.query(SMALLER);
    lake = await openLake((await writeLake()).dir);
  });
  afterAll(() => lake.close());

  test('a column with an amount of 48 digits is text, as the manifest says', () => {
    const texts = exported.manifest.lake?.tables.flatMap((table) =>
      table.texts.map((text) => `${table.name}.${text}`),
    );
    expect(texts).toEqual([
      'balances.balance',
      'consolidated.not_compared',
      'movements.amount',
      'newest_tie_outs.booked',
      'postings.amount',
      'tie_outs.booked',
      'transfers.amount',
    ]);
  });

  test.each(Object.entries(QUESTIONS))('the rows of %s are equal', async (path, values) => {
    const { rows } = await books.pool.query(loadSql(path, values));
    expect((await lake.rows(substituted(path, values))).map(rowText)).toEqual(rows.map(rowText));
  });

  test('every view has its rows and columns', async () => {
    const { tables = [] } = exported.manifest.lake ?? {};
    for (const { name, order, partitions } of tables) {
      const { rows } = await books.pool.query(`select count(*) as rows from books.${name}`);
      expect([name, await lake.rows(`select count(*) as rows from books.${name}`)]).toEqual([name, rows]);
      const columns = (await lake.rows(`describe books.${name}`)).map(({ column_name }) => column_name);
      expect(columns).toEqual([...new Set([...order, ...partitions])]);
    }
  });

  test('the folder is proved by its manifest', async () => {
    expect(readdirSync(join(outDir, 'postings', 'entity_id=Zeta'))).toEqual(['month=2026-10']);
    const { proofs } = await verifyFolder(outDir);
    expect(proofs.map(({ faults, first }) => [faults, first])).toEqual(proofs.map(() => ['0', null]));
  });

  test('a file of another program in it is refused by name', async () => {
    mkdirSync(join(outDir, 'postings', 'year=2026'));
    writeFileSync(join(outDir, 'postings', 'year=2026', 'theirs.parquet'), '');
    await expect(writeLake()).rejects.toThrow(
      `${outDir} contains files that no export wrote (postings/year=2026, postings/year=2026/theirs.parquet)`,
    );
  });

  test('half a month and a missing package are usage errors', async () => {
    const half = { outDir: join(newFolder(), 'half'), period: '2026-10-01..2026-10-15', isWhole: false };
    await expect(writeLake(half)).rejects.toThrow('a lake is cut by whole months: write a month');
    const missing = () => Promise.reject(Object.assign(new Error(), { code: 'ERR_MODULE_NOT_FOUND' }));
    await expect(loadDuckDb(missing)).rejects.toThrow('type npm install @duckdb/node-api@1.5.5-r.5');
  });
});
