// Workbooks that unpack to more than memory holds: each is refused by the part that is too large, before it is unpacked.
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { sheetRows } from '../../../src/export/workbook/reading.ts';
import { newFolder } from '../../room.ts';

const WORKBOOK = '<workbook><sheets><sheet name="Breaks" sheetId="1" r:id="r1"/></sheets></workbook>';
const LINKS = '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>';
const LARGE = 17_000_000;

/** A workbook with one sheet and a part of so many spaces. */
const workbookWith = async (part: string): Promise<string> => {
  const zip = new ZipFile();
  const parts = {
    'xl/workbook.xml': WORKBOOK,
    'xl/_rels/workbook.xml.rels': LINKS,
    'xl/worksheets/sheet1.xml': '<worksheet><sheetData/></worksheet>',
    [part]: ' '.repeat(LARGE),
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

const read = async (path: string): Promise<void> => {
  const file = await open(path);
  try {
    for await (const _rows of sheetRows(file, 'Breaks'));
  } finally {
    await file.close();
  }
};

test.each(['xl/sharedStrings.xml', 'xl/styles.xml', 'xl/workbook.xml'])('%s', async (part) => {
  const path = await workbookWith(part);
  await expect(read(path)).rejects.toThrow(`has a part ${part} that is too large`);
  await expect(read(await understated(path))).rejects.toThrow('too many bytes in the stream');
});
