// Where two files diverge is shown, however long their lines and in whichever encoding.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { cp1252Bytes } from '../../../src/base/cp1252.ts';
import type { Manifest } from '../../../src/export/reports/manifest.ts';
import { differencesOf } from '../../../src/verify/report/difference.ts';
import { newFolder } from '../../room.ts';

type Content = string | Buffer;

/** What the manifest states of the file besides its name: of a report its columns or sheets, of a package's file its batch. */
type Stated = {
  readonly columns?: readonly string[];
  readonly sheets?: readonly object[];
  readonly batch?: object;
};

/** The difference of two folders that hold one file each. */
const differenceOf = async (name: string, ours: Content, theirs: Content, stated: Stated = { batch: {} }) => {
  const [expected, found] = [join(newFolder(), 'ours'), join(newFolder(), 'theirs')];
  for (const [dir, text] of [[expected, ours] as const, [found, theirs] as const]) {
    mkdirSync(dir);
    writeFileSync(join(dir, name), text);
  }
  const { batch, ...form } = stated;
  const files = [{ name, sha256: '', rows: 1, ...form }];
  const manifest = { profile: 'machine', files, ...(batch && { batch }) };
  return await differencesOf({ expected, found }, manifest as unknown as Manifest, [name]);
};

const lines = (...texts: readonly string[]): string => `${texts.join('\n')}\n`;
const xs = (count: number): string => 'x'.repeat(count);

test.each([
  ['early', 'a 1', 'a 2', 'expected "a 1", found "a 2"'],
  ['late', `${xs(200)} 1`, `${xs(200)} 2`, `expected "…${xs(98)} 1", found "…${xs(98)} 2"`],
  [
    'in the middle',
    `${xs(200)}1${xs(200)}`,
    `${xs(200)}2${xs(200)}`,
    `expected "…${xs(50)}1${xs(49)}…", found "…${xs(50)}2${xs(49)}…"`,
  ],
  ['at the end', xs(200), `${xs(200)}!`, `expected "…${xs(99)}", found "…${xs(99)}!"`],
])('texts that diverge %s are shown where they do', async (_, ours, theirs, sentence) => {
  expect(await differenceOf('xero.csv', lines('head', ours), lines('head', theirs))).toEqual([
    `xero.csv, line 2: ${sentence}`,
  ]);
  const columns = ['reason'];
  expect(
    await differenceOf('rejects.csv', lines('reason', ours), lines('reason', theirs), { columns }),
  ).toEqual([`rejects.csv, line 2, column reason: ${sentence}`]);
});

test.each([
  ['CP1252', cp1252Bytes],
  ['UTF-8', (text: string) => Buffer.from(text)],
])('a letter of %s that differs is no line break', async (_, encode) => {
  const [ours, theirs] = [encode(lines('a', 'Schlüssel')), encode(lines('a', 'Schlössel'))];
  expect(await differenceOf('EXTF.csv', ours, theirs)).toEqual([
    'EXTF.csv, line 2: expected "Schlüssel", found "Schlössel"',
  ]);
  expect(await differenceOf('EXTF.csv', ours, encode('a\r\nSchlüssel\n'))).toEqual([
    expect.stringMatching(/^EXTF\.csv, byte 2: only its line breaks differ/),
  ]);
});

test.each([
  ['xero', 'xero-2026-0001-1.csv', ',', 3, 'column *TaxRate'],
  ['datev', 'EXTF_Buchungsstapel_2026-0001_202610.csv', ';', 4, 'column Belegdatum'],
])('a cell of a file of %s is named by its column', async (name, file, delimiter, line, column) => {
  const cells = (tax: string) => ['1', '2', '"a;,b"', '4', tax, '6', '7', '8', '9', tax].join(delimiter);
  const [ours, theirs] = [
    cells('0110'),
    name === 'xero' ? cells('0111') : cells('0110').replace(/0110$/, '0111'),
  ];
  const head = lines('head', ...(name === 'datev' ? ['columns'] : []), cells('0110'));
  const sentencesFor = (one: string, other: string) =>
    differenceOf(file, head + lines(one), head + lines(other), { batch: { package: name } });
  expect(await sentencesFor(ours, theirs)).toEqual([
    `${file}, line ${line}, ${column}: expected "0110", found "0111"`,
  ]);
  expect(await sentencesFor(ours, `${ours}${delimiter}more`)).toEqual([
    expect.stringMatching(/, line \d: expected "1.*", found "1.*more"$/),
  ]);
  expect(await sentencesFor(ours, `"${ours}`)).toEqual([
    expect.stringMatching(/, line \d: expected "1.*", found/),
  ]);
});

/** A workbook of one sheet with these cells in its first column. */
const workbookOf = async (...cells: readonly string[]): Promise<Buffer> => {
  const zip = new ZipFile();
  const main = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const rows = cells.map((cell, index) => {
    const row = index + 1;
    return `<row r="${row}"><c r="A${row}" t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c></row>`;
  });
  const parts = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships><Relationship Id="r1" Type="${main}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': '<workbook><sheets><sheet name="Breaks" sheetId="1" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': `<Relationships><Relationship Id="r1" Type="${main}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
  };
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream);
};

test('lines are counted as whoever opens the file sees them: a sheet has one for each row', async () => {
  const sheet = { name: 'Breaks', report: 'breaks', rows: 2, columns: ['reason'] };
  const [ours, theirs] = [
    await workbookOf('reason', 'a\nb', 'c 1'),
    await workbookOf('reason', 'a\nb', 'c 2'),
  ];
  expect(await differenceOf('report.xlsx', ours, theirs, { sheets: [sheet] })).toEqual([
    'report.xlsx, sheet Breaks, line 3, column reason: expected "c 1", found "c 2"',
  ]);
  const text = (last: string) => lines('reason', '"a\nb"', last);
  expect(await differenceOf('breaks.csv', text('c 1'), text('c 2'), { columns: ['reason'] })).toEqual([
    'breaks.csv, line 4, column reason: expected "c 1", found "c 2"',
  ]);
});
