// The workbook: which cells are text, numbers and dates; how it opens.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlPaths } from '../../../src/database/sql.ts';
import { exportReports } from '../../../src/export/export.ts';
import { reportTitleOf } from '../../../src/export/reports/titles.ts';
import { formatOfFigure } from '../../../src/export/workbook/layout.ts';
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
  const titles = reports.map((report) => reportTitleOf(report).titles.es);
  expect(sheets.map(({ name }) => name)).toEqual(['Índice', ...titles]);
  expect(file?.sheets?.map(({ name, report }) => [name, report])).toEqual(
    reports.map((report, position) => [titles[position], report]),
  );
  for (const sheet of sheets) {
    expect(sheet.freezePane?.rows).toBe(1);
    expect(sheet.autoFilter?.range).toMatch(/^A1:/);
  }
  const index = sheets[0]?.rows ?? [];
  expect(index[0]).toEqual(['Informe', 'Filas', 'Qué responde']);
  for (const [position, report] of reports.entries())
    expect(index[position + 1]).toEqual([
      titles[position],
      file?.sheets?.[position]?.rows,
      reportTitleOf(report).descriptions.es,
    ]);
  expect(index).toContainEqual(['Zona horaria', null, 'Europe/Madrid']);
  expect(index).toContainEqual(['Desde', null, '01/10/2026 00:00:00']);
  expect(properties?.title).toBe('tieout 2026-10');
});

test('figures are numbers, their exact text is behind all others; instants are local dates', async () => {
  const { dir } = await exportReports({ ...october(books.pool), ...SPANISH });
  const { sheets } = await readXlsx(readFileSync(join(dir, 'reports.xlsx')));
  const [head = [], row = []] = sheets.find(({ name }) => name === 'Compraventas')?.rows ?? [];
  const cell = (title: string) => row[head.indexOf(title)];
  expect(cell('Cantidad')).toBe(0.12345678901234568);
  expect(cell('Cantidad (exacto)')).toBe('BTC 0,123456789012345678');
  expect(cell('Contravalor (EUR)')).toBe(6172.84);
  expect(cell('Contravalor (EUR) (exacto)')).toBe('EUR 6172,84');
  expect(cell('Versión')).toBe(1);
  expect(cell('Maker')).toBe('VERDADERO');
  expect(cell('Fecha de creación')).toEqual(new Date('2026-10-25T02:30:00Z')); // 01:30 in UTC
  const isExact = head.map((title) => `${title}`.endsWith('(exacto)'));
  expect(isExact.slice(isExact.indexOf(true))).not.toContain(false);
});

test.each(['2026-10', '2026-Q4', '2026', '2026-10-01..2026-10-15'])(
  'of %s, and of one entity',
  async (period) => {
    for (const entities of [['main'], ['main', 'Zeta']]) {
      const ask = { ...october(books.pool), period, entities };
      const csv = await exportReports({ ...ask, profile: 'excel-es' });
      const { manifest } = await exportReports({ ...ask, ...SPANISH });
      const sheets = manifest.files[0]?.sheets ?? [];
      expect(sheets.map(({ report, rows, columns }) => ({ name: report, rows, columns }))).toEqual(
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
  for (const sheet of manifest.files[0]?.sheets ?? []) {
    expect(sheet.headings).toEqual(sheet.columns);
    expect(sheet.name).toBe(sheet.report);
  }
});

test.each([
  ['0', '#,##0.00', '#,##0.00'],
  ['6172.84', '#,##0.00', '#,##0.00'],
  ['0.01', '#,##0.00', '#,##0.00'],
  ['-0.004', '#,##0.00', '#,##0.00######'],
  ['0.000000000000011901', '#,##0.00', '#,##0.00################'],
  ['0.00000001', '#,##0.00######', '#,##0.00######'],
  ['-0.000000000000000001', '#,##0.00######', '#,##0.00################'],
  ['123456789012345678.9', '#,##0.00######', '#,##0.00######'],
])('%s in a column of %s is shown by %s, and not as zero', (digits, ofColumn, expected) => {
  expect(formatOfFigure(digits, ofColumn)).toBe(expected);
});
