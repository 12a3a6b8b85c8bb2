// The house rules are a test: a rule fails here, or is not a rule. Each is shown to fail on a small example.
import { describe, expect, test } from 'vitest';
import { parseSql, sqlPaths } from '../src/database/sql.ts';
import { emptyAliases } from './tidy/aliases.ts';
import {
  migrationFaults,
  pronounsIn,
  smallPowers,
  tellingWords,
  untested,
  unused,
  variablesOf,
  writesOf,
  wrongWriters,
} from './tidy/house.ts';
import { circleIn } from './tidy/imports.ts';
import { emptyNames, sharedTypes, unusedExports } from './tidy/names.ts';
import { patternsInCode, patternsInSql } from './tidy/patterns.ts';
import { DOORS } from './tidy/rooms.ts';
import { RULES } from './tidy/rules.ts';
import { filesIn, placeOf, sourceOf, sourcesIn, textOf } from './tidy/source.ts';
import { PACKAGES } from './tidy/tables.ts';
import { WRITERS } from './tidy/writers.ts';

const code = [...sourcesIn('src'), ...sourcesIn('jobs')];
const tests = sourcesIn('test');
const all = [...code, ...tests];

describe('of one file', () => {
  test.each(RULES.map((rule) => [rule.name, rule] as const))(
    '%s',
    (_name, { why, broken: [path, text], find }) => {
      expect(all.flatMap(find), why).toEqual([]);
      expect(find(sourceOf(path, text)), 'the rule cannot fail').not.toEqual([]);
    },
  );
});

test('no pattern is built from a value', () => {
  expect(code.flatMap(({ path, text }) => patternsInCode(path, text))).toEqual([]);
  expect(filesIn('sql').flatMap((path) => patternsInSql(path, textOf(path)))).toEqual([]);
  const asBefore = [
    `payload ~ \${padded}`,
    `payload like '%"' || \${currency} || '"%'`,
    `account ~ \${ACCOUNTS[product]}`,
  ];
  for (const line of asBefore) expect(patternsInCode('a.ts', ` ${line}`)).toEqual(['a.ts:1']);
  for (const line of [
    'a like b',
    "a ~ ('^' || b)",
    "a like '%' || b",
    'regexp_replace(a, b, c)',
    'format(a, b)',
  ])
    expect(patternsInSql('a.sql', `select ${line}`)).toEqual(['a.sql:1']);
});

test('no files import each other in a circle, types included', () => {
  expect(circleIn(all)).toBeNull();
  const circle = [
    sourceOf('src/a.ts', "import type { B } from './b.ts';"),
    sourceOf('src/b.ts', "import './a.ts';"),
  ];
  expect(circleIn(circle)).toEqual(['src/a.ts', 'src/b.ts', 'src/a.ts']);
});

describe('names', () => {
  test('a name says what the value is', () => {
    const found = all.flatMap((source) =>
      emptyNames(source).map(({ name, node }) => `${placeOf(source, node)} ${name}`),
    );
    expect(found).toEqual([]);
  });

  test.each([
    ['const told = 1;', 'told'],
    ['const { at } = event;', 'at'],
    ['const { moment: { at = 1 } } = event;', 'at'],
    ['const [, ...kept] = rows;', 'kept'],
    ['const f = (a: 1, { b: held }: C) => a;', 'held'],
    ['for (const it of rows) read(it);', 'it'],
    ['const f = (a: 1, it: 2) => it;', 'it'],
    ['const f = (it: 1) => {\n  read(it);\n};', 'it'],
    ['function of() {}', 'of'],
    ['try { a(); } catch (said) { b(); }', 'said'],
  ])('%s', (text, name) => {
    expect(emptyNames(sourceOf('src/a.ts', text)).map((it) => it.name)).toEqual([name]);
  });

  test('it is only the parameter of an arrow function on one line; a field may have any name', () => {
    const text = 'rows.map((it) => it.at);\nconst { at: instant } = { at: 1, told: 2 };';
    expect(emptyNames(sourceOf('src/a.ts', text))).toEqual([]);
  });

  test('a type name occurs in at most two files', () => {
    expect(sharedTypes(code)).toEqual([]);
    const three = ['a', 'b', 'c'].map((name) => sourceOf(`src/${name}.ts`, 'type Row = 1;'));
    expect(sharedTypes(three)).toEqual([['Row', ['src/a.ts', 'src/b.ts', 'src/c.ts']]]);
    expect(sharedTypes(three.slice(1))).toEqual([]);
  });
});

