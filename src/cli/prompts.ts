// Questions in a terminal. An answer that is a secret is not shown.
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from '../base/errors.ts';

export type Prompt = {
  readonly text: string;
  /** The answer if none is typed. */
  readonly byDefault?: string;
  readonly isSecret?: boolean;
};

/**
 * Asks one question after the other. One reader reads all answers, and the next question is asked within the event that ends a line:
 * several lines pasted at once answer a question each, and a secret among them is not shown. Rejects with the signal's reason, or
 * with a UsageError for Ctrl-D.
 */
export const askAll = (questions: readonly Prompt[], signal?: AbortSignal): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const answers: string[] = [];
    const { output, mute } = mutable();
    const lines = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
    const stop = (): void => lines.close();
    const ask = ({ text, byDefault, isSecret = false }: Prompt): void => {
      lines.setPrompt(`${text}${byDefault ? ` (${byDefault})` : ''}: `);
      lines.prompt();
      mute(isSecret);
    };
    const askNext = (): void => {
      const question = questions[answers.length];
      if (question) ask(question);
      else lines.close();
    };
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    lines.on('line', (line) => {
      const { byDefault = '', isSecret } = questions[answers.length] ?? {};
      answers.push(line.trim() || byDefault);
      mute(false);
      if (isSecret) process.stderr.write('\n'); // the end of the line was not shown either
      askNext();
    });
    lines.on('close', () => {
      mute(true); // what follows the last answer
      signal?.removeEventListener('abort', stop);
      if (answers.length === questions.length) return resolve(answers);
      process.stderr.write('\n'); // the message is not part of the question
      reject(signal?.aborted ? signal.reason : new UsageError(NO_ANSWER));
    });
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    else askNext();
  });

const NO_ANSWER = 'no answer (Ctrl-D), so nothing was written: run the command again';

/** Standard error, which shows nothing while it is mute. */
const mutable = (): { output: Writable; mute: (isMute: boolean) => void } => {
  let isMuted = false;
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      if (!isMuted) process.stderr.write(chunk);
      done();
    },
  });
  return {
    output,
    mute: (isMute) => {
      isMuted = isMute;
    },
  };
};
