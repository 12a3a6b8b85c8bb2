// Runs other programs with a small environment and collects their output for error messages.
import { spawn } from 'node:child_process';
import { childEnv } from './environment.ts';

/** How to run a program: user, folder, and variables in addition to the few that are always passed on. */
type ChildOptions = {
  uid?: number;
  gid?: number;
  cwd?: string;
  env?: Record<string, string>;
  /** Written to its standard input, which is otherwise empty. */
  input?: string;
  /** Ends it after this time. */
  timeoutMs?: number;
};

/** The result of a program: its exit code (null if it never ran or a signal ended it) and all its output. */
type ChildOutcome = { code: number | null; output: string };

/**
 * Runs a program to its end. Never throws: if the program cannot be started, the code is null and the output is the
 * reason.
 */
export const runChild = (file: string, args: string[], options: ChildOptions = {}): Promise<ChildOutcome> =>
  new Promise((done) => {
    const { env = {}, input, timeoutMs, ...rest } = options;
    const child = spawn(file, args, {
      ...rest,
      env: childEnv(env),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...(timeoutMs !== undefined && { timeout: timeoutMs, killSignal: 'SIGKILL' }),
      windowsHide: true,
    });
    let output = '';
    const hear = (chunk: Buffer) => {
      output = `${output}${chunk.toString('utf8')}`.slice(-100_000);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.stdin?.on('error', () => {}); // it may end without reading
    child.stdin?.end(input);
    child.on('error', (error) => done({ code: null, output: error.message }));
    child.on('close', (code) => done({ code, output: output.trim() }));
  });

/** The last lines of a program's output, for an error message. */
export const lastLines = (output: string, lines = 10): string =>
  output.trim().split('\n').slice(-lines).join('\n');
