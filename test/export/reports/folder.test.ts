// The folder of an export: replaced as a whole or not at all, and files that are not ours are never lost.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PLACE } from '../../../src/base/path-beside.ts';
import { onDisk } from '../../../src/export/reports/disk.ts';
import {
  dropFolder,
  type Folder,
  openFolder,
  placeFolder,
  removeFolder,
  writeFileIn,
} from '../../../src/export/reports/folder.ts';
import { newFolder } from '../../room.ts';
import { filesIn } from '../world.ts';

const manifest = (...names: string[]) =>
  JSON.stringify({ program: { name: 'tieout' }, files: names.map((name) => ({ name })) });
const writeExport = async (outDir: string, text: string): Promise<Folder> => {
  const folder = await openFolder(outDir);
  await writeFileIn(folder, 'a.csv', (write) => write(text));
  await writeFileIn(folder, 'manifest.json', (write) => write(manifest('a.csv')));
  return folder;
};
const refusal = (exitCode: number, ...parts: string[]) =>
  expect.objectContaining({ exitCode, message: expect.stringMatching(new RegExp(parts.join('.*'), 's')) });

test('a new folder is created with its parents, and nothing beside it', async () => {
  const out = join(newFolder(), 'deep/2026-10');
  const folder = await writeExport(out, 'x');
  expect(readdirSync(dirname(out))).toEqual([basename(folder.partial)]);
  await placeFolder(folder);
  expect(filesIn(out)).toEqual({ 'a.csv': 'x', 'manifest.json': manifest('a.csv') });
  expect(readdirSync(dirname(out))).toEqual(['2026-10']);
});

test('an earlier export stays until the new one is complete, and is then replaced, also while somebody has it open', async () => {
  const out = join(newFolder(), '2026-10');
  await placeFolder(await writeExport(out, 'old'));
  for (const litter of ['.DS_Store', '.~lock.a.csv#', '~$books.xlsx']) writeFileSync(join(out, litter), '');
  const folder = await writeExport(out, 'new');
  expect(filesIn(out)['a.csv']).toBe('old');
  await placeFolder(folder);
  expect(filesIn(out)).toEqual({ 'a.csv': 'new', 'manifest.json': manifest('a.csv') });
  expect(readdirSync(dirname(out))).toEqual(['2026-10']);
});

test('an export that fails leaves the earlier one and nothing else', async () => {
  const out = join(newFolder(), '2026-10');
  await placeFolder(await writeExport(out, 'old'));
  await dropFolder(await writeExport(out, 'new'));
  expect(filesIn(out)['a.csv']).toBe('old');
  expect(readdirSync(dirname(out))).toEqual(['2026-10']);
});

test('an export whose manifest an editor has saved with a byte order mark is replaced', async () => {
  const out = newFolder();
  writeFileSync(join(out, 'a.csv'), 'old');
  writeFileSync(join(out, 'manifest.json'), `\ufeff${manifest('a.csv')}`);
  await placeFolder(await writeExport(out, 'new'));
  expect(filesIn(out)['a.csv']).toBe('new');
});

test('an empty folder is used, and a link is followed', async () => {
  const real = newFolder();
  const link = join(newFolder(), 'link');
  symlinkSync(real, link);
  await placeFolder(await writeExport(link, 'x'));
  expect(filesIn(real)['a.csv']).toBe('x');
  expect(filesIn(link)['a.csv']).toBe('x');
});

test.each([
  ['files without a manifest', { 'thesis.doc': 'x' }, 'thesis.doc'],
  ['a manifest of something else', { 'manifest.json': '{"name":"an app"}' }, 'manifest.json'],
  ['a manifest that is not JSON', { 'manifest.json': '' }, 'manifest.json'],
  [
    'a manifest with files of no name',
    { 'manifest.json': '{"program":{"name":"tieout"},"files":[null,5,{"name":7}]}', 'b.csv': 'x' },
    'b.csv',
  ],
  ['an export and a note', { 'a.csv': '', 'manifest.json': manifest('a.csv'), 'note.txt': '' }, 'note.txt'],
])('%s: refused, untouched', async (_what, files, listed) => {
  const out = newFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(out, name), text as string);
  await expect(openFolder(out)).rejects.toThrow(refusal(64, out, listed, 'choose another folder'));
  expect(filesIn(out)).toEqual(files);
});

