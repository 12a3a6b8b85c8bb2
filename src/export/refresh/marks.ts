// Marks: what the books hold, as a few short texts, read at one moment: what was written since the marks before, counts of
// what people decided, and the rows that change in place. From them follows what a month can show.
import { loadSql, type Numbered } from '../../database/database.ts';
import { rowsOf, type Snapshot, text } from '../reports/snapshot.ts';

/** The kinds of rows that are numbered in the order of writing and belong to an instant: see sql/export/news.sql. */
export const DATED = ['entries', 'records', 'addresses', 'rates', 'pairs', 'transfers', 'inbox'] as const;
export type Dated = (typeof DATED)[number];

/**
 * The last numbers that were seen, the earliest record that no rule had decided then, and the last comparison of books and
 * gateway; '' for none.
 */
export type Seen = {
  readonly entry: string;
  readonly request: string;
  readonly pair: string;
  readonly transfer: string;
  readonly inbox: string;
  readonly compared: string;
};

export const NOTHING_SEEN: Seen = {
  entry: '-1',
  request: '-1',
  pair: '-1',
  transfer: '-1',
  inbox: '',
  compared: '',
};

/** A line of sql/export/states.sql. Instants are the text of Postgres in UTC, which sorts as they do. */
export type StateLine = {
  readonly month: string | null;
  readonly since: string | null;
  readonly until: string | null;
  readonly mark: string;
  readonly result: string | null;
};

export type Marks = {
  /** The earliest instant that new rows of a kind concern; null without any. */
  readonly news: ReadonlyMap<string, string | null>;
  readonly counts: ReadonlyMap<string, string>;
  readonly states: ReadonlyMap<string, readonly StateLine[]>;
  /** What the marks before had seen, and what these have. */
  readonly seen: Seen;
  readonly next: Seen;
  /** The months with entries, in order. */
  readonly months: readonly string[];
};

type MarkOptions = {
  /** What was seen the last time. */
  readonly before: Seen;
  /** Up to which numbers nothing was being written any more when the snapshot was opened. */
  readonly numbered: Numbered;
};

/** Reads all marks at the moment of the snapshot. */
export const marksOf = async (snapshot: Snapshot, { before, numbered }: MarkOptions): Promise<Marks> => {
  const { entry, request, pair, transfer } = before;
  const newRows = await rowsOf(snapshot, loadSql('export/news.sql', { entry, request, pair, transfer }));
  const newest = new Map(newRows.map((row) => [text(row, 'kind'), row.newest ?? null]));
  const news = new Map(newRows.map((row) => [text(row, 'kind'), row.first_at ?? null]));
  const waited = before.inbox === '' ? null : before.inbox; // what waited then may have been decided since
  const inbox = news.get('inbox') ?? null;
  news.set('inbox', [waited, inbox].filter((instant) => instant !== null).sort()[0] ?? null);
  const counts = await rowsOf(snapshot, loadSql('export/counts.sql'));
  const states = await statesOf(snapshot);
  return {
    news,
    counts: new Map(counts.map((row) => [text(row, 'kind'), row.mark ?? ''])),
    states,
    seen: before,
    next: {
      entry: upTo(newest.get('entries') ?? entry, numbered.entry),
      request: upTo(
        latest([newest.get('records'), newest.get('addresses'), newest.get('rates')], request),
        numbered.request,
      ),
      pair: upTo(newest.get('pairs') ?? pair, numbered.pair),
      transfer: upTo(newest.get('transfers') ?? transfer, numbered.transfer),
      inbox: inbox ?? '',
      compared: states.get('compared')?.[0]?.since ?? '',
    },
    months: [...new Set((states.get('values') ?? []).map(({ month }) => month ?? ''))].sort(),
  };
};

const latest = (numbers: readonly (string | null | undefined)[], before: string): string =>
  numbers.reduce<string>((a, b) => (b != null && BigInt(b) > BigInt(a) ? b : a), before);

/** What has a later number counts as new once more. */
const upTo = (number: string, most: string): string => (BigInt(number) > BigInt(most) ? most : number);

const statesOf = async (snapshot: Snapshot): Promise<Map<string, StateLine[]>> => {
  const states = new Map<string, StateLine[]>();
  for (const row of await rowsOf(snapshot, loadSql('export/states.sql'))) {
    const kind = text(row, 'kind');
    const lines = states.get(kind) ?? [];
    lines.push({
      month: row.month ?? null,
      since: row.since ?? null,
      until: row.until ?? null,
      mark: row.mark ?? '',
      result: row.result ?? null,
    });
    states.set(kind, lines);
  }
  return states;
};
