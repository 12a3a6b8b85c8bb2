// Questions in a terminal. An answer that is a secret is not shown.
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UsageError } from '../base/errors.ts';

/** Asks one question; an empty answer is `byDefault`. Rejects with the signal's reason, or with a UsageError for Ctrl-D. */
export const ask = async (
  question: string,
  {
    byDefault = '',
    isSecret = false,
    signal,
  }: { byDefault?: string; isSecret?: boolean; signal?: AbortSignal | undefined },
): Promise<string> => {
  let isMuted = false;
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      if (!isMuted) process.stderr.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: true });
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    const answer = lines.question(
      `${question}${byDefault ? ` (${byDefault})` : ''}: `,
      signal ? { signal } : {},
    );
    isMuted = isSecret;
    return (await answer).trim() || byDefault;
  } catch (error) {
    if (signal?.aborted || (error as Error).name !== 'AbortError') throw error;
    throw new UsageError('no answer (Ctrl-D), so nothing was written: run the command again');
  } finally {
    lines.close();
    if (isSecret) process.stderr.write('\n');
  }
};
