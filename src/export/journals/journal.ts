// The journal as input of every plain-text format: accounts first, then all entries in order of time. A posting has the
// balance of its account at the end of the day. Each format has a file of its own.
import { type Cell, instantText, loadSql } from '../../database/database.ts';
import { eachRow, rowsOf, type Snapshot, text } from '../reports/snapshot.ts';

/** The tags of an entry, in order; `reverses` only on a reversal. */
export const TAG_NAMES = [
  'entity',
  'entry_id',
  'effective_at',
  'kind',
  'stream',
  'record_id',
  'version',
  'reverses',
];

/**
 * The scope of a journal: everything before `to`, entity ids separated by commas ('' for all), days cut in `timezone`, the number of the
 * last run whose entries count ('' for all).
 */
export type JournalCut = {
  readonly to: string;
  readonly entity: string;
  readonly timezone: string;
  readonly last_run: string;
};

/** An account of one entity, its currencies in order, and the day `2026-10-31` of its first posting. */
export type JournalAccount = {
  readonly entity: string;
  readonly account: string;
  readonly currencies: readonly { readonly currency: string; readonly firstDay: string }[];
};

/** Debit positive, plain notation. `balance`: on the last posting of a day, the balance of the account; otherwise null. */
type JournalPosting = {
  readonly account: string;
  readonly currency: string;
  readonly amount: string;
  readonly balance: string | null;
};

export type JournalEntry = {
  readonly entity: string;
  readonly id: string;
  readonly day: string;
  readonly nextDay: string;
  readonly description: string;
  /** Further facts, in the order in which they are written: entry_id, effective_at, kind, record_id … */
  readonly tags: readonly (readonly [name: string, value: string])[];
  readonly postings: readonly JournalPosting[];
};

/** The end of a day: each account that it touched, and its balance. */
export type DayEndBalance = { readonly entity: string } & Pick<JournalPosting, 'account' | 'currency'> & {
    readonly balance: string;
  };

/** The price of one unit of a currency in another, from the last fill of a day. */
export type JournalPrice = {
  readonly day: string;
  readonly currency: string;
  readonly price: string;
  readonly priceCurrency: string;
};

/** A plain-text format: its file, its encoding of names, and its texts. */
export type JournalFormat = {
  readonly file: string;
  /** Files that the journal needs in its folder, by name. */
  readonly beside: () => Readonly<Record<string, string>>;
  readonly accountName: (entity: string, account: string) => string;
  readonly currencyName: (currency: string) => string;
  readonly head: (accounts: readonly JournalAccount[], prices: readonly JournalPrice[]) => string;
  readonly entry: (entry: JournalEntry) => string;
  /** The text after the last entry of a day; `nextDay` is the day after it. */
  readonly dayEnd: (nextDay: string, balances: readonly DayEndBalance[]) => string;
};

/** The accounts that the postings of a journal use. */
export const journalAccounts = async (snapshot: Snapshot, cut: JournalCut): Promise<JournalAccount[]> => {
  const accounts: (JournalAccount & { currencies: { currency: string; firstDay: string }[] })[] = [];
  for (const row of await rowsOf(snapshot, loadSql('journals/accounts.sql', cut))) {
    const [entity, account] = [text(row, 'entity_id'), text(row, 'account')];
    const last = accounts.at(-1);
    const use = { currency: text(row, 'currency'), firstDay: text(row, 'first_day') };
    if (last?.entity === entity && last.account === account) last.currencies.push(use);
    else accounts.push({ entity, account, currencies: [use] });
  }
  return accounts;
};

/** The prices of fills, one for each day, currency and price currency. */
export const journalPrices = async (snapshot: Snapshot, cut: JournalCut): Promise<JournalPrice[]> =>
  (await rowsOf(snapshot, loadSql('journals/prices.sql', cut))).map((row) => ({
    day: text(row, 'day'),
    currency: text(row, 'currency'),
    price: text(row, 'price'),
    priceCurrency: text(row, 'price_currency'),
  }));

type OpenEntry = JournalEntry & { readonly postings: JournalPosting[] };

/** The entries one by one; memory holds two batches of rows at most. */
export async function* journalEntries(snapshot: Snapshot, cut: JournalCut): AsyncGenerator<JournalEntry> {
  let entry: OpenEntry | null = null;
  for await (const row of eachRow(snapshot, loadSql('journals/postings.sql', cut))) {
    if (entry !== null && (entry.id !== row.entry_id || entry.entity !== row.entity_id)) {
      yield entry;
      entry = null;
    }
    entry ??= { ...entryOf(row), postings: [] };
    entry.postings.push(postingOf(row));
  }
  if (entry !== null) yield entry;
}

const entryOf = (row: Record<string, Cell>): Omit<JournalEntry, 'postings'> => ({
  entity: text(row, 'entity_id'),
  id: text(row, 'entry_id'),
  day: text(row, 'day'),
  nextDay: text(row, 'next_day'),
  description: text(row, 'description'),
  tags: TAG_NAMES.flatMap((name): [string, string][] => {
    const cell = row[name === 'entity' ? 'entity_id' : name] ?? null;
    return cell === null ? [] : [[name, name === 'effective_at' ? instantText(cell) : cell]];
  }),
});

const postingOf = (row: Record<string, Cell>): JournalPosting => ({
  account: text(row, 'account'),
  currency: text(row, 'currency'),
  amount: text(row, 'amount'),
  balance: row.balance ?? null,
});
