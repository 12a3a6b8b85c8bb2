// query with a file, standard input and variables: it runs what psql runs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../src/base/root.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { makeQuestioned, QUESTIONS } from '../export/questions.ts';
import { typed } from './played.ts';
import { bare, type Env, folder, main } from './tieout.ts';

let books: TestDatabase;
let env: Env;

beforeAll(async () => {
  books = await freshDatabase();
  await makeQuestioned(books);
  env = { DATABASE_URL: books.url };
});
afterAll(() => books?.close());

const setsOf = (values: Readonly<Record<string, string>>): string[] =>
  Object.entries(values).flatMap(([name, value]) => ['--set', `${name}=${value}`]);

/** The rows of the golden answer in test/export. */
const goldenRows = (path: string): string[] =>
  readFileSync(join(packageRoot, 'test/export/golden', path.replace(/\.sql$/, '.txt')), 'utf8')
    .replaceAll('.000Z', 'Z')
    .split('\n')
    .filter(Boolean);

/** Times as in the golden answers. */
const cellText = (value: string | boolean | null): string => String(value ?? '').replaceAll('.000Z', 'Z');

test.each(Object.entries(QUESTIONS))('--file sql/%s gives the rows of the cookbook', async (path, values) => {
  const { exitCode, stdout, stderr } = await typed(
    ['query', '--file', `sql/${path}`, ...setsOf(values), '--format', 'json'],
    env,
  );
  expect([exitCode, stderr]).toEqual([0, '']);
  const rows: Record<string, string | boolean | null>[] = JSON.parse(stdout);
  expect(rows.map((row) => Object.values(row).map(cellText).join(' | '))).toEqual(goldenRows(path));
});

test('a file of the working folder takes precedence, and both forms of a variable are values', async () => {
  writeFileSync(
    join(folder, 'own.sql'),
    "-- mine\nselect :'a' as a, :b::int + 1 as b, (array[1, 2])[1:1] as c;\n",
  );
  const { stdout } = await typed(
    ['query', '--file', 'own.sql', '--set', "a=it's; drop", '--set', 'b=2', '--format', 'csv'],
    env,
  );
  expect(stdout).toBe('a,b,c\n"it\'s; drop",3,{1}\n');
});

/** Runs the program with text on standard input. */
const piped = async (args: readonly string[], input: string) => {
  const options = { cwd: folder, env: { ...bare(), ...env }, extendEnv: false, reject: false };
  const { exitCode, stdout, stderr } = await execa(process.execPath, [main(), ...args], {
    ...options,
    input,
  });
  return { exitCode, stdout, stderr };
};

test.each([
  ['query', '-'],
  ['query', '--file', '-'],
])('%s %s reads standard input', async (...args) => {
  const words = [...args, '--set', 'n=7', '--format', 'csv'];
  expect(await piped(words, "select :'n'::int as n")).toEqual({ exitCode: 0, stdout: 'n\n7', stderr: '' });
});

test('standard input is bounded', async () => {
  const { exitCode, stderr } = await piped(['query', '-'], `select 1 -- ${'x'.repeat(1_000_000)}`);
  expect([exitCode, stderr]).toEqual([64, 'tieout: standard input has more than 1000000 bytes: shorten it']);
});

const FILE = 'sql/cookbook/trade_volume.sql';
const NEEDS = `tieout: ${FILE} needs --set timezone=VALUE`;

test.each([
  [['--file', FILE], `${NEEDS} (not set: timezone)`],
  [['--file', FILE, '--set', 'timezone=UTC', '--set', 'zone=UTC'], `${NEEDS} (unknown: zone)`],
  [['--file', FILE, '--set', 'constructor=1'], `${NEEDS} (not set: timezone; unknown: constructor)`],
  [['select 1', '--set', 'a=1'], 'tieout: the statement needs no variables (unknown: a)'],
  [['select :x, :y'], 'tieout: the statement needs --set x=VALUE --set y=VALUE (not set: x, y)'],
  [['select 1', '--set', 'a'], 'tieout: --set a: write name=value, such as --set timezone=Europe/Madrid'],
  [[], 'tieout: query needs one statement: write it in quotes, or --file FILE, or - for standard input'],
  [
    ['select 1', '--file', FILE],
    'tieout: query needs one statement: write it in quotes, or --file FILE, or - for standard input',
  ],
  [['--file', 'none.sql'], 'tieout: none.sql cannot be read (ENOENT): check its path'],
  [['--file', 'sql/none.sql'], 'tieout: sql/none.sql cannot be read (ENOENT): check its path'],
])('%j is one clear error', async (args, message) => {
  const ended = await typed(['query', ...args], { DATABASE_URL: 'postgresql://127.0.0.1:9/none' });
  expect(ended).toEqual({ exitCode: 64, stdout: '', stderr: `${message}\n` });
});
