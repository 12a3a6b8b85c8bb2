// Dumps: books that come back equal, to the digest, and files that are refused.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { dumpFile, moveBooks, openDump, restoreFile } from '../../src/backup/backup.ts';
import { writeDump } from '../../src/backup/dump.ts';
import { digestLine } from '../../src/backup/dump-text.ts';
import { inSession } from '../../src/database/database.ts';
import { removeServer } from '../../src/postgres/postgres.ts';
import { tieout } from '../cli/tieout.ts';
import { emptyDatabase, freshDatabase, QUICK, type TestDatabase } from '../database.ts';
import { openStageAfterNight, type Stage } from '../jobs/stage.ts';
import { hasOldest, startOldest } from '../oldest-start.ts';
import { newFolder } from '../room.ts';
import { wholeOf } from '../whole.ts';

let stage: Stage;
const ends: (() => Promise<void>)[] = [];
const folder = newFolder();
const file = join(folder, 'books.gz');

beforeAll(async () => {
  stage = await openStageAfterNight({ days: 2 }, (end) => ends.push(end));
  await dumpFile(stage.database.url, file, {});
});
afterAll(async () => {
  for (const end of ends) await end();
});

const target = async (make: () => Promise<TestDatabase> = emptyDatabase): Promise<TestDatabase> => {
  const made = await make();
  onTestFinished(() => made.close());
  return made;
};

/** The dump with another text. */
const altered = (change: (text: string) => string): string => {
  const path = join(newFolder(), 'altered.gz');
  writeFileSync(path, gzipSync(change(gunzipSync(readFileSync(file)).toString('utf8'))));
  return path;
};

/** The dump with another text, whose digest is made anew. */
const forged = (change: (text: string) => string): string =>
  altered((text) => {
    const changed = change(text.slice(0, text.lastIndexOf('-- digest: ')));
    const [header, manifest] = [/^.*\n/, /-- manifest: .*\n$/].map((line) => line.exec(changed)?.[0] ?? '');
    return `${changed}${digestLine(header ?? '', manifest ?? '')}`;
  });

/** What stands between the header, which names the server, and the digest of both. */
const rowsOf = (path: string): Buffer => {
  const text = gunzipSync(readFileSync(path));
  return text.subarray(text.indexOf('\n'), text.lastIndexOf('-- digest: '));
};

const MARKS = `select obj_description('books'::regnamespace) as mark`;
const STATE = `select (select max(position) from run.links) as links, (select count(*) from land.people) as people,
  (select last_value from ledger.entries_entry_number_seq) as entries, (select last_value from land.requests_request_id_seq) as requests`;

const WITHOUT_SIZE = `select name from unnest($1::text[]) as name join pg_class c on c.oid = name::regclass
  where c.relkind = 'r' and c.reltuples < 0`;

test('a restored database is the same books: rows, sequences, mark, a second dump, and sizes that the planner knows', async () => {
  const books = await target();
  const restored = await restoreFile(books.url, await openDump(file), {});
  expect(restored.tables.find(({ table }) => table === 'ledger.entries')?.rows).toBeGreaterThan(20);
  for (const sql of [STATE, MARKS])
    expect((await books.pool.query(sql)).rows).toEqual((await stage.database.pool.query(sql)).rows);
  const names = restored.tables.map(({ table }) => table);
  expect((await books.pool.query(WITHOUT_SIZE, [names])).rows).toEqual([]);
  const again = join(newFolder(), 'again.gz');
  expect(await dumpFile(books.url, again, {})).toEqual(restored);
  expect(gunzipSync(readFileSync(again)).equals(gunzipSync(readFileSync(file)))).toBe(true);
});

test.skipIf(!hasOldest())(
  'a dump goes from one major version of PostgreSQL to another and back: the same rows',
  async () => {
    const oldest = await startOldest(newFolder(), QUICK);
    onTestFinished(() => oldest.end());
    await restoreFile(oldest.url, await openDump(file), {});
    const older = join(newFolder(), 'older.gz');
    await dumpFile(oldest.url, older, {});
    expect(rowsOf(older).equals(rowsOf(file))).toBe(true);
    const books = await target(freshDatabase);
    await restoreFile(books.url, await openDump(older), {});
    expect((await books.pool.query(STATE)).rows).toEqual((await stage.database.pool.query(STATE)).rows);
  },
);

