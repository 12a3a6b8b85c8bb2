// A database is ours only if it has our mark; one with a schema name of ours and no mark is left unchanged.
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { findBooks, SCHEMAS, TABLE } from '../../src/database/books-mark.ts';
import { inSession, placeOf } from '../../src/database/connection.ts';
import { migrate, requireBooks } from '../../src/database/migrate.ts';
import { readSchemaFiles } from '../../src/database/schema-files.ts';
import { emptyDatabase, freshDatabase, type TestDatabase, untilTestEnds } from '../database.ts';
import { wholeOf } from '../whole.ts';

const none = new UsageError('none are there');
const read = (url: string) => requireBooks(url, { place: 'at /srv/books', none });

/** Nobody may change it, neither a migration nor a reader. */
const expectForeign = async ({ url, pool }: TestDatabase, name: string) => {
  const before = await wholeOf(pool);
  for (const attempt of [migrate, read]) {
    const refused = await attempt(url).catch((error: Error) => error);
    expect(refused).toBeInstanceOf(UsageError);
    const { password } = new URL(url);
    expect(String(refused)).toContain(
      `the database ${placeOf(url)} has a ${name} that tieout did not create, so nothing was changed`,
    );
    expect(String(refused)).not.toContain(password);
  }
  expect(await wholeOf(pool)).toEqual(before);
};

const UNMARK = [...SCHEMAS.map((schema) => `schema ${schema}`), `table ${TABLE}`]
  .map((name) => `comment on ${name} is null`)
  .join(';');

describe('a database that is not ours', () => {
  test.each(SCHEMAS)('that has a schema %s', async (schema) => {
    const theirs = await untilTestEnds(emptyDatabase());
    await theirs.pool.query(`create schema ${schema}; create table ${schema}.theirs as select 1 as n`);
    await expectForeign(theirs, `schema ${schema}`);
    expect((await theirs.pool.query(`table ${schema}.theirs`)).rows).toEqual([{ n: 1 }]);
  });

  test.each([
    [
      'with the versions of another project',
      "create table public.schema_migrations as select '20200101000000' as version",
    ],
    ['with our versions', "create table public.schema_migrations as select '20261121090000' as version"],
    ['in another form', 'create table public.schema_migrations (id int)'],
  ])('that has migrations %s', async (_, made) => {
    const theirs = await untilTestEnds(emptyDatabase());
    await theirs.pool.query(made);
    await expectForeign(theirs, `table ${TABLE}`);
  });

  test.each([
    [
      'the mark of other books',
      "comment on schema land is 'Tieout books 00000000-0000-4000-8000-000000000000'",
      'land',
    ],
    ['a schema of theirs among ours', 'drop schema value cascade; create schema value', 'value'],
    ['our words in their comment', "comment on schema ledger is 'see Tieout books'", 'ledger'],
    ['lost all marks', UNMARK, 'books'],
  ])('that has %s', async (_, change, schema) => {
    const mixed = await untilTestEnds(freshDatabase());
    await mixed.pool.query(change);
    await expectForeign(mixed, `schema ${schema}`);
  });
});

test('every schema that we create has a mark, and all share one id', async () => {
  const { url, pool } = await untilTestEnds(freshDatabase());
  const { rows } = await pool.query(
    `select nspname as name, obj_description(oid, 'pg_namespace') as comment from pg_namespace
     where nspname !~ '^pg_' and nspname not in ('public', 'information_schema') order by 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([...SCHEMAS].sort());
  const shipped = await readSchemaFiles();
  const found = await inSession(url, 'tieout test', (session) => findBooks(session, url));
  for (const { comment } of rows) expect(comment).toContain(`Tieout books ${found?.booksId}`);
  expect(found).toMatchObject({ digest: shipped.digest, isGranted: true });
});

describe('a reader', () => {
  test.each([
    [
      'an older schema',
      `delete from ${TABLE} where version = (select max(version) from ${TABLE})`,
      /^the books at \/srv\/books are at schema \d+, and this tieout needs \d+: run npx tieout migrate$/,
    ],
    [
      'a lost row of its schema',
      `delete from ${TABLE} where version = (select min(version) from ${TABLE})`,
      /^the books at \/srv\/books have no row for migration \d+ in public\.schema_migrations: run npx tieout migrate$/,
    ],
    [
      'other views',
      `comment on schema books is 'MARK: the views; digest ${'b'.repeat(64)}'`,
      /^the books at \/srv\/books have the views of another version of tieout: run npx tieout migrate$/,
    ],
    [
      'no rights',
      'revoke usage on schema books from tieout_analyst',
      /^the books at \/srv\/books lack the roles or their rights: run npx tieout migrate$/,
    ],
  ])('is told what to type at %s, and changes nothing', async (_, change, message) => {
    const { url, pool } = await untilTestEnds(freshDatabase());
    const { rows } = await pool.query("select obj_description('land'::regnamespace) as mark");
    await pool.query(change.replace('MARK', rows[0]?.mark));
    const before = await wholeOf(pool);
    await expect(read(url)).rejects.toThrow(message);
    await expect(read(url)).rejects.toBeInstanceOf(UsageError);
    expect(await wholeOf(pool)).toEqual(before);
  });

  test('finds no books in an empty database, and creates none', async () => {
    const { url, pool } = await untilTestEnds(emptyDatabase());
    const before = await wholeOf(pool);
    await expect(read(url)).rejects.toBe(none);
    expect(await wholeOf(pool)).toEqual(before);
  });
});
