// Ownership of folders: one that other users may change is refused, through any path, and a file alone never justifies a
// removal.
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import { makePrivateFolder, refuseShared } from '../../src/base/ownership.ts';
import { packageRoot } from '../../src/base/root.ts';
import { readConfig } from '../../src/config/environment.ts';
import { inSession } from '../../src/database/connection.ts';
import { openFolder, placeFolder, writeFileIn } from '../../src/export/reports/folder.ts';
import { openServer, removeServer } from '../../src/postgres/postgres.ts';
import { withOwner } from '../../src/run/entry.ts';
import { QUICK } from '../database.ts';
import { end, HOLDER } from '../homes.ts';
import { folder, newFolder, withFolder } from '../own-folder.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

withFolder();
const refusal = (path: string): string => {
  try {
    refuseShared(path, 'TIEOUT_HOME');
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
};

describe('a folder', () => {
  test('of our own is used; one that others may write in is refused, with its mode and what to type', () => {
    expect(refusal(newFolder('mine', 0o755))).toBe('');
    const shared = newFolder('shared', 0o777);
    expect(refusal(shared)).toMatch(
      /^TIEOUT_HOME cannot be .*shared: others may write in .*shared \(owner \S+( \d+)?, mode 0777\): type: chmod go-w .*shared$/,
    );
    expect(refusal(join(shared, 'books'))).toContain('mode 0777');
    expect(refusal(newFolder('of both', 0o777))).toMatch(/type: chmod go-w '.*of both'$/);
    expect(existsSync(join(shared, 'books'))).toBe(false);
  });

  test('behind a link that leads nowhere, or in a circle, is refused', () => {
    const parent = newFolder('links', 0o700);
    symlinkSync('unmounted', join(parent, 'nowhere'));
    symlinkSync('circle', join(parent, 'circle'));
    for (const below of ['', '/books', '/a/b']) {
      expect(refusal(`${join(parent, 'nowhere')}${below}`)).toMatch(
        /leads nowhere: mount its disk, or choose/,
      );
      expect(refusal(`${join(parent, 'circle')}${below}`)).toMatch(/lead in a circle: choose another path$/);
    }
  });

  test('in a sticky one is used, the sticky one itself is not', () => {
    const sticky = newFolder('sticky', 0o1777);
    expect(refusal(join(sticky, 'books'))).toBe('');
    expect(refusal(sticky)).toMatch(/mode 1777\): use a folder of your own in it$/);
  });

  test.skipIf(!isRoot)('of another user, or inside one of theirs, is refused as root', () => {
    const theirs = newFolder('theirs', 0o755, NOBODY);
    expect(refusal(theirs)).toMatch(
      /theirs \(owner uid 65534, mode 0755\) belongs to another user.*run tieout as that user/,
    );
    expect(refusal(join(theirs, 'books'))).toContain('belongs to another user');
  });

  test.skipIf(!isRoot)('that we may not enter is refused in words', () => {
    const closed = newFolder('closed', 0o700);
    chmodSync(folder, 0o711);
    process.seteuid?.(NOBODY);
    try {
      expect(refusal(join(closed, 'demo'))).toMatch(
        /closed \(owner root, mode 0700\) cannot be entered by this user: run tieout as the user who made it/,
      );
    } finally {
      process.seteuid?.(0);
    }
  });

  test.skipIf(!isRoot)(
    'that a link of another user leads to is refused, one that ours leads to is not',
    () => {
      const mine = newFolder('mine', 0o700);
      const sticky = newFolder('sticky', 0o1777);
      symlinkSync(mine, join(sticky, 'ours'));
      symlinkSync(mine, join(sticky, 'theirs'));
      execFileSync('chown', ['-h', `${NOBODY}`, join(sticky, 'theirs')]);
      expect(refusal(join(sticky, 'ours'))).toBe('');
      expect(refusal(join(sticky, 'theirs'))).toContain('belongs to another user');
      symlinkSync(newFolder('open', 0o777), join(folder, 'to-open'));
      expect(refusal(join(folder, 'to-open', 'books'))).toContain('mode 0777');
    },
  );

  test.skipIf(!existsSync('/proc/self'))('that the system does not create is refused in words', async () => {
    await expect(openServer('/proc/home', { settings: QUICK })).rejects.toThrow(
      /^TIEOUT_HOME cannot be \/proc\/home: .* \(E\w+ at \/proc\/home\); set TIEOUT_HOME to a folder that this user can write/,
    );
  });

  test('that we create is private, and so are its parents', () => {
    const { path, made } = makePrivateFolder(join(folder, 'a', 'b'), 'TIEOUT_HOME');
    expect(made.map((it) => it.slice(folder.length))).toEqual(['/a', '/a/b']);
    expect([statSync(path).mode, statSync(join(folder, 'a')).mode].map((mode) => mode & 0o777)).toEqual([
      0o700, 0o700,
    ]);
  });
});

