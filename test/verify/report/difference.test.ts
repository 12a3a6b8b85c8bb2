// Where two files diverge is shown, however long their lines and in whichever encoding.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cp1252Bytes } from '../../../src/base/cp1252.ts';
import type { Manifest } from '../../../src/export/reports/manifest.ts';
import { differencesOf } from '../../../src/verify/report/difference.ts';
import { newFolder } from '../../room.ts';

type Content = string | Buffer;

/** The difference of two folders that hold one file each; one without columns is a package's. */
const differenceOf = async (name: string, ours: Content, theirs: Content, columns?: readonly string[]) => {
  const [expected, found] = [join(newFolder(), 'ours'), join(newFolder(), 'theirs')];
  for (const [dir, text] of [[expected, ours] as const, [found, theirs] as const]) {
    mkdirSync(dir);
    writeFileSync(join(dir, name), text);
  }
  const files = [{ name, sha256: '', rows: 1, columns }];
  const manifest = { profile: 'machine', files, ...(columns ? {} : { batch: {} }) };
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
  expect(await differenceOf('rejects.csv', lines('reason', ours), lines('reason', theirs), columns)).toEqual([
    `rejects.csv, line 2, column reason: ${sentence}`,
  ]);
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
