// Other programs: started with a small environment, waited for, and their words kept for the error message.
import { spawn } from 'node:child_process';
import { childEnv } from './config.ts';

/** How a program is run: as which user, in which folder, with which variables besides the few that pass. */
export type ChildOptions = { uid?: number; gid?: number; cwd?: string; env?: Record<string, string> };

/** What a program did: its exit code (null: it never ran, or a signal ended it) and all it printed. */
export type ChildOutcome = { code: number | null; output: string };

/** Runs a program to its end. Never throws: one that cannot be started has code null and says why. */
export const runChild = (file: string, args: string[], options: ChildOptions = {}): Promise<ChildOutcome> =>
  new Promise((done) => {
    const { env = {}, ...rest } = options;
    const child = spawn(file, args, {
      ...rest,
      env: childEnv(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
    let output = '';
    const hear = (chunk: Buffer) => {
      output = `${output}${chunk.toString('utf8')}`.slice(-100_000);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('error', (error) => done({ code: null, output: error.message }));
    child.on('close', (code) => done({ code, output: output.trim() }));
  });

/** The last lines of a program's output, for an error message. */
export const lastLines = (output: string, lines = 10): string =>
  output.trim().split('\n').slice(-lines).join('\n');