test('only its owner can read a dump, and an existing file stays', async () => {
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await expect(dumpFile(stage.database.url, file, {})).rejects.toThrow('exists: name a new file');
});

test('books that move are equal in both databases', async () => {
  const books = await target(freshDatabase);
  const moved = await moveBooks(stage.database.url, books.url, {});
  expect(moved.tables.length).toBeGreaterThan(50);
  expect((await books.pool.query(STATE)).rows).toEqual((await stage.database.pool.query(STATE)).rows);
});

test('a dump ends once it is written, though its reader stops at the digest', async () => {
  const { url } = stage.database;
  const pipe = new PassThrough();
  const chunks = pipe[Symbol.asyncIterator]();
  const readDigest = async (): Promise<void> => {
    for (let text = ''; !/\n-- digest: .*\n$/.test(text); ) text += (await chunks.next()).value;
  };
  const dump = inSession(url, 'dump', (session) => writeDump(session, url, pipe));
  const [{ tables }] = await Promise.all([dump, readDigest()]);
  expect(tables.length).toBeGreaterThan(50);
}, 20_000);

const BOOKS_ID = /"books_id":"[^"]*"/;
const OTHER_ID = '"books_id":"11111111-1111-4111-8111-111111111111"';
const TABLES = /"tables":\[.*?\]/;
const RUN_NUMBER = /("name":"run\.runs_run_number_seq","last_value":)"\d+"/;
const FIRST_TRANSFER = /(?<=COPY ledger\.transfers .*\n).*\n/;

