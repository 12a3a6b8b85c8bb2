// The house rules on the whole tree: packages, tables, SQL files, the environment, and words about where or
// how something was made. Each takes its input as an argument, so that a test can show it fail.
import type { Source } from './source.ts';

/** Packages that are listed and that no text mentions. */
export const unused = (packages: readonly string[], texts: readonly string[]): string[] =>
  packages.filter((name) => !texts.some((text) => text.includes(name)));

const NAME = String.raw`((?:run|land|ledger|reconcile|decide|value)\.\w+)`;
const WRITING = [
  new RegExp(
    String.raw`\b(?:insert\s+into|update|delete\s+from|truncate(?:\s+table)?|merge\s+into|copy)\s+${NAME}`,
    'gi',
  ),
  new RegExp(String.raw`\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*'${NAME}`, 'g'),
  new RegExp(String.raw`\b(?:insertRows\(\s*\w+,|(?:insertOfColumns|copyBatch)\()\s*'${NAME}`, 'g'),
];

/** The tables that a text writes. */
export const writesOf = (text: string): string[] => [
  ...new Set(
    WRITING.flatMap((pattern) => [...text.matchAll(pattern)].map((it) => (it[1] ?? '').toLowerCase())),
  ),
];

/** Writers missing from the table, and listed ones that no longer write. */
export const wrongWriters = (
  sources: readonly Pick<Source, 'path' | 'text'>[],
  writers: Readonly<Record<string, readonly string[]>>,
): string[] => {
  const found = sources.flatMap(({ path, text }) => writesOf(text).map((table) => `${table} ${path}`));
  const listed = Object.entries(writers).flatMap(([table, paths]) => paths.map((path) => `${table} ${path}`));
  return [
    ...found.filter((it) => !listed.includes(it)).map((it) => `${it} writes it and does not own it`),
    ...listed.filter((it) => !found.includes(it)).map((it) => `${it} owns it and does not write it`),
  ].sort();
};

/** Powers below one: before PostgreSQL 16 they are cut to 16 decimals, so that 10 to the -17 is 0. */
const SMALL_POWER = /\b(?:power|pow)\s*\([^,()]*,\s*-|\^\s*\(?\s*-|\bexp\s*\(\s*-/gi;
export const smallPowers = (text: string): string[] =>
  [...text.replace(/'[^'\n]*'/g, "''").matchAll(SMALL_POWER)].map((it) => it[0]);

/** SQL files that no test names, directly or through their folder. */
export const untested = (paths: readonly string[], tests: readonly string[]): string[] =>
  paths.filter((path) => {
    const [folder, name] = path.split('/');
    const isLooped = new RegExp(String.raw`sqlPaths\(\s*'${folder}'|'${folder}'.*\]\.flatMap\(sqlPaths`, 's');
    return !tests.some((text) => text.includes(`${folder}/${name}`) || isLooped.test(text));
  });

/** The faults of a migration: a name in order, a way up, a comment, a way down. */
export const migrationFaults = (name: string, text: string): string[] =>
  [
    /^\d{14}_[a-z_]+\.sql$/.test(name) ? '' : `${name} is not called 20261121090000_topic.sql`,
    /^-- migrate:up\n-- \S/.test(text)
      ? ''
      : `${name} does not begin with -- migrate:up and what it is about`,
    /\n-- migrate:down\n\S/.test(text) ? '' : `${name} has no way down`,
  ].filter(Boolean);

/** The environment variables in a text. */
export const variablesOf = (config: string): string[] => [
  ...new Set([...config.matchAll(/\b((?:TIEOUT|GATEWAY)_[A-Z_]+|DATABASE_URL)\b/g)].map((it) => it[1] ?? '')),
];

/** Paths of one machine, and words about how a text was made. Split here, so that this file does not contain them. */
const PLACES = String.raw`(?<![\w.~}])\/(?:home|Users|root|work)\/\w+|\b[A-Z]:\\Users\\`;
const MAKERS = [
  ['cl', 'aude'],
  ['chat', 'gpt'],
  ['anth', 'ropic'],
  ['open', 'ai'],
  ['co', 'pilot'],
  ['lang', 'uage mod', 'el'],
  ['as an a', 'i'],
]
  .map((parts) => parts.join(''))
  .join('|');
const TELLING = new RegExp(String.raw`${PLACES}|\b(?:${MAKERS}|L${'L'}Ms?)\b`, 'gi');

/** Masculine pronouns for a role: write "they", or the role. */
export const pronounsIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:he|him|his|himself)\b/gi)].map((it) => it[0]);

/** Words that belong to a machine or to a maker, not to the project. */
export const tellingWords = (text: string): string[] => [...text.matchAll(TELLING)].map((it) => it[0]);
