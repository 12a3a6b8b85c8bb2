// Without books, or with a database that is not ours, every command stops with one sentence and leaves nothing behind. The
// commands come from the program itself, each as in the example of its help, so that new ones are included.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { program } from '../../src/cli/program.ts';
import { placeOf } from '../../src/database/connection.ts';
import { exportReports } from '../../src/export/export.ts';
import { emptyDatabase, freshDatabase, type TestDatabase } from '../database.ts';
import { newFolder } from '../room.ts';
import { wholeOf } from '../whole.ts';
import { played } from './played.ts';
import { complaint, type Ended, type Env, folder } from './tieout.ts';

const home = join(newFolder(), 'never', 'made');
const ends: (() => Promise<void>)[] = [];

const exampleOf = (command: Command): string => {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return /Example:\n.*npx tieout (.*)/.exec(help)?.[1] ?? '';
};

/** The words of a line as a shell splits them, as far as our examples need. */
const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((it) => it[1] ?? it[2] ?? '');

const nameOf = (command: Command): string =>
  command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();

const leavesOf = (command: Command): Command[] =>
  command.commands.length > 0 ? command.commands.flatMap(leavesOf) : [command];

const commands = leavesOf(await program()).map((it) => [nameOf(it), wordsOf(exampleOf(it))] as const);

/** Forms of commands besides their example. */
const FORMS: [string, string[]][] = ['approve', 'verify', 'erase --list', 'verify ledger', 'db url'].map(
  (command) => [command, command.split(' ')],
);

const BEGINS = ['nightly', 'extract', 'migrate'];
/** Commands that need no books, or create their own; `db url` takes the form below, without the program of its example. */
const APART = [
  'demo',
  'sandbox',
  'init',
  'doctor',
  'completion',
  'db start',
  'db stop',
  'db url',
  'restore',
  'db move',
  'consolidate',
];
const others = [...commands.filter(([name]) => ![...BEGINS, ...APART].includes(name)), ...FORMS];

const FILES = {
  'statement.csv': 'account,currency,balance\ntrading,EUR,1\n',
  'statement.pdf': 'signed',
  'mail.eml': 'yes',
  'invoices.pdf': 'paid',
  'opening.csv':
    'account,currency,units,cost,cost_currency,acquired_on,date\nassets:trading,EUR,1,,,,2019-01-01\n',
  'ledger-wallet.csv': 'currency,units,cost,cost_currency,acquired_on\nBTC,1,100,EUR,2021-02-03\n',
  'eurofxref-hist.csv': 'Date,USD,\n2026-10-01,1.1,\n',
  'entities.csv':
    'entity_id,legal_name,tax_id,taxpayer,owner,currency,timezone,cost_method,fiscal_year_start,lot_rules,residence\nmain,Acme,,,,,,,,,\n',
  'chart.csv':
    'account,class,currency,code,name_en,name_es,name_de,statement,statement_class\n*,,,1000,All,Todo,Alles,balance sheet,assets\n',
  'october.csv': 'stream,record_id,currency,lot_id,units\ntrades,t1,BTC,l1,1\n',
  'october.xml': 'date,amount,currency,balance\n2026-10-01,1,EUR,1\n', // the content decides which format it is
  'wallet.csv': 'hash,time,amount\n0xab,2026-10-01T00:00:00Z,1\n',
  'labels.csv': 'kind,id,label\nentity,main,Acme\n',
  'counterparties.csv':
    'class,address,bank_account,operation,counterparty,counterparty_type\nbank,,,,Acme,own\n',
};
const GATEWAY = { GATEWAY_BASE_URL: 'http://127.0.0.1:9', GATEWAY_API_KEY: 'k', GATEWAY_API_SECRET: 's' };
const WEBHOOK = { TIEOUT_WEBHOOK_KEY: 'a-key-of-the-platform', TIEOUT_WEBHOOK_ANSWER: 'refuse' };

