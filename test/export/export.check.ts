// An export of the small world: every byte, its proofs, and that its environment changes no byte.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sum } from '../../src/base/money.ts';
import { openDatabase } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { sqlPaths } from '../../src/database/sql.ts';
import { bookedMonths, exportReports } from '../../src/export/export.ts';
import { freshDatabase, type TestDatabase, urlOf } from '../database.ts';
import { newFolder } from '../room.ts';
import { filesIn, makeWorld, october, poolAfter } from './world.ts';

let books: TestDatabase;
let plain: Record<string, string>; // before any session's settings are changed
beforeAll(async () => {
  books = await freshDatabase();
  await makeWorld(books);
  plain = await exported();
});
afterAll(() => books.close());

const exported = async (pool = books.pool) => {
  const { dir } = await exportReports(october(pool));
  return filesIn(dir);
};

describe('October', () => {
  test('gives these files', async () => {
    const files = plain;
    const names = sqlPaths('reports').map((path) => path.replace(/^reports\/(.*)\.sql$/, '$1.csv'));
    expect(Object.keys(files).sort()).toEqual(
      [...names, 'manifest.json', 'report.html', 'report.json'].sort(),
    );
    for (const name of names) await expect(files[name]).toMatchFileSnapshot(`golden/2026-10/${name}`);
    const manifest = files['manifest.json']
      ?.replace(/"version": ".*"/, '"version": "x.y.z"')
      .replace(/"(checks|close|headings|page|reports|views)": "[0-9a-f]{64}"/g, '"$1": "(its SHA-256)"')
      .replace(/("name": "report.(?:html|json)",\s+"rows": 0,\s+"sha256": ")\w+/g, '$1of the page'); // contains the version
    await expect(manifest).toMatchFileSnapshot('golden/2026-10/manifest.json.txt');
  });

  test('has a manifest that matches its files', async () => {
    const { dir, files, manifest } = await exportReports(october(books.pool));
    expect(JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8'))).toEqual(manifest);
    expect(manifest.files).toEqual(files);
    for (const { name, sha256, columns } of files) {
      const bytes = readFileSync(join(dir, name));
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
      if (name.endsWith('.csv')) expect(bytes.toString('utf8').split('\n')[0]).toBe(columns.join(','));
    }
    for (const { closing } of manifest.control_totals) expect(sum(Object.values(closing))).toBe('0');
  });

  test('closes with the opening of November', async () => {
    const column = async (period: string, name: string) => {
      const { dir } = await exportReports({ ...october(books.pool), period });
      const [head = '', ...lines] = readFileSync(join(dir, 'trial_balance.csv'), 'utf8')
        .trimEnd()
        .split('\n');
      const columns = head.split(',');
      const position = columns.indexOf(name);
      const keys = ['entity_id', 'account', 'currency'].map((key) => columns.indexOf(key));
      const cells = lines.map((line) => line.split(','));
      return cells
        .filter((cell) => cell[position] !== '0')
        .map((cell) => [...keys.map((key) => cell[key]), cell[position]].join(' '));
    };
    expect(await column('2026-11', 'opening')).toEqual(await column('2026-10', 'closing'));
  });

  test('has one entity, or both by name', async () => {
    const one = await exportReports({ ...october(books.pool), entities: ['Zeta'] });
    expect(one.manifest.entities).toEqual(['Zeta']);
    const journal = filesIn(one.dir)['journal.csv']?.trimEnd().split('\n') ?? [];
    expect(journal.slice(1).map((line) => line.split(',')[0])).toEqual(['Zeta', 'Zeta']);
    expect(one.manifest.as_of).toBe('2026-10-31T23:00:00.000Z');
    const both = await exportReports({ ...october(books.pool), entities: ['main', 'Zeta'] });
    expect(filesIn(both.dir)).toEqual(plain);
  });
});

describe('the same bytes', () => {
  test.each([
    [
      'a session elsewhere',
      "set timezone = 'Asia/Tokyo'; set datestyle = 'German'; set intervalstyle = 'iso_8601'",
    ],
    ['no index, no hash', 'set enable_indexscan = off; set enable_hashagg = off; set enable_hashjoin = off'],
    [
      'parallel plans',
      'set debug_parallel_query = on; set parallel_setup_cost = 0; set parallel_tuple_cost = 0',
    ],
    ['no parallel plans', 'set max_parallel_workers_per_gather = 0'],
    ['little memory', "set work_mem = '64kB'; set jit = off"],
  ])('with %s', async (_what, settings) => {
    expect(await exported(poolAfter(books.pool, settings))).toEqual(plain);
  });

  test.each([
    ['csv', 'excel-de'],
    ['xlsx', 'excel-es'],
  ] as const)('of %s, %s, whatever the timezone and the plan', async (format, profile) => {
    const bytes = async (pool = books.pool) => {
      const { manifest } = await exportReports({ ...october(pool), format, profile });
      return manifest.files.map(({ name, sha256 }) => `${name} ${sha256}`);
    };
    const here = await bytes();
    const { TZ } = process.env;
    process.env.TZ = 'Asia/Kathmandu';
    try {
      expect(await bytes()).toEqual(here);
    } finally {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    }
    const parallel = 'set max_parallel_workers_per_gather = 4; set debug_parallel_query = on';
    expect(await bytes(poolAfter(books.pool, parallel))).toEqual(here);
  });

  test('with another locale', async () => {
    const name = 'es_locale';
    await books.pool.query(
      `create database ${name} template template0 locale_provider icu icu_locale 'es-ES' locale 'C'`,
    );
    const url = urlOf(books.url, name);
    await migrate(url);
    const spanish = openDatabase(url);
    try {
      await makeWorld(spanish);
      const { rows } = await spanish.pool.query('select entity_id from books.entities order by entity_id');
      expect(rows.map((row) => row.entity_id)).toEqual(['main', 'Zeta']); // not byte order
      expect(await exported(spanish.pool)).toEqual(plain);
    } finally {
      await spanish.close();
      await books.pool.query(`drop database ${name} with (force)`);
    }
  });
});

describe('an invalid export', () => {
  test('an unknown entity', async () => {
    await expect(exportReports({ ...october(books.pool), entities: ['main', 'nobody'] })).rejects.toThrow(
      expect.objectContaining({
        exitCode: 64,
        message: 'no books of nobody: choose from Zeta, main',
      }),
    );
  });

  test('a failing report leaves the earlier export, nothing beside it, and a pool that still works', async () => {
    const options = october(books.pool);
    const { dir } = await exportReports(options);
    const before = filesIn(dir);
    await books.pool.query('alter view books.rejects rename to rejects_away'); // among the last to be written
    await expect(exportReports(options)).rejects.toThrow('rejects');
    await books.pool.query('alter view books.rejects_away rename to rejects');
    expect(filesIn(dir)).toEqual(before);
    expect(readdirSync(dirname(dir))).toEqual(['2026-10']);
    expect((await exportReports(options)).dir).toBe(dir);
  });

  test('a folder that cannot be written', async () => {
    const file = join(newFolder(), 'file');
    writeFileSync(file, '');
    await expect(exportReports({ ...october(books.pool), outDir: join(file, 'out') })).rejects.toThrow(
      expect.objectContaining({ exitCode: 64, message: expect.stringContaining('cannot be written to') }),
    );
  });
});

describe('months', () => {
  test('with entries, in the timezone of the books', async () => {
    expect(await bookedMonths(books.pool, 'Europe/Madrid')).toEqual(['2026-09', '2026-10', '2026-11']);
    expect(await bookedMonths(books.pool, 'UTC')).toEqual(['2026-09', '2026-10']);
  });
});

describe('empty books', () => {
  let empty: TestDatabase;
  beforeAll(async () => {
    empty = await freshDatabase();
  });
  afterAll(() => empty.close());

  test('give files with only headers, and nothing is proved', async () => {
    const { dir, files, manifest } = await exportReports(october(empty.pool));
    expect(manifest).toMatchObject({ as_of: null, entities: [], control_totals: [] });
    for (const { name, rows, columns } of files.filter(({ name }) => name.endsWith('.csv'))) {
      expect([rows, filesIn(dir)[name]]).toEqual([0, `${columns.join(',')}\n`]);
    }
    expect(await bookedMonths(empty.pool, 'UTC')).toEqual([]);
  });

  test('with an entity that was never read nothing is proved, whatever the others', async () => {
    const { pool } = empty;
    const asOf = async () => (await exportReports(october(pool))).manifest.as_of;
    await pool.query(`insert into run.entities (entity_id, name, first_seen_at) values ('a', '', now())`);
    await pool.query(
      `insert into land.coverage (entity_id, stream, scope, covered)
       select 'a', stream, '', '{[-infinity,2026-12-01T00:00:00Z)}' from unnest(array['movements', 'trades', 'wallet-transactions']) as stream`,
    );
    expect(await asOf()).toBe('2026-10-31T23:00:00.000Z');
    await pool.query(`insert into run.entities (entity_id, name, first_seen_at) values ('b', '', now())`);
    expect(await asOf()).toBe(null);
  });

  test('rows beyond one batch are all exported, once, in order', async () => {
    await empty.pool.query(
      `insert into ledger.entries select 'main', overlay(gen_random_uuid()::text placing left(books_internal.first_entry_id(at)::text, 13) from 1)::uuid,
         at, now(), '2026-10', 'movement', 'movements', n::text, 1, 1, null, 1, ''
       from generate_series(1, 15000) n cross join lateral (select timestamptz '2026-10-01T00:00:00Z' + n * interval '1 s' as at) as moment;
       insert into ledger.transfers select entity_id, entry_id, 1, 'assets:trading', 'assets:clearing:trading', 'EUR', 0.01
       from ledger.entries;
       insert into ledger.daily select * from ledger.daily_sums;
       insert into ledger.totals select * from ledger.total_sums`,
    );
    const { dir, files } = await exportReports(october(empty.pool));
    expect(files.find(({ name }) => name === 'journal.csv')?.rows).toBe(30_000);
    const [head = '', ...lines] = filesIn(dir)['journal.csv']?.trimEnd().split('\n') ?? [];
    const position = head.split(',').indexOf('record_id');
    const ids = lines.map((line) => Number(line.split(',')[position]));
    expect(ids).toEqual(Array.from({ length: 30_000 }, (_, i) => Math.floor(i / 2) + 1));
  });
});
