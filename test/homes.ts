// Homes for servers of a test: root's server, which runs as another user, can use them too.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../src/base/root.ts';
import { roomy } from './room.ts';

/** A new empty folder that every user may enter. */
export const newHome = (): string => {
  const made = mkdtempSync(join(roomy(), `tieout-test-${process.pid}-`));
  chmodSync(made, 0o755);
  return made;
};

/** A program that uses the embedded server of a home (its first argument) until its input ends, and prints the server's URL. */
export const HOLDER = join(packageRoot, 'test', 'postgres-holder.mjs');

/** Ends a process that uses a server, with any signal. */
export const end = async (child: ChildProcess, signal?: 'SIGKILL'): Promise<void> => {
  const exited = once(child, 'exit');
  if (signal) child.kill(signal);
  else child.stdin?.end();
  await exited;
};
