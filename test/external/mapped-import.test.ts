// A bank's own CSV from the command line to the pairs: read as the bank writes it, stored with how it was read, or refused as a whole.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { typed } from '../cli/played.ts';
import { folder } from '../cli/tieout.ts';
import { type Nights, openNights, wallet } from '../reconcile/stage.ts';
import { type Payment, paymentsOf, recordOf, type StatedPayment, statedOf } from './bank.ts';

let nights: Nights;
beforeEach(async () => {
  nights = await openNights();
});
afterEach(() => nights?.close());

const book = (payments: readonly Payment[]) =>
  nights.night({
    records: { 'wallet-transactions': payments.map(recordOf) },
    after: { pocket: [wallet('p1', 'EUR', '0')] },
  });

/** Cents as a Spanish bank writes them: -1.234,56. */
const spanish = (units: number): string => {
  const digits = String(Math.abs(units)).padStart(3, '0');
  const whole = digits.slice(0, -2).replaceAll(/\B(?=(\d{3})+$)/g, '.');
  return `${units < 0 ? '-' : ''}${whole},${digits.slice(-2)}`;
};

const day = (text: string): string => text.split('-').reverse().join('/');

/** Newest first, in the Latin alphabet of old, with the debit and the credit in columns of their own. */
const bankFile = (lines: readonly StatedPayment[], opening: number): { bytes: Buffer; closing: number } => {
  let balance = opening;
  const rows = lines.map(({ bookedOn, units, reference, text }) => {
    balance += units;
    const [debit, credit] = units < 0 ? [spanish(-units), ''] : ['', spanish(units)];
    return `${day(bookedOn)};${day(bookedOn)};Operación ${text};${reference};${debit};${credit};${spanish(balance)};`;
  });
  const text = [
    'Últimos movimientos;;;;;;',
    'Fecha;F. valor;Concepto;Ref.;Debe;Haber;Saldo',
    ...rows.reverse(),
    '',
  ].join('\r\n');
  return { bytes: Buffer.from(text, 'latin1'), closing: balance };
};

const MAP =
  'date=Fecha,value_date=F. valor,text=Concepto,reference=Ref.,debit=Debe,credit=Haber,balance=Saldo,currency-code=EUR';

const importFile = async (bytes: Buffer, ...args: readonly string[]) => {
  const path = join(folder, 'october.csv');
  writeFileSync(path, bytes);
  return typed(['bank', 'import', path, '--account', 'Main', '--by', 'Ana Ruiz', ...args], {
    DATABASE_URL: nights.url,
  });
};

const sorted = (payments: readonly Payment[]) =>
  payments.map(statedOf).sort((a, b) => (a.bookedOn < b.bookedOn ? -1 : a.bookedOn > b.bookedOn ? 1 : 0));

test('two files of a bank: every line pairs, the second follows the first, and how they were read is stored', async () => {
  const payments = paymentsOf(31, 60, ['bank', 'card']);
  await book(payments);
  const lines = sorted(payments);
  const [early, late] = [lines.slice(0, 40), lines.slice(40)];
  const first = bankFile(early, 123_456_789);
  const encoded = `${MAP},encoding=latin-1`;
  const { stdout, exitCode } = await importFile(first.bytes, '--format', 'csv', '--map', encoded);
  expect(stdout).toContain(
    '"dates":"dmy","decimal":"comma","encoding":"latin-1","headingsLine":2,"separator":";"}',
  );
  expect(exitCode).toBe(0);
  const second = bankFile(late, first.closing);
  const columns = join(folder, 'columns.csv');
  writeFileSync(columns, `column,heading\n${encoded.replaceAll(',', '\n').replaceAll('=', ',')}\n`);
  const next = await importFile(second.bytes, '--columns', columns, '--json');
  expect(JSON.parse(next.stdout)).toMatchObject({
    format: 'csv',
    reading: { dates: 'dmy', decimal: 'comma', encoding: 'latin-1', balances: 'in the file' },
    states: { matched: 60 },
    breaks: [],
  });
  expect((await importFile(second.bytes, '--map', encoded)).stdout).toContain('nothing is new');
  const rows = await nights.rows(
    'select statement_number, format, reading is not null as is_read, opening::text, lines from books.external_statements order by 1',
  );
  expect(rows).toEqual([
    { statement_number: 1, format: 'csv', is_read: true, opening: '1234567.89', lines: 40 },
    { statement_number: 2, format: 'csv', is_read: true, opening: String(first.closing / 100), lines: 20 },
  ]);
});

test.each([
  ['its encoding', MAP, /october\.csv: is not UTF-8: add encoding=windows-1252/],
  [
    'its headings',
    `${MAP},text=Nota,encoding=latin-1`,
    /line 2 comes nearest and lacks "Nota"; it has "Fecha", "F\. valor"/,
  ],
  [
    'its days',
    `${MAP},encoding=latin-1`,
    /october\.csv: line 3: the date "03\/02\/2026" is 2026-02-03 \(dates=dmy\) or 2026-03-02 \(dates=mdy\)/,
  ],
  ['nothing', 'Fecha', /--map "Fecha": write column=heading pairs/],
])('refused as a whole, without %s', async (_what, map, message) => {
  const [payment] = paymentsOf(32, 1, ['bank']);
  const lines = [{ ...statedOf(payment as Payment, 0), bookedOn: '2026-02-03' }];
  const { exitCode, stderr, stdout } = await importFile(bankFile(lines, 500_000).bytes, '--map', map);
  expect(stderr).toMatch(message);
  expect({ exitCode, stdout }).toEqual({ exitCode: 64, stdout: '' });
  expect(await nights.rows('select from land.external_accounts')).toEqual([]);
});

test('balances that the lines do not lead to are refused, stated ones too', async () => {
  await book([]);
  const bytes = Buffer.from('Fecha,Importe\n2026-02-13,1.50\n');
  const args = ['--map', 'date=Fecha,amount=Importe,currency-code=EUR', '--opening', '10.00', '--closing'];
  const wrong = await importFile(bytes, ...args, '12');
  expect(wrong.stderr).toContain(
    'opens with 10, its lines sum to 1.5, which makes 11.5, and it closes with 12',
  );
  expect(wrong.exitCode).toBe(64);
  const { stdout } = await importFile(bytes, ...args, '11.50');
  expect(stdout).toContain('"balances":"stated by the person who imported it"');
});
