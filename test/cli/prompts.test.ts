// Questions in a terminal, whose standard input is a stream of keys here.
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { InterruptedError, UsageError } from '../../src/base/errors.ts';
import { askAll, type Prompt } from '../../src/cli/prompts.ts';

const { stdin } = process;
let keys: PassThrough;
let shown: string;

beforeEach(() => {
  keys = new PassThrough();
  Object.defineProperty(process, 'stdin', { value: keys, configurable: true });
  shown = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => {
    shown += chunk;
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
});

const QUESTIONS: readonly Prompt[] = [
  { text: 'Address' },
  { text: 'API secret', isSecret: true },
  { text: 'Reporting currency', byDefault: 'EUR' },
];

test.each([false, true])(
  'Ctrl-D is no answer, and no fault of the program (secret: %s)',
  async (isSecret) => {
    const answers = askAll([{ text: 'API key', isSecret }]);
    keys.write('\u0004');
    await expect(answers).rejects.toThrow(
      new UsageError('no answer (Ctrl-D), so nothing was written: run the command again'),
    );
  },
);

test('an answer is trimmed, and an empty one is the default', async () => {
  const answers = askAll(QUESTIONS);
  for (const key of '  https://host \rhush\r\r') keys.write(key);
  expect(await answers).toEqual(['https://host', 'hush', 'EUR']);
});

test.each(['\r', '\n', '\r\n'])(
  'lines pasted at once answer a question each, and the secret is not shown (%j)',
  async (end) => {
    const answers = askAll(QUESTIONS);
    keys.write(['https://host', 'hush', 'USD', 'more than was asked', ''].join(end));
    expect(await answers).toEqual(['https://host', 'hush', 'USD']);
    expect(shown).toContain('Address: ');
    expect(shown).toContain('https://host\r\n');
    expect(shown).toContain('API secret: ');
    expect(shown).toContain('Reporting currency (EUR): ');
    expect(shown).not.toMatch(/hush|more/);
  },
);

test('the keys for earlier lines do not show a secret', async () => {
  const answers = askAll(QUESTIONS);
  keys.write('https://host\rhush\r');
  keys.write('\u001b[A\r');
  expect(await answers).toEqual(['https://host', 'hush', 'EUR']);
  expect(shown).not.toContain('hush');
});

test('a signal ends the questions, and the answer is not taken for Ctrl-D', async () => {
  const stop = new AbortController();
  const answers = askAll(QUESTIONS, stop.signal);
  stop.abort(new InterruptedError('SIGINT'));
  await expect(answers).rejects.toThrow(new InterruptedError('SIGINT'));
});
