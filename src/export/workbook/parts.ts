// The parts of a workbook's zip file, read from one open file without loading it. The only file that imports yauzl.
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { ReadableStream } from 'node:stream/web';
import { type Entry, fromFdPromise, type ZipFile } from 'yauzl';

/** One sheet as a workbook of its own, for a reader that streams; `end` releases what is left of it. */
type SheetAlone = { readonly stream: ReadableStream<Uint8Array>; readonly end: () => void };

type ZipParts = { readonly zip: ZipFile; readonly entries: readonly Entry[] };

/** The sheet of a name, or null if the workbook has none. The caller closes the file. */
export const sheetAlone = async (file: FileHandle, name: string): Promise<SheetAlone | null> => {
  const parts = await partsOf(file);
  const path = await pathOf(parts, name);
  const sheet = parts.entries.find(({ fileName }) => fileName === path);
  return sheet ? framed(parts, sheet) : null;
};

/** The zip file's directory. The file stays open until its owner closes it, as this never closes the ZipFile. */
const partsOf = async ({ fd }: FileHandle): Promise<ZipParts> => {
  const zip = await fromFdPromise(fd, { lazyEntries: true, autoClose: false });
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  return { zip, entries };
};

const isFrame = ({ fileName }: Entry): boolean =>
  /^\[Content_Types\]\.xml$|^_rels\/\.rels$|^xl\/_rels\/workbook\.xml\.rels$|^xl\/(workbook|sharedStrings|styles)\.xml$/.test(
    fileName,
  );

const pathOf = async (parts: ZipParts, name: string): Promise<string | null> => {
  const sheets = await elementsIn(parts, 'xl/workbook.xml', /<sheet\s([^>]*)>/g);
  const links = await elementsIn(parts, 'xl/_rels/workbook.xml.rels', /<Relationship\s([^>]*)>/g);
  const id = sheets.find((sheet) => sheet.get('name') === name)?.get('r:id');
  const target = id && links.find((link) => link.get('Id') === id)?.get('Target');
  return target ? (target.startsWith('/') ? target.slice(1) : `xl/${target}`) : null;
};

/** The attributes of the elements of a small part. */
const elementsIn = async (
  { zip, entries }: ZipParts,
  path: string,
  element: RegExp,
): Promise<ReadonlyMap<string, string>[]> => {
  const entry = entries.find(({ fileName }) => fileName === path);
  if (!entry) throw new Error(`has no part ${path}`);
  const xml = (await contentOf(zip, entry)).toString('utf8');
  return [...xml.matchAll(element)].map(
    ([, attributes = '']) =>
      new Map(
        [...attributes.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
      ),
  );
};

const PART_BYTES_MAX = 16_000_000;

/** A small part, unpacked: a few bytes may unpack to more than memory holds, and yauzl reads no more than the size that it states. */
const contentOf = async (zip: ZipFile, entry: Entry): Promise<Buffer> => {
  if (entry.uncompressedSize > PART_BYTES_MAX)
    throw new Error(`has a part ${entry.fileName} that is too large`);
  return buffer(await zip.openReadStreamPromise(entry));
};

/**
 * A sheet as packed, and the parts that a reader loads whole, unpacked; each after a header with its size, because a reader can stream
 * only what states its size first.
 */
const framed = ({ zip, entries }: ZipParts, sheet: Entry): SheetAlone => {
  let reading: Readable | null = null;
  const bytes = async function* (): AsyncGenerator<Uint8Array> {
    for (const entry of entries.filter(isFrame)) {
      const content = await contentOf(zip, entry);
      yield headerOf(entry, { method: STORED, packed: content.length });
      yield content;
    }
    yield headerOf(sheet, { method: sheet.compressionMethod, packed: sheet.compressedSize });
    reading = await zip.openReadStreamPromise(sheet, { decodeFileData: false });
    yield* reading as AsyncIterable<Buffer>;
  };
  return { stream: ReadableStream.from(bytes()), end: () => reading?.destroy() };
};

/** The compression method of what is not compressed. */
const STORED = 0;

/** The header of a part (APPNOTE.TXT of the zip format, section 4.3.7), without its time, which no reader uses. */
const headerOf = (
  entry: Entry,
  { method, packed }: { readonly method: number; readonly packed: number },
): Buffer => {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(entry.versionNeededToExtract, 4);
  header.writeUInt16LE(method, 8);
  header.writeUInt32LE(entry.crc32, 14);
  header.writeUInt32LE(packed, 18);
  header.writeUInt32LE(entry.uncompressedSize, 22);
  header.writeUInt16LE(entry.fileNameRaw.length, 26);
  return Buffer.concat([header, entry.fileNameRaw]);
};
