// The zip file of a workbook, written while its parts are made. The only file that imports yazl. Every part carries the
// same time, so equal parts give equal bytes.
import { addAbortSignal, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { dateOf } from '../../base/time.ts';
import { together } from '../../base/together.ts';

/** Writes bytes at the end of the file. */
export type Put = (bytes: Uint8Array) => Promise<void>;

/** Adds one part, whose text is read only as fast as the file is written. */
export type AddPart = (path: string, text: AsyncIterable<string> | Iterable<string>) => Promise<void>;

/** The format's own field has no timezone, and yazl fills it with local time: so the same local time everywhere. */
const partOptions = () => ({ mtime: dateOf('1980-02-01T00:00:00'), forceDosTimestamp: true });

/** Writes the parts that `fill` adds, one after the other. If either fails, the other is stopped, and the cause is thrown. */
export const writeArchive = async <T>(put: Put, fill: (add: AddPart) => Promise<T>): Promise<T> => {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  const stop = new AbortController();
  const writing = putAll(output, put).finally(() => stop.abort());
  const filling = fill((path, text) => {
    const source = addAbortSignal(stop.signal, Readable.from(text));
    zip.addReadStream(source, path, partOptions());
    return finished(source);
  });
  filling.then(
    () => zip.end(),
    (error: Error) => output.destroy(error),
  );
  const [filled] = await together([filling, writing]);
  return filled;
};

const putAll = async (output: Readable, put: Put): Promise<void> => {
  for await (const bytes of output as AsyncIterable<Uint8Array>) await put(bytes);
};
