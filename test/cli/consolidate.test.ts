// consolidate: its folder is looked at before its databases.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../room.ts';
import { typed } from './played.ts';
import { complaint } from './tieout.ts';

const NOWHERE = 'postgresql://a:b@127.0.0.1:9/c';

test('a folder that cannot be written is refused before a database is opened', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'theirs'));
  writeFileSync(join(folder, 'theirs', 'notes.txt'), '');
  const ended = await typed(['consolidate', NOWHERE, '--out', join(folder, 'theirs')]);
  expect([ended.exitCode, complaint(ended).join()]).toEqual([
    64,
    expect.stringContaining('contains files that no export wrote (notes.txt)'),
  ]);
});

test('a database that cannot be reached leaves nothing in or beside the folder', async () => {
  const folder = newFolder();
  const ended = await typed(['consolidate', NOWHERE, '--out', join(folder, 'group')]);
  expect([ended.exitCode, complaint(ended).join()]).toEqual([
    2,
    expect.stringContaining('cannot be reached'),
  ]);
  expect(readdirSync(folder)).toEqual([]);
});
