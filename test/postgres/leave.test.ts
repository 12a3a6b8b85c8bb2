// Leaving the embedded server: the last use of it, in whatever process, stops it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { openSession } from '../../src/database/connection.ts';
import { leave } from '../../src/postgres/leave.ts';
import type { Place } from '../../src/postgres/place.ts';
import { openServer, removeServer } from '../../src/postgres/postgres.ts';
import { QUICK } from '../database.ts';
import { newHome } from '../homes.ts';

const home = newHome();
const open = () => openServer(home, { settings: QUICK });
const isUp = () => existsSync(join(home, 'postgres/data/postmaster.pid'));
afterAll(async () => {
  await removeServer(home);
  rmSync(home, { recursive: true, force: true });
});

/** The id of a process that has ended. */
const endedProcess = async (): Promise<number | undefined> => {
  const child = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
  await once(child, 'exit');
  return child.pid;
};

test.each([
  ['this process', async () => `tieout verify pid ${process.pid}`],
  ['a process that is gone', async () => `tieout verify pid ${await endedProcess()}`],
  ['a process that left just now', async () => 'tieout leaving'],
])('a session that %s has ended, and that the server still lists, does not keep it up', async (_, name) => {
  const server = await open();
  expect(isUp()).toBe(true);
  const ended = await openSession(server.url, await name());
  const leaving = server.release();
  await pause(1_500); // as long as a busy machine may take
  await ended.end();
  await leaving;
  expect(isUp()).toBe(false);
});

/** A connection that has said who it wants to be, and has not shown yet that it is. */
const unnamed = async (url: string): Promise<Socket> => {
  const { hostname, port } = new URL(url);
  const socket = connect(join(decodeURIComponent(hostname), `.s.PGSQL.${port}`));
  const parameters = Buffer.from('user\0tieout\0database\0tieout\0\0');
  const head = Buffer.alloc(8);
  head.writeInt32BE(head.length + parameters.length);
  head.writeInt32BE(196_608, 4); // version 3.0 of the protocol
  socket.write(Buffer.concat([head, parameters]));
  await once(socket, 'data'); // the server asks for the password
  return socket;
};

test('a connection that was given up while it began does not keep the server up either', async () => {
  const server = await open();
  const begun = await unnamed(server.url);
  const leaving = server.release();
  await pause(500);
  begun.destroy();
  await leaving;
  expect(isUp()).toBe(false);
});

test('a process that leaves while others are here marks its session before it ends', async () => {
  const server = await open();
  const [stays, session] = [
    await openSession(server.url, 'tieout query pid 1'),
    await openSession(server.url, 'tieout query pid 1'),
  ];
  const LISTED = 'select application_name as name from pg_stat_activity';
  const names: string[] = [];
  const end = async () => {
    names.push(...(await stays.query(LISTED)).rows.map(({ name }) => name));
    await session.end();
  };
  await leave({ own: join(home, 'postgres') } as Place, Object.assign(Object.create(session), { end }));
  expect(names).toContain('tieout leaving');
  await stays.end();
  await server.release();
  expect(isUp()).toBe(false);
});

test('a second use of this process keeps the server up, and the first does not wait for its end', async () => {
  const [first, second] = [await open(), await open()];
  await first.release();
  expect(isUp()).toBe(true);
  await second.release();
  expect(isUp()).toBe(false);
});
