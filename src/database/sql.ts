// SQL files: loads everything under sql/, in one dialect for psql and program. A parameter is a psql variable, :'name' or
// :name; psql substitutes a literal or the bare text, we substitute $1 and send its value separately. Comments, literals
// and slices such as a[1:n] are left unchanged.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CompiledQuery, type Kysely } from 'kysely';
import { packageRoot } from '../base/root.ts';
import type { DB } from './db-types.ts';

/** One file: its path below sql/, its title sentence, and its statement with $1, $2 … */
type SqlFile = {
  readonly path: string;
  readonly title: string;
  /** What to do about a row that it returns; null if the header does not say. Every check's header does. */
  readonly todo: string | null;
  /** Parameter names, in the order of $1, $2 … */
  readonly parameters: readonly string[];
  readonly text: string;
};

/** The value of a parameter: text, or an array of texts; the statement casts it to another type. */
type SqlValue = string | readonly string[];

type SqlValues = Readonly<Record<string, SqlValue>>;

/** The input of node-postgres: the statement and its values in order. */
export type BoundSql = { text: string; values: SqlValue[] };

/** The SQL files of a folder below sql/, in order of name, as paths for `readSql`: `reports/journal.sql`. */
export const sqlPaths = (folder: string): string[] =>
  readdirSync(join(packageRoot, 'sql', folder))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => `${folder}/${name}`);

/** Reads one file below sql/, the first time that a process asks for it. Throws if it does not exist or has no proper header. */
export const readSql = (path: string): SqlFile => {
  const known = files.get(path);
  if (known) return known;
  const file = parseSql(path, readFileSync(join(packageRoot, 'sql', path), 'utf8'));
  files.set(path, file);
  return file;
};

/** The files that were read, by path: a night executes the same few thousands of times. */
const files = new Map<string, SqlFile>();

/** Parses a file's text; errors name it by `path`. Throws if its header lacks something (see sql/README.md). */
export const parseSql = (path: string, source: string): SqlFile => {
  return { path, ...header(path, source), ...parseParameters(source) };
};

/** A statement with its psql variables replaced by $1, $2 …, and the variables' names in that order. */
export const parseParameters = (source: string): Pick<SqlFile, 'parameters' | 'text'> => {
  const parameters: string[] = [];
  const text = source.replace(TOKEN, (token, quoted?: string, bare?: string) => {
    const name = quoted ?? bare;
    if (name === undefined) return token;
    if (!parameters.includes(name)) parameters.push(name);
    return `$${parameters.indexOf(name) + 1}`;
  });
  return { parameters, text };
};

/** Binds values by name. Throws if one is missing or is not a parameter of the file: both are bugs in the call. */
export const bindSql = (file: SqlFile, values: SqlValues): BoundSql => {
  const surplus = Object.keys(values).filter((name) => !file.parameters.includes(name));
  if (surplus.length > 0) throw new Error(`sql/${file.path} has no parameter ${surplus.join(', ')}`);
  const bound = file.parameters.map((name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`sql/${file.path} needs the parameter ${name}`);
    return value;
  });
  return { text: file.text, values: bound };
};

/** Reads a file and binds its parameters, as most callers need. */
export const loadSql = (path: string, values: SqlValues = {}): BoundSql => bindSql(readSql(path), values);

/** The rows of a statement, read through Kysely, in the transaction of `db` if it is one: `readRows<Row>(tx, loadSql(…))`. */
export const readRows = async <Row>(db: Kysely<DB>, { text, values }: BoundSql): Promise<Row[]> =>
  (await db.executeQuery<Row>(CompiledQuery.raw(text, values))).rows;

// A parameter, or text in which psql does not look for one: comments, strings, quoted names, dollar quotes, casts.
const TOKEN = new RegExp(
  [
    String.raw`:'(?<quoted>\w+)'`,
    String.raw`(?<![\w\]:]):(?<bare>[A-Za-z_]\w*)`,
    String.raw`--[^\n]*`,
    String.raw`/\*[\s\S]*?\*/`,
    String.raw`\b[eE]'(?:[^'\\]|\\[\s\S]|'')*'`,
    '"[^"]*"',
    String.raw`\$(?<tag>(?:[A-Za-z_]\w*)?)\$[\s\S]*?\$\k<tag>\$`,
    '::',
    "'[^']*'",
  ].join('|'),
  'g',
);

const header = (path: string, source: string): Pick<SqlFile, 'title' | 'todo'> => {
  const lines = source.slice(0, source.search(/^(?!--)/m)).split('\n');
  const title = titleIn(lines);
  const hasReaders = lines.some((line) => /^-- For: ./.test(line));
  const example = lines.some((line) => /^-- {3}psql .*-f sql\//.test(line));
  const missing = [
    !title && 'what it is in a whole sentence',
    !hasReaders && '-- For:',
    !example && 'a psql example',
  ].filter(Boolean);
  if (!title || missing.length > 0) {
    throw new Error(
      `sql/${path} must begin with a comment that says ${missing.join(', ')} (see sql/README.md)`,
    );
  }
  return { title, todo: todoIn(lines) };
};

/** The first sentence, over any number of lines: it ends at a full stop at a line's end or before a capital. */
const titleIn = (lines: readonly string[]): string | null => {
  if (!/^-- \S/.test(lines[0] ?? '')) return null;
  const end = lines.findIndex((line) => !/^-- \S/.test(line) || line.startsWith('-- For: '));
  const comment = lines.slice(0, end).map((line) => line.slice('-- '.length));
  return /^.+?\.(?=$| [A-Z(])/.exec(comment.join(' '))?.[0] ?? null;
};

/** The text after `-- What to do:` up to the psql example, on one line. */
const todoIn = (lines: readonly string[]): string | null => {
  const from = lines.findIndex((line) => line.startsWith('-- What to do: '));
  if (from < 0) return null;
  const length = lines.slice(from).findIndex((line) => line.startsWith('--   psql '));
  const comment = lines.slice(from, length < 0 ? lines.length : from + length);
  return comment.map((line) => line.replace(/^-- (?:What to do: )?/, '')).join(' ');
};
