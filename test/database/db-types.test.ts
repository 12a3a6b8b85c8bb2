import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/base/root.ts';
import { emptyDatabase, freshDatabase } from '../database.ts';
import { generateTypes } from './db-types.ts';

// `npm run types:db` runs this test with -u, which rewrites the file.
test('src/database/db-types.ts matches the migrations: otherwise run npm run types:db', async () => {
  const fresh = await freshDatabase();
  const types = await generateTypes(fresh.url);
  await fresh.close();
  await expect(types).toMatchFileSnapshot(join(packageRoot, 'src', 'database', 'db-types.ts'));
});

test('columns are typed as our parsers read them', async () => {
  const books = await emptyDatabase();
  await books.pool.query(`
    create schema land; create schema books;
    create type land.side as enum ('buy', 'sell'); create domain land.amount as numeric not null;
    create table land.all_kinds (id int8 generated always as identity, n int4 not null, amount land.amount,
      at timestamptz not null default now(), note text, side land.side not null, sides land.side[],
      names text[] not null, body bytea not null, ok bool not null, half numeric generated always as (amount / 2) stored);
    create view books.kinds as select n, at from land.all_kinds;`);
  const types = await generateTypes(books.url);
  await books.close();
  expect(types.slice(types.indexOf('export'))).toMatchInlineSnapshot(`
    "export interface BooksKinds {
      n: ReadOnly<number | null>;
      at: ReadOnly<string | null>;
    }

    export interface LandAllKinds {
      id: GeneratedAlways<string>;
      n: number;
      amount: string;
      at: Generated<string>;
      note: string | null;
      side: 'buy' | 'sell';
      sides: string | null;
      names: string[];
      body: Buffer;
      ok: boolean;
      half: GeneratedAlways<string | null>;
    }

    /** Every table and view, by schema and name. */
    export interface DB {
      'books.kinds': BooksKinds;
      'land.all_kinds': LandAllKinds;
    }
    "
  `);
});
