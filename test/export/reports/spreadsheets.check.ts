// LibreOffice opens every CSV of every Excel profile, and the workbook, and returns the same
// figures cell by cell; no cell evaluates a formula. Skipped by name if it is not installed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CellValue, readXlsx, type Sheet } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ownRows } from '../../../src/base/csv-file.ts';
import { localOf } from '../../../src/base/time.ts';
import { type Exported, exportReports } from '../../../src/export/export.ts';
import { withAccountNames } from '../../../src/export/reports/chart.ts';
import { csvText } from '../../../src/export/reports/csv.ts';
import { type Heading, headingOf, isFigure } from '../../../src/export/reports/headings.ts';
import { asLiteral } from '../../../src/export/reports/literal.ts';
import { cellWriter, EXCEL_PROFILES, type Profile } from '../../../src/export/reports/profile.ts';
import { columnsOf, exactColumns } from '../../../src/export/reports/render.ts';
import { inSnapshot } from '../../../src/export/reports/snapshot.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { newFolder } from '../../room.ts';
import { makeWorld, october } from '../world.ts';
import { LOOK_ALIKES } from './look-alikes.ts';

const isMissing = spawnSync('soffice', ['--version'], { stdio: 'ignore' }).error !== undefined;
const TIMEZONE = 'Europe/Madrid';

/** The languages by their numbers in the program. */
const LANGUAGE = { 'excel-es': 1034, 'excel-de': 1031, 'excel-en': 1033 } as const;

let books: TestDatabase;
let machine: Exported;
beforeAll(async () => {
  books = await freshDatabase();
  await makeWorld(books);
  await books.pool.query(readFileSync(new URL('../hostile.sql', import.meta.url), 'utf8'));
  machine = await exportReports({ ...october(books.pool), period: '2026' });
});
afterAll(() => books.close());

const home = newFolder();

const isTable = ({ name }: { readonly name: string }): boolean => name.endsWith('.csv');

/** Opens files as by a double click in that language, and saves them as workbooks in a new folder. */
const opened = (files: readonly string[], filter?: string): string => {
  const out = join(newFolder(), 'out');
  mkdirSync(out);
  const { status, stderr } = spawnSync(
    'soffice',
    [
      `-env:UserInstallation=file://${home}`,
      '--headless',
      '--convert-to',
      'xlsx',
      '--outdir',
      out,
      ...(filter ? [`--infilter=${filter}`] : []),
      ...files,
    ],
    { encoding: 'utf8', timeout: 150_000 },
  );
  expect([status, stderr.replace(/^(javaldx|Warning).*\n/gm, '')]).toEqual([0, '']);
  return out;
};

const csvFilter = (separator: ',' | ';', language: number): string =>
  `CSV:${separator.charCodeAt(0)},34,76,1,,${language},false,true,false`;

const sheetsOf = async (file: string): Promise<Sheet[]> => (await readXlsx(readFileSync(file))).sheets;
const formulasIn = ({ cells }: Sheet): string[] =>
  [...(cells ?? [])].flatMap(([address, { formula }]) =>
    formula === undefined ? [] : [`${address}: ${formula}`],
  );

/** A figure as a spreadsheet stores it: 15 digits. */
const rounded = (figure: string): string => Number(figure).toPrecision(15);

/** Lines within a cell end with LF in every spreadsheet. */
const lines = (text: string): string => text.replace(/\r\n?/g, '\n');

/** Text that every spreadsheet reads as a figure without loss. */
const WHOLE = /^(?:0|[1-9]\d{0,14})$/;

/** The expected cell of a spreadsheet for a cell of the machine profile. */
const meant = (column: Heading, cell: string, profile: Profile): string => {
  const { kind } = column;
  if (cell === '') return '';
  if (isFigure(column) || kind === 'whole') return `number ${rounded(cell)}`;
  if (kind === 'boolean') return `boolean ${cell}`;
  if (kind === 'day') return `date ${cell} 00:00:00`;
  const local = kind === 'instant' ? localOf(cell, TIMEZONE) : null;
  if (local) return `date ${local.day} ${local.time}`;
  const text = lines(cellWriter(profile, column, TIMEZONE)(cell));
  return WHOLE.test(text) ? `number ${rounded(text)}` : `string ${text}`;
};

const textOf = (value: CellValue | undefined): string => {
  if (value === null || value === undefined || value === '') return '';
  if (value instanceof Date) return `date ${value.toISOString().slice(0, 19).replace('T', ' ')}`;
  if (typeof value === 'number') return `number ${value.toPrecision(15)}`;
  return `${typeof value} ${lines(`${value}`)}`;
};

