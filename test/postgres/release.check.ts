// Leaving a server whose lock cannot be taken, as on a full disk: the failure is reported, no session keeps the process alive, and
// the server stops.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { openSession } from '../../src/database/connection.ts';
import { openServer, removeServer } from '../../src/postgres/postgres.ts';
import { end, HOLDER, newHome } from '../homes.ts';
import { newFolder } from '../room.ts';

const OTHERS =
  "select count(*)::int as sessions from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()";

test('a release that fails ends its session', async () => {
  const home = newFolder();
  const server = await openServer(home);
  const watcher = await openSession(server.url);
  const [folder, aside] = [join(home, 'postgres'), join(home, 'aside')];
  await rename(folder, aside);
  await expect(server.release()).rejects.toThrow('lock cannot be written');
  await rename(aside, folder);
  await expect.poll(async () => (await watcher.query(OTHERS)).rows).toEqual([{ sessions: 0 }]);
  await watcher.end();
  await (await openServer(home)).release(); // the last one out stops it
});

test.skipIf(process.platform !== 'linux')(
  'the last one out stops the server on a disk without room',
  async () => {
    const home = newHome();
    onTestFinished(() => removeServer(home));
    const child = spawn(process.execPath, [HOLDER, home], { stdio: ['pipe', 'pipe', 'ignore'] });
    for await (const _ of createInterface({ input: child.stdout })) break; // its URL: the server runs
    const [pidFile, lock] = ['data/postmaster.pid', 'lock'].map((name) => join(home, 'postgres', name));
    expect(existsSync(`${pidFile}`)).toBe(true);
    execFileSync('prlimit', ['--pid', String(child.pid), '--fsize=0']); // of the child alone: it can write no byte of the lock
    await end(child);
    expect([child.exitCode, existsSync(`${pidFile}`), existsSync(`${lock}`)]).toEqual([1, false, false]);
  },
);
