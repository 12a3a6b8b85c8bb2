// Imports of accounting packages: each writer's bytes pass the package's linter, and each linter is shown to find faults.
import { describe, expect, test } from 'vitest';
import { cp1252Text } from '../../../src/base/cp1252.ts';
import { DATEV_COLUMNS } from '../../../src/export/packages/datev-columns.ts';
import { pairsOf } from '../../../src/export/packages/datev-pairs.ts';
import type { PackageEntry, PackageLine } from '../../../src/export/packages/package.ts';
import { centsOf, decimal, journalOf } from '../../../src/export/packages/package.ts';
import { type Item, partsOf } from '../../../src/export/packages/package-parts.ts';
import { PACKAGE_NAMES, type PackageName, packageOf } from '../../../src/export/packages/packages.ts';
import { LINTERS } from './linters.ts';
import { cellsOf, entry, fileOf, HEAD, line, purchase, spoilt } from './package-entries.ts';

const TAX: Record<PackageName, string> = { xero: 'Tax Exempt', quickbooks: '', datev: '', holded: '' };
const purchaseFor = (name: PackageName): PackageEntry => purchase({ tax: TAX[name] });
const fileFor = (name: PackageName): Buffer => fileOf(packageOf(name), [purchaseFor(name)]);

test('cents convert to text and back without rounding', () => {
  expect(['0', '1', '-1.5', '1.50', '-0.05', '12.340000'].map(centsOf)).toEqual([
    0n,
    100n,
    -150n,
    150n,
    -5n,
    1234n,
  ]);
  expect(['0.005', '1e2', '', '1,5', '0.001'].map(centsOf)).toEqual([null, null, null, null, null]);
  expect([0n, 5n, -5n, 150n, -123456n].map((cents) => decimal(cents))).toEqual([
    '0.00',
    '0.05',
    '-0.05',
    '1.50',
    '-1234.56',
  ]);
});

describe.each(PACKAGE_NAMES)('%s', (name) => {
  const format = packageOf(name);
  const lint = LINTERS[name];
  const decoded = (file: Buffer): string =>
    name === 'datev' ? cp1252Text(file) : new TextDecoder().decode(file);

  test("its linter accepts the writer's file, and sums it to the cent", () => {
    const { faults, totals } = lint(fileFor(name));
    expect(faults).toEqual([]);
    const key = (code: string) => format.keyOf({ code, name: `Account:${code}` });
    expect(Object.fromEntries(totals)).toEqual({
      [key('1200')]: 10_000n,
      [key('1000')]: -10_011n,
      [key('6300')]: 10n,
      [key('6999')]: 1n,
    });
  });

  test('its file equals the committed one', async () => {
    const correction = entry([line('1200', -5n, { tax: TAX[name] }), line('6999', 5n, { tax: TAX[name] })], {
      ordinal: 2,
      kind: 'correction',
      recordId: 't0',
    });
    const file = fileOf(format, [purchaseFor(name), correction]);
    expect(lint(file).faults).toEqual([]);
    const text = decoded(file).replaceAll('\r\n', '\n');
    await expect(text).toMatchFileSnapshot(`../golden/packages/${name}.txt`);
  });

  test('the text of any record fits in one cell, within its limit', () => {
    const recordId = `=1+1,";\r\n${'₿'.repeat(5000)}`;
    const { faults } = lint(fileOf(format, [{ ...purchaseFor(name), recordId }]));
    expect(faults).toEqual([]);
  });

  test('a text is never cut within a character', () => {
    const file = (blanks: number) =>
      fileOf(format, [{ ...purchaseFor(name), recordId: `${' '.repeat(blanks)}${'😀'.repeat(300)}` }]);
    const ends = [0, 1].map((blanks) => /(.)…/u.exec(decoded(file(blanks)))?.[1]);
    expect(ends).toEqual(name === 'datev' ? ['?', '?'] : ['😀', '😀']);
  });

  test('a file that cannot be imported is rejected', async () => {
    const good = fileFor(name);
    const findings = SPOILT[name].map(([from, to]) => lint(spoilt(good, from, to)).faults.join('; '));
    expect(findings.filter((finding) => finding === '')).toEqual([]);
    await expect(`${findings.join('\n')}\n`).toMatchFileSnapshot(`../golden/packages/${name}.faults.txt`);
    const long = Buffer.concat([good, Buffer.from('a\r\n'.repeat(format.limits.lines))]);
    expect(lint(long).faults.join()).toMatch(/has \d+ lines, more than|has more than 350000 bytes/);
  });
});

const SPOILT: Record<PackageName, readonly (readonly [string, string])[]> = {
  xero: [
    ['100.00', '100.01'], // not balanced
    ['100.00', '100.0'],
    ['31/10/2026', '31/11/2026'],
    ['31/10/2026', '30/10/2026'], // one journal, two days
    ['Tax Exempt', ''],
    ['1200', '12000000000'],
    ['*Date', 'Date'],
    ['BTC', 'B"TC'],
    ['BTC', '\xff'], // not UTF-8
    ['\r\n', '\n'],
  ],
  quickbooks: [
    ['100.00', '100.01'],
    ['100.00,', '100.00,100.00'], // debit and credit
    ['100.00', '-100.00'],
    ['10/31/2026', '31/10/2026'],
    ['2026-0003-00001', '2026-0003-000010000000000'],
    ['Account:1200', 'Account: 1200'],
    ['2026-0003-00001,10/31/2026,Account:1000', '2026-0003-00002,10/31/2026,Account:1000'],
    ['Debits', 'Debit'],
  ],
  datev: [
    [';29098;', ';1000;'],
    ['"S"', 'S'],
    ['100,00', '100.00'],
    ['"EXTF"', 'EXTF'],
    [';700;', ';510;'],
    [';3110;', ';3111;'],
    [';3110;', ';3009;'], // not of the file's month
    ['"2026-0003-00001"', '"2026-0003 00001"'],
    [';1000;', ';1200;'],
    ['"trades t1"', '"trades t1'],
    ['Umsatz (ohne', 'Umsatz (mit'],
    ['20261031;20261031', '20260131;20261031'],
    ['"tieout entry"', '""'],
  ],
  holded: [
    ['100,00', '100,01'],
    ['100,00', '100.00'],
    ['100,00', '1.000,00'],
    ['31/10/2026', '2026-10-31'],
    ['\xef\xbb\xbf', ''],
    [';1200;', ';120;'],
    ['1;31/10', 'a;31/10'],
  ],
};

