import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { inSession } from '../src/db.ts';
import { migrate, type SchemaFiles } from '../src/migrate.ts';
import { emptyDatabase, freshDatabase, type TestDatabase } from './database.ts';
import { newFolder } from './room.ts';

const folder = newFolder();
const opened: TestDatabase[] = [];
let books: TestDatabase;
let files: SchemaFiles;
let made = 0;

const add = (name: string, text: string) => writeFileSync(join(files.migrationsDir, name), text);
const views = (text: string) =>
  writeFileSync(files.viewsFile, `drop schema if exists books cascade; create schema books; ${text}`);

beforeEach(async () => {
  made += 1;
  books = await emptyDatabase();
  opened.push(books);
  const [migrationsDir, viewsFile] = [join(folder, `m${made}`), join(folder, `v${made}.sql`)];
  files = { migrationsDir, viewsFile, rolesFile: join(folder, 'roles.sql') };
  writeFileSync(
    files.rolesFile,
    'grant usage on schema books to tieout_loader, tieout_analyst, tieout_preparer, tieout_approver;',
  );
  mkdirSync(files.migrationsDir);
  add(
    '20260101000000_first.sql',
    '-- migrate:up\ncreate schema land; create table land.a (n int);\n-- migrate:down\n',
  );
  views('create view books.a as select n from land.a;');
});

afterAll(async () => {
  for (const database of opened) await database.close();
});

const count = async (relation: string) => (await books.pool.query(`select from ${relation}`)).rowCount;

test('migrations and views are applied once', async () => {
  expect(await migrate(books.url, files)).toEqual({ applied: ['20260101000000'], viewsRecreated: true });
  expect(await migrate(books.url, files)).toEqual({ applied: [], viewsRecreated: false });
  expect(await count('books.a')).toBe(0);
});

test('changed views are recreated whole, without a migration', async () => {
  await migrate(books.url, files);
  views('create view books.b as select n from land.a;');
  expect(await migrate(books.url, files)).toEqual({ applied: [], viewsRecreated: true });
  await expect(count('books.a')).rejects.toThrow('does not exist');
  expect(await count('books.b')).toBe(0);
});

test('two at once both succeed, and one does the work', async () => {
  const both = await Promise.all([migrate(books.url, files), migrate(books.url, files)]);
  expect(both.map((one) => one.applied.length).sort()).toEqual([0, 1]);
});

test('a newer schema is refused', async () => {
  await migrate(books.url, files);
  await books.pool.query("insert into schema_migrations values ('20990101000000')");
  await expect(migrate(books.url, files)).rejects.toThrow(
    'the database is of a newer schema (version 20990101000000) than this tieout: update tieout',
  );
});

test('a migration that fails is told, without the password, and leaves nothing half-done', async () => {
  await migrate(books.url, files);
  add(
    '20260102000000_bad.sql',
    '-- migrate:up\ncreate table land.b (n int); select 1 / 0;\n-- migrate:down\n',
  );
  const failed = await migrate(books.url, files).catch((error: Error) => error);
  expect(String(failed)).toMatch(/migrating \S+:\d+\/t_\w+ failed: [\s\S]*division by zero/);
  expect(String(failed)).not.toContain(new URL(books.url).password);
  await expect(count('land.b')).rejects.toThrow('does not exist');
  expect(await count('books.a')).toBe(0);
});

test('views that fail leave the old ones in place', async () => {
  await migrate(books.url, files);
  views('create view books.c as select nothing from land.a;');
  await expect(migrate(books.url, files)).rejects.toThrow('column "nothing" does not exist');
  expect(await count('books.a')).toBe(0);
});

test("the package's own schema is current in the template", async () => {
  const fresh = await freshDatabase();
  expect(await migrate(fresh.url)).toEqual({ applied: [], viewsRecreated: false });
  const schemas = await inSession(fresh.url, 'x', (s) =>
    s.query("select 1 from pg_namespace where nspname = 'books'"),
  );
  expect(schemas.rowCount).toBe(1);
  await fresh.close();
});
