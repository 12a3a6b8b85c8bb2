// The parts of a workbook's zip file, read from one open file without loading it. The only file that imports yauzl.
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ReadableStream } from 'node:stream/web';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';

/** One sheet as a workbook of its own, for a reader that streams; `end` releases what is left of it. */
type SheetAlone = { readonly stream: ReadableStream<Uint8Array>; readonly end: () => void };

/** An open workbook: its parts by their paths, and the paths of its sheets by their names. */
export type WorkbookParts = {
  readonly zip: ZipFile;
  readonly entries: ReadonlyMap<string, Entry>;
  readonly sheets: ReadonlyMap<string, string>;
};

/** The sheet of a name, or null if the workbook has none. */
export const sheetAlone = (parts: WorkbookParts, name: string): SheetAlone | null => {
  const sheet = parts.entries.get(parts.sheets.get(name) ?? '');
  return sheet ? framed(parts, sheet) : null;
};

/** A workbook of ours has a part for each sheet, which holds a million rows, and six more. Reading a sheet looks at all of them. */
const PARTS_MAX = 1_000;

/** What the package says of a file that is no zip file is not for a person who has saved it in another program. An error of the disk is. */
const refuseOther = (cause: NodeJS.ErrnoException): never => {
  throw cause.code === undefined ? new Error('is no Excel workbook, or was cut off', { cause }) : cause;
};

/** The directory of the zip file. The file stays open until its owner closes it, as this never closes the ZipFile. */
export const partsOf = async ({ fd }: FileHandle): Promise<WorkbookParts> => {
  const zip = await fromFdPromise(fd, { lazyEntries: true, autoClose: false }).catch(refuseOther);
  if (zip.entryCount > PARTS_MAX)
    throw new Error(`has ${zip.entryCount} parts, and a workbook at most ${PARTS_MAX}`);
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return { zip, entries, sheets: await sheetPaths({ zip, entries }) };
};

type ZipParts = Pick<WorkbookParts, 'zip' | 'entries'>;

const isFrame = ({ fileName }: Entry): boolean =>
  /^\[Content_Types\]\.xml$|^_rels\/\.rels$|^xl\/_rels\/workbook\.xml\.rels$|^xl\/(workbook|sharedStrings|styles)\.xml$/.test(
    fileName,
  );

const sheetPaths = async (parts: ZipParts): Promise<ReadonlyMap<string, string>> => {
  const sheets = await elementsIn(parts, 'xl/workbook.xml', /<sheet\s([^>]*)>/g);
  const links = await elementsIn(parts, 'xl/_rels/workbook.xml.rels', /<Relationship\s([^>]*)>/g);
  const targets = new Map(links.map((link) => [link.get('Id'), link.get('Target') ?? '']));
  const pathOf = (sheet: ReadonlyMap<string, string>): string => {
    const target = targets.get(sheet.get('r:id')) ?? '';
    return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
  };
  return new Map(sheets.map((sheet) => [sheet.get('name') ?? '', pathOf(sheet)]));
};

/** The attributes of the elements of a small part. */
const elementsIn = async (
  { zip, entries }: ZipParts,
  path: string,
  element: RegExp,
): Promise<ReadonlyMap<string, string>[]> => {
  const entry = entries.get(path);
  if (!entry) throw new Error(`is no Excel workbook: it has no part ${path}`);
  const xml = (await contentOf(zip, entry)).toString('utf8');
  return [...xml.matchAll(element)].map(
    ([, attributes = '']) =>
      new Map(
        [...attributes.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
      ),
  );
};

const PART_BYTES_MAX = 1_000_000;

/** A small part, unpacked: a few bytes may unpack to more than memory holds, and yauzl reads no more than the size that it states. */
const contentOf = async (zip: ZipFile, entry: Entry): Promise<Buffer> => {
  if (entry.uncompressedSize > PART_BYTES_MAX)
    throw new Error(`has a part ${entry.fileName} that is too large`);
  return buffer(await zip.openReadStreamPromise(entry));
};

/** Thirty cells of the 32,767 characters that one holds, each written as an entity. */
const ROW_BYTES_MAX = 16_000_000;
const ROW_END = '</row>';

/** The same bytes. Throws if a row has no end within its limit, because a reader has the whole row in memory. */
async function* withBoundedRows(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let open = 0;
  for await (const piece of bytes) {
    const end = piece.lastIndexOf(ROW_END);
    open = end < 0 ? open + piece.length : piece.length - end;
    if (open > ROW_BYTES_MAX) throw new Error(`has a row of more than ${ROW_BYTES_MAX / 1_000_000} MB`);
    yield piece;
  }
}

/**
 * A sheet, and the parts that a reader loads whole, unpacked; each after a header with its size, because a reader can stream only what
 * states its size first.
 */
const framed = ({ zip, entries }: ZipParts, sheet: Entry): SheetAlone => {
  let reading: Readable | null = null;
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    for (const entry of [...entries.values()].filter(isFrame)) {
      const content = await contentOf(zip, entry);
      yield headerOf(entry, content.length);
      yield content;
    }
    yield headerOf(sheet, sheet.uncompressedSize);
    reading = await zip.openReadStreamPromise(sheet);
    yield* withBoundedRows(reading as AsyncIterable<Buffer>);
  };
  return { stream: ReadableStream.from(bytes()), end: () => reading?.destroy() };
};

/** The compression method of what is not compressed. */
const STORED = 0;

/** The header of an unpacked part (APPNOTE.TXT of the zip format, section 4.3.7), without its time, which no reader uses. */
const headerOf = (entry: Entry, bytes: number): Buffer => {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(entry.versionNeededToExtract, 4);
  header.writeUInt16LE(STORED, 8);
  header.writeUInt32LE(entry.crc32, 14);
  header.writeUInt32LE(bytes, 18);
  header.writeUInt32LE(bytes, 22);
  header.writeUInt16LE(entry.fileNameRaw.length, 26);
  return Buffer.concat([header, entry.fileNameRaw]);
};
