// A server that ends while it is in use: the error names its reason, and a full disk is named as such.
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { openSession } from '../../src/database/connection.ts';
import { openServer, removeServer, type Server } from '../../src/postgres/postgres.ts';
import { QUICK } from '../database.ts';
import { newHome } from '../homes.ts';

let home: string;
let server: Server;
beforeEach(async () => {
  home = newHome();
  server = await openServer(home, { settings: QUICK });
});
afterEach(async () => {
  await server.release();
  await removeServer(home);
  rmSync(home, { recursive: true, force: true });
});

const lost = new Error('Connection terminated unexpectedly');
const logFile = () => join(home, 'postgres', 'server.log');

test('a signal that ended a process of the server, and with it every session', async () => {
  expect(await server.explained(lost)).toBe(lost);
  const session = await openSession(server.url);
  const { rows } = await session.query('select pg_backend_pid() as pid');
  process.kill(rows[0].pid, 'SIGKILL');
  await expect(session.query('select 1')).rejects.toThrow(/Connection terminated|ECONNRESET|EPIPE/);
  await expect.poll(() => readFileSync(logFile(), 'utf8')).toContain('terminated by signal 9');
  expect(await server.explained(lost)).toMatchObject({
    message: expect.stringMatching(
      /^the embedded server in .+ ended \(.+ terminated by signal 9: Killed\): run again; see .+server\.log$/,
    ),
    exitCode: 2,
    cause: lost,
  });
  const mistake = new UsageError('a mistake');
  expect(await server.explained(mistake)).toBe(mistake);
});

test.each(['No space left on device', 'Disk quota exceeded', 'File too large'])('%s', async (words) => {
  appendFileSync(
    logFile(),
    `2026-11-03 02:30:00.000 UTC [7] PANIC:  could not write to file "pg_wal/xlogtemp.7": ${words}\n` +
      '2026-11-03 02:30:00.100 UTC [1] LOG:  server process (PID 7) was terminated by signal 6: Aborted\n',
  );
  expect(await server.explained(lost)).toMatchObject({
    message: expect.stringMatching(
      new RegExp(
        `ended \\(could not write to file "pg_wal/xlogtemp.7": ${words}\\): free space on the disk of .+/postgres, and run again; see`,
      ),
    ),
  });
});
