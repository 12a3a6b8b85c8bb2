// A wrong file is taken back: nothing is deleted, its lines count no more, and the right file is imported as if it had never been there.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../src/base/json.ts';
import { loadSql } from '../../src/database/sql.ts';
import { type Nights, openNights, wallet } from '../reconcile/stage.ts';
import {
  ADDRESS,
  camtOf,
  chainCsvOf,
  csvOf,
  type Payment,
  paymentsOf,
  recordOf,
  type StatedPayment,
  type StatementText,
  statedOf,
  statementOf,
} from './bank.ts';
import { commandsOn, MAIN } from './commands.ts';

let nights: Nights;
const { importText, tieout, withdraw } = commandsOn(() => nights);
beforeEach(async () => {
  nights = await openNights();
});
afterEach(() => nights?.close());

const book = (payments: readonly Payment[]) =>
  nights.night({
    records: { 'wallet-transactions': payments.map(recordOf) },
    after: { pocket: [wallet('p1', 'EUR', '0'), wallet('p2', 'ETH', '0')] },
  });

const CHAIN = ['chain', '--address', ADDRESS, '--currency', 'ETH', '--until', '2026-03-12'];

const sorted = (lines: readonly StatedPayment[]) =>
  [...lines].sort((a, b) => (a.bookedOn < b.bookedOn ? -1 : a.bookedOn > b.bookedOn ? 1 : 0));

const statement = (lines: readonly StatedPayment[], rest: Partial<StatementText> = {}): StatementText =>
  statementOf(sorted(lines), rest);

/** Every amount is 0.07 higher, and no line has a reference: the file of somebody else. */
const strange = (payments: readonly Payment[]) =>
  payments
    .map(statedOf)
    .map((line) => ({ ...line, units: line.units + 7, reference: '', text: 'Otra cosa' }));

const rows = (sql: string, values: unknown[] = []) => nights.rows(sql, values);
const states = () =>
  rows('select status, count(*)::int as lines from books.external_lines group by 1 order by 1');
const openBreaks = async () =>
  (
    await rows(
      "select count(*)::int as n from books.breaks where check_name in ('bank_lines', 'chain_lines') and status <> 'resolved'",
    )
  )[0]?.n;

const across = async () => {
  const { text, values } = loadSql('reports/reconciliation.sql', { to: '2026-03-13T00:00:00Z', entity: '' });
  const lines = (await nights.rows(text, values)) as Record<string, string | null>[];
  return lines.filter(({ account }) => account?.startsWith('equity:'));
};

