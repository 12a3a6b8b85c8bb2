// A file that is not the next one of its account: one clear error, and nothing half done. The same file twice changes nothing.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { typed } from '../cli/played.ts';
import { type Nights, openNights } from '../reconcile/stage.ts';
import { ADDRESS, camtOf, chainCsvOf, csvOf, mt940Of, type StatementText } from './bank.ts';
import { commandsOn, MAIN } from './commands.ts';

let nights: Nights;
const { importText } = commandsOn(() => nights);
beforeAll(async () => {
  nights = await openNights();
  await nights.night({ uncovered: ['wallet-transactions'] }); // so that no line is due
});
afterAll(() => nights?.close());

const line = (day: string, units: number) => ({
  bookedOn: day,
  valueOn: day,
  units,
  reference: 'R1',
  text: 'Pago 1',
  hash: `0x${String(Math.abs(units)).padStart(64, '0')}`,
});

const FEBRUARY: StatementText = {
  opening: 1_000,
  lines: [line('2026-02-03', 500)],
  number: 2,
  from: '2026-02-01',
  to: '2026-02-28',
};
const MARCH: StatementText = {
  opening: 1_500,
  lines: [line('2026-03-03', -200)],
  number: 3,
  from: '2026-03-01',
  to: '2026-03-31',
};

const stored = async () =>
  nights.rows(`select (select count(*)::int from land.external_accounts) as accounts, (select count(*)::int from land.external_statements) as statements,
    (select count(*)::int from land.external_lines) as lines, (select count(*)::int from land.people where stream = 'bank-lines') as people`);

describe('statements follow each other', () => {
  beforeAll(async () => {
    const { exitCode, stdout } = await importText(camtOf(FEBRUARY), ...MAIN);
    expect(exitCode, stdout).toBe(0);
    expect(stdout).toContain('bank account Main in EUR, all its lines: 1 open');
  });

  test.each([
    [
      'another currency',
      camtOf({ ...MARCH }).replaceAll('EUR', 'USD'),
      MAIN,
      /line \d+: is in USD, and account Main is in EUR: give it another --account name/,
    ],
    [
      'a gap in the numbers',
      camtOf({ ...MARCH, number: 5 }),
      MAIN,
      /statement 5 \(to 2026-03-31\) does not follow statement 2 \(to 2026-02-28\): import the statements between them first/,
    ],
    [
      'a gap in the balances',
      camtOf({ ...MARCH, opening: 1_400 }),
      MAIN,
      /statement 3 \(to 2026-03-31\) opens with 14, and statement 2 \(to 2026-02-28\) closed with 15: import what lies between them first/,
    ],
    [
      'an earlier one',
      camtOf({ ...FEBRUARY, number: 1, from: '2026-01-01', to: '2026-01-31', lines: [] }),
      MAIN,
      /statement 1 \(to 2026-01-31\) ends before statement 2 \(to 2026-02-28\), which is imported: import oldest first/,
    ],
    [
      'lines that do not add up',
      camtOf(MARCH).replace('<Amt Ccy="EUR">2.00', '<Amt Ccy="EUR">3.00'),
      MAIN,
      /statement 3 \(to 2026-03-31\) opens with 15, its lines sum to -3, which makes 12, and it closes with 13/,
    ],
    [
      'another account',
      camtOf(MARCH).replace('ES9121000418450200051332', 'DE89370400440532013000'),
      MAIN,
      /is of account DE89…3000, not of Main: name that account/,
    ],
    [
      'another name for it',
      camtOf(MARCH),
      ['bank', '--account', 'Other'],
      /is of account ES91…1332, imported as Main: use that --account/,
    ],
    [
      'a wrong IBAN',
      camtOf(MARCH),
      ['bank', '--account', 'ES9121000418450200051333'],
      /--account ES91…1333: is no IBAN, its check digits are wrong/,
    ],
    ['no name', camtOf(MARCH), ['bank', '--account', '/etc'], /write an IBAN, or a name/],
    [
      'a file that is cut off',
      mt940Of(MARCH).slice(0, 150),
      MAIN,
      /line 5: the balance "C26" is none: .* the file is cut off or was changed, download it again/,
    ],
    ['an unknown entity', camtOf(MARCH), [...MAIN, '--entity', 'nobody'], /no books of entity nobody/],
  ])('refused: %s', async (_what, content, args, message) => {
    const before = await stored();
    const { exitCode, stderr, stdout } = await importText(content, ...args);
    expect(stderr).toMatch(message);
    expect({ exitCode, stdout }).toEqual({ exitCode: 64, stdout: '' });
    expect(await stored()).toEqual(before);
  });

  test('the same statement twice, also in another format, changes nothing and says so', async () => {
    const before = await stored();
    const { exitCode, stdout } = await importText(camtOf(FEBRUARY), ...MAIN);
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringContaining('nothing is new: this statement was imported before'),
    });
    expect(await stored()).toEqual(before);
  });

  test('the next one, by its IBAN and with the last one in the file again, is stored', async () => {
    const both = camtOf(FEBRUARY).replace(
      '</Stmt>',
      `</Stmt>${/<Stmt>.*<\/Stmt>/s.exec(camtOf(MARCH))?.[0]}`,
    );
    const { exitCode, stdout } = await importText(both, 'bank', '--account', 'ES91 2100 0418 4502 0005 1332');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('; 1 statement of the file known before');
    expect(
      await nights.rows(
        'select statement_number, bank_number, opening::text, closing::text from books.external_statements order by 1',
      ),
    ).toEqual([
      { statement_number: 1, bank_number: '2', opening: '10', closing: '15' },
      { statement_number: 2, bank_number: '3', opening: '15', closing: '13' },
    ]);
  });

  test('a file with two accounts needs the IBAN of one', async () => {
    const other = camtOf(MARCH).replaceAll('ES9121000418450200051332', 'DE89370400440532013000');
    const two = other.replace('</Stmt>', `</Stmt>${/<Stmt>.*<\/Stmt>/s.exec(camtOf(MARCH))?.[0]}`);
    const { exitCode, stderr } = await importText(two, 'bank', '--account', 'New');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 64,
      stderr: expect.stringContaining(
        'has statements of DE89…3000, ES91…1332: name one of them with --account IBAN',
      ),
    });
    const { exitCode: done } = await importText(two, 'bank', '--account', 'DE89370400440532013000');
    expect(done).toBe(0);
  });

  test('a CSV has no number: its account is the name, and the next begins with its last balance', async () => {
    const args = ['bank', '--account', 'Savings'];
    expect((await importText(csvOf(FEBRUARY), ...args)).exitCode).toBe(0);
    expect((await importText(csvOf({ ...MARCH, opening: 1_499 }), ...args)).stderr).toMatch(
      /opens with 14\.99, and the statement from 2026-02-03 to 2026-02-03 closed with 15/,
    );
    expect((await importText(csvOf(MARCH), ...args)).exitCode).toBe(0);
  });

  test('a CSV that repeats lines whose sum is zero begins with the last balance too, and is refused', async () => {
    const args = ['bank', '--account', 'Cash'];
    const [paid, back, more] = [line('2026-02-03', 500), line('2026-02-04', -500), line('2026-02-05', 300)];
    const from = (lines: StatementText['lines']) => csvOf({ ...FEBRUARY, lines });
    expect((await importText(from([line('2026-02-02', 100), paid, back]), ...args)).exitCode).toBe(0);
    const before = await stored();
    const next = { ...FEBRUARY, opening: 1_100 };
    for (const lines of [
      [paid, back, more],
      [paid, back],
    ]) {
      const { exitCode, stderr } = await importText(csvOf({ ...next, lines }), ...args);
      expect(stderr).toMatch(
        /line 2: the first lines of the file, 2 of them, are the last ones that are imported, up to 2026-02-04: they would count twice/,
      );
      expect(exitCode).toBe(64);
    }
    expect(await stored()).toEqual(before);
    const sameDay = [line('2026-02-04', -500), more]; // the amount of the last line again, from another balance
    expect((await importText(csvOf({ ...next, lines: sameDay }), ...args)).exitCode).toBe(0);
  });

  test('bank list shows each account', async () => {
    const { stdout } = await typed(['bank', 'list'], { DATABASE_URL: nights.url });
    expect(stdout).toMatch(/main +Main +EUR +2026-02-01 +2026-03-31 +13 +2 +2 +0 +0 +2 +0/);
  });
});

