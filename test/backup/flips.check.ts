// A dump with one bit of it flipped, cut, or with the end of another: refused with one sentence, and nothing is stored. The places
// come from a seed, some in each kind of line. Only six bytes of the packed file may change: the time, level and system of its gzip.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dumpFile, openDump, restoreFile } from '../../src/backup/backup.ts';
import { FailedError, UsageError } from '../../src/base/errors.ts';
import { randomOf } from '../../src/sandbox/random.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { openStage } from '../jobs/stage.ts';
import { newFolder } from '../room.ts';

const ends: (() => Promise<void>)[] = [];
let books: TestDatabase;
let packed: Buffer;
let text: Buffer;
let later: Buffer;

beforeAll(async () => {
  const stage = await openStage({ days: 1, perDay: 6 }, (end) => ends.push(end));
  const dumped = async () => {
    const file = join(newFolder(), 'books.gz');
    await dumpFile(stage.database.url, file, {});
    return readFileSync(file);
  };
  await stage.night();
  packed = await dumped();
  text = gunzipSync(packed);
  await stage.rows('update run.runs set started_at = started_at - interval $$1 second$$');
  later = gunzipSync(await dumped());
  books = await freshDatabase();
});
afterAll(async () => {
  await books.close();
  for (const end of ends) await end();
});

const restore = async (bytes: Buffer) => {
  const file = join(newFolder(), 'altered.gz');
  writeFileSync(file, bytes);
  return restoreFile(books.url, await openDump(file), {});
};

const LENGTH_MAX = 200;
const NO_DUMP = /^(the file does not begin as a dump of tieout|\S+ is no dump): name /;
const refused = async (bytes: Buffer, place: string): Promise<void> => {
  const error: unknown = await restore(bytes).then(
    () => 'restored',
    (thrown) => thrown,
  );
  expect(error, place).toBeInstanceOf(Error);
  const { message } = error as Error;
  const isOurs = !NO_DUMP.test(message); // the first words are damaged
  expect(error, place).toBeInstanceOf(isOurs ? FailedError : UsageError);
  if (isOurs) expect(message, place).toMatch(/^the dump('s table \S+)? (is|has) [^\n]+$/);
  expect(message.length, message).toBeLessThan(LENGTH_MAX);
};

const flipped = (bytes: Buffer, place: number, bit: number): Buffer => {
  const copy = Buffer.from(bytes);
  copy[place] = (copy[place] ?? 0) ^ (1 << bit);
  return copy;
};

/** The places of the bytes in each match of a pattern. */
const placesOf = (pattern: RegExp): number[] =>
  [...text.toString('latin1').matchAll(pattern)].flatMap(({ index, 0: found }) =>
    Array.from({ length: found.length }, (_, offset) => index + offset),
  );

const LINES: Readonly<Record<string, RegExp>> = {
  header: /^.*\n/g,
  'line that begins a table': /^COPY .*$/gm,
  'line that ends a table': /^\\\.$/gm,
  'row of a table': /^(?!COPY |\\\.|--).+$/gm,
  'end of a line': /\n/g,
  manifest: /^-- manifest.*$/gm,
  digest: /^-- digest.*\n/gm,
};
const FLIPS = 3;

test.each(Object.entries(LINES))('one bit, %s', async (kind, pattern) => {
  const random = randomOf(`flips:${kind}`);
  const places = placesOf(pattern);
  for (let count = 0; count < FLIPS; count += 1) {
    const [place, bit] = [random.pick(places), random.below(8)];
    await refused(gzipSync(flipped(text, place, bit)), `bit ${bit} of byte ${place}`);
  }
});

const GZIP_HEADER = 10;
test('a bit of the packed file, and its cut end', async () => {
  const random = randomOf('flips:packed');
  for (let count = 0; count < FLIPS; count += 1) {
    const [place, bit] = [GZIP_HEADER + random.below(packed.length - GZIP_HEADER), random.below(8)];
    await refused(flipped(packed, place, bit), `bit ${bit} of packed byte ${place}`);
    const size = random.below(packed.length);
    await refused(packed.subarray(0, size), `the first ${size} packed bytes`);
  }
  await refused(flipped(packed, packed.length - 1, 0), 'the size at the end');
  await refused(packed.subarray(0, -1), 'a byte less');
});

const CUT_EARLY = 15;
test('files so short that they are unpacked before anybody reads them', async () => {
  const random = randomOf('flips:short');
  for (let count = 0; count < CUT_EARLY; count += 1) {
    const size = random.below(300);
    await refused(packed.subarray(0, size), `the first ${size} packed bytes`);
  }
});

test('a cut text, and the rows of one dump with the manifest of another', async () => {
  const random = randomOf('flips:cut');
  for (let count = 0; count < FLIPS; count += 1) {
    const size = random.below(text.length);
    await refused(gzipSync(text.subarray(0, size)), `the first ${size} bytes`);
  }
  await refused(gzipSync(text.subarray(0, -1)), 'a byte less');
  const [first, second] = [text, later].map((whole) => {
    const manifest = whole.lastIndexOf('-- manifest: ');
    return { rows: whole.subarray(0, manifest), end: whole.subarray(manifest) };
  });
  for (const [one, other] of [
    [first, second],
    [second, first],
  ])
    await refused(
      gzipSync(Buffer.concat([one?.rows ?? text, other?.end ?? text])),
      'the manifest of another',
    );
});

test('a cell that cannot be read is not quoted', async () => {
  const long = text.toString('utf8').replace(/(?<=COPY run\.runs .*\n)[^\t]+/, 'x'.repeat(LENGTH_MAX));
  await refused(gzipSync(long), 'the id of a run');
});

test('after all of them the whole dump is restored into the same database, which has no row of any table', async () => {
  expect((await restore(packed)).tables.length).toBeGreaterThan(50);
});
