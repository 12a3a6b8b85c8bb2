// One command of the program as a process of its own: its seconds, and the peak of its memory.
import { join } from 'node:path';
import { execa } from 'execa';
import { FailedError } from '../../src/base/errors.ts';
import { packageRoot } from '../../src/base/root.ts';
import type { HistoryBooks } from './history.ts';

const TELL_PEAK =
  'data:text/javascript,process.on("exit",()=>console.error("peak "+process.resourceUsage().maxRSS))';

/** Runs a command: its seconds, and its peak in megabytes. Throws a FailedError if it neither succeeds (0) nor finds something (1). */
export const command = async ({ home, url, isOwn }: HistoryBooks, words: readonly string[]) => {
  const program = join(packageRoot, 'dist', 'program', 'cli', 'main.js');
  const env = { PATH: process.env.PATH ?? '', TIEOUT_HOME: home, TIEOUT_TIMEZONE: 'UTC' };
  const began = performance.now();
  const { stderr, exitCode } = await execa(process.execPath, ['--import', TELL_PEAK, program, ...words], {
    env: isOwn ? env : { ...env, DATABASE_URL: url },
    extendEnv: false,
    cwd: home,
    reject: false,
    stdout: 'ignore',
  });
  const [, kilobytes] = /^peak (\d+)$/m.exec(stderr) ?? [];
  if (!kilobytes || exitCode === undefined || exitCode > 1)
    throw new FailedError(`${words.join(' ')} failed (${exitCode}): ${stderr.slice(-2_000)}`);
  return { seconds: (performance.now() - began) / 1_000, peakMb: Number(kilobytes) / 1_024 };
};
