// The file of a workbook: its parts, totals, what is printed, how it is read back, and what happens if writing fails.
import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import type { Value } from '../../../src/export/workbook/cells.ts';
import { labelsIn } from '../../../src/export/workbook/index-sheet.ts';
import { workbookRows } from '../../../src/export/workbook/reading.ts';
import type { SheetTable } from '../../../src/export/workbook/table.ts';
import { writeSheets } from '../../../src/export/workbook/workbook.ts';
import { newFolder } from '../../room.ts';

const COVER = {
  columns: [
    { title: 'Sheet', format: null, width: 20 },
    { title: 'Rows', format: null, width: 9 },
  ],
  below: [],
};

/** What a workbook of tests has besides its tables. */
const FRAME = {
  indexName: 'Index',
  title: 't & u',
  labels: labelsIn('en'),
  changedAt: '2026-10-31T23:00:00.000Z',
};

type Batches = SheetTable['rows'];

const tableOf = (name: string, rows: Batches): SheetTable => ({
  name,
  columns: [
    { title: 'x', format: '@', width: 9 },
    { title: 'y', format: '#,##0.00', width: 9 },
  ],
  rows,
});

/** The bytes of a workbook of some tables. */
const workbookOf = async (tables: readonly SheetTable[], rowsMax?: number): Promise<Buffer> => {
  const bytes: Uint8Array[] = [];
  await writeSheets(
    async (piece) => {
      bytes.push(piece);
    },
    {
      tables: (async function* () {
        yield* tables;
      })(),
      cover: (sheets) => ({
        ...COVER,
        rows: sheets.map(({ name, rows }) => ({ values: [name, rows], sheet: name })),
      }),
      ...FRAME,
      rowsMax,
    },
  );
  return Buffer.concat(bytes);
};

const readBack = async (bytes: Uint8Array, name: string): Promise<string[][]> => {
  const path = join(newFolder(), 'read.xlsx');
  writeFileSync(path, bytes);
  const file = await open(path);
  try {
    const rows: string[][] = [];
    for await (const batch of workbookRows(file)(name)) rows.push(...batch);
    return rows;
  } finally {
    await file.close();
  }
};

test('a table with more rows than a sheet holds goes on in further sheets, and is read back as one', async () => {
  const rows: Value[][] = Array.from({ length: 7 }, (_, index) => [`row ${index}`, index]);
  const batches = [rows.slice(0, 2), [], rows.slice(2)];
  const bytes = await workbookOf([tableOf('long', batches), tableOf('full', [rows.slice(0, 3)])], 3);
  const { sheets } = await readXlsx(bytes);
  expect(sheets.map((sheet) => [sheet.name, sheet.rows.length - 1, sheet.autoFilter?.range])).toEqual([
    ['Index', 4, 'A1:B5'],
    ['long', 5, 'A1:B4'], // an empty row, and a note
    ['long (2)', 5, 'A1:B4'],
    ['long (3)', 3, 'A1:B2'],
    ['full', 3, 'A1:B4'],
  ]);
  expect(sheets[0]?.rows.slice(1)).toEqual([
    ['long', 3],
    ['long (2)', 3],
    ['long (3)', 1],
    ['full', 3],
  ]);
  expect([...(sheets[0]?.cells ?? [])].map(([place, cell]) => [place, cell.hyperlink?.location])).toEqual(
    expect.arrayContaining([['2,0', "'long (2)'!A1"]]),
  );
  expect(await readBack(bytes, 'long')).toEqual([['x', 'y'], ...rows.map(([x, y]) => [x, `${y}`])]);
  await expect(readBack(bytes, 'absent')).rejects.toThrow('is not in the workbook');
});

