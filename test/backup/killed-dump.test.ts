// A dump after one that was killed.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { dumpFile } from '../../src/backup/backup.ts';
import { freshDatabase } from '../database.ts';
import { newFolder } from '../room.ts';

test('what a killed dump left is removed, also by a process with its id, as in a container', async () => {
  const database = await freshDatabase();
  onTestFinished(() => database.close());
  const folder = newFolder();
  for (const name of ['', '-0badcafe'])
    writeFileSync(join(folder, `.books.gz.partial-${process.pid}${name}`), '');
  writeFileSync(join(folder, `.books.gz.partial-${2 ** 22 + 1}-0badcafe`), '');
  await dumpFile(database.url, join(folder, 'books.gz'), {});
  expect(readdirSync(folder).sort()).toEqual([`.books.gz.partial-${process.pid}`, 'books.gz']);
});