describe.skipIf(isMissing)('LibreOffice', () => {
  test.each(Object.keys(LANGUAGE) as (keyof typeof LANGUAGE)[])(
    'opens every CSV of %s with the exact cells, and evaluates none',
    async (name) => {
      const profile = await inSnapshot(books.pool, (snapshot) =>
        withAccountNames(snapshot, EXCEL_PROFILES[name]),
      );
      const excel = await exportReports({ ...october(books.pool), period: '2026', profile: name });
      const paths = excel.files.filter(isTable).map((file) => join(excel.dir, file.name));
      const bare = join(newFolder(), 'bare.csv');
      writeFileSync(bare, ['a', 'b', 'c\r\n=1+1', '007', '1e5'].join(profile.separator));
      const texts = join(newFolder(), 'texts.csv');
      writeFileSync(
        texts,
        profile.mark +
          csvText(
            LOOK_ALIKES.map((text) => ['x', asLiteral(text)]),
            profile,
          ),
      );
      const out = opened([...paths, bare, texts], csvFilter(profile.separator, LANGUAGE[name]));
      const [unguarded] = await sheetsOf(join(out, 'bare.xlsx'));
      expect(unguarded && formulasIn(unguarded), 'this test could not fail').toEqual(['1,0: 1+1']);
      expect(unguarded?.rows[1]?.slice(1)).toEqual([7, 100000]);
      const [literal] = await sheetsOf(join(out, 'texts.xlsx'));
      expect(literal?.rows.map((row) => row[1])).toEqual(LOOK_ALIKES.map(asLiteral));
      for (const file of machine.files.filter(isTable)) {
        const columns = columnsOf(file.name.replace('.csv', ''), file.columns);
        const exact = exactColumns(columns, { profile, currency: 'EUR' });
        const [sheet] = await sheetsOf(join(out, file.name.replace('.csv', '.xlsx')));
        expect(sheet && formulasIn(sheet), file.name).toEqual([]);
        const rows = ownRows(readFileSync(join(machine.dir, file.name), 'utf8')).slice(1);
        const expected = rows.map((row) => [
          ...row.map((cell, position) => meant(columns[position] ?? headingOf('', ''), cell, profile)),
          ...exact.map(({ cellIn }) => (cellIn(row) === '' ? '' : `string ${asLiteral(cellIn(row))}`)),
        ]);
        const width = columns.length + exact.length;
        const found = (sheet?.rows.slice(1) ?? []).map((row) =>
          Array.from({ length: width }, (_, position) => textOf(row[position])),
        );
        expect([file.name, found]).toEqual([file.name, expected]);
      }
    },
  );

  test.each([
    ['at each of its own separators, which splits no cell', '44/59/9', true],
    ['at semicolons, as another country does', '59', false],
  ])('separates the files of machine %s, and evaluates none', async (_case, separators, isWhole) => {
    const tables = machine.files.filter(isTable);
    const out = opened(
      tables.map(({ name }) => join(machine.dir, name)),
      `CSV:${separators},34,76,1,,1033,false,true,false`,
    );
    for (const { name, columns } of tables) {
      const [sheet] = await sheetsOf(join(out, name.replace('.csv', '.xlsx')));
      expect(sheet && formulasIn(sheet), name).toEqual([]);
      const widths = isWhole ? (sheet?.rows ?? []).map((row) => row.length) : [];
      expect(
        widths.filter((width) => width > columns.length),
        name,
      ).toEqual([]);
    }
  });

  test('opens the workbook, sheet by sheet', async () => {
    const ask = { ...october(books.pool), period: '2026', format: 'xlsx', profile: 'excel-es' } as const;
    const { dir, manifest } = await exportReports(ask);
    const ours = await sheetsOf(join(dir, 'reports.xlsx'));
    const theirs = await sheetsOf(join(opened([join(dir, 'reports.xlsx')]), 'reports.xlsx'));
    expect(theirs.map(({ name }) => name)).toEqual([
      'Índice',
      ...(manifest.files[0]?.sheets ?? []).map((sheet) => sheet.name),
    ]);
    let formulas = 0;
    for (const [position, sheet] of theirs.entries()) {
      const ourFormulas = ours[position] ? formulasIn(ours[position]) : [];
      formulas += ourFormulas.length;
      expect(formulasIn(sheet)).toEqual(ourFormulas);
      expect(formulasIn(sheet).filter((formula) => !/: SUBTOTAL\(109,/.test(formula))).toEqual([]);
      const width = ours[position]?.rows[0]?.length ?? 0;
      const cells = (rows: readonly (readonly CellValue[])[] = []) =>
        rows.map((row) => Array.from({ length: width }, (_, c) => textOf(row[c])));
      expect([sheet.name, cells(sheet.rows)]).toEqual([sheet.name, cells(ours[position]?.rows)]);
    }
    expect(formulas, 'totals').toBeGreaterThan(0);
  });
});
