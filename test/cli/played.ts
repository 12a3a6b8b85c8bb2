// A command line run in this process: its effects, output and exit code are the same, and no process has to start for it.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';
import { packageRoot } from '../../src/base/root.ts';
import type {} from '../provided.ts';
import { bare, type Ended, type Env, folder, tieout } from './tieout.ts';

type Program = { readonly run: (args: readonly string[]) => Promise<void> };

/** The built program, before its modules are joined into few files. */
const program = (): Promise<Program> =>
  import(pathToFileURL(join(packageRoot, 'dist/src/cli/program.js')).href);

/** Captures what is written to a stream, until `free`. */
const capture = (stream: NodeJS.WriteStream) => {
  const { write } = stream;
  let text = '';
  stream.write = ((piece: string | Uint8Array, ...rest: unknown[]) => {
    text += typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8');
    for (const done of rest) if (typeof done === 'function') done();
    return true;
  }) as typeof write;
  return {
    text: () => text,
    free: () => {
      stream.write = write;
    },
  };
};

/** Replaces the environment of the process. */
const become = (env: Env): void => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
};

const playOne = async (args: readonly string[], env: Env): Promise<Ended> => {
  const { run } = await program();
  const before = { env: { ...process.env } as Env, cwd: process.cwd(), exitCode: process.exitCode };
  const variables = { ...bare(), ...env };
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  try {
    become(variables);
    process.chdir(folder);
    process.exitCode = undefined;
    await run(args);
  } finally {
    become(before.env);
    process.chdir(before.cwd);
    for (const { free } of [stdout, stderr]) free();
  }
  const exitCode = Number(process.exitCode ?? 0);
  process.exitCode = before.exitCode;
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
};

let last: Promise<unknown> = Promise.resolve();

/** One command at a time: a process has one environment and one standard output. */
export const played = (args: readonly string[], env: Env = {}): Promise<Ended> => {
  const turn = last.then(() => playOne(args, env));
  last = turn.catch(() => {});
  return turn;
};

/** Whether no worker of this run of the tests has used a command before. */
const isFirst = (command: string): boolean =>
  mkdirSync(join(inject('scratch'), `started-${command}`), { recursive: true }) !== undefined;

/** The first use of a command in a run of the tests is in a process of its own, as from a shell; all others are in this process. */
export const typed = (args: readonly string[], env: Env = {}): Promise<Ended> =>
  (isFirst(args[0] ?? '') ? tieout : played)(args, env);
