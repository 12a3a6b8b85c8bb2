// Questions in a terminal, whose standard input is a stream of keys here.
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { InterruptedError, UsageError } from '../../src/base/errors.ts';
import { ask } from '../../src/cli/prompts.ts';

const { stdin } = process;
let keys: PassThrough;

beforeEach(() => {
  keys = new PassThrough();
  Object.defineProperty(process, 'stdin', { value: keys, configurable: true });
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => {
  vi.restoreAllMocks();
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
});

test.each([false, true])(
  'Ctrl-D is no answer, and no fault of the program (secret: %s)',
  async (isSecret) => {
    const answer = ask('API key', { isSecret });
    keys.write('\u0004');
    await expect(answer).rejects.toThrow(
      new UsageError('no answer (Ctrl-D), so nothing was written: run the command again'),
    );
  },
);

test('an answer is trimmed, and an empty one is the default', async () => {
  const answerTo = (text: string): Promise<string> => {
    const answer = ask('Reporting currency', { byDefault: 'EUR' });
    keys.write(text);
    return answer;
  };
  expect([await answerTo('  USD \r'), await answerTo('\r')]).toEqual(['USD', 'EUR']);
});

test('a signal ends a question, and the answer is not taken for Ctrl-D', async () => {
  const stop = new AbortController();
  const answer = ask('API key', { signal: stop.signal });
  stop.abort(new InterruptedError('SIGINT'));
  await expect(answer).rejects.toThrow('abort');
});
