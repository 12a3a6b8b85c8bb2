// A journal of all entries beside the program that reads it: what we take to write it, and what hledger, ledger or beancount takes
// to check it and to sum its accounts. There is no limit: the figures say what a reader of the journal has to expect.
import { join } from 'node:path';
import { JOURNAL_NAMES, type JournalName } from '../../src/export/journals/journals.ts';
import { runProgram, versionOf } from '../../src/export/journals/programs.ts';
import { timed } from './clock.ts';
import { command } from './command.ts';
import type { Figure } from './figure.ts';
import { type BenchOptions, type HistoryBooks, withHistory } from './history.ts';

const SIZES = [10_000, 100_000]; // entries over two years

/** Every journal at each size. */
export const journals = async ({ server, records }: BenchOptions): Promise<Figure[]> => {
  const figures: Figure[] = [];
  for (const entries of records === undefined ? SIZES : [records])
    await withHistory({ server, entries }, async (books) => {
      for (const name of JOURNAL_NAMES) figures.push(await journalOf(books, name, entries));
    });
  return figures;
};

const journalOf = async (books: HistoryBooks, name: JournalName, entries: number): Promise<Figure> => {
  const folder = join(books.home, name);
  const words = ['export', '--period', '2026', '--format', name, '--out', folder];
  const { seconds: written } = await command(books, words);
  const read = await timed(async () => ({
    version: await versionOf(name),
    ...(await runProgram(name, folder)),
  })).catch((error: Error) => error);
  const what = `the ${name} journal of ${entries} entries`;
  if (read instanceof Error)
    return { what, figure: `${written.toFixed(1)} s`, limit: read.message, isKept: true };
  const { result, seconds } = read;
  return {
    what,
    figure: `${written.toFixed(1)} s to write, ${seconds.toFixed(1)} s for ${result.version} to check and sum`,
    limit: result.complaint ?? 'no limit; without a complaint',
    isKept: result.complaint === null,
  };
};
