// Standard input, for what should stand neither in the shell's history nor in the list of processes, or comes from a pipe.
import { addAbortSignal } from 'node:stream';
import { UsageError } from '../base/errors.ts';

/** What is typed in the place of a text or a file to mean standard input. */
export const STANDARD_INPUT = '-';

/** Everything that standard input has, as text. Throws UsageError where that is more than `bytesMax`. */
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