describe('a home', () => {
  test('that others may write in is refused before anything is created', async () => {
    const home = newFolder('home', 0o777);
    await expect(openServer(home, { settings: QUICK })).rejects.toThrow(/others may write in/);
    await expect(removeServer(home)).rejects.toThrow(/others may write in/);
    const config = readConfig({ TIEOUT_HOME: home, DATABASE_URL: 'postgresql://a@127.0.0.1:1/b' });
    await expect(withOwner(config, async () => {})).rejects.toThrow(/others may write in/);
    expect(readdirSync(home)).toEqual([]);
  });

  test.skipIf(!isRoot)('with links planted by its user does not redirect root', async () => {
    const victim = newFolder('victim', 0o700);
    writeFileSync(join(victim, 'precious'), 'x');
    const home = newFolder('home', 0o755, NOBODY);
    for (const name of ['postgres', 'roles.json', 'exports']) symlinkSync(victim, join(home, name));
    await expect(openServer(home, { settings: QUICK })).rejects.toThrow(/belongs to another user/);
    await expect(removeServer(home)).rejects.toThrow(/belongs to another user/);
    expect(lstatSync(join(victim, 'precious')).uid).toBe(0);
    expect(readdirSync(victim)).toEqual(['precious']);
  });

  test('with a link where its database should be is refused', async () => {
    const victim = newFolder('victim', 0o700);
    const home = newFolder('home', 0o700);
    symlinkSync(victim, join(home, 'postgres'));
    const message = /postgres \(owner .*\) is not a folder: move it away$/;
    await expect(openServer(home, { settings: QUICK })).rejects.toThrow(message);
    await expect(removeServer(home)).rejects.toThrow(message);
    expect(readdirSync(victim)).toEqual([]);
  });

  test('listens on a socket that only its own user can reach', async () => {
    const home = join(folder, 'home');
    const server = await openServer(home, { settings: QUICK });
    try {
      const rows = await inSession(server.url, 'test', async (session) => {
        const sql = `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as folder,
          inet_server_addr() is null as local`;
        return (await session.query(sql)).rows;
      });
      expect(rows[0]).toMatchObject({ addresses: '', local: true });
      const socket = statSync(rows[0].folder);
      const data = statSync(JSON.parse(readFileSync(join(home, 'postgres/server.json'), 'utf8')).dataDir);
      expect([socket.mode & 0o777, socket.uid, data.mode & 0o777]).toEqual([0o700, data.uid, 0o700]);
      for (const path of [home, join(home, 'postgres')])
        expect(statSync(path).mode & (isRoot ? 0o067 : 0o077), path).toBe(0);
      expect(decodeURIComponent(new URL(server.url).hostname)).toBe(rows[0].folder);
    } finally {
      await server.release();
      await removeServer(home);
    }
  });

  test('with a path too long for a socket uses a short one, removed with the server', async () => {
    const home = join(folder, 'a'.repeat(60), 'b'.repeat(60));
    const server = await openServer(home, { settings: QUICK });
    const socket = decodeURIComponent(new URL(server.url).hostname);
    expect(socket.length).toBeLessThan(40);
    expect(statSync(socket).mode & 0o777).toBe(0o700);
    await inSession(server.url, 'test', (session) => session.query('select 1'));
    await server.release();
    expect(existsSync(socket)).toBe(false);
    await removeServer(home);
  });

  test('with another file in place of its socket reports it', async () => {
    const home = join(folder, 'home');
    await (await openServer(home, { settings: QUICK })).release();
    const socket = join(
      JSON.parse(readFileSync(join(home, 'postgres/server.json'), 'utf8')).dataDir,
      '../socket',
    );
    rmSync(socket, { recursive: true });
    symlinkSync(newFolder('elsewhere', 0o700), socket);
    await expect(openServer(home, { settings: QUICK })).rejects.toThrow(
      /socket \(owner .*\) is not a folder: remove it/,
    );
    expect(readdirSync(join(folder, 'elsewhere'))).toEqual([]);
    rmSync(socket);
    await removeServer(home);
  });
});

test('an export is private to its owner', async () => {
  const exported = await openFolder(join(folder, 'exports', 'october'));
  for (const name of ['journal.csv', 'manifest.json']) await writeFileIn(exported, name, (put) => put('a'));
  await placeFolder(exported);
  const modes = ['exports', 'exports/october', 'exports/october/journal.csv'].map((name) =>
    (statSync(join(folder, name)).mode & 0o777).toString(8),
  );
  expect(modes).toEqual(['700', '700', '600']);
});

const nobodyReads = (): boolean => {
  try {
    execFileSync('ls', [join(packageRoot, 'node_modules')], { uid: NOBODY, gid: NOBODY, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

test.skipIf(!isRoot || !nobodyReads())('an ordinary user has a server of their own in /tmp', async () => {
  const theirs = newFolder('theirs', 0o700, NOBODY);
  const child = spawn(process.execPath, [HOLDER, join(theirs, 'home')], {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'inherit'],
    uid: NOBODY,
    gid: NOBODY,
  });
  let url = '';
  for await (const line of createInterface({ input: child.stdout })) {
    url = line;
    break;
  }
  expect(
    await inSession(url, 'test', async (session) => (await session.query('select 1 as n')).rows),
  ).toEqual([{ n: 1 }]);
  expect(statSync(join(theirs, 'home/postgres')).mode & 0o777).toBe(0o700);
  await end(child);
});
