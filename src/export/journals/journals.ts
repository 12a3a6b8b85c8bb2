// Plain-text journals: the list of formats, and the one function that writes any of them while reading the books.
import { createHash } from 'node:crypto';
import { type Folder, writeFileIn } from '../reports/folder.ts';
import type { ManifestFile } from '../reports/manifest.ts';
import type { Snapshot } from '../reports/snapshot.ts';
import { BEANCOUNT } from './beancount.ts';
import { HLEDGER } from './hledger.ts';
import {
  type DayEndBalance,
  type JournalCut,
  type JournalEntry,
  type JournalFormat,
  journalAccounts,
  journalEntries,
  journalPrices,
} from './journal.ts';
import { LEDGER } from './ledger.ts';

export const JOURNALS = { hledger: HLEDGER, ledger: LEDGER, beancount: BEANCOUNT } as const;

export type JournalName = keyof typeof JOURNALS;
export const JOURNAL_NAMES = Object.keys(JOURNALS) as readonly JournalName[];

/** Entries are written in pieces of about this many characters. */
const PIECE = 1 << 18;

/**
 * Writes the journal of everything before `cut.to`, and the files that it needs. Returns their manifest entries; the rows
 * of a journal are its postings.
 */
export const writeJournal = async (
  folder: Folder,
  snapshot: Snapshot,
  name: JournalName,
  cut: JournalCut,
): Promise<ManifestFile[]> => {
  const format: JournalFormat = JOURNALS[name];
  const accounts = await journalAccounts(snapshot, cut);
  const prices = await journalPrices(snapshot, cut);
  const journal = await writeHashed(folder, format.file, async (put) => {
    await put(format.head(accounts, prices));
    return putEntries(format, journalEntries(snapshot, cut), put);
  });
  const files = [journal];
  for (const [file, text] of Object.entries(format.beside()))
    files.push(await writeHashed(folder, file, (put) => put(text).then(() => 0)));
  return files;
};

type Put = (text: string) => Promise<void>;

const writeHashed = (
  folder: Folder,
  name: string,
  write: (put: Put) => Promise<number>,
): Promise<ManifestFile> =>
  writeFileIn(folder, name, async (writeBytes) => {
    const hash = createHash('sha256');
    const rows = await write(async (text) => {
      const bytes = Buffer.from(text, 'utf8');
      hash.update(bytes);
      await writeBytes(bytes);
    });
    return { name, rows, sha256: hash.digest('hex'), columns: [] };
  });

/** Entry by entry, with the balances of a day after its last one. Returns the number of postings. */
const putEntries = async (
  format: JournalFormat,
  entries: AsyncIterable<JournalEntry>,
  put: Put,
): Promise<number> => {
  let rows = 0;
  let piece = '';
  let balances: DayEndBalance[] = [];
  let today: JournalEntry | null = null;
  for await (const entry of entries) {
    if (today !== null && today.day !== entry.day) {
      piece += format.dayEnd(today.nextDay, balances);
      balances = [];
    }
    today = entry;
    piece += format.entry(entry);
    rows += entry.postings.length;
    balances.push(...balancesAfter(entry));
    if (piece.length < PIECE) continue;
    await put(piece);
    piece = '';
  }
  await put(today === null ? piece : piece + format.dayEnd(today.nextDay, balances));
  return rows;
};

const balancesAfter = ({ entity, postings }: JournalEntry): DayEndBalance[] =>
  postings.flatMap(({ account, currency, balance }) =>
    balance === null ? [] : [{ entity, account, currency, balance }],
  );
