// The three programs that read our journals: how each checks a journal, and the balances that it computes.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { sum } from '../../base/money.ts';
import { lastLines, runChild } from '../../config/config.ts';
import { JOURNALS, type JournalName } from './journals.ts';

type Command = readonly [file: string, ...args: string[]];

/** `check` must exit with 0; `balances` writes to a file what `read` parses: account, currency, amount, all encoded. */
type Program = {
  readonly version: Command;
  readonly check: (journal: string) => Command;
  readonly balances: (journal: string, out: string) => Command;
  readonly read: (text: string) => (readonly [account: string, currency: string, amount: string])[];
};

/** The result of a program: its complaint or null, and its balances, by `keyOf`. */
export type ProgramResult = {
  readonly complaint: string | null;
  readonly balances: ReadonlyMap<string, string>;
};

export const keyOf = (account: string, currency: string): string => `${account} ${currency}`;

const lines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Split at commas: no name of ours has a comma or a quote. bean-query pads with blanks to align. */
const csvRows = (text: string): [string, string, string][] =>
  lines(text)
    .slice(1)
    .map((line) => {
      const [account, currency, amount, ...rest] = line
        .split(',')
        .map((cell) => cell.trim().replace(/^"|"$/g, ''));
      assert(account && currency && amount && rest.length === 0, `not an account and its balance: ${line}`);
      return [account, currency, amount];
    });

/** The text of Python's number, whichever way a version writes it: `Decimal('1E-8')` is 0.00000001. */
const beancountRows = (text: string): [string, string, string][] =>
  csvRows(text).map(([account, currency, amount]) => {
    const figure = amount.replace(/^Decimal\('(.+)'\)$/, '$1');
    assert(/^-?\d+(\.\d+)?(E[+-]?\d+)?$/.test(figure), `not a balance: ${amount}`);
    return [account, currency, sum([figure])];
  });

/** An account, a tab and its first amount; its other amounts on lines of their own. */
const ledgerRows = (text: string): [string, string, string][] => {
  let account = '';
  return lines(text).map((line) => {
    const [, accountName, amount, currency] = /^(?:(.+)\t)?(-?[\d.]+) "?([^"]+)"?$/.exec(line) ?? [];
    account = accountName ?? account;
    assert(account && currency && amount, `not an account and its balance: ${line}`);
    return [account, currency, amount];
  });
};

/** Ignores the settings of the user who runs it, and reads nothing outside the journal. */
const LEDGER = ['ledger', '--args-only', '--pedantic'] as const;

const PROGRAMS: Readonly<Record<JournalName, Program>> = {
  hledger: {
    version: ['hledger', '--version'],
    check: (journal) => ['hledger', '-f', journal, 'check', '--strict', 'ordereddates'],
    balances: (journal, out) => [
      'hledger',
      '-f',
      journal,
      'balance',
      '--flat',
      '--no-total',
      '--layout=bare',
      '-O',
      'csv',
      '-o',
      out,
    ],
    read: csvRows,
  },
  ledger: {
    version: ['ledger', '--version'],
    check: (journal) => [...LEDGER, '-f', journal, 'stats'],
    balances: (journal, out) => [
      ...LEDGER,
      '-f',
      journal,
      'balance',
      '--flat',
      '--no-total',
      '-o',
      out,
      '--format',
      '%(account)\t%(scrub(display_total))\n',
    ],
    read: ledgerRows,
  },
  beancount: {
    version: ['bean-check', '--version'],
    check: (journal) => ['bean-check', journal],
    balances: (journal, out) => [
      'bean-query',
      '-f',
      'csv',
      '-o',
      out,
      journal,
      // as text: a column of numbers is cut to as many digits as most of its numbers have
      'select account, currency, str(sum(number)) as total group by account, currency',
    ],
    read: beancountRows,
  },
};

/** A locale with UTF-8, and no cache: the cache of beancount would skip the plugin. */
const SETTINGS = { LC_ALL: 'C.UTF-8', BEANCOUNT_DISABLE_LOAD_CACHE: '1', PYTHONDONTWRITEBYTECODE: '1' };

const run = ([file, ...args]: Command) => runChild(file, args, { env: SETTINGS });

/** The name and version that a program prints. Throws a UsageError if it is not installed. */
export const versionOf = async (name: JournalName): Promise<string> => {
  const { version } = PROGRAMS[name];
  const { code, output } = await run(version);
  if (code !== 0) {
    const why = code === null ? `there is no ${version[0]} on the path` : lastLines(output, 1);
    throw new UsageError(`${name} is not installed (${why}): install it, or remove it from --with`);
  }
  return output.split('\n')[0] ?? '';
};

/** Runs a program on the journal of its format in a folder: checks and sums it. A complaint is a result, not an error. */
export const runProgram = async (name: JournalName, folder: string): Promise<ProgramResult> => {
  const { check, balances, read } = PROGRAMS[name];
  const journal = join(folder, JOURNALS[name].file);
  const checked = await run(check(journal));
  if (checked.code !== 0) return { complaint: lastLines(checked.output, 12), balances: new Map() };
  const out = join(folder, `${name}.csv`);
  const summed = await run(balances(journal, out));
  if (summed.code !== 0) return { complaint: lastLines(summed.output, 12), balances: new Map() };
  const rows = read(await readFile(out, 'utf8'));
  return {
    complaint: null,
    balances: new Map(rows.map(([account, currency, amount]) => [keyOf(account, currency), amount])),
  };
};