let empty: TestDatabase;
let theirs: TestDatabase;
beforeAll(async () => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
  const ours = await freshDatabase();
  const outDir = join(folder, 'october');
  if (!existsSync(outDir))
    await exportReports({ pool: ours.pool, period: '2026-10', outDir, timezone: 'UTC', currency: 'EUR' });
  await ours.close();
  [empty, theirs] = [await emptyDatabase(), await emptyDatabase()];
  ends.push(empty.close, theirs.close);
  await theirs.pool.query('create schema books; create table books.theirs as select 1 as n');
});
afterAll(async () => {
  for (const end of ends) await end();
});

const type = async (words: readonly string[], env: Env = {}): Promise<Ended> => {
  const ended = await played(words, { TIEOUT_HOME: home, ...GATEWAY, ...WEBHOOK, ...env });
  return {
    ...ended,
    stderr: complaint(ended)
      .map((line) => `${line}\n`)
      .join(''),
  };
};

const stopped = (stderr: string): Ended => ({ exitCode: 64, stdout: '', stderr: `tieout: ${stderr}\n` });

test('every command of the program has an example here', () => {
  for (const [name, words] of commands) expect(words.join(' '), name).toContain(name);
  expect(commands.length).toBeGreaterThan(35);
});

describe.each(others)('%s', (_, words) => {
  test('without books in the home', async () => {
    expect(await type(words)).toEqual(stopped(`no books at ${home}: set TIEOUT_HOME, or run nightly`));
    expect(existsSync(join(home, '..'))).toBe(false);
  });

  test('without books in the database', async () => {
    const before = await wholeOf(empty.pool);
    const message = `no books in the database ${placeOf(empty.url)}: set DATABASE_URL, or run npx tieout migrate or nightly to begin books there`;
    expect(await type(words, { DATABASE_URL: empty.url })).toEqual(stopped(message));
    expect(await wholeOf(empty.pool)).toEqual(before);
    expect(existsSync(join(home, '..'))).toBe(false);
  });
});

test.each([...others, ...commands.filter(([name]) => BEGINS.includes(name))])(
  '%s in a database that is not ours',
  async (_, words) => {
    const before = await wholeOf(theirs.pool);
    const ended = await type(words, { DATABASE_URL: theirs.url });
    expect([ended.exitCode, ended.stdout]).toEqual([64, '']);
    expect(ended.stderr).toMatch(
      /^tieout: the database \S+ has a schema books that tieout did not create, so nothing was changed: [^\n]*\n$/,
    );
    expect(await wholeOf(theirs.pool)).toEqual(before);
    expect(existsSync(join(home, '..'))).toBe(false);
  },
);

test.each([
  ['without books', () => empty, /^look {4}schema {7}no books yet: run npx tieout nightly$/m],
  ['that is not ours', () => theirs, /^FAILED {2}schema {7}the database \S+ has a schema books that /m],
] as const)('doctor changes nothing in a database %s', async (_, other, line) => {
  const before = await wholeOf(other().pool);
  const { exitCode, stdout, stderr } = await type(['doctor'], { DATABASE_URL: other().url });
  expect([exitCode, stderr]).toEqual([2, '']); // no gateway answers
  expect(stdout).toMatch(line);
  expect(await wholeOf(other().pool)).toEqual(before);
});

test('a command on demo books before the demo names the demo', async () => {
  expect(await type(['status', '--demo'])).toEqual(
    stopped(`no books at ${join(home, 'demo')}: run npx tieout demo`),
  );
});

test('a home with other files is not treated as books', async () => {
  const lived = newFolder();
  mkdirSync(join(lived, 'exports'));
  const ended = await type(['status'], { TIEOUT_HOME: lived });
  expect(ended).toEqual(stopped(`no books at ${lived}: set TIEOUT_HOME, or run nightly`));
  expect(existsSync(join(lived, 'postgres'))).toBe(false);
});

test('the demo does not remove a folder with other files', async () => {
  const lived = newFolder();
  mkdirSync(join(lived, 'demo'));
  writeFileSync(join(lived, 'demo', 'notes.txt'), 'mine');
  const ended = await type(['demo'], { TIEOUT_HOME: lived });
  expect(ended).toEqual(
    stopped(
      `${join(lived, 'demo')} contains files that tieout did not create (notes.txt): move that away, and run again`,
    ),
  );
  expect(readFileSync(join(lived, 'demo', 'notes.txt'), 'utf8')).toBe('mine');
});