test('DATEV: 125 columns, CP1252, and an entry as pairs, without amounts on both sides of one account', () => {
  expect(DATEV_COLUMNS).toHaveLength(125);
  expect(new Set(DATEV_COLUMNS).size).toBe(125);
  const text = cp1252Text(fileFor('datev'));
  expect(text.split('\r\n')[0]).toMatchInlineSnapshot(
    `""EXTF";700;21;"Buchungsstapel";13;20261102090807123;;"";"";"";29098;55003;20260101;4;20261031;20261031;"tieout 2026-0003";"";1;0;0;"EUR";;"";;;"";;;"";"""`,
  );
  expect(text.split('\r\n')[1]).toContain('Gegenkonto (ohne BU-Schlüssel)');
  const booked = (codes: readonly (readonly [string, bigint, Partial<PackageLine>?])[]) =>
    pairsOf(
      codes.map(([code, cents, more]) => line(code, cents, more)),
      HEAD,
    ).map(([debit, credit]) => `${debit.code} ${credit.code} ${debit.cents}`);
  expect(
    booked([
      ['1800', 100n, { currency: 'EUR' }],
      ['6300', 2n, { account: 'expenses:fees:trading', currency: 'EUR' }],
      ['1200', -70n],
      ['4800', -32n, { account: 'income:gains:realised', currency: 'EUR' }],
    ]),
    'a sale: proceeds, fee, asset and gain, all against the money',
  ).toEqual(['6300 1800 2', '1800 1200 70', '1800 4800 32']);
  expect(
    booked([
      ['6300', 5n, { dimension1: 'A' }],
      ['6300', -2n, { dimension1: 'B' }],
      ['1200', -3n],
    ]),
    'two cost centres of one account',
  ).toEqual(['6300 1200 5', '1200 6300 2']);
  expect(
    booked([
      ['1200', 100n],
      ['1200', -100n],
    ]),
  ).toEqual([]);
  expect(
    booked([
      ['1200', 5n],
      ['1300', 7n],
      ['1000', -12n],
    ]),
  ).toEqual(['1200 1000 5', '1300 1000 7']);
});

test.each([
  [undefined, '2026-03-31', '20260101'],
  [4, '2026-03-31', '20250401'],
  [4, '2026-04-01', '20260401'],
  [12, '2026-11-30', '20251201'],
])('DATEV: of years from month %s, %s is of the year that began on %s', (fiscalYearStart, day, start) => {
  const datev = packageOf('datev');
  const request = { datev: '29098/55003', currency: 'EUR', codes: ['1200'], fiscalYearStart };
  const head = datev.head({ ...HEAD, settings: datev.settings(request) }, { from: day, to: day });
  expect(head.split(';')[12]).toBe(start);
});

test('DATEV: a line with two tax keys is refused by name', () => {
  const both = entry([line('1200', 5n, { tax: '40' }), line('1000', -5n, { tax: '9' })]);
  expect(() => cellsOf(packageOf('datev'), both)).toThrow('1200 with tax 40 against 1000 with tax 9');
});

test('of the journals of a file, only the bytes of their lines are held', async () => {
  const format = packageOf('datev');
  const days = ['2026-10-30', '2026-10-31', '2026-11-01'];
  const head = {
    ...HEAD,
    settings: format.settings({ datev: '29098/55003', currency: 'EUR', codes: ['1200'] }),
  };
  const heard: string[] = [];
  let made = 0;
  function* journals() {
    for (const [nth, day] of days.entries()) {
      expect(heard, 'a journal is looked at before the next one is made').toHaveLength(made);
      made += 1;
      yield journalOf(format, { ...purchase({ tax: '' }), day, ordinal: nth + 1 }, head);
    }
  }
  const onItem = ({ journal, rows }: Item, linesBefore: number): void => {
    heard.push(`${journal.day}: ${rows.length} lines after ${linesBefore}`);
  };
  const parts = [];
  for await (const part of partsOf(format, head, { journals: journals(), onItem })) parts.push(part);
  expect(heard).toEqual([
    '2026-10-30: 3 lines after 2',
    '2026-10-31: 3 lines after 5',
    '2026-11-01: 3 lines after 2',
  ]);
  expect(parts.map(({ rows, days: { from, to } }) => `${rows} lines, ${from} to ${to}`)).toEqual([
    '6 lines, 2026-10-30 to 2026-10-31',
    '3 lines, 2026-11-01 to 2026-11-01',
  ]);
  expect(parts.every(({ pages }) => pages.every(Buffer.isBuffer))).toBe(true);
});
