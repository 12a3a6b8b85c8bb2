// The text of a dump: its digest covers the header and the manifest, and nothing may follow the digest.
import { expect, test } from 'vitest';
import {
  COPY_END,
  copyLine,
  digestLine,
  dumpReader,
  headerLine,
  manifestLine,
  readHeader,
  readNext,
} from '../../src/backup/dump-text.ts';

const header = headerLine({
  tieout: '0.1.0',
  books_id: '11111111-1111-4111-8111-111111111111',
  versions: ['20261121090000'],
  server: '18.4',
});
const manifest = manifestLine({
  tables: [{ table: 'run.hints', rows: '1', sha256: 'ab' }],
  sequences: [{ name: 'run.runs_run_number_seq', last_value: '7' }],
});
const whole = `${header}${copyLine('run.hints', ['entity_id'])}main\n${COPY_END}${manifest}${digestLine(header, manifest)}`;

/** Reads a dump to its end, in pieces of `size` characters. */
const readAll = async (text: string, size = 7) => {
  const pieces = (text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []).map((piece) => Buffer.from(piece));
  const reader = dumpReader(
    (async function* () {
      yield* pieces;
    })(),
  );
  await readHeader(reader);
  for (;;) {
    const next = await readNext(reader);
    if ('manifest' in next) return next.manifest;
    for await (const _ of reader.rows()); // only what follows counts
  }
};

test.each([1, 7, 10_000])('a whole dump in pieces of %i characters', async (size) => {
  expect((await readAll(whole, size)).sequences).toEqual([
    { name: 'run.runs_run_number_seq', last_value: '7' },
  ]);
});

test.each<[string, string, RegExp]>([
  [
    'the id of other books',
    whole.replace('11111111-', '21111111-'),
    /its header or its manifest was altered/,
  ],
  ['no table', whole.replace(/"tables":\[.*?\]/, '"tables":[]'), /its header or its manifest was altered/],
  [
    'another sequence',
    whole.replace('"last_value":"7"', '"last_value":"1"'),
    /its header or its manifest was altered/,
  ],
  ['an end inside a line between two tables', `${header}COPY run.hi`, /it ends without its manifest/],
  ['text after the end', `${whole}select 1;\n`, /there is text after its end/],
  ['an empty line after the end', `${whole}\n`, /there is text after its end/],
  ['a byte after the end', `${whole}x`, /there is text after its end/],
  ['two dumps', `${whole}${whole}`, /there is text after its end/],
  ['no digest', whole.slice(0, whole.indexOf('-- digest')), /it ends without its digest/],
  ['no end of the last line', whole.slice(0, -1), /its header or its manifest was altered/],
  ['half a digest', whole.slice(0, -9), /its header or its manifest was altered/],
  ['no manifest', whole.slice(0, whole.indexOf('-- manifest')), /it ends without its manifest/],
  [
    'another form',
    whole.replace('tieout dump 1', 'tieout dump 2'),
    /^the dump has the form "tieout dump 2", and this tieout reads "tieout dump 1" only: restore it with the tieout that made it/,
  ],
])('refused: %s', async (_, text, message) => {
  await expect(readAll(text)).rejects.toThrow(message);
});
