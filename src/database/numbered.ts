// Numbers in the order of writing: a row gets its number before its transaction ends, so a reader may see a later number and miss
// an earlier one. Whoever notes how far it has read takes the numbers from here.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { FailedError } from '../base/errors.ts';
import type { DB } from './db-types.ts';

/** The tables whose rows are numbered for whoever reads only what is new. */
const NUMBERED = {
  entry: ['ledger.entries', 'ledger.entries_entry_number_seq'],
  request: ['land.requests', 'land.requests_request_id_seq'],
  /** A pair in clearing. */
  pair: ['reconcile.clearing_matches', 'reconcile.clearing_matches_position_seq'],
  /** A transfer between entities. */
  transfer: ['reconcile.own_transfers', 'reconcile.own_transfers_position_seq'],
} as const;

type Kind = keyof typeof NUMBERED;

/** The last number of each kind up to which nothing is still being written; 0 if nothing was. */
export type Numbered = Readonly<Record<Kind, string>>;

const PAUSE_MS = 20;
/** Each writes one page or one batch. */
const PATIENCE_MS = 60_000;

/**
 * The last numbers that were given, once every transaction that may have been given one of them has ended: whatever is read from now on
 * has all of them. Throws a FailedError if one stays open.
 */
export const numbersWritten = async (db: Kysely<DB>, patienceMs = PATIENCE_MS): Promise<Numbered> => {
  const numbered = await numbersGiven(db);
  const startedMs = performance.now();
  for (let open = await writersOpen(db); open.length > 0; ) {
    if (performance.now() - startedMs > patienceMs)
      throw new FailedError(
        'another session has written to the books and keeps its transaction open: end it (see pg_stat_activity) and run again',
      );
    await sleep(PAUSE_MS);
    const still = new Set(await writersOpen(db));
    open = open.filter((writer) => still.has(writer));
  }
  return numbered;
};

const numbersGiven = async (db: Kysely<DB>): Promise<Numbered> => {
  const numbers = Object.entries(NUMBERED).map(
    ([kind, [, sequence]]) =>
      sql`(select (last_value - (not is_called)::int)::text from ${sql.table(sequence)}) as ${sql.ref(kind)}`,
  );
  const { rows } = await sql<Numbered>`select ${sql.join(numbers)}`.execute(db);
  const [numbered] = rows;
  assert(numbered);
  return numbered;
};

/** The transactions of other sessions that write such rows: a statement locks the table before it takes a number. */
const writersOpen = async (db: Kysely<DB>): Promise<string[]> => {
  const tables = Object.values(NUMBERED).map(([table]) => table);
  const { rows } = await sql<{ writer: string }>`
    select distinct virtualtransaction as writer from pg_locks
    where locktype = 'relation' and mode = 'RowExclusiveLock' and pid <> pg_backend_pid()
      and relation = any (${tables}::regclass[])
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.map(({ writer }) => writer);
};
