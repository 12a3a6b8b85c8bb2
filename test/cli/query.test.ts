// The query command: exact digits in every format, and no way to write.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { csvWriter, jsonWriter, LIMITS, queryBooks, type Writer } from '../../src/cli/query.ts';
import type { RowsPage } from '../../src/database/cursor.ts';
import { addressesOf } from '../database/roles/logins.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { typed } from './played.ts';
import { folder } from './tieout.ts';

let books: TestDatabase;
let analyst: string;

beforeAll(async () => {
  books = await freshDatabase();
  analyst = (await addressesOf(books.url)).analyst;
  await books.pool.query(`
    insert into run.entities (entity_id, name, first_seen_at) values ('main', '=1+1', '2026-01-01');
    insert into land.people (entity_id, stream, record_id, version, path, value) values ('main', 'movements', 'm', 1, 'name', 'Ada');
    create sequence public.counter; create table public.plain (n int);
    create function public.sneaky() returns int language sql as 'insert into public.plain values (1) returning n'`);
});
afterAll(() => books?.close());

/** The whole answer, as returned. */
const ask = async (url: string, sql: string): Promise<RowsPage> => {
  const pages: RowsPage[] = [];
  await queryBooks(
    url,
    { text: sql, values: [] },
    { limits: LIMITS.csv, put: (page) => pages.push(page) > 0 },
  );
  return { columns: pages[0]?.columns ?? [], rows: pages.flatMap(({ rows }) => rows) };
};

/** The same, as printed. */
const printed = async (sql: string, writerOf: (out: (text: string) => Promise<boolean>) => Writer) => {
  let text = '';
  const writer = writerOf(async (piece) => {
    text += piece;
    return true;
  });
  await queryBooks(analyst, { text: sql, values: [] }, { limits: LIMITS.csv, put: writer.put });
  await writer.end();
  return text;
};

const ROW = `select 1234567890123.000000000000000001 as big, -0.1 as small, null::numeric as none, '=1+1' as text,
  true as yes, false as no, '2026-10-31T23:59:59.123456Z'::timestamptz as at, 'infinity'::timestamptz as end, '{"a": 1.10}'::jsonb as json, 9007199254740993 as id`;

test('json: booleans, instants as in csv, the text of Postgres for all others, null is null', async () => {
  const [row] = JSON.parse(await printed(ROW, jsonWriter));
  expect(row).toEqual({
    big: '1234567890123.000000000000000001',
    small: '-0.1',
    none: null,
    text: '=1+1',
    yes: true,
    no: false,
    at: '2026-10-31T23:59:59.123456Z',
    end: 'infinity',
    json: '{"a": 1.10}',
    id: '9007199254740993',
  });
});

test('json: what a terminal would obey is an escape', async () => {
  const sql = "select chr(155) || '31m' || chr(8238) as text";
  const text = await printed(sql, jsonWriter);
  expect(text).toContain(String.raw`"\u009b31m\u202e"`);
  expect(JSON.parse(text)).toEqual([{ text: '\u009b31m\u202e' }]);
});

test('csv: the same digits, and text that no spreadsheet runs', async () => {
  expect(await printed(ROW, csvWriter)).toBe(
    'big,small,none,text,yes,no,at,end,json,id\n' +
      `1234567890123.000000000000000001,-0.1,,'=1+1,true,false,2026-10-31T23:59:59.123456Z,infinity,"{""a"": 1.10}",9007199254740993\n`,
  );
});

test('two columns with one name are refused in json', async () => {
  const sql = 'select 1 as a, 2 as a';
  await expect(printed(sql, jsonWriter)).rejects.toThrow(
    'two columns are named a: give them different names',
  );
  expect(await printed(sql, csvWriter)).toBe('a,a\n1,2\n');
});

test.each(['table', 'csv', 'json'])('as a program, --format %s', async (format) => {
  const sql = 'select entity_id, name, 1e-18::numeric as amount from entities; ';
  const { exitCode, stdout, stderr } = await typed(['query', sql, '--format', format], {
    DATABASE_URL: books.url,
  });
  const expected = {
    table: 'entity_id  name                amount\nmain       =1+1  0.000000000000000001\n(1 row)\n',
    csv: "entity_id,name,amount\nmain,'=1+1,0.000000000000000001\n",
    json: `${JSON.stringify([{ entity_id: 'main', name: '=1+1', amount: '0.000000000000000001' }], null, 2)}\n`,
  }[format];
  expect([exitCode, stderr, stdout]).toEqual([0, '', expected]);
});

test('reading statements run: with, values, table, explain, show, parentheses, comments', async () => {
  for (const sql of [
    'with a as (select 1 as n) select n from a',
    'values (1)',
    'table books.entities',
    'explain select 1',
    'show statement_timeout',
    '(select 1)',
    '-- why\n/* how */ select 1',
    'select * from balances_at(now())',
  ])
    expect((await ask(analyst, sql)).columns.length, sql).toBeGreaterThan(0);
});

