// A dump after one that was killed, and one whose folder goes.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { dumpFile } from '../../src/backup/backup.ts';
import { PLACE } from '../../src/base/path-beside.ts';
import { freshDatabase } from '../database.ts';
import { newFolder } from '../room.ts';

test('what a killed dump left is removed, also by a process with its id, as in a container', async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.close());
  const folder = newFolder();
  const ours = `.books.gz.partial-${PLACE}-${process.pid}`;
  for (const name of [ours, `${ours}-0badcafe`, `.books.gz.partial-${PLACE}-${2 ** 22 + 1}-0badcafe`])
    writeFileSync(join(folder, name), '');
  await dumpFile(database.url, join(folder, 'books.gz'), {});
  expect(readdirSync(folder).sort()).toEqual([ours, 'books.gz']);
});

test('a folder that is removed while the dump is written is named, and is no fault of the program', async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.close());
  const folder = newFolder();
  const file = join(folder, 'books.gz');
  const dumped = dumpFile(database.url, file, {}).catch((error: unknown) => error);
  while (readdirSync(folder).length === 0) await pause(1);
  rmSync(folder, { recursive: true });
  expect(await dumped).toMatchObject({
    exitCode: 2,
    message: `${file} cannot be written: the folder does not exist; put that right, or name another file`,
  });
});

test.skipIf(!existsSync('/sys/kernel'))(
  'a disk that refuses ends with 2, a name in no folder with 64',
  async () => {
    const dumped = (file: string) => dumpFile('postgres://unused', file, {}).catch((error: unknown) => error);
    expect(await dumped('/sys/books.gz')).toMatchObject({
      exitCode: 2,
      message: '/sys/books.gz cannot be written: no permission; put that right, or name another file',
    });
    const nowhere = join(newFolder(), 'none', 'books.gz');
    expect(await dumped(nowhere)).toMatchObject({
      exitCode: 64,
      message: `${nowhere} cannot be written (ENOENT, the folder does not exist): name another file`,
    });
  },
);