describe('a list of a chain overlaps the last one', () => {
  const CHAIN = ['chain', '--address', ADDRESS, '--currency', 'ETH'];
  const [first, second, third] = [line('2026-02-03', 500), line('2026-02-04', 600), line('2026-02-05', 700)];

  test('a new list has the known transactions, unchanged, and adds the others', async () => {
    expect((await importText(chainCsvOf([first, second]), ...CHAIN)).exitCode).toBe(0);
    const before = await stored();
    expect((await importText(chainCsvOf([third]), ...CHAIN)).stderr).toMatch(
      /begins after the last transaction that is imported.*export from that day on/,
    );
    expect((await importText(chainCsvOf([first, third]), ...CHAIN)).stderr).toMatch(
      /lacks transaction 0+600 of 2026-02-04T12:10:00/,
    );
    expect((await importText(chainCsvOf([first, { ...second, units: 601 }]), ...CHAIN)).stderr).toMatch(
      /line 3: transaction 0+600 moves 0\.000601, and was imported with 0\.0006/,
    );
    expect(
      (await importText(chainCsvOf([first]), 'chain', '--address', 'x', '--currency', 'ETH')).stderr,
    ).toMatch(/--address "x": is no address/);
    expect(await stored()).toEqual(before);
    expect((await importText(chainCsvOf([second, third]), ...CHAIN)).exitCode).toBe(0);
    const again = await importText(chainCsvOf([first, second, third]), ...CHAIN);
    expect(again.stdout).toContain('nothing is new');
    const rows = await nights.rows(
      "select hash, statement_number from books.external_lines where kind = 'chain' order by line_number",
    );
    expect(rows.map(({ statement_number: number }) => number)).toEqual([1, 1, 2]);
  });
});

test('names, numbers and texts lie apart, and no line has them', async () => {
  const people = await nights.rows(
    "select distinct path from land.people where stream = 'bank-lines' order by path",
  );
  expect(people.map(({ path }) => path)).toEqual(['concept', 'name', 'note']);
  const [row] = await nights.rows('select string_agg(payload, chr(10)) as payloads from land.external_lines');
  expect(String(row?.payloads)).not.toMatch(/Plataforma|Pago|"R1"/);
  expect(String(row?.payloads)).toContain('"name":"personal:');
});

test('an erased person is gone from the lines, which stay', async () => {
  const args = ['erase', '--person', 'Plataforma & Cía', '--by', 'Ana', '--reason', 'case 7'];
  const retained = await typed(args, { DATABASE_URL: nights.url });
  expect(retained.stdout).toMatch(/3 records retained/);
  const erased = await typed(args, { DATABASE_URL: nights.url, TIEOUT_RETENTION_YEARS: '0' });
  expect(erased.stderr).toBe('');
  expect(erased.stdout).toContain('bank-lines');
  expect(
    await nights.rows("select 1 from land.people where stream = 'bank-lines' and value like '%Plataforma%'"),
  ).toEqual([]);
});
