// The three programs that read our journals: how each checks one, and what it says that every account holds.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { lastLines, runChild } from '../../config/child.ts';
import { JOURNALS, type JournalName } from './journals.ts';

type Command = readonly [file: string, ...args: string[]];

/** `check` must end with 0; `balances` writes to a file what `read` understands: account, currency, amount as spelled. */
type Program = {
  readonly version: Command;
  readonly check: (journal: string) => Command;
  readonly balances: (journal: string, out: string) => Command;
  readonly read: (text: string) => (readonly [account: string, currency: string, amount: string])[];
};

/** What a program found: null or its complaint, and the balances it sums to, by `keyOf`. */
export type ProgramResult = {
  readonly complaint: string | null;
  readonly balances: ReadonlyMap<string, string>;
};

export const keyOf = (account: string, currency: string): string => `${account} ${currency}`;

const lines = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Comma-separated, since no name of ours holds a comma or a quote; blanks are bean-query's alignment. */
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

/** No settings of the person who runs it, nothing outside the journal. */
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
      'select account, currency, sum(number) as held group by account, currency',
    ],
    read: csvRows,
  },
};

/** A locale that reads UTF-8, and no cache: beancount's would leave out the plugin. */
const SETTINGS = { LC_ALL: 'C.UTF-8', BEANCOUNT_DISABLE_LOAD_CACHE: '1', PYTHONDONTWRITEBYTECODE: '1' };

const run = ([file, ...args]: Command) => runChild(file, args, { env: SETTINGS });

/** What a program calls itself. Throws a UsageError where it is not installed. */
export const versionOf = async (name: JournalName): Promise<string> => {
  const { version } = PROGRAMS[name];
  const { code, output } = await run(version);
  if (code !== 0) {
    const why = code === null ? `there is no ${version[0]} on the path` : lastLines(output, 1);
    throw new UsageError(`${name} is not installed (${why}): install it, or remove it from --with`);
  }
  return output.split('\n')[0] ?? '';
};

/** Lets a program check the journal of its format in a folder, and sum it. A complaint is an answer, not an error. */
export const askProgram = async (name: JournalName, folder: string): Promise<ProgramResult> => {
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
