import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openServer, removeHome, removeServer } from '../../src/postgres/postgres.ts';
import { QUICK } from '../database.ts';
import { folder, newFolder, withFolder } from '../own-folder.ts';

const isRoot = process.getuid?.() === 0;

withFolder();

describe('a removal', () => {
  const noteOf = (home: string) => join(home, 'postgres/server.json');

  test('never removes the folder that server.json names', async () => {
    const home = join(folder, 'home');
    const victim = newFolder('victim', 0o700);
    writeFileSync(join(victim, 'PG_VERSION'), '18\n');
    mkdirSync(join(home, 'postgres'), { recursive: true, mode: 0o700 });
    const note = { port: null, password: 'x', dataDir: victim, binDir: '/bin' };
    writeFileSync(noteOf(home), JSON.stringify(note), { mode: 0o600 });
    const message = /server\.json names .*victim, which does not belong to this home/;
    await expect(removeServer(home)).rejects.toThrow(message);
    await expect(openServer(home, { settings: QUICK })).rejects.toThrow(message);
    expect(existsSync(join(victim, 'PG_VERSION'))).toBe(true);
  });

  test.skipIf(!isRoot)('does not remove the data of the home that this one is a copy of', async () => {
    const home = newFolder('home', 0o700); // private, so that the data is outside
    await (await openServer(home, { settings: QUICK })).release();
    const { dataDir } = JSON.parse(readFileSync(noteOf(home), 'utf8'));
    expect(dataDir.startsWith(home)).toBe(false);
    const copy = join(folder, 'copy');
    cpSync(home, copy, { recursive: true });
    await expect(removeServer(copy)).rejects.toThrow(/does not belong to this home/);
    expect(existsSync(dataDir)).toBe(true);
    rmSync(copy, { recursive: true });
    renameSync(home, copy);
    await expect(openServer(copy, { settings: QUICK })).rejects.toThrow(
      /move the home back to where it was made/,
    );
    renameSync(copy, home);
    await removeServer(home);
    expect(existsSync(dataDir)).toBe(false);
  });

  test('removes nothing that we did not create', async () => {
    const home = newFolder('home', 0o700);
    mkdirSync(join(home, 'postgres', 'data', 'base'), { recursive: true });
    writeFileSync(join(home, 'postgres', 'thesis.txt'), 'x');
    await expect(removeServer(home)).rejects.toThrow(
      /did not put there \(thesis.txt|data, without server.json/,
    );
    expect(existsSync(join(home, 'postgres', 'thesis.txt'))).toBe(true);
    expect(await removeServer(join(folder, 'never')).then(() => existsSync(join(folder, 'never')))).toBe(
      false,
    );
  });
});

test('a home is removed as a whole, and only without other files', async () => {
  const home = newFolder('home', 0o700);
  for (const name of ['exports', 'holiday.jpg']) mkdirSync(join(home, name));
  await expect(removeHome(home)).rejects.toThrow(
    /home contains files that tieout did not create \(holiday.jpg\)/,
  );
  expect(readdirSync(home)).toHaveLength(2);
  rmSync(join(home, 'holiday.jpg'), { recursive: true });
  await removeHome(home);
  await removeHome(home);
  expect(existsSync(home)).toBe(false);
});
