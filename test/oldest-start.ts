// The oldest server that we support, as Debian installs it, started in a folder.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeNew } from '../src/base/ownership.ts';
import { runChild } from '../src/config/child.ts';
import { serverUrl } from '../src/postgres/socket.ts';
import { handOver, letThrough, runAs } from '../src/postgres/system-user.ts';

const BIN_DIR = '/usr/lib/postgresql/15/bin';
const PASSWORD = 'oldest';

/** Whether that server is installed here. */
export const hasOldest = (): boolean => existsSync(join(BIN_DIR, 'initdb'));

/** Starts such a server in a folder, with an empty database; `end` stops it. */
export const startOldest = async (
  folder: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly url: string; readonly end: () => Promise<void> }> => {
  const [dataDir, socketDir, passwordFile] = ['data', 'socket', 'password'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const as = await runAs(dataDir);
  await letThrough(folder, as);
  for (const made of [dataDir, socketDir]) {
    mkdirSync(made);
    await handOver(made, as);
  }
  await writeNew(passwordFile, PASSWORD, as);
  const run = async (name: string, ...args: string[]) => {
    const { code, output } = await runChild(join(BIN_DIR, name), args, {
      ...as,
      cwd: dataDir,
      env: { LC_ALL: 'C' },
    });
    assert.equal(code, 0, output);
  };
  const options = ['--encoding=UTF8', '--locale=C', '--auth=scram-sha-256', '--username=tieout', '--no-sync'];
  await run('initdb', '-D', dataDir, `--pwfile=${passwordFile}`, ...options);
  const all = { ...settings, listen_addresses: "''", unix_socket_directories: socketDir, port: '5432' };
  const flags = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`);
  await run('pg_ctl', 'start', '-D', dataDir, '-w', '-s', '-l', join(dataDir, 'log'), '-o', flags.join(' '));
  return {
    url: serverUrl({ port: 5432, socketDir }, PASSWORD, 'postgres'),
    end: () => run('pg_ctl', 'stop', '-D', dataDir, '-m', 'fast', '-w', '-s'),
  };
};
