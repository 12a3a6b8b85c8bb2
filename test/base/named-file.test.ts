// Files that a person names: regular files of limited size, read by one function in every command.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { evidenceOf } from '../../src/approvals/evidence.ts';
import { readExternalLots } from '../../src/approvals/external-lots.ts';
import { ownRowsIn, readCsvFile } from '../../src/base/csv-file.ts';
import { FailedError, UsageError } from '../../src/base/errors.ts';
import { fileDigest, linesIn, packedStreamOf, readNamedFile, streamOf } from '../../src/base/named-file.ts';
import { openFolder } from '../../src/export/reports/folder.ts';
import { readOfficial } from '../../src/land/official.ts';
import { verifyFolder } from '../../src/verify/report/report.ts';
import { newFolder } from '../room.ts';

const folder = newFolder();
const pipe = join(folder, 'pipe');
if (process.platform !== 'win32') execFileSync('mkfifo', [pipe]);
const large = join(folder, 'large.csv');
writeFileSync(large, '');
truncateSync(large, 10_000_000_000);

const READERS: [string, (path: string) => unknown][] = [
  ['a CSV of entities, counterparties or openings', (path) => readCsvFile(path, ['a'])],
  ['lots', readExternalLots],
  ['rates', readOfficial],
  ['evidence', evidenceOf],
];

test.skipIf(process.platform === 'win32').each(READERS)(
  '%s is read only from a regular file',
  (_what, read) => {
    expect(() => read(pipe)).toThrow(
      new UsageError(`${pipe}: is a pipe, not a plain file: write it to a file first`),
    );
    expect(() => read(folder)).toThrow(`${folder}: is a folder, not a plain file`);
    expect(() => read('/dev/zero')).toThrow('/dev/zero: is a device, not a plain file');
    expect(() => read(large)).toThrow(/large\.csv: is larger than \d+ MB: split it, or name another file/);
    expect(() => read(join(folder, 'none'))).toThrow('cannot be read (ENOENT): check its path');
  },
);

test('a file may be exactly as large as its limit', () => {
  const file = join(folder, 'exact');
  writeFileSync(file, '12345');
  expect(readNamedFile(file, { bytesMax: 5 })).toEqual({ bytes: Buffer.from('12345') });
  expect(readNamedFile(file, { bytesMax: 4 })).toMatchObject({
    refusal: expect.stringContaining('is larger than'),
  });
});

test.skipIf(process.platform === 'win32')('a folder to verify may hold only regular files', async () => {
  const dir = join(folder, 'piped');
  mkdirSync(dir);
  execFileSync('mkfifo', [join(dir, 'manifest.json')]);
  await expect(verifyFolder(dir)).rejects.toThrow(/manifest\.json is a pipe, not a plain file/);
  await expect(openFolder(dir)).rejects.toThrow(/contains files that no export wrote/);
  const linked = join(folder, 'linked');
  mkdirSync(linked);
  symlinkSync('/etc/passwd', join(linked, 'manifest.json'));
  await expect(verifyFolder(linked)).rejects.toThrow(/manifest\.json is a link, not a plain file/);
  await expect(streamOf(join(dir, 'manifest.json'))).rejects.toThrow(/is a pipe/);
  await expect(streamOf(join(linked, 'manifest.json'))).rejects.toThrow(/is a link/);
});

/** A plain file whose first page no process can read: the system answers EIO, as for a bad block of a disk. */
const UNREADABLE = '/proc/self/mem';

const STREAMS: [string, (path: string) => Promise<unknown>][] = [
  ['a digest', fileDigest],
  ['the rows of a report', async (path) => ownRowsIn(path).next()],
  ['the lines of a journal', async (path) => linesIn(path).next()],
  ['a dump', packedStreamOf],
];

test.skipIf(process.platform !== 'linux').each(STREAMS)(
  'a disk that does not give a file ends %s with its name',
  async (_what, read) => {
    await expect(read(UNREADABLE)).rejects.toEqual(
      new FailedError(
        `${UNREADABLE} cannot be read to its end (EIO): check its disk, and run the command again`,
      ),
    );
  },
);
