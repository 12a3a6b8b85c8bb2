// A dump of an older schema: restored in it, and migrated.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { dumpFile, openDump, restoreFile } from '../../src/backup/backup.ts';
import { digestLine } from '../../src/backup/dump-text.ts';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../database.ts';
import { openStageAfterNight } from '../jobs/stage.ts';
import { newFolder } from '../room.ts';

const target = async (make: () => Promise<TestDatabase>): Promise<TestDatabase> => {
  const made = await make();
  onTestFinished(() => made.close());
  return made;
};

const isOlder = (name: string): boolean => !name.startsWith('reconcile.');

/** The text of a dump as a tieout without the last migration would have written it. */
const olderText = (text: string): string => {
  const { tables, sequences } = JSON.parse(/^-- manifest: (.*)$/m.exec(text)?.[1] ?? '') as {
    tables: { table: string }[];
    sequences: { name: string }[];
  };
  const remaining = {
    tables: tables.filter(({ table }) => isOlder(table)),
    sequences: sequences.filter(({ name }) => isOlder(name)),
  };
  const rows = text
    .slice(0, text.lastIndexOf('-- manifest: '))
    .replace(/,"20261121090500"/, '')
    .replace(/^COPY reconcile\.[\s\S]*?^\\\.\n/gm, '');
  const manifest = `-- manifest: ${JSON.stringify(remaining)}\n`;
  return `${rows}${manifest}${digestLine(rows.slice(0, rows.indexOf('\n') + 1), manifest)}`;
};

const MARK = `select obj_description('books'::regnamespace) as mark`;
const MOVEMENTS = 'select count(*)::int as count from books.movements';
const NEWEST = 'select max(version) as newest from public.schema_migrations';

const olderDump = async () => {
  const stage = await openStageAfterNight({ days: 2 });
  const file = join(newFolder(), 'books.gz');
  await dumpFile(stage.database.url, file, {});
  writeFileSync(file, gzipSync(olderText(gunzipSync(readFileSync(file)).toString('utf8'))));
  return { stage, file };
};

/** The last migration cannot create its schema. */
const OBSTACLE = `create schema obstacle;
  create function obstacle.refuse() returns event_trigger language plpgsql as $$ begin
    if to_regnamespace('reconcile') is not null then raise exception 'not here'; end if;
  end $$;
  create event trigger obstacle on ddl_command_end when tag in ('CREATE SCHEMA') execute function obstacle.refuse()`;

test('a dump of an older schema whose migration fails leaves an empty database, and is restored once nothing is in the way', async () => {
  const { file } = await olderDump();
  const books = await target(emptyDatabase);
  await books.pool.query(OBSTACLE);
  await expect(restoreFile(books.url, await openDump(file), {})).rejects.toThrow('not here');
  expect((await books.pool.query(`select to_regnamespace('land') as land`)).rows).toEqual([{ land: null }]);
  await books.pool.query('drop event trigger obstacle');
  await restoreFile(books.url, await openDump(file), {});
  expect((await books.pool.query(NEWEST)).rows).toEqual([{ newest: '20261121090500' }]);
});

test('a dump of an older schema is restored in it and migrated, into a database without any', async () => {
  const { stage, file } = await olderDump();
  const books = await target(emptyDatabase);
  const { tables } = await restoreFile(books.url, await openDump(file), {});
  expect(tables.map(({ table }) => table)).not.toContain('reconcile.tie_outs');
  expect((await books.pool.query(NEWEST)).rows).toEqual([{ newest: '20261121090500' }]);
  for (const text of [MARK, MOVEMENTS])
    expect((await books.pool.query(text)).rows).toEqual(await stage.rows(text));
  const current = await target(freshDatabase);
  await expect(restoreFile(current.url, await openDump(file), {})).rejects.toThrow(
    /^the dump is of an older schema than the one at .*: restore it into a database without a schema of tieout$/,
  );
});