describe('a bank statement', () => {
  test('withdrawn with its pairs and breaks; then the right file, and the same file again, make the same reconciliation', async () => {
    const payments = paymentsOf(21, 60, ['bank', 'bank', 'card']);
    await book(payments);
    const right = camtOf(statement(payments.map(statedOf)));
    const wrong = camtOf(statement(strange(payments)));
    expect((await importText(right, ...MAIN)).exitCode).toBe(0);
    const proved = await across();
    expect(proved.length).toBeGreaterThan(2);
    expect((await withdraw(right)).exitCode).toBe(0);
    expect(await across()).toEqual([]);
    expect(await states()).toEqual([{ status: 'withdrawn', lines: 60 }]);

    expect((await importText(wrong, ...MAIN)).exitCode).toBe(1);
    expect(await openBreaks()).toBe(120); // each line and each entry, alone
    const { exitCode, stdout } = await withdraw(wrong);
    expect(stdout).toContain(`withdrawn: statement, 1 statement with 60 lines, sha256 ${sha256(wrong)}`);
    expect(stdout).toContain('bank account Main in EUR, all its lines: 120 withdrawn\nno breaks');
    expect(exitCode).toBe(0);
    expect(await openBreaks()).toBe(0);

    const again = await importText(right, ...MAIN);
    expect(again.stdout).toContain('all its lines: 60 matched, 120 withdrawn');
    expect(again.exitCode).toBe(0);
    expect(await across()).toEqual(proved);
    await nights.again();
    expect(await openBreaks()).toBe(0);
    expect(
      await rows(
        'select count(*)::int as statements, sum(lines)::int as lines, count(withdrawn_at)::int as withdrawn from books.external_statements',
      ),
    ).toEqual([{ statements: 3, lines: 180, withdrawn: 2 }]);
  });

  test('breaks that a wrong file hid open again in the next night', async () => {
    const payments = paymentsOf(22, 30, ['bank']);
    await book(payments);
    const [first, second] = [payments.slice(0, 20), payments.slice(20)];
    const early = statement(first.map(statedOf), { to: '2026-02-24' });
    const moved = early.lines.reduce((sum, { units }) => sum + units, 0);
    const late = statement(second.map(statedOf), {
      opening: early.opening + moved,
      number: 3,
      from: '2026-02-25',
    });
    expect((await importText(camtOf(early), ...MAIN)).exitCode).toBe(0);
    expect((await importText(camtOf(late), ...MAIN)).exitCode).toBe(0);
    const [missing, ...rest] = late.lines;
    expect(missing).toBeDefined();
    const empty = camtOf({ ...late, lines: rest });
    await withdraw(camtOf(late));
    expect(await states()).toEqual([
      { status: 'matched', lines: 20 },
      { status: 'withdrawn', lines: 10 },
    ]);
    expect((await importText(empty, ...MAIN)).exitCode).toBe(1);
    expect(await openBreaks()).toBe(1);
    await nights.again();
    expect(await openBreaks()).toBe(1);
    await withdraw(empty);
    await importText(camtOf(late), ...MAIN);
    expect(await openBreaks()).toBe(0);
  });

  test('bank list shows each file with who withdrew it and why', async () => {
    await book([]);
    const file = csvOf(statement(strange(paymentsOf(23, 2, ['bank']))));
    await importText(file, ...MAIN);
    await withdraw(file);
    const { stdout } = await tieout('bank', 'list');
    expect(stdout).toMatch(/^main +Main +EUR +0 +0 +0 +0 +0 +0$/m);
    expect(stdout).toMatch(
      new RegExp(
        `^Main +${sha256(file).slice(0, 12)} +statement +2026-\\S+ +2026-\\S+ +1 +2 +Ana Ruiz +2\\S{9} by Grace Hopper: the wrong file$`,
        'm',
      ),
    );
    const [account] = JSON.parse((await tieout('bank', 'list', '--json')).stdout);
    expect(account).toMatchObject({
      statements: 0,
      imports: [
        { file_sha256: sha256(file), withdrawn_by: 'Grace Hopper', withdrawal_reason: 'the wrong file' },
      ],
    });
  });

  test('the number of a wrongly named account is free again, and the name stays with its number', async () => {
    await book([]);
    const [one] = paymentsOf(24, 1, ['bank']).map(statedOf);
    const file = camtOf(statement(one ? [one] : []));
    await importText(file, 'bank', '--account', 'Savings');
    await withdraw(file);
    const other = file.replaceAll('ES9121000418450200051332', 'DE89370400440532013000');
    const refused = await importText(other, 'bank', '--account', 'Savings');
    expect(refused.stderr).toContain(
      'the withdrawn file that defined account Savings was of another account or in EUR: choose another --account name',
    );
    expect(refused.exitCode).toBe(64);
    expect((await importText(file, ...MAIN)).stdout).toContain('bank account Main in EUR');
  });
});

test('a list of a chain: withdrawn, and the right one from the beginning', async () => {
  const payments = paymentsOf(25, 20, ['chain']);
  await book(payments);
  const lines = sorted(payments.map(statedOf));
  const wrong = chainCsvOf(lines.map((line) => ({ ...line, units: line.units + 7 })));
  expect((await importText(wrong, ...CHAIN)).exitCode).toBe(1);
  expect((await importText(chainCsvOf(lines), ...CHAIN)).exitCode).toBe(64);
  const { exitCode, stdout } = await withdraw(wrong, 'chain');
  expect(stdout).toContain('all its lines: 20 withdrawn\nno breaks');
  expect(exitCode).toBe(0);
  const right = await importText(chainCsvOf(lines), ...CHAIN);
  expect(right.stdout).toContain('all its lines: 20 matched, 20 withdrawn');
  expect(right.exitCode).toBe(0);
});
