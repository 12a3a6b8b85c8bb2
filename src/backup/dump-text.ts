// The text of a dump: a header, the rows of each table between COPY and "\.", a manifest, and the digest of the header and the
// manifest, as psql reads them too. Header, manifest and digest are comments of one line. Reads the text piece by piece, so that
// memory does not grow with the books.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { FailedError, UsageError } from '../base/errors.ts';
import { parseExact, sha256 } from '../base/json.ts';

const FORMAT = 'tieout dump 1';
const HEADER = z.object({
  format: z.string(),
  tieout: z.string(),
  books_id: z.uuid(),
  versions: z.array(z.string()),
  server: z.string(),
});
export type DumpHeader = z.infer<typeof HEADER>;

const COUNT = z.string().regex(/^\d{1,15}$/); // numbers are read as the text that was written
const MANIFEST = z.object({
  tables: z.array(z.object({ table: z.string(), rows: COUNT, sha256: z.string() })),
  sequences: z.array(z.object({ name: z.string(), last_value: COUNT })),
});
export type DumpManifest = z.infer<typeof MANIFEST>;

const BEGIN = '-- tieout dump: ';
const END = '-- manifest: ';
const DIGEST = '-- digest: ';

export const headerLine = (header: Omit<DumpHeader, 'format'>): string =>
  `${BEGIN}${JSON.stringify({ format: FORMAT, ...header })}\n`;
export const manifestLine = (manifest: DumpManifest): string => `${END}${JSON.stringify(manifest)}\n`;
/** The last line. The manifest has the digest of every table, so this one covers the whole dump. */
export const digestLine = (header: string, manifest: string): string =>
  `${DIGEST}${sha256(`${header}${manifest}`)}\n`;
export const copyLine = (name: string, columns: readonly string[]): string =>
  `COPY ${name} (${columns.join(', ')}) FROM stdin;\n`;
export const COPY_END = '\\.\n';

export const damaged = (why: string): FailedError =>
  new FailedError(`the dump is damaged or not whole (${why}): nothing was restored; use another one`);

const readValue = <T>(shape: z.ZodType<T>, text: string, what: string): T => {
  try {
    return shape.parse(parseExact(text));
  } catch {
    throw damaged(`its ${what} cannot be read`);
  }
};

const LINE_MAX = 10_000_000;
const ROW_MAX = 1_000_000_000;
const LINE_END = '\n';
const LAST = Buffer.from(`\n${COPY_END}`);

/** Reads lines with their ends, and the rows of a table up to their end. `comments` digests the header and the manifest. */
export const dumpReader = (chunks: AsyncIterator<Buffer>) => {
  let rest: Buffer = Buffer.alloc(0);
  const more = async (limit: number): Promise<boolean> => {
    if (rest.length > limit) throw damaged('a line is too long');
    const { value, done = false } = await chunks.next();
    if (!done) rest = rest.length === 0 ? value : Buffer.concat([rest, value]);
    return !done;
  };
  const line = async (): Promise<string | null> => {
    for (;;) {
      const end = rest.indexOf(LINE_END);
      if (end >= 0) {
        const text = rest.toString('utf8', 0, end + 1);
        rest = rest.subarray(end + 1);
        return text;
      }
      if (await more(LINE_MAX)) continue;
      const text = rest.length === 0 ? null : rest.toString('utf8');
      rest = Buffer.alloc(0);
      return text;
    }
  };
  /** Between two turns `rest` begins with a line. */
  async function* rows(): AsyncGenerator<Buffer> {
    for (;;) {
      if (rest.subarray(0, COPY_END.length).equals(Buffer.from(COPY_END))) {
        rest = rest.subarray(COPY_END.length);
        return;
      }
      const end = rest.indexOf(LAST);
      const whole = end >= 0 ? end : rest.lastIndexOf(LINE_END);
      if (whole >= 0) {
        yield rest.subarray(0, whole + 1);
        rest = rest.subarray(whole + 1);
      } else if (!(await more(ROW_MAX))) throw damaged('it ends in the middle of a table');
    }
  }
  return { line, rows, comments: createHash('sha256') };
};

export type DumpReader = ReturnType<typeof dumpReader>;

/** The first line. Throws a UsageError if this is no dump of ours, a FailedError if it is damaged or of another form. */
export const readHeader = async ({ line, comments }: DumpReader): Promise<DumpHeader> => {
  const text = await line();
  if (!text?.startsWith(BEGIN))
    throw new UsageError('the file does not begin as a dump of tieout: name one that npx tieout dump wrote');
  comments.update(text);
  const header = readValue(HEADER, text.slice(BEGIN.length), 'header');
  if (header.format === FORMAT) return header;
  throw new FailedError(
    `the dump has the form "${header.format}", and this tieout reads "${FORMAT}" only: restore it with the tieout that made it, and dump those books with this one`,
  );
};

/** The manifest, which only the digest may follow. */
const readManifest = async ({ line, comments }: DumpReader, text: string): Promise<DumpManifest> => {
  const manifest = readValue(MANIFEST, text.slice(END.length), 'manifest');
  const expected = `${DIGEST}${comments.update(text).digest('hex')}${LINE_END}`;
  const found = await line();
  if (found === null) throw damaged('it ends without its digest');
  if (found !== expected) throw damaged('its header or its manifest was altered');
  if ((await line()) !== null) throw damaged('there is text after its end');
  return manifest;
};

const COPY = /^COPY ([\w."]+) \((.*)\) FROM stdin;\n$/;

/** The next table, or the manifest, which is last. */
export const readNext = async (
  reader: DumpReader,
): Promise<{ table: string; columns: string } | { manifest: DumpManifest }> => {
  const text = await reader.line();
  if (text === null) throw damaged('it ends without its manifest');
  if (text.startsWith(END)) return { manifest: await readManifest(reader, text) };
  if (!text.endsWith(LINE_END)) throw damaged('it ends without its manifest'); // in the middle of a line
  const [, table, columns] = COPY.exec(text) ?? [];
  if (table === undefined || columns === undefined) throw damaged('a line between two tables is not ours');
  return { table, columns };
};
