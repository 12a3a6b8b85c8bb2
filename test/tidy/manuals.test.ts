// The manuals are true: links work, commands parse, tables list what exists.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import {
  brokenLinks,
  linksIn,
  manuals,
  missingPaths,
  rowsIn,
  sectionOf,
  shellLinesIn,
  spansIn,
} from './markdown.ts';
import { commandNames, commandsOf, refusalOf } from './shown-commands.ts';
import { filesIn, textOf } from './source.ts';

const all = manuals();
const files = filesIn('.');
const { scripts } = JSON.parse(textOf('package.json'));

test('the first README can be read in two minutes', () => {
  expect(textOf('README.md').split('\n').length - 1).toBeLessThanOrEqual(200);
});

test.each(all.map((manual) => [manual.path, manual] as const))(
  '%s names only what exists',
  (_path, manual) => {
    expect(brokenLinks(manual, all, files), 'links').toEqual([]);
    expect(missingPaths(manual, files), 'paths').toEqual([]);
  },
);

test('a broken link and a missing path are found', () => {
  const text = '[a](b.md) [c](#d) [e](#f-g)\n## F: `g`\n`sql/none.sql`\n```sh\npsql -f sql/no/a.sql\n```\n';
  const manual = { path: 'README.md', text };
  expect(linksIn(text)).toEqual(['b.md', '#d', '#f-g']);
  expect(brokenLinks(manual, [manual], files)).toEqual(['b.md', '#d']);
  expect(missingPaths(manual, files)).toEqual(['sql/none.sql', 'sql/no/a.sql']);
});

