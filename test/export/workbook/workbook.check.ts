// The workbook: which cells are text, numbers and dates; how it opens; what it refuses.
import { readFileSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSql, sqlPaths } from '../../../src/database/sql.ts';
import { exportReports } from '../../../src/export/export.ts';
import { numberOr, type Value } from '../../../src/export/workbook/cells.ts';
import { sheetRows } from '../../../src/export/workbook/reading.ts';
import { type SheetTable, writeSheets } from '../../../src/export/workbook/workbook.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { newFolder } from '../../room.ts';
import { makeWorld, october } from '../world.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await makeWorld(books);
});
afterAll(() => books.close());

const SPANISH = { format: 'xlsx', profile: 'excel-es' } as const;

test('an index and a sheet for each report, filtered, with a frozen header', async () => {
  const { dir, manifest } = await exportReports({ ...october(books.pool), ...SPANISH });
  const [file] = manifest.files;
  expect(manifest.files.map(({ name }) => name)).toEqual(['reports.xlsx']);
  const { sheets, properties } = await readXlsx(readFileSync(join(dir, 'reports.xlsx')));
  const reports = sqlPaths('reports').map((path) => path.replace(/^reports\/|\.sql$/g, ''));
  expect(sheets.map(({ name }) => name)).toEqual(['Índice', ...reports]);
  for (const sheet of sheets) {
    expect(sheet.freezePane?.rows).toBe(1);
    expect(sheet.autoFilter?.range).toMatch(/^A1:/);
  }
  const index = sheets[0]?.rows ?? [];
  expect(index[0]).toEqual(['Informe', 'Filas', 'Qué es']);
  for (const [position, path] of sqlPaths('reports').entries())
    expect(index[position + 1]).toEqual([
      reports[position],
      file?.sheets?.[position]?.rows,
      readSql(path).title,
    ]);
  expect(index).toContainEqual(expect.arrayContaining(['Zona horaria', 'Europe/Madrid']));
  expect(properties?.title).toBe('tieout 2026-10');
});

test('quantities are text with every digit, counts and money are numbers, instants are local dates', async () => {
  const { dir } = await exportReports({ ...october(books.pool), ...SPANISH });
  const { sheets } = await readXlsx(readFileSync(join(dir, 'reports.xlsx')));
  const [head = [], row = []] = sheets.find(({ name }) => name === 'trades')?.rows ?? [];
  const cell = (title: string) => row[head.indexOf(title)];
  expect(cell('Cantidad')).toBe('0,123456789012345678');
  expect(cell('Contravalor (EUR)')).toBe(6172.84);
  expect(cell('Versión')).toBe(1);
  expect(cell('Maker')).toBe('VERDADERO');
  expect(cell('Fecha de creación')).toEqual(new Date('2026-10-25T02:30:00Z')); // 01:30 in UTC
});

test.each(['2026-10', '2026-Q4', '2026', '2026-10-01..2026-10-15'])(
  'of %s, and of one entity',
  async (period) => {
    for (const entities of [['main'], ['main', 'Zeta']]) {
      const ask = { ...october(books.pool), period, entities };
      const csv = await exportReports(ask);
      const { manifest } = await exportReports({ ...ask, ...SPANISH });
      expect(manifest.files[0]?.sheets?.map(({ name, rows, columns }) => ({ name, rows, columns }))).toEqual(
        csv.files
          .filter(({ name }) => name.endsWith('.csv'))
          .map(({ name, rows, columns }) => ({ name: name.replace('.csv', ''), rows, columns })),
      );
      expect(manifest.control_totals).toEqual(csv.manifest.control_totals);
    }
  },
);

test('without a profile columns have their stable names', async () => {
  const { manifest } = await exportReports({ ...october(books.pool), format: 'xlsx', profile: 'machine' });
  const [sheet] = manifest.files[0]?.sheets ?? [];
  expect(sheet?.headings).toEqual(sheet?.columns);
});

test.each([
  ['0', 0],
  ['-6172.84', -6172.84],
  ['0.000000000000001', 1e-15],
  ['123456789012345', 123456789012345],
  ['1234567890123456', '1234567890123456'],
  ['0.1234567890123456', '0.1234567890123456'],
  ['-1e5', '-1e5'],
])('%s is a number only where none of its digits is lost', (text, value) => {
  expect(numberOr(text)).toBe(value);
});

const COVER = { name: 'Index', columns: [{ title: 'Sheet', format: null, width: 20 }], below: [] };

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
      cover: (sheets) => ({ ...COVER, rows: sheets.map(({ name, rows }) => [name, rows]) }),
      title: 't',
      changedAt: '2026-10-31T23:00:00.000Z',
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
    for await (const batch of sheetRows(file, name)) rows.push(...batch);
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
    ['Index', 4, 'A1:A5'],
    ['long', 3, 'A1:B4'],
    ['long (2)', 3, 'A1:B4'],
    ['long (3)', 1, 'A1:B2'],
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
      title: 't',
      changedAt: '2026-10-31T23:00:00.000Z',
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
    const changedAt = '2026-10-31T23:00:00.000Z';
    await expect(writeSheets(put, { tables: tables(), cover, title: 't', changedAt })).rejects.toBe(fault);
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
  expect(cut?.[0]).toMatch(/cut: the CSV has all of it\)$/);
  expect(whole?.[0]).toBe(hostile);
});
