// The built command line as a shell runs it: dist/program/cli/main.js in a folder and an environment of its own.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { packageRoot } from '../../src/base/root.ts';
import { LOG_LINE } from '../../src/run/run.ts';
import { newFolder } from '../room.ts';

/** The program, which must be built. */
export const main = (): string => {
  const file = join(packageRoot, 'dist', 'program', 'cli', 'main.js');
  if (!existsSync(file)) throw new Error(`${file} is missing: run npm run build before these tests`);
  return file;
};

/** A folder of the run, so that no .env and no .tieout of the machine is found. */
export const folder = newFolder();

export type Ended = {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
};
export type Env = Readonly<Record<string, string>>;

/** The minimum environment of a program. */
export const bare = (): Env => ({
  PATH: process.env.PATH ?? '',
  HOME: folder,
  TIEOUT_HOME: join(folder, 'home'),
});

/** Runs a command to its end; its output is returned to the last byte. */
export const tieout = async (args: readonly string[], env: Env = {}): Promise<Ended> => {
  const options = {
    cwd: folder,
    extendEnv: false,
    reject: false,
    stripFinalNewline: false,
    timeout: 110_000,
  };
  const { exitCode, stdout, stderr } = await execa(process.execPath, [main(), ...args], {
    ...options,
    env: { ...bare(), ...env },
  });
  return { exitCode, stdout, stderr };
};

/** The sentences on standard error: without progress, whose lines are JSON, and with the message of a line that has one. */
export const complaint = ({ stderr }: Ended): string[] =>
  stderr
    .split('\n')
    .flatMap((line) => (line.startsWith('{"time"') ? messageIn(line) : [line]))
    .filter((line) => line !== '');

const messageIn = (line: string): string[] => {
  const { message } = LOG_LINE.parse(JSON.parse(line));
  return message === undefined ? [] : `tieout: ${message}`.split('\n');
};