test('every manual can be reached from the first README', () => {
  const reached = new Set(['README.md']);
  for (const path of reached) {
    const text = all.find((manual) => manual.path === path)?.text ?? '';
    const base = new URL(path, 'file:///');
    for (const link of linksIn(text))
      reached.add(new URL(link.replace(/#.*/, '') || path, base).pathname.slice(1));
  }
  expect(all.map(({ path }) => path).filter((path) => !reached.has(path))).toEqual([]);
});

const JOURNALS = ['books.hledger', 'books.ledger', 'books.beancount']; // files of an export
const VIEW = /^create (?:view|function) (books(?:_internal)?\.\w+)/gm;

/** The views and functions in a manual, qualified or as `tieout query` finds them. */
const viewsNamed = (text: string): string[] => [
  ...[...text.matchAll(/\bbooks(?:_internal)?\.\w+/g)].map(([name]) => name),
  ...[...text.matchAll(/tieout query [^`\n]* from (\w+)(?![\w.])/g)].map(([, name]) => `books.${name}`),
];

test('every view that a manual names exists', () => {
  const made = filesIn('sql/views').flatMap((path) =>
    [...textOf(path).matchAll(VIEW)].map(([, name]) => name),
  );
  const views = all.flatMap(({ text }) => viewsNamed(text));
  expect([...new Set(views)].filter((name) => ![...made, ...JOURNALS].includes(name))).toEqual([]);
  expect(viewsNamed('`books.a` npx tieout query --demo "select 1 from b order by 1"')).toEqual([
    'books.a',
    'books.b',
  ]);
});

/** Each command of a manual as its words, and whether it is an example to run unchanged. */
const shown = (text: string) => [
  ...shellLinesIn(text)
    .flatMap(commandsOf)
    .map((words) => ({ words, isWhole: true })),
  ...spansIn(text)
    .flatMap(commandsOf)
    .map((words) => ({ words, isWhole: false })),
];

/** Why a command cannot run; null if it can, or if it belongs to another program. */
const fault = async (words: readonly string[], isWhole: boolean): Promise<string | null> => {
  const [program, ...rest] = words.slice(words.indexOf('npx') + 1);
  if (program === 'tieout' && rest.length > 0) return refusalOf(rest, isWhole);
  if (program !== 'npm' || rest[0] !== 'run') return null;
  return rest[1] !== undefined && rest[1] in scripts ? null : `no script ${rest[1]}`;
};

test.each(all.map(({ path, text }) => [path, text] as const))(
  'the commands in %s parse',
  async (_path, text) => {
    const faults = [];
    for (const { words, isWhole } of shown(text)) {
      const why = await fault(words, isWhole);
      if (why !== null) faults.push(`${words.join(' ')}: ${why}`);
    }
    expect(faults).toEqual([]);
  },
);

test('a command that does not parse is found', async () => {
  const line = "cd a && npx tieout close --by 'Ada B.' >out || npm run nothing # npx tieout none";
  expect(commandsOf(line)).toEqual([
    ['cd', 'a'],
    ['npx', 'tieout', 'close', '--by', 'Ada B.'],
    ['npm', 'run', 'nothing'],
  ]);
  expect(await fault(['npx', 'tieout', 'close', '--by', 'Ada'], true)).toContain("'month'");
  expect(await fault(['tieout', 'close'], false)).toBeNull();
  expect(await fault(['tieout', 'close', '--moon'], false)).toContain('--moon');
  expect(await fault(['tieout', 'moon'], false)).not.toBeNull();
  expect(await fault(['npm', 'run', 'moon'], true)).toBe('no script moon');
});

/** The names in code font in one column of the tables of a section, without the extension. */
const listed = (path: string, heading: string, ending = ''): string[] =>
  rowsIn(sectionOf(textOf(path), heading))
    .flatMap((cells) => spansIn(cells[0] ?? ''))
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, name.length - ending.length))
    .sort();

const namesIn = (folder: string): string[] =>
  filesIn(folder)
    .filter((path) => path.endsWith('.sql'))
    .map((path) => path.slice(folder.length + 1, -4));

test('the layout lists every room of src/, and no other', () => {
  const rooms = filesIn('src').flatMap((path) => path.match(/^src\/\w+\//) ?? []);
  expect(listed('src/README.md', 'Layout')).toEqual([...new Set(rooms)]);
});

test('tables list exactly what exists', async () => {
  expect(listed('sql/reports/README.md', 'Files', '.csv')).toEqual(namesIn('sql/reports'));
  expect(listed('sql/README.md', 'Cookbook', '.sql')).toEqual(namesIn('sql/cookbook'));
  expect(textOf('README.md')).toContain(`${namesIn('sql/reports').length} CSV files`);
  const [closing = ''] = textOf('src/close/README.md').split('\n## ');
  const preconditions = rowsIn(closing)
    .slice(1)
    .flatMap(([names = '']) => names.split(', '));
  expect(preconditions.sort()).toEqual([...namesIn('sql/close'), 'budget', 'time'].sort());
  const commands = rowsIn(sectionOf(textOf('README.md'), 'Commands')).flatMap((cells) =>
    spansIn(cells[1] ?? ''),
  );
  expect(commands.sort(), 'the groups of commands in README.md').toEqual((await commandNames()).sort());
});

test('the assumptions match the contract, and those of the stand-in its code', () => {
  const assumed = (folder: string) =>
    filesIn(folder)
      .filter((path) => path.endsWith('.ts'))
      .flatMap((path) => textOf(path).match(/\bA-[A-Z]{3,}(-[A-Z]+)*\b/g) ?? []);
  const listedIn = (manual: string, section: string) =>
    rowsIn(sectionOf(textOf(manual), section)).flatMap(([id = '']) => (id.startsWith('A-') ? [id] : []));
  const wire = listedIn('src/gateway/README.md', 'Assumptions about the wire');
  expect(wire.sort()).toEqual([...new Set(assumed('src/gateway'))].sort());
  const own = listedIn('src/sandbox/README.md', 'Assumptions of the stand-in');
  const used = [...new Set(assumed('src/sandbox'))].filter((id) => !wire.includes(id));
  expect(own.sort()).toEqual(used.sort());
});

test('the licences of the packages that the program contains are beside it', () => {
  const licences = textOf('dist/program/licences.txt');
  for (const name of ['commander', 'kysely', 'pg', 'undici', 'zod'])
    expect(licences).toMatch(new RegExp(`^${name} [0-9.]+, MIT\n\n[^\n]*(MIT|Copyright)`, 'm'));
});

test('the package contains what users need, and no tests', () => {
  const words = ['pack', '--dry-run', '--json', '--ignore-scripts', '--silent'];
  const [pack] = JSON.parse(execFileSync('npm', words, { encoding: 'utf8' }));
  const packed: string[] = pack.files.map(({ path }: { path: string }) => path);
  const needed = files.filter((path) =>
    /^(sql|migrations)\/|^src\/.*\.(csv|py)$|^(?!test\/).*\.md$/.test(path),
  );
  expect(needed.filter((path) => !packed.includes(path))).toEqual([]);
  const client = Object.values<string>(JSON.parse(textOf('package.json')).exports['./gateway']);
  const programs = [
    'dist/program/cli/main.js',
    'dist/program/licences.txt',
    'dist/jobs/nightly.js',
    ...client.map((path) => path.slice(2)),
  ];
  for (const path of ['LICENSE', 'package.json', ...programs]) expect(packed).toContain(path);
  const inner = /(^|\/)test\/|\.test\.|^src\/.*\.ts$|^\.ci|\.env|tsbuildinfo/;
  expect(packed.filter((path) => inner.test(path))).toEqual([]);
});