describe('refused, and nothing is restored', () => {
  let books: TestDatabase;
  let before: unknown;
  beforeAll(async () => {
    books = await freshDatabase();
    before = await stateOf(books);
  });
  afterAll(() => books.close());

  test.each<[string, () => string, RegExp]>([
    [
      'a manifest without tables, and a row less',
      () => altered((text) => text.replace(TABLES, '"tables":[]').replace(FIRST_TRANSFER, '')),
      /its header or its manifest was altered/,
    ],
    [
      'a manifest without a table, and its digest',
      () => forged((text) => text.replace(/\{"table":"ledger\.transfers".*?\},/, '')),
      /not as its manifest says: ledger\.transfers/,
    ],
    [
      'a manifest with a table that the dump does not fill, and its digest',
      () => forged((text) => text.replace('"table":"run.hints"', '"table":"run.hints2"')),
      /not as its manifest says: run\.hints/,
    ],
    [
      'an earlier value of a sequence',
      () => altered((text) => text.replace(RUN_NUMBER, '$1"0"')),
      /its header or its manifest was altered/,
    ],
    [
      'a sequence behind its column, and its digest',
      () => forged((text) => text.replace(/"sequences":\[.*\]/, '"sequences":[]')),
      /its sequence \w+\.\w+_seq is behind [\w."]+, which has \d+\)/,
    ],
    [
      'a sequence that is not of the books, and its digest',
      () => forged((text) => text.replace('"sequences":[', `$&{"name":"public.theirs","last_value":"5"},`)),
      /it sets public\.theirs, which is no sequence of the books/,
    ],
    [
      'the id of other books',
      () => altered((text) => text.replace(BOOKS_ID, OTHER_ID)),
      /its header or its manifest was altered/,
    ],
    ['text after its end', () => altered((text) => `${text}select 1;\n`), /there is text after its end/],
    [
      'another row',
      () => altered((text) => text.replace('\tnightly\t', '\tnightlx\t')),
      /not as its manifest says: run\.runs/,
    ],
    ['a cut file', () => cut(), /cannot be unpacked/],
    [
      'a cut text',
      () => altered((text) => text.slice(0, text.length / 2)),
      /it ends in the middle of a table|ends without its manifest/,
    ],
    [
      'no manifest',
      () => altered((text) => text.slice(0, text.lastIndexOf('-- manifest'))),
      /ends without its manifest/,
    ],
    ['another file', () => altered(() => 'select 1;\n'), /does not begin as a dump of tieout/],
    [
      'a table less',
      () => altered((text) => text.replace(/^COPY run\.hints .*\n\\\.\n/m, '')),
      /not as its manifest says: run\.hints|a table is missing/,
    ],
    [
      'another schema',
      () => altered((text) => text.replaceAll('20261121090500', '20270101000000')),
      /is of schema 20270101000000, and this tieout has \d+: restore it with tieout/,
    ],
    [
      'another column',
      () => altered((text) => text.replace('COPY run.runs (run_id, ', 'COPY run.runs (id, ')),
      /table run\.runs is not as in this tieout/,
    ],
  ])('%s', async (_, path, message) => {
    const dump = await openDump(path());
    await expect(restoreFile(books.url, dump, {})).rejects.toThrow(message);
    expect(dump.destroyed).toBe(true);
    expect((await books.pool.query('select from run.runs')).rowCount).toBe(0);
    expect(await stateOf(books)).toEqual(before);
  });

  const stateOf = async ({ pool }: TestDatabase) => {
    const sequences = 'select schemaname, sequencename, last_value from pg_sequences order by 1, 2';
    return [await wholeOf(pool), (await pool.query(sequences)).rows];
  };

  test('in an empty database, which is empty again', async () => {
    const empty = await target();
    const dump = await openDump(forged((text) => text.replace(/"sequences":\[.*\]/, '"sequences":[]')));
    await expect(restoreFile(empty.url, dump, {})).rejects.toThrow(/its sequence .* is behind/);
    const schemas = await empty.pool.query("select nspname from pg_namespace where nspname !~ '^pg_'");
    expect(schemas.rows.map(({ nspname }) => nspname).sort()).toEqual(['information_schema', 'public']);
    expect((await empty.pool.query('select from pg_class where oid >= 16384')).rowCount).toBe(0);
  });

  const cut = (): string => {
    const path = join(newFolder(), 'cut.gz');
    writeFileSync(path, readFileSync(file).subarray(0, statSync(file).size - 2_000));
    return path;
  };

  test('a database with books', async () => {
    await expect(restoreFile(stage.database.url, await openDump(file), {})).rejects.toThrow(
      /already has books \(\w+\.\w+ has rows\): restore into an empty one/,
    );
  });
});

test('the commands: dump, restore into another home, move to a server, each with its proof', async () => {
  const home = join(newFolder(), 'home');
  const env = { DATABASE_URL: stage.database.url };
  const path = join(newFolder(), 'typed by hand.gz');
  const dumped = await tieout(['dump', path], env);
  expect([dumped.exitCode, dumped.stdout]).toEqual([
    0,
    expect.stringMatching(/^dumped \d+ rows of \d+ tables to .*npx tieout restore '.*typed by hand\.gz' /s),
  ]);
  onTestFinished(() => removeServer(home));
  const restored = await tieout(['restore', path], { TIEOUT_HOME: home });
  expect([restored.exitCode, restored.stdout]).toEqual([
    0,
    expect.stringMatching(
      /every table has the digest of the dump\nevery entry, value, seal and link of a run holds, recomputed, and coverage for \d+ lists\n/,
    ),
  ]);
  const books = await target();
  const moved = await tieout(['db', 'move', books.url], { TIEOUT_HOME: home });
  expect([moved.exitCode, moved.stdout]).toEqual([
    0,
    expect.stringMatching(
      /^moved \d+ rows of \d+ tables: every table has the same digest in both databases\n.*\nDATABASE_URL=postgresql:.*\n$/s,
    ),
  ]);
  const wrong = await tieout(['db', 'move', 'nowhere'], { TIEOUT_HOME: home });
  expect([wrong.exitCode, wrong.stderr]).toEqual([64, expect.stringContaining('the address is not valid')]);
});
