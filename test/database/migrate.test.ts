import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { FailedError, UsageError } from '../../src/base/errors.ts';
import { sentenceOf } from '../../src/cli/ending.ts';
import { inSession, openDatabase, openSession } from '../../src/database/connection.ts';
import { migrate, schemaStatus } from '../../src/database/migrate.ts';
import type { SchemaFiles } from '../../src/database/schema-files.ts';
import { emptyDatabase, freshDatabase, type TestDatabase, urlOf } from '../database.ts';
import { newFolder } from '../room.ts';
import { wholeOf } from '../whole.ts';

const folder = newFolder();
const opened: TestDatabase[] = [];
let books: TestDatabase;
let files: SchemaFiles;
let made = 0;

const add = (name: string, text: string) => writeFileSync(join(files.migrationsDir, name), text);
const views = (text: string) => {
  writeFileSync(
    join(files.viewsDir, '01-schema.sql'),
    'drop schema if exists books cascade; create schema books;',
  );
  writeFileSync(join(files.viewsDir, '02-views.sql'), text);
};

beforeEach(async () => {
  made += 1;
  books = await emptyDatabase();
  opened.push(books);
  const [migrationsDir, viewsDir] = [join(folder, `m${made}`), join(folder, `v${made}`)];
  files = { migrationsDir, viewsDir, rolesFile: join(folder, 'roles.sql') };
  writeFileSync(
    files.rolesFile,
    'grant usage on schema books to tieout_loader, tieout_analyst, tieout_preparer, tieout_approver;',
  );
  for (const path of [migrationsDir, viewsDir]) mkdirSync(path);
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
  expect(await migrate(books.url, { files })).toEqual({
    applied: ['20260101000000'],
    viewsRecreated: true,
    dropped: [],
  });
  expect(await migrate(books.url, { files })).toEqual({ applied: [], viewsRecreated: false, dropped: [] });
  expect(await count('books.a')).toBe(0);
});

test('changed views are recreated as a whole, without a migration', async () => {
  await migrate(books.url, { files });
  views('create view books.b as select n from land.a;');
  expect(await migrate(books.url, { files })).toEqual({ applied: [], viewsRecreated: true, dropped: [] });
  await expect(count('books.a')).rejects.toThrow('does not exist');
  expect(await count('books.b')).toBe(0);
});

test('a session that never stops reading is named, with what to do, and nothing changes', async () => {
  await migrate(books.url, { files });
  const before = await wholeOf(books.pool);
  views('create view books.b as select n from land.a;');
  const reading = await openSession(books.url, 'psql');
  try {
    await reading.query('begin; table books.a');
    const reader = (await reading.query('select pg_backend_pid() as pid, current_user as who')).rows[0];
    const failed = await migrate(books.url, { files, waitMs: 300 }).catch((error: Error) => error);
    expect(failed).toBeInstanceOf(FailedError);
    expect(String(failed)).toMatch(
      new RegExp(
        `the books: \\(pid ${reader.pid}, user ${reader.who}, in a transaction since 20\\d\\d-.*Z\\): end .*pg_terminate_backend`,
      ),
    );
    expect(await wholeOf(books.pool)).toEqual(before);
  } finally {
    await reading.end();
  }
  expect((await migrate(books.url, { files })).viewsRecreated).toBe(true);
});

test('two concurrent migrations succeed, and one does the work', async () => {
  const both = await Promise.all([migrate(books.url, { files }), migrate(books.url, { files })]);
  expect(both.map((one) => one.applied.length).sort()).toEqual([0, 1]);
});

test('a newer schema is refused', async () => {
  await migrate(books.url, { files });
  await books.pool.query("insert into public.schema_migrations values ('20990101000000')");
  await expect(migrate(books.url, { files })).rejects.toThrow(
    'the database is of a newer schema (version 20990101000000) than this tieout: update tieout',
  );
});

test.each(['20200101000000', 'abc', ''])(
  'a migration "%s" that no version has is refused as such: no update of tieout knows it',
  async (version) => {
    await migrate(books.url, { files });
    await books.pool.query('insert into public.schema_migrations values ($1)', [version]);
    await expect(migrate(books.url, { files })).rejects.toThrow(
      `the database has a migration that no tieout up to this version has (${version}): use the program that made it`,
    );
  },
);

test('a migration that fails in the middle leaves the database unchanged', async () => {
  await migrate(books.url, { files });
  await books.pool.query("insert into land.a values (7); comment on table land.a is 'kept'");
  const before = await wholeOf(books.pool);
  add('20260102000000_good.sql', '-- migrate:up\ncreate table land.b (n int);\n-- migrate:down\n');
  add(
    '20260103000000_bad.sql',
    '-- migrate:up\nalter table land.a add m int; drop view books.a; select 1 / 0;\n-- migrate:down\n',
  );
  const failed = await migrate(books.url, { files }).catch((error: Error) => error);
  expect(failed).toBeInstanceOf(FailedError);
  expect(String(failed)).toMatch(
    /migrating \S+:\d+\/t_\w+ failed, and nothing was changed: 20260103000000_bad\.sql: division by zero/,
  );
  expect(String(failed)).not.toContain(new URL(books.url).password);
  expect(await wholeOf(books.pool)).toEqual(before);
});

