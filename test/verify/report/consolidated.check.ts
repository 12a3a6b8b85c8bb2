// verify report of a folder that consolidate wrote: it is proved from its files alone.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { canonical, sha256 } from '../../../src/base/json.ts';
import { consolidate } from '../../../src/export/export.ts';
import { verifyFolder } from '../../../src/verify/report/report.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { makeWorld } from '../../export/world.ts';
import { newFolder } from '../../room.ts';

let books: TestDatabase;
let dir: string;
beforeAll(async () => {
  books = await freshDatabase();
  await makeWorld(books);
  dir = (await consolidate([books.url], join(newFolder(), 'group'))).dir ?? '';
});
afterAll(() => books.close());

test('passes as it was written, and names what it was not compared with', async () => {
  const { manifest, alone, proofs } = await verifyFolder(dir);
  expect(proofs.filter(({ first, checked }) => first !== null || checked === '0')).toEqual([]);
  expect(proofs.map(({ proof }) => proof)).toEqual([
    'the manifest is one of ours',
    'its files are here, and no others',
    'each has its SHA-256',
    'each has its rows and columns',
    'figures add up along rows and down accounts',
  ]);
  expect(manifest).toBe(null);
  expect(alone).toBe(
    'it has the consolidated figures of 1 database; run npx tieout consolidate again to compare them',
  );
});

test('a changed figure is found, also with its digest in the manifest', async () => {
  const [file, path] = [join(dir, 'consolidated.csv'), join(dir, 'manifest.json')];
  const [header = '', first = '', ...rest] = readFileSync(file, 'utf8').split('\n');
  const cells = first.split(',');
  cells[header.split(',').indexOf('booked')] = '123456789';
  writeFileSync(file, [header, cells.join(','), ...rest].join('\n'));
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const faults = async () => (await verifyFolder(dir)).proofs.flatMap((proof) => proof.first ?? []);
  expect(await faults()).toHaveLength(2);
  manifest.files[0].sha256 = sha256(readFileSync(file));
  writeFileSync(path, `${JSON.stringify(JSON.parse(canonical(manifest)), null, 2)}\n`);
  expect(await faults()).toEqual([expect.stringMatching(/^consolidated.csv, row 1, difference: /)]);
});
