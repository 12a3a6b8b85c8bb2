// Processes of a test: the program as an operator starts it, beside a stage, and waiting for what they do to the books.
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { main } from '../cli/tieout.ts';
import { environmentOf, type Stage } from './stage.ts';

/** A process of the program, killed when the test ends. */
export const program = (
  stage: Stage,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
) => {
  const env = { PATH: process.env.PATH ?? '', ...environmentOf(stage), ...settings };
  const options = { env, extendEnv: false, reject: false, cwd: stage.home } as const;
  const child = execa(process.execPath, [main(), ...args], options);
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
};

/** Waits until a condition on the books holds. */
export const until = async (stage: Stage, condition: string): Promise<void> => {
  while ((await stage.rows(`select where ${condition}`)).length === 0) await pause(20);
};

export const FIRST = 'exists (select from run.tasks where ended_at is not null)';
export const OVER = 'exists (select from run.runs where finished_at is not null)';
