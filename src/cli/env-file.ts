// The file .env that init writes: the five variables that a setup needs, and the others as comments.
import { lstat } from 'node:fs/promises';
import { UsageError } from '../base/errors.ts';
import { createPrivate, replacePrivate } from '../base/private-file.ts';

/** Variables by name, in the order of the file. */
export type Variables = Readonly<Record<string, string>>;

const PLAIN = /^[\w./:@%+=,-]*$/;
const QUOTES = ["'", '"', '`'];

/** A value as .env files write it: bare, or in a quote that it does not contain. */
const quoted = (name: string, value: string): string => {
  if (PLAIN.test(value)) return value;
  const quote = QUOTES.find((one) => !value.includes(one));
  if (quote === undefined || /[\r\n\\]/.test(value))
    throw new UsageError(`${name} cannot be written to .env: put it into a file and name that file`);
  return `${quote}${value}${quote}`;
};

const SECTIONS: readonly (readonly [comment: string, names: readonly string[], unset: readonly string[]])[] =
  [
    [
      'The gateway. A key with the scope Read is enough.',
      ['GATEWAY_BASE_URL', 'GATEWAY_API_KEY', 'GATEWAY_API_SECRET', 'GATEWAY_API_SECRET_FILE'],
      ['GATEWAY_ENTITIES=main          # default: main and every subaccount that the key may list'],
    ],
    [
      'Fixed with the first entry: the timezone in which months begin, and the reporting currency.',
      ['TIEOUT_TIMEZONE', 'TIEOUT_CURRENCY'],
      ['TIEOUT_FISCAL_YEAR_START=1     # first month of the fiscal year'],
    ],
    [
      'The database. Default: an embedded PostgreSQL under TIEOUT_HOME.',
      [],
      ['TIEOUT_HOME=.tieout', 'DATABASE_URL=postgresql://user:password@host:5432/database'],
    ],
  ];

/** The text of the file. */
export const envText = (variables: Variables): string => {
  const sections = SECTIONS.map(([comment, names, unset]) => [
    `# ${comment}`,
    ...names.flatMap((name) => {
      const value = variables[name];
      return value === undefined ? [] : [`${name}=${quoted(name, value)}`];
    }),
    ...unset.map((line) => `# ${line}`),
  ]);
  const head = [
    '# Settings of tieout, read in the folder where it runs. Only you may read this file (mode 0600).',
    '# All variables: the section Environment of jobs/README.md.',
  ];
  return `${[head, ...sections].map((lines) => lines.join('\n')).join('\n\n')}\n`;
};

const existsError = (path: string): UsageError =>
  new UsageError(`${path} exists: edit it, or replace it with --force`);

/** Throws UsageError if something has this name, a link to no file included. */
export const refuseExisting = async (path: string): Promise<void> => {
  if (await lstat(path).catch(() => null)) throw existsError(path);
};

/** Writes a file for its owner alone. Throws UsageError if it exists, unless it is to be replaced. */
export const writeEnv = async (path: string, text: string, isForced: boolean): Promise<void> => {
  try {
    await (isForced ? replacePrivate : createPrivate)(path, text);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw existsError(path);
    throw new UsageError(`${path} cannot be written: ${message}`);
  }
};
