// A migration that is refused names who or what is in its way, and what to type.
import { describe, expect, test } from 'vitest';
import { markOf, writeMarks } from '../../src/database/books-mark.ts';
import { inSession } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { emptyDatabase, freshDatabase, type TestDatabase, untilTestEnds } from '../database.ts';

/** As after an update of tieout: the views must be recreated. */
const outdate = async ({ url, db }: TestDatabase) => {
  const { booksId = '' } = (await markOf(db)) ?? {};
  await inSession(url, 'test', (session) => writeMarks(session, booksId, 'f'.repeat(64)));
};

test('a prepared transaction, which has no session, is named with what ends it', async () => {
  const books = await untilTestEnds(freshDatabase());
  await outdate(books);
  await books.pool.query("begin; table books.runs; prepare transaction 'forgotten'");
  try {
    await expect(migrate(books.url, { waitMs: 300 })).rejects.toThrow(
      /the books: \(prepared transaction 'forgotten', user \S+, which only commit or rollback prepared ends, in a transaction since 20\d\d-.*Z\): end/,
    );
  } finally {
    await books.pool.query("rollback prepared 'forgotten'");
  }
  expect((await migrate(books.url)).viewsRecreated).toBe(true);
});

describe('a role that is not the owner', () => {
  const asAnother = async ({ url, pool }: TestDatabase, work: (url: string) => Promise<void>) => {
    await pool.query("create role another login password 'another'");
    try {
      await work(Object.assign(new URL(url), { username: 'another', password: 'another' }).href);
    } finally {
      await pool.query('drop role another');
    }
  };

  test('learns that it may not create schemas', async () =>
    asAnother(await untilTestEnds(emptyDatabase()), (url) =>
      expect(migrate(url)).rejects.toThrow(
        /^the role of DATABASE_URL may not create schemas \(permission denied .*\): let the owner/,
      ),
    ));

  test('learns that the books belong to another', async () =>
    asAnother(await untilTestEnds(freshDatabase()), (url) =>
      expect(migrate(url)).rejects.toThrow(
        /^the books at \S+ belong to another role \(permission denied .*\): write the address/,
      ),
    ));
});

test.each(['min', 'max'])(
  'the lost row of the %s version is named, and how to write it again',
  async (which) => {
    const books = await untilTestEnds(freshDatabase());
    const { rows } = await books.pool.query(
      `delete from public.schema_migrations where version = (select ${which}(version) from public.schema_migrations) returning version`,
    );
    const { version } = rows[0];
    await expect(migrate(books.url)).rejects.toThrow(
      new RegExp(
        `^migration ${version} cannot be applied, because .* already exists, .*insert into public.schema_migrations values \\('${version}'\\)`,
      ),
    );
  },
);
