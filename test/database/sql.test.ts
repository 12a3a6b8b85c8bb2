// The sql loader: what is a parameter and what is not, and the header that every file of ours needs.
import { describe, expect, test } from 'vitest';
import { bindSql, loadSql, parseSql, readSql, sqlPaths } from '../../src/database/sql.ts';

const HEADER =
  "-- A title: what it is.\n-- For: a test. Ties to: nothing.\n--   psql -v a='1' -f sql/x.sql\n";
const parse = (body: string) => parseSql('x.sql', `${HEADER}${body}`);
const bodyOf = (body: string) => parse(body).text.slice(HEADER.length);

test('parameters become $1, $2 in the order of their first use, each once', () => {
  const file = parse("select :'b', :'a'::text where :'b' = '';");
  expect(file.parameters).toEqual(['b', 'a']);
  expect(file.text.slice(HEADER.length)).toBe("select $1, $2::text where $1 = '';");
  expect(bindSql(file, { a: 'A', b: 'B' }).values).toEqual(['B', 'A']);
});

test('both forms of a psql variable are parameters', () => {
  expect(bodyOf("select :n, (:'n'), f(:m)=:m limit :n")).toBe('select $1, ($1), f($2)=$2 limit $1');
});

test.each([
  ['a line comment', "select 1; -- not :'a'"],
  ['a block comment', "select /* :'a' */ 1"],
  ['a string', "select 'it''s :''a'' and -- no comment'"],
  ['a string after a cast', "select 'x'::text, 'a'::text"],
  ['an escaped string', "select E'it\\'s :''a'"],
  ['a quoted name', 'select 1 as ":\'a\'"'],
  ['a dollar quote', "select $$ :'a' $$, $tag$ $$ :'a' $tag$"],
  ['a slice', "select (array['x'])[1:1]"],
  ['a slice up to a column', 'select a[1:n], a[b:n], a[b[1]:n]'],
])('%s is not touched', (_what, body) => {
  expect(bodyOf(body)).toBe(body);
  expect(parse(body).parameters).toEqual([]);
});

test('a parameter right after a string, a comment or a bracket is one', () => {
  expect(bodyOf("select '', /* x */ f(:'a'), ':' || :'a'")).toBe("select '', /* x */ f($1), ':' || $1");
});

test('a missing or a surplus parameter is an error that names the file', () => {
  const file = parse("select :'a'");
  expect(() => bindSql(file, {})).toThrow('sql/x.sql needs the parameter a');
  expect(() => bindSql(file, { a: '1', b: '2', c: '3' })).toThrow('sql/x.sql has no parameter b, c');
  expect(() => loadSql('reports/rejects.sql')).toThrow('sql/reports/rejects.sql needs the parameter entity');
});

describe('the header', () => {
  test('has a title in its whole first sentence, across lines', () => {
    const source = HEADER.replace(
      'what it is.',
      'what it is by v1.2,\n-- in full. More of it,\n-- and more.',
    );
    expect(parseSql('x.sql', source).title).toBe('A title: what it is by v1.2, in full.');
  });
  test.each([
    ['what it is in a whole sentence', '-- A title: cut\n-- For: me.\n--   psql -f sql/x.sql\nselect 1'],
    ['what it is in a whole sentence, -- For:, a psql example', 'select 1\n-- Too late.\n'],
    ['-- For:', '-- A title.\n--   psql -f sql/x.sql\nselect 1'],
    ['a psql example', '-- A title.\n-- For: me.\nselect 1'],
  ])('without %s is refused', (missing, source) => {
    expect(() => parseSql('x.sql', source)).toThrow(
      `sql/x.sql must begin with a comment that says ${missing} (`,
    );
  });
});

const WITH_PARAMETERS = [
  'reports',
  'cookbook',
  'export',
  'status',
  'reconcile',
  'breaks',
  'valuation',
  'privacy',
];

test.each(WITH_PARAMETERS.flatMap(sqlPaths))('%s has its header', (path) => {
  const file = readSql(path);
  const header = file.text.slice(0, file.text.search(/^(?!--)/m));
  expect(header).toContain(' Ties to: ');
  expect(header).toContain(`-f sql/${path}\n`);
  for (const name of file.parameters) expect(header).toContain(` -v ${name}=`);
});

test.each(['reports', 'checks', 'cookbook'].flatMap(sqlPaths))(
  '%s states its content in one sentence',
  (path) => {
    expect(readSql(path).title).toMatch(/^[A-Z].*[^.]\.$/);
    expect(readSql(path).title).not.toMatch(/\. [a-z]/);
  },
);

test('the files of the views are numbered without a gap: their order is the order in which they run', () => {
  const numbers = sqlPaths('views').map((path) => Number(/^views\/(\d{2})-[a-z-]+\.sql$/.exec(path)?.[1]));
  expect(numbers).toEqual(numbers.map((_, nth) => nth + 1));
});
