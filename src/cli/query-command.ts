// query: one read-only statement from the command line, a file or standard input, with psql's variables.
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { counted } from '../base/counted.ts';
import { UsageError } from '../base/errors.ts';
import { readNamedFile } from '../base/named-file.ts';
import { packageRoot } from '../base/root.ts';
import type { RowsPage } from '../database/cursor.ts';
import { parseParameters } from '../database/database.ts';
import type { BoundSql } from '../database/sql.ts';
import { withBooks } from '../run/run.ts';
import { bookCommand, type Shared, settings } from './options.ts';
import { printPiece, printRows, table } from './print.ts';
import {
  type AnswerLimits,
  csvWriter,
  FORMATS,
  type Format,
  jsonWriter,
  LIMITS,
  type PutRows,
  queryBooks,
  refuseWriting,
  type Writer,
} from './query.ts';
import { readStandardInput, STANDARD_INPUT } from './standard-input.ts';

type QueryOptions = Shared & {
  readonly format: Format;
  readonly limit?: number;
  readonly file?: string;
  readonly set: ReadonlyMap<string, string>;
};

/** Adds `name=value` to the variables; the last value of a name applies, as in psql. */
const withVariable = (text: string, set: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw new UsageError(`--set ${text}: write name=value, such as --set timezone=Europe/Madrid`);
  return new Map([...set, [name, value]]);
};

type WrittenSql = { readonly name: string; readonly text: string };

const BYTES_MAX = 1_000_000;

/** Reads a file of the working folder or, for a path such as `sql/cookbook/fees_by_month.sql`, one of tieout's own. */
const readSource = (path: string): string => {
  const own = readNamedFile(resolve(path), { bytesMax: BYTES_MAX });
  const isBrought = 'refusal' in own && own.code === 'ENOENT' && path.startsWith('sql/');
  const read = isBrought ? readNamedFile(resolve(packageRoot, path), { bytesMax: BYTES_MAX }) : own;
  if ('refusal' in read) throw new UsageError(`${path} ${read.refusal}`);
  return read.bytes.toString('utf8');
};

/** The statement from the command line, a file or standard input. Throws UsageError for none or more than one. */
const sourceOf = async (sql: string | undefined, { file, signal }: QueryOptions): Promise<WrittenSql> => {
  if ((sql === undefined) === (file === undefined))
    throw new UsageError(
      'query needs one statement: write it in quotes, or --file FILE, or - for standard input',
    );
  if (STANDARD_INPUT === (file ?? sql))
    return { name: 'standard input', text: await readStandardInput(BYTES_MAX, signal) };
  return file === undefined
    ? { name: 'the statement', text: sql ?? '' }
    : { name: file, text: readSource(file) };
};

/** Binds the variables' values. Throws one UsageError that lists every faulty variable. */
const bindVariables = ({ name, text }: WrittenSql, set: ReadonlyMap<string, string>): BoundSql => {
  const { parameters, text: statement } = parseParameters(text);
  const missing = parameters.filter((variable) => !set.has(variable));
  const unknown = [...set.keys()].filter((variable) => !parameters.includes(variable));
  const faults = [
    ...(missing.length > 0 ? [`not set: ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`unknown: ${unknown.join(', ')}`] : []),
  ];
  const needed = parameters.map((variable) => `--set ${variable}=VALUE`).join(' ') || 'no variables';
  if (faults.length > 0) throw new UsageError(`${name} needs ${needed} (${faults.join('; ')})`);
  return { text: statement, values: parameters.map((variable) => set.get(variable) ?? '') };
};

export const queryCommand = (): Command =>
  bookCommand(
    'query',
    'run one read-only SQL statement or file on the books',
    `npx tieout query "select * from books.balances order by 1, 2, 3"
  npx tieout query --file sql/cookbook/fees_by_month.sql --set timezone=Europe/Madrid`,
  )
    .argument('[sql]', 'SQL statement ("-" reads stdin)')
    .option('--file <file>', 'read the statement from a file ("-" reads stdin)')
    .addOption(
      new Option('--set <name=value>', "value of a psql variable, :'name' or :name; repeat for several")
        .argParser(withVariable)
        .default(new Map(), 'none'),
    )
    .addOption(new Option('--format <format>', 'output format').choices(FORMATS).default('table'))
    .option(
      '--limit <rows>',
      'highest number of rows (default: 10000 for table, 10000000 for csv and json)',
      rowsMax,
    )
    .action(async (sql: string | undefined, options: QueryOptions) => {
      const statement = bindVariables(await sourceOf(sql, options), options.set);
      refuseWriting(statement.text); // before a database is opened
      const format = options.json ? 'json' : options.format;
      const limits = { ...LIMITS[format], ...(options.limit === undefined ? {} : { rows: options.limit }) };
      const { signal } = options;
      const writer = writerOf(format);
      const ask = (_: unknown, url: string) =>
        queryBooks(url, statement, { limits, put: writer.put, signal });
      const { rows, cut } = await withBooks(settings(options), ask, { as: 'analyst', isReading: true });
      await writer.end();
      if (cut !== null) printCut(rows, { cut, isAsked: options.limit !== undefined });
    });

const rowsMax = (text: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--limit ${text}: write a number of rows, from 1`);
  return Number.parseInt(text, 10);
};

/** Reports an incomplete result, with exit code 1 unless the user's --limit cut it off. */
const printCut = (rows: number, { cut, isAsked }: { cut: keyof AnswerLimits; isAsked: boolean }): void => {
  const why = cut === 'rows' ? 'the answer has more rows' : 'the answer is too large for this format';
  const advice =
    cut === 'rows' ? 'raise --limit N, or narrow the query' : 'use --format csv, or narrow the query';
  const shown = rows === 1 ? 'row' : `${rows} rows`;
  process.stderr.write(`tieout: printed only the first ${shown}, ${why}: ${advice}\n`);
  if (!isAsked || cut === 'bytes') process.exitCode = 1;
};

const writerOf = (format: Format): Writer => {
  if (format === 'json') return jsonWriter(printPiece);
  if (format === 'csv') return csvWriter(printPiece);
  return tableWriter();
};

/** A table needs the widths of all cells, so it is printed at the end. */
const tableWriter = (): Writer => {
  let head: string[] = [];
  const all: RowsPage['rows'][number][] = [];
  const put: PutRows = ({ columns, rows }) => {
    head = columns.map(({ name }) => name);
    all.push(...rows);
    return true;
  };
  const end = async () => printRows(`${table(head, all)}\n(${counted(all.length, 'row')})`);
  return { put, end };
};
