// Standard input, for text from a pipe, or text that must not appear in the shell's history or the process list.
import { addAbortSignal } from 'node:stream';
import { UsageError } from '../base/errors.ts';

/** Written instead of a text or a file name to read standard input; no command writes a file of this name. */
export const STANDARD_INPUT = '-';

/** All of standard input as text. Throws UsageError if it exceeds `bytesMax`. */
export const readStandardInput = async (bytesMax: number, signal?: AbortSignal): Promise<string> => {
  if (signal) addAbortSignal(signal, process.stdin);
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes > bytesMax) throw new UsageError(`standard input has more than ${bytesMax} bytes: shorten it`);
  }
  return Buffer.concat(chunks).toString('utf8');
};
