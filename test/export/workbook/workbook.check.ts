// The workbook: which cells are text, numbers and dates; how it opens; what it refuses.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readSql, sqlPaths } from '../../../src/database/sql.ts';
import { exportReports } from '../../../src/export/export.ts';
import { sheetOf } from '../../../src/export/workbook/sheets.ts';
import { CELLS_MAX, numberOr, sheetsIn, workbookBytes } from '../../../src/export/workbook/workbook.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
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

test('a workbook that exceeds memory is refused, with what to do', async () => {
  const columns = ['entity_id', 'account'];
  async function* pieces() {
    yield { text: '', rows: 0, columns };
    yield { text: 'main,a\n', rows: 1 };
  }
  const read = (cells: number) =>
    sheetOf('reports/journal.sql', pieces(), { profile: null, timezone: 'UTC', currency: 'EUR', cells });
  expect((await read(CELLS_MAX - 2)).rows).toEqual([['main', 'a']]);
  await expect(read(CELLS_MAX - 1)).rejects.toMatchObject({
    exitCode: 64,
    message: expect.stringMatching(/at most 1500000 cells, and journal goes beyond: choose a shorter period/),
  });
});

test('text too long for a cell is cut and marked; characters that XML cannot hold survive', async () => {
  const columns = [{ title: 'x', format: null, width: 9 }];
  const long = 'a'.repeat(40_000);
  const hostile = '<&>"\' \u0001 \u000b _x0041_ \ud800 \u202e end ';
  const bytes = await workbookBytes([{ name: 's', columns, rows: [[long], [hostile]] }], {
    title: 't',
    changedAt: '2026-10-31T23:00:00.000Z',
  });
  const [sheet] = await sheetsIn(bytes);
  expect(sheet?.rows[1]?.[0]).toHaveLength(32_767);
  expect(sheet?.rows[1]?.[0]).toMatch(/cut: the CSV has all of it\)$/);
  expect(sheet?.rows[2]?.[0]).toContain('<&>"\' \u0001 \u000b _x0041_');
});
