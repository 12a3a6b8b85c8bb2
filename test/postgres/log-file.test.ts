// The server's log is rotated while the server has it open, and goes on at its new end.
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLog, rotateLog } from '../../src/postgres/log-file.ts';
import { newFolder } from '../room.ts';

const FULL = 10_000_001;

test('a full log becomes .1 while a server has it open for appending', async () => {
  const file = join(newFolder(), 'server.log');
  const server = openSync(file, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND);
  writeSync(server, `${'a'.repeat(FULL - 1)}\n`);
  await rotateLog(file);
  writeSync(server, 'after\n');
  closeSync(server);
  expect(statSync(`${file}.1`).size).toBe(FULL);
  expect(readFileSync(file, 'utf8')).toBe('after\n');
});

test('a log that several commands find full is moved once, also beside a copy that a killed one left', async () => {
  const file = join(newFolder(), 'server.log');
  writeFileSync(file, 'a'.repeat(FULL));
  await Promise.all([rotateLog(file), rotateLog(file), rotateLog(file)]);
  expect([statSync(file).size, statSync(`${file}.1`).size]).toEqual([0, FULL]);
  writeFileSync(file, 'b'.repeat(FULL));
  writeFileSync(`${file}.new`, 'of another');
  await rotateLog(file);
  expect([statSync(file).size, readFileSync(`${file}.new`, 'utf8')]).toEqual([FULL, 'of another']);
  utimesSync(`${file}.new`, 0, 0);
  for (let times = 0; times < 2; times += 1) await rotateLog(file);
  expect([statSync(file).size, readFileSync(`${file}.1`, 'utf8')[0]]).toEqual([0, 'b']);
  expect(existsSync(`${file}.new`)).toBe(false);
});

test('a log that is not full stays, and a full one that is a link is refused', async () => {
  const folder = newFolder();
  const [small, full, link] = ['small', 'full', 'link'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(small, 'a');
  await rotateLog(small);
  expect(readFileSync(small, 'utf8')).toBe('a');
  writeFileSync(full, 'a'.repeat(FULL));
  symlinkSync(full, link);
  await expect(rotateLog(link)).rejects.toThrow('ELOOP');
  await (await openLog(full)).close();
  expect([statSync(full).size, statSync(`${full}.1`).size]).toEqual([0, FULL]);
});
