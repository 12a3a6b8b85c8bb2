// The programs that read our journals agree with us, and detect an error of 1e-18. Skipped by name if one is missing.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sum } from '../../../src/base/money.ts';
import { exportReports } from '../../../src/export/export.ts';
import { JOURNALS, type JournalName } from '../../../src/export/journals/journals.ts';
import { keyOf, runProgram } from '../../../src/export/journals/programs.ts';
import { post } from '../../../src/ledger/entries.ts';
import { type BookedBalance, compareWith, verifyLedger } from '../../../src/verify/ledger/ledger.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { newFolder } from '../../room.ts';
import { made } from '../../valuation/month-stand.ts';
import { makeWorld, october } from '../world.ts';
import { COMMANDS, isMissing } from './installed.ts';

const LEAST = '0.000000000000000001';

let books: TestDatabase;
let balances: BookedBalance[];
beforeAll(async () => {
  books = await freshDatabase();
  await makeWorld(books);
  await books.pool.query(readFileSync(new URL('../hostile.sql', import.meta.url), 'utf8'));
  const { rows } = await books.pool.query('select * from books.balances');
  balances = rows.map(({ entity_id, ...rest }) => ({ entity: entity_id, ...rest }));
});
afterAll(() => books.close());

/** A journal of everything in the two worlds, in a folder of its own. */
const journal = async (name: JournalName) => {
  const outDir = join(newFolder(), name);
  await exportReports({ ...october(books.pool), period: '2026', outDir, format: name });
  return { dir: outDir, file: join(outDir, JOURNALS[name].file) };
};

const POSTING = /^( +\S+ {2})(-?[\d.]+)( \S+)(.*)$/;

/** Alters postings of a written journal, chosen by their position, by 1e-18. */
const plant = (file: string, by: (lineNumber: number, line: string, last: number) => string | null): void => {
  const lines = readFileSync(file, 'utf8').split('\n');
  const places = lines.flatMap((line, number) =>
    POSTING.test(line) && !/ balance /.test(line) ? [number] : [],
  );
  places.forEach((place, nth) => {
    const error = by(nth, lines[place] ?? '', places.length - 1);
    if (error === null) return;
    lines[place] = (lines[place] ?? '').replace(
      POSTING,
      (_all, start, amount, currency, rest) => `${start}${sum([amount, error])}${currency}${rest}`,
    );
  });
  writeFileSync(file, lines.join('\n'));
};

describe.each(Object.keys(JOURNALS) as JournalName[])('%s', (name) => {
  const skipped = isMissing(name);
  const title = (text: string) => `${name}: ${text}${skipped ? ` (skipped: no ${COMMANDS[name]} here)` : ''}`;

  test.skipIf(skipped)(title('agrees with us on every account, to the last digit'), async () => {
    const { holds, programs } = await verifyLedger({
      pool: books.pool,
      timezone: 'Europe/Madrid',
      programs: [name],
    });
    expect(programs).toEqual([
      expect.objectContaining({ program: name, accounts: balances.length, differences: 0, first: null }),
    ]);
    expect(holds).toBe(false); // the worlds are incomplete: entries whose record never landed
  });

  test.skipIf(skipped)(title('agrees with us where few balances have many digits'), async () => {
    const few = await freshDatabase();
    await makeWorld(few);
    const whole = Array.from(
      { length: 99 },
      (_, nth) => `assets:pocket:p${nth} <- equity:external:bank 7 EUR`,
    );
    const amounts = [LEAST, '0.00000001', '95.941952409924428226', '123456789012345678.000000000000000001'];
    const long = amounts.map(
      (amount, nth) => `assets:pocket:c${nth} <- equity:external:blockchain ${amount} COIN`,
    );
    await post(few.db, [made({ day: '2026-10-05', name: 'digits' }, [...whole, ...long])]);
    const { programs } = await verifyLedger({ pool: few.pool, timezone: 'UTC', programs: [name] });
    expect(programs).toEqual([expect.objectContaining({ differences: 0, first: null })]);
    await few.close();
  });

  test.skipIf(skipped).each([
    ['the first posting', (nth: number) => (nth === 0 ? LEAST : null)],
    ['the last posting', (nth: number, _line: string, last: number) => (nth === last ? `-${LEAST}` : null)],
    ['both sides of a leg', (nth: number) => (nth === 20 || nth === 21 ? ['', '-'][nth % 2] + LEAST : null)],
    [
      'a posting of 48 digits',
      (_at: number, line: string) => (/ 1234567890.*SHIB/.test(line) ? LEAST : null),
    ],
    ['every debit', (_at: number, line: string) => (/ {2}\d/.test(line) ? LEAST : null)],
  ])(title('sees 1e-18 in %s'), async (_what, by) => {
    const { dir, file } = await journal(name);
    const before = readFileSync(file, 'utf8');
    expect((await runProgram(name, dir)).complaint).toBeNull();
    plant(file, by);
    expect(readFileSync(file, 'utf8')).not.toBe(before);
    expect((await runProgram(name, dir)).complaint).toMatch(/balance|assert/i);
  });

  test.skipIf(skipped)(title('and we see 1e-18 between its balances and ours'), async () => {
    const { dir } = await journal(name);
    const answer = await runProgram(name, dir);
    expect(compareWith(name, balances, answer)).toEqual({
      accounts: balances.length,
      differences: 0,
      first: null,
    });
    for (const changed of balances.keys()) {
      const ours = balances.map((balance, i) =>
        i === changed ? { ...balance, balance: sum([balance.balance, LEAST]) } : balance,
      );
      const compared = compareWith(name, ours, answer);
      expect([compared.differences, compared.first]).toEqual([
        1,
        expect.stringContaining(`difference ${LEAST}`),
      ]);
    }
    expect(compareWith(name, balances.slice(1), answer)).toMatchObject({
      accounts: balances.length,
      differences: 1,
    });
  });

  test.skipIf(skipped)(title('reads texts as texts'), async () => {
    const { dir, file } = await journal(name);
    const { complaint, balances: accounts } = await runProgram(name, dir);
    expect([complaint, accounts.size >= balances.length]).toEqual([null, true]);
    const text = readFileSync(file, 'utf8');
    expect(text.match(/^\d{4}-\d\d-\d\d \*/gm)).toHaveLength(31);
    expect(text).not.toMatch(/[^\n\P{Cc}]/u);
  });
});

test('a program that is not installed is one clear line, before anything is read', async () => {
  const path = process.env.PATH;
  process.env.PATH = newFolder();
  const verified = verifyLedger({ pool: books.pool, timezone: 'UTC', programs: ['hledger'] });
  await expect(verified).rejects.toThrow(
    expect.objectContaining({
      exitCode: 64,
      message:
        'hledger is not installed (there is no hledger on the path): install it, or remove it from --with',
    }),
  );
  process.env.PATH = path;
});

test('a complaint does not count as agreement', () => {
  const complained = compareWith('ledger', balances, { complaint: 'off by 1', balances: new Map() });
  expect(complained).toEqual({ accounts: 0, differences: 0, first: 'off by 1' });
  expect(keyOf('a', 'EUR')).toBe('a EUR');
});
