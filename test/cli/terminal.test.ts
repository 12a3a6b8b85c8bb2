// What a terminal changes, and what it never does: width, colours, the pager. Standard output pretends to be one.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { chooseDisplay, paint, showPaged, tableWidth } from '../../src/cli/terminal.ts';
import { freshDatabase } from '../database.ts';
import { played } from './played.ts';
import { bare, folder } from './tieout.ts';

const VARIABLES = ['NO_COLOR', 'TERM', 'PAGER'];
const before = {
  isTTY: process.stdout.isTTY,
  columns: process.stdout.columns,
  rows: process.stdout.rows,
  env: VARIABLES.map((name) => [name, process.env[name]] as const),
};
const ALL = { isWide: false, hasColor: true, hasPager: true };

beforeEach(() => {
  Object.assign(process.stdout, { isTTY: true, columns: 80, rows: 5 });
  for (const name of VARIABLES) delete process.env[name];
  process.env.TERM = 'xterm';
  chooseDisplay(ALL);
});
afterEach(() => {
  const { env, ...stream } = before;
  Object.assign(process.stdout, stream);
  for (const [name, value] of env) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  chooseDisplay(ALL);
});

const RED = '\u001b[31mfailed\u001b[39m';

test('colours: red, yellow and green in a terminal', () => {
  expect(paint('bad', 'failed')).toBe(RED);
  expect([paint('warning', 'x'), paint('good', 'x')]).toEqual([
    '\u001b[33mx\u001b[39m',
    '\u001b[32mx\u001b[39m',
  ]);
});

test.each<[string, () => unknown]>([
  ['no terminal', () => Object.assign(process.stdout, { isTTY: false })],
  ['NO_COLOR', () => Object.assign(process.env, { NO_COLOR: '1' })],
  ['--no-color', () => chooseDisplay({ ...ALL, hasColor: false })],
  ['a terminal without any', () => Object.assign(process.env, { TERM: 'dumb' })],
])('no colours: %s', (_why, arrange) => {
  arrange();
  expect(paint('bad', 'failed')).toBe('failed');
});

test('the width is that of the terminal; without one, or with --wide, it is unlimited', () => {
  expect(tableWidth()).toBe(80);
  chooseDisplay({ ...ALL, isWide: true });
  expect(tableWidth()).toBeNull();
  chooseDisplay(ALL);
  process.stdout.isTTY = false;
  expect(tableWidth()).toBeNull();
});

const LONG = 'a\nb\nc\nd\ne\nf\n';

test('a long text goes to the pager, and the gateway secret does not', () => {
  const file = join(folder, 'paged');
  Object.assign(process.env, { PAGER: `cat >${file}; env >>${file}`, GATEWAY_API_SECRET: 'hush' });
  expect(showPaged(LONG)).toBe(true);
  delete process.env.GATEWAY_API_SECRET;
  const paged = readFileSync(file, 'utf8');
  expect(paged).toMatch(/^a\nb\nc\nd\ne\nf\n/);
  expect(paged).toContain('TERM=xterm');
  expect(paged).not.toContain('hush');
});

test.each<[string, () => unknown, string]>([
  ['a short text', () => null, 'a\n'],
  ['--no-pager', () => chooseDisplay({ ...ALL, hasPager: false }), LONG],
  ['no terminal', () => Object.assign(process.stdout, { isTTY: false }), LONG],
  [
    'a pager that is not installed',
    () => Object.assign(process.env, { PAGER: 'tieout-no-such-pager' }),
    LONG,
  ],
])('no pager: %s', (_why, arrange, text) => {
  const file = join(folder, 'unpaged');
  process.env.PAGER = `cat >${file}`;
  arrange();
  expect(showPaged(text)).toBe(false);
  expect(existsSync(file)).toBe(false);
});

const QUERY =
  "select 'ab784d1f-5f7d-445b-9499-efe107620d83' as id, repeat('long text ', 12) as what, 0.000000000000000001 as amount";

test.each([
  [80, [], /^ab784d1f +long text .*… +0\.000000000000000001$/m],
  [40, [], /^ab784d1f {2}long te… {2}0\.000000000000000001$/m],
  [20, [], /^amount +0\.000000000000000001$/m],
  [40, ['--wide'], /^ab784d1f-\S+ +(long text )+ +0\.000000000000000001$/m],
] as const)('query in a terminal of %i columns %j', async (columns, options, line) => {
  const books = await freshDatabase();
  process.stdout.columns = columns;
  const ended = await played(['query', QUERY, ...options], {
    ...bare(),
    DATABASE_URL: books.url,
    PAGER: 'cat',
  });
  await books.close();
  expect([ended.exitCode, ended.stderr]).toEqual([0, '']);
  expect(ended.stdout).toMatch(line);
  const lines = ended.stdout.split('\n');
  if (options.length === 0 && columns >= 40)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns);
});

test.each([40, 80])(
  'a view in a terminal of %i columns: every word of what its columns mean',
  async (columns) => {
    const books = await freshDatabase();
    const env = { ...bare(), DATABASE_URL: books.url, PAGER: 'cat' };
    process.stdout.columns = columns;
    const { stdout } = await played(['views', 'entries'], env);
    const { columns: described } = JSON.parse((await played(['views', 'entries', '--json'], env)).stdout);
    await books.close();
    const words = (text: string) => text.split(/\s+/).join(' ');
    for (const { name, type, comment } of described)
      expect(words(stdout)).toContain(words(`${name} ${type} ${comment}`));
    const lines = stdout.split('\n').slice(2);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(columns);
  },
);

test('status in a narrow terminal: no command is cut', async () => {
  const books = await freshDatabase();
  const env = { ...bare(), DATABASE_URL: books.url, PAGER: 'cat' };
  process.stdout.columns = 30;
  await played(['duties', 'one-person', '--by', 'Ada Byron', '--reason', 'alone'], env);
  const { stdout } = await played(['status'], env);
  await books.close();
  expect(stdout).toContain('(npx tieout duties)\n');
});
