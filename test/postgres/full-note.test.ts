// Entering a server that runs, on a disk without room for server.json: nothing is written that is there already, and a refusal is in
// words and leaves no session behind, which would keep the process alive.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { openSession } from '../../src/database/connection.ts';
import { openServer } from '../../src/postgres/postgres.ts';
import { newFolder } from '../room.ts';

const disk = vi.hoisted(() => ({ isFull: false }));
vi.mock(import('../../src/base/private-file.ts'), async (original) => {
  const file = await original();
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  return {
    ...file,
    writePrivate: (...written) => (disk.isFull ? Promise.reject(full) : file.writePrivate(...written)),
  };
});

const SESSIONS =
  "select count(*)::int as sessions from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";

test('a running server is entered without a write, or refused without a session', async () => {
  const home = newFolder();
  const server = await openServer(home);
  const watcher = await openSession(server.url);
  disk.isFull = true;
  await (await openServer(home)).release();
  const note = join(home, 'postgres', 'server.json');
  const text = readFileSync(note, 'utf8');
  writeFileSync(note, text.replace('"dataDir"', '"other": 1, "dataDir"'));
  await expect(openServer(home)).rejects.toThrow(`${note} cannot be written: the disk is full (ENOSPC)`);
  await expect.poll(async () => (await watcher.query(SESSIONS)).rows).toEqual([{ sessions: 1 }]);
  disk.isFull = false;
  await watcher.end();
  await server.release();
});
