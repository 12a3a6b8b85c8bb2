// Runs other programs with a small environment and collects their output for error messages.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { aborted } from '../base/signal.ts';
import { childEnv } from './environment.ts';

/** How to run a program: user, folder, and variables in addition to the few that are always passed on. */
type ChildOptions = {
  uid?: number;
  gid?: number;
  cwd?: string;
  env?: Record<string, string>;
  /** Written to its standard input, which is otherwise empty. */
  input?: string;
  /** Kills it after this time, with every process that it started and that stayed in its process group. */
  timeoutMs?: number;
  /** Once this process must stop, the program has so much time left, at most. */
  stopping?: { readonly signal: AbortSignal | undefined; readonly withinMs: number } | undefined;
};

/** How a program ended, and the end of what it and its processes wrote. */
export type ChildOutcome = {
  /** The exit code; null if it never started, or a signal ended it. */
  code: number | null;
  /** Why it could not be started, as the system's error code; null if it started. */
  startError: string | null;
  /** Whether it, or a process that held its output open, was still at work when its time was over. */
  isOverdue: boolean;
  output: string;
};

/**
 * Runs a program until it has exited and nothing holds its output open, or its time is over. Never throws: if the program cannot
 * be started, the code is null and the output is the reason.
 */
export const runChild = async (
  file: string,
  args: string[],
  options: ChildOptions = {},
): Promise<ChildOutcome> => {
  try {
    return await outcomeOf(start(file, args, options), options);
  } catch (error) {
    const { code = 'unknown', message } = error as NodeJS.ErrnoException;
    return { code: null, startError: code, isOverdue: false, output: message };
  }
};

/** Only with a group of its own can a program be ended with all that it started. */
const hasGroups = process.platform !== 'win32';

const start = (
  file: string,
  args: string[],
  { env = {}, input, timeoutMs, ...rest }: ChildOptions,
): ChildProcess => {
  const child = spawn(file, args, {
    ...rest,
    env: childEnv(env),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    detached: timeoutMs !== undefined && hasGroups,
    windowsHide: true,
  });
  child.stdin?.on('error', () => {}); // it may end without reading
  child.stdin?.end(input);
  return child;
};

/** Output that is already written arrives in this time after a kill, and the end of it unless a process outside the group holds it open. */
const GRACE_MS = 1_000;

/** Rejects if the program cannot be started. */
const outcomeOf = async (
  child: ChildProcess,
  { timeoutMs, stopping }: ChildOptions,
): Promise<ChildOutcome> => {
  const output = outputOf(child);
  const closed = once(child, 'close');
  const isOverdue = timeoutMs !== undefined && !(await endsWithin(closed, child, { timeoutMs, stopping }));
  if (isOverdue) await stop(child, closed);
  else await closed;
  return { code: child.exitCode, startError: null, isOverdue, output: output().trim() };
};

const outputOf = (child: ChildProcess): (() => string) => {
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-100_000);
    });
  return () => output;
};

/** Whether a program ends in time. If this process ends before, so does the program. */
const endsWithin = async (
  closed: Promise<unknown>,
  child: ChildProcess,
  { timeoutMs, stopping }: Pick<ChildOptions, 'timeoutMs' | 'stopping'>,
): Promise<boolean> => {
  const onExit = (): void => kill(child);
  process.once('exit', onExit);
  const timers: NodeJS.Timeout[] = [];
  let hasEnded = false;
  const late = new Promise<false>((done) => {
    timers.push(setTimeout(done, timeoutMs, false));
    aborted(stopping?.signal).then(() => {
      if (!hasEnded) timers.push(setTimeout(done, stopping?.withinMs, false));
    });
  });
  return Promise.race([closed.then(() => true), late]).finally(() => {
    hasEnded = true;
    timers.forEach(clearTimeout);
    process.removeListener('exit', onExit);
  });
};

/** Kills the program and its group. A process that left the group, or of another user, may go on: nothing waits for it. */
const stop = async (child: ChildProcess, closed: Promise<unknown>): Promise<void> => {
  kill(child);
  if (await endsWithin(closed, child, { timeoutMs: GRACE_MS })) return;
  for (const stream of child.stdio) stream?.destroy();
  child.unref();
};

const kill = (child: ChildProcess): void => {
  if (!hasGroups || child.pid === undefined) return void child.kill('SIGKILL');
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {} // all of it has ended, or belongs to another user
};

const LINE_LENGTH_MAX = 500;

/** The last lines of a program's output, for an error message. */
export const lastLines = (output: string, lines = 10): string =>
  output.trim().split('\n').slice(-lines).map(shortLine).join('\n');

const shortLine = (line: string): string =>
  line.length <= LINE_LENGTH_MAX ? line : `${line.slice(0, LINE_LENGTH_MAX)}…`;