test('what a file exports another imports', () => {
  const byVitest = 'test/global-setup.ts setup';
  expect(unusedExports(all)).toEqual([byVitest]);
  const alone = sourceOf('src/a.ts', 'export const a = 1; export type B = 2; export { c } from "./c.ts";');
  expect(unusedExports([alone])).toEqual(['src/a.ts a', 'src/a.ts B', 'src/a.ts c']);
  const reader = sourceOf('src/b.ts', 'import { a, type B } from "./a.ts"; export { c } from "./a.ts";');
  expect(unusedExports([alone, reader])).toEqual(['src/b.ts c']);
});

test('every listed public module exists', () => {
  const doorPaths = Object.entries(DOORS).flatMap(([room, doors]) =>
    doors.map((door) => `${room === 'jobs' ? room : `src/${room}`}/${door}.ts`),
  );
  expect(doorPaths.filter((path) => !code.some((it) => it.path === path))).toEqual([]);
});

describe('package.json', () => {
  const { dependencies, peerDependencies, devDependencies, scripts } = JSON.parse(textOf('package.json'));

  test('every dependency has its file in the table, and every file a dependency', () => {
    expect(Object.keys(PACKAGES).sort()).toEqual(
      Object.keys({ ...dependencies, ...peerDependencies }).sort(),
    );
    const unopened = Object.entries(PACKAGES).filter(
      ([name, doors]) =>
        !code.some(({ path, text }) => doors.some((door) => door.test(path)) && text.includes(`'${name}`)),
    );
    expect(unopened.map(([name]) => name)).toEqual([]);
  });

  test('every development dependency is used', () => {
    const others = ['biome.json', 'src/cli/bundle.mjs', 'vitest.config.ts', 'tsconfig.json'].map(textOf);
    const texts = [...others, ...Object.values<string>(scripts), ...tests.map(({ text }) => text)];
    const names = Object.keys(devDependencies).filter((name) => !name.startsWith('@types/'));
    const tools = names.map((name) => (name === 'typescript' ? 'tsc' : name.replace(/^@biomejs\//, '')));
    expect(unused(tools, texts)).toEqual([]);
    expect(
      unused(
        ['left-pad'],
        texts.filter((text) => !text.includes('house rules')),
      ),
    ).toEqual(['left-pad']);
    const typed = Object.keys(devDependencies)
      .filter((name) => name.startsWith('@types/'))
      .map((name) => name.slice(7));
    expect(
      unused(
        typed.filter((name) => name !== 'node'),
        [...Object.keys(dependencies), ...names],
      ),
    ).toEqual([]);
  });
});

describe('the database', () => {
  test('one writer per table', () => {
    expect(wrongWriters(code, WRITERS)).toEqual([]);
    const thief = { path: 'src/export/a.ts', text: 'sql`update ledger.entries set kind = null`' };
    expect(wrongWriters([thief], {})).toEqual([
      'ledger.entries src/export/a.ts writes it and does not own it',
    ]);
    expect(wrongWriters([], { 'run.runs': ['src/run.ts'] })).toEqual([
      'run.runs src/run.ts owns it and does not write it',
    ]);
    expect(writesOf("db.deleteFrom('land.inbox')")).toEqual(['land.inbox']);
    expect(writesOf("insertRows(tx, 'ledger.entries', rows)")).toEqual(['ledger.entries']);
    expect(writesOf("copyBatch('value.lots')")).toEqual(['value.lots']);
    expect(writesOf("insertOfColumns('ledger.entries', rows, types)")).toEqual(['ledger.entries']);
  });

  test('every table of the migrations has its writer', () => {
    const made = filesIn('migrations').flatMap((path) =>
      [...textOf(path).matchAll(/^create table (\w+\.\w+)/gm)].map((it) => it[1] ?? ''),
    );
    expect(Object.keys(WRITERS).sort()).toEqual(made.sort());
  });

  test('a migration has a number in order, a comment and a way back', () => {
    expect(
      filesIn('migrations')
        .filter((path) => path.endsWith('.sql'))
        .flatMap((path) => migrationFaults(path.replace(/^.*\//, ''), textOf(path))),
    ).toEqual([]);
    expect(migrationFaults('one.sql', 'create table a ();')).toHaveLength(3);
  });
});

describe('sql/', () => {
  const folders = [...new Set(filesIn('sql').flatMap((path) => path.split('/').slice(1, -1)))];
  const paths = folders.flatMap(sqlPaths);

  test('every file has a header with its content, its readers and how to run it', () => {
    for (const path of ['roles.sql', ...paths])
      expect(() => parseSql(path, textOf(`sql/${path}`))).not.toThrow();
    expect(() => parseSql('a.sql', 'select 1')).toThrow('must begin with a comment');
  });

  test('every file only reads', () => {
    expect(paths.filter((path) => writesOf(textOf(`sql/${path}`)).length > 0)).toEqual([]);
  });

  test('no power has a negative exponent: compare scale(), or write the figure as text', () => {
    const files = [...filesIn('sql'), ...filesIn('migrations')].filter((path) => path.endsWith('.sql'));
    expect(files.flatMap((path) => smallPowers(textOf(path)).map((it) => `${path}: ${it}`))).toEqual([]);
    for (const broken of ['power(10::numeric, -scale(a))', '10 ^ -2', '10::numeric ^ (- n)'])
      expect(smallPowers(broken), broken).toHaveLength(1);
    expect(smallPowers("power(10, 2) - 1, a ~ '^-'")).toEqual([]);
  });

  test('an alias says what it contains', () => {
    const files = [...filesIn('sql'), ...filesIn('migrations')].filter((path) => path.endsWith('.sql'));
    expect(files.flatMap((path) => emptyAliases(path, textOf(path)))).toEqual([]);
    for (const broken of [
      'select effective_at as at',
      'with a as (select 1), held as (select 2)',
      'with told (n) as materialized (select 1)',
      'select side.n from (values (1)) as side (n, at)',
      'select * from books.rates it',
      'select sum(n) held',
      'order by it.n',
    ])
      expect(emptyAliases('a.sql', `-- As of it.\n${broken}`), broken).toHaveLength(1);
    for (const sound of [
      "(a at time zone 'UTC')::date",
      "from a at time zone 'UTC'",
      'select a as "at"',
      'select at as opened_at, held as blocked from land.balances',
      "select 'as it' -- as it",
    ])
      expect(emptyAliases('a.sql', sound), sound).toEqual([]);
  });

  test('every file is run by a test', () => {
    const texts = tests.filter(({ path }) => !path.startsWith('test/tidy')).map(({ text }) => text);
    const sources = code.map(({ text }) => text); // every test of a folder runs the files that the program loops over
    expect(untested(paths, [...texts, ...sources])).toEqual([]);
    expect(untested(['checks/a.sql', 'reports/b.sql'], ["sqlPaths('reports')"])).toEqual(['checks/a.sql']);
  });
});

test('jobs/README.md explains every environment variable, and no other', () => {
  const known = ['src/config/environment.ts', 'src/config/variables.ts', 'src/config/role.ts'].flatMap(
    (path) => variablesOf(textOf(path)),
  );
  expect(known).toContain('GATEWAY_API_SECRET_FILE');
  const manual = textOf('jobs/README.md');
  expect(unused(known, [manual]), 'jobs/README.md must name each of these, as `NAME`').toEqual([]);
  const others = filesIn('.').filter((path) => /\.md$|^docker-compose|^\.ci/.test(path));
  const mentioned = others.flatMap((path) => variablesOf(textOf(path)));
  expect(unused(mentioned, [known.join(' ')]), 'nothing reads these').toEqual([]);
  expect(unused(['TIEOUT_MOON'], [manual])).toEqual(['TIEOUT_MOON']);
});

test('no text uses a masculine pronoun for a role: it names the role, or uses "they"', () => {
  const paths = filesIn('.').filter((path) =>
    /^(src|jobs|sql|migrations|test)\/(?!tidy|.*\.png$)|\.md$/.test(path),
  );
  expect(paths.flatMap((path) => pronounsIn(textOf(path)).map((word) => `${path}: ${word}`))).toEqual([]);
  expect(pronounsIn('// His key, as the owner knows him; she checks this.')).toEqual(['His', 'him']);
});

test('nothing names a machine, or how the project was made', () => {
  const found = filesIn('.').flatMap((path) => tellingWords(textOf(path)).map((word) => `${path}: ${word}`));
  expect(found).toEqual([]);
  expect(tellingWords(`see /${'home'}/ada/books, by ${'Chat'}GPT`)).toHaveLength(2);
});
