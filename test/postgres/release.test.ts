// Leaving a server whose lock cannot be taken, as on a full disk: the failure is reported, and no session keeps the process alive.
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSession } from '../../src/database/connection.ts';
import { openServer } from '../../src/postgres/postgres.ts';
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
  await expect
    .poll(async () => (await watcher.query(OTHERS)).rows, { timeout: 10_000 })
    .toEqual([{ sessions: 0 }]);
  await watcher.end();
  await (await openServer(home)).release(); // the last one out stops it
});
