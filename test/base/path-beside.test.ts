// What a killed process left beside a file or folder goes; what a living one is writing stays.
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { PLACE, pathBeside, sweepBeside } from '../../src/base/path-beside.ts';
import { HOUR_MS } from '../../src/base/time.ts';
import { newFolder } from '../room.ts';

const DEAD = 2 ** 22 + 1; // above the maximum of Linux

test('a dead process and an earlier one with our id have left it; we and others are writing it', async () => {
  const folder = newFolder();
  const target = join(folder, 'books.gz');
  const left = [
    `.books.gz.partial-${PLACE}-${DEAD}-0badcafe`,
    `.books.gz.partial-${PLACE}-${process.pid}-0badcafe`,
  ];
  for (const name of left) mkdirSync(join(folder, name, 'deep'), { recursive: true });
  const writing = [
    basename(pathBeside(target, 'partial')),
    `.books.gz.partial-${PLACE}-${process.ppid}-0badcafe`,
  ];
  const others = [
    `.books.gz.old-${PLACE}-${DEAD}-0badcafe`,
    `.books.gz.partial-${PLACE}-${DEAD}`,
    '.books.gz.partial',
    'books.gz',
  ];
  for (const name of [...writing, ...others]) writeFileSync(join(folder, name), '');
  await sweepBeside(target, ['partial']);
  expect(readdirSync(folder).sort()).toEqual([...writing, ...others].sort());
});

test('what a process of another host or container is writing stays until nothing has changed for a day', async () => {
  const folder = newFolder();
  const elsewhere = PLACE === '0badcafe' ? '0badf00d' : '0badcafe';
  const [writing, abandoned] = [
    `.out.partial-${elsewhere}-${DEAD}-00000001`,
    `.out.old-${elsewhere}-1-00000002`,
  ];
  for (const name of [writing, abandoned]) mkdirSync(join(folder, name));
  const yesterday = new Date(Date.now() - 25 * HOUR_MS);
  utimesSync(join(folder, abandoned), yesterday, yesterday);
  await sweepBeside(join(folder, 'out'));
  expect(readdirSync(folder)).toEqual([writing]);
});

test('a folder that is not there has nothing to remove', async () => {
  await expect(sweepBeside(join(newFolder(), 'none/books.gz'))).resolves.toBeUndefined();
});