/** The XML parts of a workbook, by path. */
const partsIn = async (bytes: Buffer): Promise<{ path: string; xml: string }[]> => {
  const zip = await fromBufferPromise(bytes, { lazyEntries: true });
  const parts: { path: string; xml: string }[] = [];
  for await (const entry of zip.eachEntry())
    parts.push({ path: entry.fileName, xml: await text(await zip.openReadStreamPromise(entry)) });
  return parts;
};

const moneyTable = (rows: Batches): SheetTable => ({
  name: "Day's book",
  columns: [
    { title: 'x', format: '@', width: 9 },
    { title: 'y', format: '#,##0.00', width: 9, totalIn: 'EUR' },
    { title: 'z', format: '#,##0.00', width: 9, totalIn: 'EUR' },
    { title: 'w', format: '#,##0.00', width: 9 },
    { title: 'y (exact)', format: '@', width: 30, exact: { of: 1, write: (digits) => `EUR ${digits}` } },
  ],
  rows,
});

const moneyRow = (digits: string, other = 'EUR'): Value[] => [
  'a',
  { digits, unit: 'EUR' },
  { digits, unit: other },
  { digits, unit: 'EUR' },
  `EUR ${digits}`,
];

test('a total is exact and follows the filter; amounts in two currencies have none', async () => {
  const rows = [moneyRow('0.100000000000000001'), moneyRow('0.2', 'USD'), moneyRow('-1000000000000000')];
  const bytes = await workbookOf([moneyTable([rows.slice(0, 1), rows.slice(1)])]);
  const xml = (await partsIn(bytes)).find(({ path }) => path.endsWith('sheet1.xml'))?.xml ?? '';
  expect(
    [...xml.matchAll(/<c r="([A-Z]+\d+)"[^>]*><f>(.*?)<\/f><v>(.*?)<\/v>/g)].map((it) => it.slice(1)),
  ).toEqual([['B6', 'SUBTOTAL(109,B2:B4)', '-999999999999999.699999999999999999']]);
  expect(xml).toContain('>EUR -999999999999999.699999999999999999</t>');
  expect(xml).toContain('<v>0.100000000000000001</v>');
  expect(xml).toContain('>Total</t>');
  expect(await readBack(bytes, "Day's book")).toHaveLength(4); // the totals are no row of the table
});

test('elements are in the order of the format; each sheet leads to the index and prints its own cells', async () => {
  const rows = (count: number) => [Array.from({ length: count }, () => moneyRow('1.5'))];
  const few = { ...moneyTable(rows(500)), name: 'few' };
  const bytes = await workbookOf([few, moneyTable(rows(501))]);
  const parts = new Map((await partsIn(bytes)).map(({ path, xml }) => [path, xml]));
  for (const part of ['sheet1', 'sheet2', 'sheet3']) {
    const xml = (parts.get(`xl/worksheets/${part}.xml`) ?? '').replace(
      /<sheetData>.*<\/sheetData>/,
      '<sheetData/>',
    );
    const elements = [...xml.matchAll(/<(\w+)[ />]/g)].map(([, name = '']) => name);
    expect(elements.filter((name) => ORDER.includes(name))).toEqual(ORDER);
  }
  expect(parts.get('xl/worksheets/sheet1.xml')).toContain(`<hyperlink ref="A1" location="'Index'!A1"`);
  expect(parts.get('xl/worksheets/sheet1.xml')).toContain(
    '<oddFooter>&amp;Lt &amp;&amp; u&amp;C&amp;A&amp;R&amp;P / &amp;N<',
  );
  const names = [
    ...(parts.get('xl/workbook.xml') ?? '').matchAll(
      /<definedName name="_xlnm\.(\w+)" localSheetId="(\d)">(.*?)</g,
    ),
  ];
  expect(names.map((it) => it.slice(1))).toEqual([
    ['Print_Area', '0', "'Index'!$A$1:$B$3"],
    ['Print_Area', '1', "'few'!$A$1:$D$503"], // without the exact text
    ['Print_Area', '2', "'Day''s book'!$A$504:$D$505"], // a total and a note
    ...[`'Index'`, `'few'`, `'Day''s book'`].map((name, sheet) => [
      'Print_Titles',
      `${sheet}`,
      `${name}!$1:$1`,
    ]),
  ]);
  expect(await readBack(bytes, "Day's book")).toHaveLength(502);
});

