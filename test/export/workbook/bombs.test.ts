// Workbooks that unpack to more than memory holds, or whose reading would not end: each is refused with what is too large.
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { workbookRows } from '../../../src/export/workbook/reading.ts';
import { newFolder } from '../../room.ts';

const WORKBOOK = '<workbook><sheets><sheet name="Breaks" sheetId="1" r:id="r1"/></sheets></workbook>';
const LINK = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const LINKS = `<Relationships><Relationship Id="r1" Type="${LINK}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`;
const LARGE = 17_000_000;

/** A workbook with one sheet, and with further or other parts. */
const workbookWith = async (others: Readonly<Record<string, string>>): Promise<string> => {
  const zip = new ZipFile();
  const parts = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels': `<Relationships><Relationship Id="r1" Type="${LINK}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': WORKBOOK,
    'xl/_rels/workbook.xml.rels': LINKS,
    'xl/worksheets/sheet1.xml': '<worksheet><sheetData/></worksheet>',
    ...others,
  };
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  const path = join(newFolder(), 'bomb.xlsx');
  await writeFile(path, await buffer(zip.outputStream));
  return path;
};

/** The same with a smaller size of the part in the directory of the zip file. */
const understated = async (path: string): Promise<string> => {
  const file = await open(path, 'r+');
  const bytes = await file.readFile();
  const size = Buffer.alloc(4);
  size.writeUInt32LE(LARGE);
  for (let place = bytes.indexOf(size); place >= 0; place = bytes.indexOf(size, place + 1))
    bytes.writeUInt32LE(9, place);
  await file.write(bytes, 0, bytes.length, 0);
  await file.close();
  return path;
};

const read = async (path: string): Promise<string[][]> => {
  const file = await open(path);
  try {
    const rows: string[][] = [];
    for await (const piece of workbookRows(file)('Breaks')) rows.push(...piece);
    return rows;
  } finally {
    await file.close();
  }
};

test.each(['xl/sharedStrings.xml', 'xl/styles.xml', 'xl/workbook.xml'])('%s', async (part) => {
  const path = await workbookWith({ [part]: ' '.repeat(LARGE) });
  await expect(read(path)).rejects.toThrow(`has a part ${part} that is too large`);
  await expect(read(await understated(path))).rejects.toThrow('too many bytes in the stream');
});

const sheetOf = (...texts: readonly string[]): string =>
  `<worksheet><sheetData>${texts.map((text, nth) => `<row r="${nth + 1}"><c t="inlineStr"><is><t>${text}</t></is></c></row>`).join('')}</sheetData></worksheet>`;

test('a row is read up to its limit, and no further', async () => {
  const [fits, tooLong] = ['x'.repeat(8_000_000), 'x'.repeat(40_000_000)];
  const sheet = 'xl/worksheets/sheet1.xml';
  expect(await read(await workbookWith({ [sheet]: sheetOf('a', fits, fits, fits, 'b') }))).toHaveLength(5);
  await expect(read(await workbookWith({ [sheet]: sheetOf('a', tooLong) }))).rejects.toThrow(
    'has a row of more than 16 MB',
  );
});

test('a workbook with more parts than it can have is refused before they are looked at', async () => {
  const sheets = Object.fromEntries(
    Array.from({ length: 1_000 }, (_, nth) => [`xl/worksheets/sheet${nth + 2}.xml`, '']),
  );
  await expect(read(await workbookWith(sheets))).rejects.toThrow(
    'has 1005 parts, and a workbook at most 1000',
  );
});

test('a file of another program under the name of a workbook is said to be none', async () => {
  const other = await workbookWith({});
  const bytes = await readFile(other);
  await writeFile(other, bytes.subarray(0, -40));
  await expect(read(other)).rejects.toThrow(/^is no Excel workbook, or was cut off$/);
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from('application/vnd.oasis.opendocument.spreadsheet'), 'mimetype');
  zip.end();
  await writeFile(other, await buffer(zip.outputStream));
  await expect(read(other)).rejects.toThrow(/^is no Excel workbook: it has no part xl\/workbook\.xml$/);
});