test('a migration on a full disk fails like any other command there', async () => {
  const text = "raise exception using errcode = '53100', message = 'could not extend file'";
  add('20260102000000_large.sql', `-- migrate:up\ndo $$ begin ${text}; end $$;\n-- migrate:down\n`);
  const failed = await migrate(books.url, { files }).catch((error: Error) => error);
  expect(sentenceOf(failed)).toBe(
    'the disk of the database is full (20260102000000_large.sql: could not extend file): free space on it, and run the command again',
  );
});

test('a first migration that fails leaves an empty database', async () => {
  const before = await wholeOf(books.pool);
  views('create view books.a as select nothing from land.a;');
  await expect(migrate(books.url, { files })).rejects.toThrow('column "nothing" does not exist');
  expect(await wholeOf(books.pool)).toEqual(before);
});

test.each(['SQL_ASCII', 'LATIN1'])(
  'a database in %s is refused before anything is in it',
  async (encoding) => {
    const name = `in_${encoding.toLowerCase()}`;
    await books.pool.query(`create database ${name} encoding '${encoding}' locale 'C' template template0`);
    const other = openDatabase(urlOf(books.url, name));
    try {
      const refused = await migrate(urlOf(books.url, name), { files }).catch((error: Error) => error);
      expect(refused).toBeInstanceOf(UsageError);
      expect(String(refused)).toContain(
        `has the encoding ${encoding}, and books need UTF8: create another one`,
      );
      const { rows } = await other.pool.query(
        "select nspname from pg_namespace where nspname in ('land', 'books')",
      );
      expect(rows).toEqual([]);
    } finally {
      await other.close();
      await books.pool.query(`drop database ${name} with (force)`);
    }
  },
);

test('a file without both parts is refused by name', async () => {
  add('20260102000000_half.sql', '-- migrate:up transaction:false\nselect 1;\n-- migrate:down\n');
  await expect(migrate(books.url, { files })).rejects.toThrow(
    /20260102000000_half\.sql has no part between "-- migrate:up" and "-- migrate:down"/,
  );
});

describe('views of others that depend on ours', () => {
  const build = async () => {
    await migrate(books.url, { files });
    await books.pool.query(`
      create schema desk; create table desk.mine (n int); create view desk.apart as select n from desk.mine;
      create view desk.report as select n from books.a; create view desk.of_report as select n from desk.report;
      create function desk.first() returns int language sql return (select min(n) from books.a);
      alter table desk.mine add column m int default desk.first()`);
    views('create view books.a as select n, n as m from land.a;');
  };
  const names = [
    'view desk.report',
    'view desk.of_report',
    'function desk.first()',
    'default value for desk.mine.m',
  ];

  test('are named and stay, unless dropping is allowed', async () => {
    await build();
    const before = await wholeOf(books.pool);
    const refused = await migrate(books.url, { files }).catch((error: Error) => error);
    expect(refused).toBeInstanceOf(UsageError);
    for (const name of names) expect(String(refused)).toContain(`\n  ${name}\n`);
    expect(String(refused)).toMatch(/npx tieout migrate --drop-dependents/);
    expect(String(refused)).not.toMatch(/apart|column|mine\n/);
    expect(await wholeOf(books.pool)).toEqual(before);
  });

  test('are dropped on request, and named', async () => {
    await build();
    const { dropped } = await migrate(books.url, { files, dropsDependents: true });
    expect([...dropped].sort()).toEqual([...names].sort());
    expect(await count('books.a')).toBe(0);
    expect(await count('desk.apart')).toBe(0);
  });
});

test('failing views leave the old ones in place', async () => {
  await migrate(books.url, { files });
  views('create view books.c as select nothing from land.a;');
  await expect(migrate(books.url, { files })).rejects.toThrow('column "nothing" does not exist');
  expect(await count('books.a')).toBe(0);
});

test("the package's own schema is current in the template", async () => {
  const fresh = await freshDatabase();
  expect(await migrate(fresh.url)).toEqual({ applied: [], viewsRecreated: false, dropped: [] });
  const schemas = await inSession(fresh.url, 'x', (s) =>
    s.query("select 1 from pg_namespace where nspname = 'books'"),
  );
  expect(schemas.rowCount).toBe(1);
  await fresh.close();
});

test('a dry run says what a migration would do, meets its failures, and changes nothing', async () => {
  const would = { applied: ['20260101000000'], viewsRecreated: true, dropped: [] };
  expect(await migrate(books.url, { files, isDryRun: true })).toEqual(would);
  expect(
    (await books.pool.query("select from pg_namespace where nspname in ('land', 'books')")).rowCount,
  ).toBe(0);
  expect(await migrate(books.url, { files })).toEqual(would);
  views('create view books.b as select n from land.missing;');
  await expect(migrate(books.url, { files, isDryRun: true })).rejects.toThrow('nothing was changed');
  expect(await count('books.a')).toBe(0);
});

test('the status names the version and what is pending, and changes nothing', async () => {
  const empty = await emptyDatabase();
  onTestFinished(() => empty.close());
  const before = await schemaStatus(empty.url);
  expect([before.version, before.pending.length > 3, before.lack]).toEqual([null, true, null]);
  expect((await empty.pool.query("select from pg_namespace where nspname = 'run'")).rowCount).toBe(0);
  const books = await freshDatabase();
  onTestFinished(() => books.close());
  expect(await schemaStatus(books.url)).toEqual({ version: before.pending.at(-1), pending: [], lack: null });
});
