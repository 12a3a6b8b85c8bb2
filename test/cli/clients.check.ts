// db start, url and stop, and psql: other clients reach the embedded database as the analyst, at any time.
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { inSession } from '../../src/database/connection.ts';
import { isServerHeld, removeServer, stopServer } from '../../src/postgres/postgres.ts';
import { newFolder } from '../room.ts';
import { bare, tieout } from './tieout.ts';

const home = join(newFolder(), 'home');
const env = { TIEOUT_HOME: home };
afterAll(async () => {
  await stopServer(home);
  await removeServer(home);
});

/** A program named psql that prints what it was given. */
const fakePsql = (): string => {
  const folder = join(newFolder(), 'bin');
  mkdirSync(folder);
  const file = join(folder, 'psql');
  writeFileSync(
    file,
    '#!/bin/sh\nfor word in "$@"; do echo "[$word]"; done\necho "password $PGPASSWORD"\nenv | grep -c GATEWAY\nexit 3\n',
  );
  chmodSync(file, 0o755);
  return folder;
};

const whoIs = (url: string): Promise<string> =>
  inSession(
    url,
    'tieout test',
    async (session) => (await session.query('select session_user as name')).rows[0].name,
  );

test('between start and stop any client connects, and commands leave the server running', async () => {
  await tieout(['migrate'], env);
  const started = await tieout(['db', 'start'], env);
  expect([started.exitCode, started.stderr]).toEqual([0, '']);
  expect(started.stdout).toContain('Next:\n  npx tieout psql');
  const { stdout, stderr } = await tieout(['db', 'url'], env);
  expect(stderr).toBe('');
  expect(await whoIs(stdout.trim())).toMatch(/^tieout_analyst_/);
  await tieout(['views'], env);
  expect(await whoIs(stdout.trim())).toMatch(/^tieout_analyst_/);

  const connected = inSession(stdout.trim(), 'tieout test', async () => tieout(['db', 'stop'], env));
  expect(await connected).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('1 other session at'),
  });
  expect(isServerHeld(home)).toBe(true);

  expect((await tieout(['db', 'stop'], env)).stdout).toBe(`the embedded database of ${home} is stopped\n`);
  expect((await tieout(['db', 'stop', '--json'], env)).stdout).toContain('"was_running": false');
  await expect(whoIs(stdout.trim())).rejects.toThrow();
  const later = await tieout(['db', 'url'], env);
  expect(later.stderr).toContain('runs only while a command uses it: npx tieout db start');
});

test('psql gets the arguments as typed, and the password in its environment alone', async () => {
  const ended = await tieout(['psql', '-c', 'select 1', '--csv', '-v', 'a=1'], {
    ...env,
    PATH: `${fakePsql()}:${bare().PATH}`,
    GATEWAY_API_SECRET: 'hush',
  });
  expect(ended.exitCode).toBe(3);
  const lines = ended.stdout.split('\n');
  expect(lines.slice(0, 2)).toEqual(['[-d]', expect.stringMatching(/^\[postgresql:\/\/tieout_analyst_\w+@/)]);
  expect(lines.slice(2, 7)).toEqual(['[-c]', '[select 1]', '[--csv]', '[-v]', '[a=1]']);
  const password = /^password (.{20,})$/m.exec(ended.stdout)?.[1] ?? 'none';
  expect(lines.filter((line) => line.includes(password))).toHaveLength(1);
  expect(lines.at(-2)).toBe('0');
});

test('psql --json runs nothing, so arguments for psql are refused', async () => {
  const ended = await tieout(['psql', '--json', '-c', 'select 1'], env);
  expect([ended.exitCode, ended.stdout]).toEqual([64, '']);
  expect(ended.stderr).toContain('leave out --json, or the arguments for psql');
});

test('without psql one line names the package and the other way', async () => {
  const ended = await tieout(['psql'], { ...env, PATH: '/usr/sbin:/nowhere' });
  expect([ended.exitCode, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toMatch(
    /^tieout: psql is not installed: install the package .* npx tieout db url prints\n$/,
  );
});

test('a server of your own is not started or stopped', async () => {
  const ended = await tieout(['db', 'start'], { DATABASE_URL: 'postgresql://127.0.0.1:9/none' });
  expect([ended.exitCode, ended.stderr]).toEqual([
    64,
    'tieout: DATABASE_URL is set, and tieout does not start or stop that server\n',
  ]);
});