test('a folder that somebody has open is removed, and one with a file of theirs is not', async () => {
  const out = join(newFolder(), '2026-10');
  await placeFolder(await writeExport(out, 'old'));
  for (const name of ['.~lock.a.csv#', 'lock.a.csv#']) writeFileSync(join(out, name), '');
  expect([await removeFolder(out), existsSync(join(out, 'a.csv'))]).toEqual([false, true]);
  rmSync(join(out, 'lock.a.csv#'));
  expect([await removeFolder(out), readdirSync(dirname(out))]).toEqual([true, []]);
});

test('a link in the place of a folder is not removed', async () => {
  const [moved, link] = [join(newFolder(), 'moved'), join(newFolder(), '2026-10')];
  await placeFolder(await writeExport(moved, 'old'));
  symlinkSync(moved, link);
  expect([await removeFolder(link), readlinkSync(link)]).toEqual([false, moved]);
});

test('a file saved into the folder while the export runs is not lost', async () => {
  const out = newFolder();
  const folder = await writeExport(out, 'x');
  writeFileSync(join(out, 'note.txt'), 'mine');
  await expect(placeFolder(folder)).rejects.toThrow(refusal(64, 'note.txt'));
  expect(filesIn(out)).toEqual({ 'note.txt': 'mine' });
});

test('files that somebody clears while the export runs are missed, and the earlier export stays', async () => {
  const out = join(newFolder(), '2026-10');
  await placeFolder(await writeExport(out, 'old'));
  const folder = await writeExport(out, 'new');
  rmSync(join(folder.partial, 'a.csv'));
  await expect(placeFolder(folder)).rejects.toThrow(refusal(2, out, 'a.csv was removed', 'run again'));
  expect(filesIn(out)['a.csv']).toBe('old');
});

test('a name that can be no folder is a mistake, in one line with what, where and what to do, and stays as it is', async () => {
  const parent = newFolder();
  const file = join(parent, 'file');
  const nowhere = join(parent, 'nowhere');
  const circle = join(parent, 'circle');
  writeFileSync(file, 'mine');
  symlinkSync('unmounted', nowhere);
  symlinkSync('circle', circle);
  const reasons = {
    [file]: '(a file|is not a folder)',
    [nowhere]: 'leads nowhere',
    [circle]: 'lead in a circle',
  };
  for (const [path, why] of Object.entries(reasons))
    for (const out of [path, `${path}/`, join(path, '2026-10'), join(path, 'a', 'b')]) {
      const error = await openFolder(out).catch((e) => e);
      expect(error, out).toEqual(refusal(64, path, why, 'choose another'));
      expect(error.message).not.toContain('\n');
    }
  expect(readdirSync(parent).sort()).toEqual(['circle', 'file', 'nowhere']);
  expect([readlinkSync(nowhere), readFileSync(file, 'utf8')]).toEqual(['unmounted', 'mine']);
});

test('what a killed one was writing is removed first: a full disk may have no other room', async () => {
  const parent = newFolder();
  const out = join(parent, '2026-10');
  mkdirSync(join(parent, `.2026-10.partial-${PLACE}-${2 ** 22 + 1}-0badcafe`));
  const { partial } = await openFolder(out);
  expect(readdirSync(parent)).toEqual([basename(partial)]);
});

test('the next export removes what a killed one left beside its target; files that are not ours stay', async () => {
  const parent = mkdtempSync(join(newFolder(), 'x-'));
  const deadPid = 2 ** 22 + 1; // above the maximum of Linux
  const others = [
    `.2026-10.partial-${PLACE}-1-00000000`,
    '.2026-10.old',
    `.2026-11.old-${PLACE}-1-00000000`,
    '2026-09',
  ];
  for (const name of [
    `.2026-10.partial-${PLACE}-${deadPid}-0badcafe`,
    `.2026-10.old-${PLACE}-${deadPid}-0badcafe`,
    `.2026-10.partial-${PLACE}-${process.pid}-0badcafe`,
    ...others,
  ]) {
    mkdirSync(join(parent, name));
  }
  await placeFolder(await writeExport(join(parent, '2026-10'), 'x'));
  expect(readdirSync(parent).sort()).toEqual([...others, '2026-10'].sort());
});

test.each([
  ['ENOSPC', 'the disk is full; make room for it or choose another folder, and run again'],
  ['EROFS', 'the disk is read-only; put that right or choose another folder, and run again'],
])('an export that the disk refuses (%s) says what to do about it', async (code, advice) => {
  const refused = onDisk('out', () =>
    Promise.reject(Object.assign(new Error(code), { code, syscall: 'write' })),
  );
  await expect(refused).rejects.toThrow(refusal(2, advice));
});
