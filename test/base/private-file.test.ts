// Private files: whole or not at all, and never in place of somebody's file.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { createPrivate, readPrivate } from '../../src/base/private-file.ts';
import { packageRoot } from '../../src/base/root.ts';
import { newFolder } from '../room.ts';

test('a new file is whole, for its owner alone; another one of that name stays', async () => {
  const folder = newFolder();
  const file = join(folder, 'seals.json');
  await createPrivate(file, 'new');
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['new', 0o600]);
  writeFileSync(file, 'theirs');
  await expect(createPrivate(file, 'ours')).rejects.toMatchObject({ code: 'EEXIST' });
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['theirs', ['seals.json']]);
});

test('a file that cannot be used is refused in words that follow its name', () => {
  const file = join(newFolder(), 'server.json');
  expect(readPrivate(file)).toBeNull();
  writeFileSync(file, '{"password": ', { mode: 0o600 });
  expect(() => readPrivate(file)).toThrow(/^is not valid JSON \(.+\): restore it from a backup$/);
});

test.skipIf(process.platform === 'win32')(
  'a disk that refuses the rest leaves no half of a file',
  async () => {
    const folder = newFolder();
    const built = join(packageRoot, 'dist/src/base/private-file.js');
    const script = `import('${built}').then(({ createPrivate }) =>
    createPrivate('${join(folder, 'seals.json')}', 'x'.repeat(10_000)).catch(({ code }) => console.log(code)))`;
    const { stdout } = await execa('bash', [
      '-c',
      'ulimit -f 4; exec "$0" -e "$1"',
      process.execPath,
      script,
    ]);
    expect([stdout, readdirSync(folder)]).toEqual(['EFBIG', []]);
  },
);