const FILE = join(folder, 'written');
const WRITES: readonly string[] = [
  '',
  '-- nothing',
  "insert into run.entities values ('x', 'x', null, null, null, null, now())",
  "update run.entities set name = 'x'",
  'delete from run.entities',
  'truncate public.plain',
  'with gone as (delete from run.entities returning *) select * from gone',
  'with new as (insert into public.plain values (1) returning n) select * from new',
  'select 1 as n into public.made',
  'create table public.made (n int)',
  'create table public.made as select 1',
  'create temp table made as select 1',
  'drop schema books cascade',
  `copy (select 1) to program 'touch ${FILE}'`,
  `copy (select 1) to '${FILE}'`,
  `copy public.plain from program 'touch ${FILE}'`,
  'set transaction read write',
  'select 1; delete from run.entities',
  'select 1; commit; delete from run.entities',
  'commit; delete from run.entities',
  'begin',
  'commit',
  'reset role',
  'set role none',
  'set default_transaction_read_only = off',
  "select set_config('transaction_read_only', 'off', false)",
  "select set_config('role', 'tieout', false)",
  "select set_config('role', 'tieout_loader', false)",
  "select set_config('session_authorization', 'tieout', false)",
  'set session authorization tieout',
  `select U&"s\\0065t_config"('role', 'tieout', false)`,
  "select query_to_xml('delete from run.entities returning 1', true, true, '')",
  "select query_to_xml('select value from land.people', true, true, '')",
  "select * from ts_stat('select value::tsvector from land.people')",
  'do $$ begin delete from run.entities; end $$',
  'call sneaky()',
  'explain analyze delete from run.entities',
  'explain analyze create table public.made as select 1',
  'select public.sneaky()',
  "select nextval('public.counter')",
  "select setval('public.counter', 9)",
  'select lo_create(0)',
  "select lo_import('/etc/hostname')",
  `select lo_export(1, '${FILE}')`,
  "select pg_read_file('/etc/hostname')",
  'select pg_reload_conf()',
  'select pg_rotate_logfile()',
  'select pg_switch_wal()',
  'select pg_stat_reset()',
  'select pg_create_restore_point($$x$$)',
  "select * from dblink('', 'delete from run.entities') as t (n int)",
  'lock table run.entities',
  'select * from run.entities for update',
  'listen anything',
  'notify anything',
  'vacuum',
  'checkpoint',
  "load 'auto_explain'",
  'prepare p as select 1',
  'alter role current_user superuser',
  "select value from land.people where path = 'name'",
  'select amount from ledger.transfers',
];

const state = async () =>
  (
    await books.pool.query(`select (select string_agg(name, ',') from run.entities) as names, (select count(*) from public.plain) as plain,
      (select is_called from public.counter) as called, to_regclass('public.made') as made, to_regclass('books.entities') as views,
      (select count(*) from pg_largeobject_metadata) as objects`)
  ).rows[0];

test.each(WRITES)('refused without any change: %s', async (sql) => {
  const before = await state();
  const refused = await ask(analyst, sql).catch((error: Error) => error);
  expect(refused).toBeInstanceOf(UsageError);
  expect((refused as Error).message.split('\n')).toHaveLength(1);
  expect(await state()).toEqual(before);
  expect(existsSync(FILE)).toBe(false);
});

test('an unknown view is refused with the command that lists them', async () => {
  const refused = await ask(analyst, 'select * from booooks').catch((error: Error) => error.message);
  expect(refused).toBe(
    'the query cannot be answered: relation "booooks" does not exist; npx tieout views lists the views',
  );
});

test('two statements are refused with what a query is', async () => {
  await expect(ask(analyst, 'select 1; select 2')).rejects.toThrow(
    /; query runs one statement, in the SQL of PostgreSQL$/,
  );
});

test('whatever a query sets, it runs as the analyst, who can assume no other role', async () => {
  const sql = `select set_config('role', 'none', false), set_config('statement_timeout', '0', false),
    query_to_xml('select current_user, session_user', true, true, '')`;
  const answer = JSON.stringify(await ask(analyst, sql));
  expect(answer.match(/tieout\w*/g)).toEqual([new URL(analyst).username, new URL(analyst).username]);
});

test('no other session is ended', async () => {
  const other = await books.pool.connect();
  const { rows } = await other.query('select pg_backend_pid() as pid');
  const refused = ask(analyst, `select pg_terminate_backend(${rows[0].pid})`);
  await expect(refused).rejects.toThrow(/permission denied/);
  await expect(ask(analyst, `select pg_cancel_backend(${rows[0].pid})`)).rejects.toThrow(/permission denied/);
  expect((await other.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
  other.release();
});

test('as a program, a write is one line and exit 64, before any database is opened', async () => {
  const ended = await typed(['query', 'delete from run.entities'], {
    DATABASE_URL: 'postgresql://127.0.0.1:9/none',
  });
  expect(ended).toEqual({
    exitCode: 64,
    stdout: '',
    stderr:
      'tieout: query runs one read-only statement (select, with, values, table, explain, show), not one that starts with delete\n',
  });
});

test('a statement that begins with a comment is no option', async () => {
  const reading = '-- what is open\n--2026\nselect 7 as seven';
  const env = { DATABASE_URL: books.url };
  expect(await typed(['query', reading, '--format', 'csv'], env)).toMatchObject({
    exitCode: 0,
    stdout: 'seven\n7\n',
  });
  expect((await typed(['query', '-- remove\ndelete from breaks'], env)).stderr).toContain(
    'not one that starts with delete',
  );
  expect((await typed(['query', '--formt\n'], env)).stderr).toContain('not an empty statement');
  expect((await typed(['query', '--formt', reading], env)).stderr).toContain('--format');
});

test('control characters of a value do not reach the terminal', async () => {
  const sql = "select E'a\\x1b[31mb\\nc' as text";
  const { stdout } = await typed(['query', sql], { DATABASE_URL: books.url });
  expect(stdout).toBe('text\na [31mb c\n(1 row)\n');
});
