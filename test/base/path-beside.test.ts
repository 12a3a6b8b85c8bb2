// What a killed process left beside a file or folder goes; what a living one is writing stays.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { pathBeside, sweepBeside } from '../../src/base/path-beside.ts';
import { newFolder } from '../room.ts';

const DEAD = 2 ** 22 + 1; // above the maximum of Linux

test('a dead process and an earlier one with our id have left it; we and others are writing it', async () => {
  const folder = newFolder();
  const target = join(folder, 'books.gz');
  const left = [`.books.gz.partial-${DEAD}-0badcafe`, `.books.gz.partial-${process.pid}-0badcafe`];
  for (const name of left) mkdirSync(join(folder, name, 'deep'), { recursive: true });
  const writing = [basename(pathBeside(target, 'partial')), `.books.gz.partial-${process.ppid}-0badcafe`];
  const others = [
    `.books.gz.old-${DEAD}-0badcafe`,
    `.books.gz.partial-${DEAD}`,
    '.books.gz.partial',
    'books.gz',
  ];
  for (const name of [...writing, ...others]) writeFileSync(join(folder, name), '');
  await sweepBeside(target, ['partial']);
  expect(readdirSync(folder).sort()).toEqual([...writing, ...others].sort());
});

test('a folder that is not there has nothing to remove', async () => {
  await expect(sweepBeside(join(newFolder(), 'none/books.gz'))).resolves.toBeUndefined();
});