/** Elements of a sheet in the order of ECMA-376, part 1, section 18.3.1.99. */
const ORDER = [
  'sheetPr',
  'sheetViews',
  'sheetFormatPr',
  'cols',
  'sheetData',
  'autoFilter',
  'hyperlinks',
  'printOptions',
  'pageMargins',
  'pageSetup',
  'headerFooter',
];

test('rows are asked for only as fast as the file takes them', async () => {
  let made = 0;
  let written = 0;
  let ahead = 0;
  const batches = async function* (): AsyncGenerator<Value[][]> {
    for (; made < 200; made += 1) {
      ahead = Math.max(ahead, made - written);
      yield Array.from({ length: 1_000 }, (_, index) => [`${Math.sin(made * 1_000 + index)}`, made]);
    }
  };
  let bytes = 0;
  await writeSheets(
    async (piece) => {
      await new Promise((resolve) => setTimeout(resolve, 1)); // a slow disk
      bytes += piece.length;
      written = Math.floor(bytes / BATCH_BYTES);
    },
    {
      tables: (async function* () {
        yield tableOf('s', batches());
      })(),
      cover: () => ({ ...COVER, rows: [] }),
      ...FRAME,
    },
  );
  expect(made).toBe(200);
  expect(ahead).toBeLessThan(60);
});

/** The least bytes that a thousand such rows take in the file. */
const BATCH_BYTES = 12_000;

test.each(['a row', 'the disk'])(
  'if %s fails, the workbook fails with that cause, and nothing waits',
  async (what) => {
    const fault = new Error(`${what} failed`);
    let isClosed = false;
    const batches = async function* (): AsyncGenerator<Value[][]> {
      try {
        for (let row = 0; row < 1_000; row += 1) {
          if (what === 'a row' && row === 500) throw fault;
          yield Array.from({ length: 1_000 }, () => [`${Math.sin(row)}`, row]);
        }
      } finally {
        isClosed = true;
      }
    };
    const put = async (): Promise<void> => {
      if (what === 'the disk') throw fault;
    };
    const tables = async function* (): AsyncGenerator<SheetTable> {
      yield tableOf('s', batches());
    };
    const cover = () => ({ ...COVER, rows: [] });
    await expect(writeSheets(put, { tables: tables(), cover, ...FRAME })).rejects.toBe(fault);
    expect(isClosed).toBe(true);
  },
);

test('no part carries the time or the timezone of the machine', async () => {
  const bytes = await workbookOf([tableOf('s', [[['a', 1]]])]);
  const times: string[] = [];
  for (let start = 0; start >= 0; start = bytes.indexOf('PK\u0003\u0004', start + 1, 'latin1'))
    times.push(bytes.toString('hex', start + 10, start + 14));
  expect(times.length).toBe(8);
  expect(new Set(times)).toEqual(new Set(['00004100'])); // 1980-02-01 00:00, local time
});

test('text too long for a cell is cut and marked; characters that XML cannot hold survive', async () => {
  const long = 'a'.repeat(40_000);
  const hostile = ' <&>"\' \u0001 \u000b \r\n\t _x0041_ \u{1f600} \ud800 \udc00 \u202e \uffff end ';
  const bytes = await workbookOf([
    tableOf('s', [
      [
        [long, null],
        [hostile, null],
      ],
    ]),
  ]);
  const [, cut, whole] = await readBack(bytes, 's');
  expect(cut?.[0]).toHaveLength(32_767);
  expect(cut?.[0]).toMatch(/cut: the CSV of the machine profile has all of it\)$/);
  expect(whole?.[0]).toBe(hostile);
});
