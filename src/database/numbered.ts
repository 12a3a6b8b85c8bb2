// Numbers in the order of writing: a row gets its number before its transaction ends, so a reader may see a later number and miss
// an earlier one. Whoever notes how far it has read takes the numbers from here.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { FailedError } from '../base/errors.ts';
import type { DB } from './db-types.ts';

/** The last entry and the last request up to which nothing is still being written. */
export type Numbered = { readonly entry: string; readonly request: string };

const PAUSE_MS = 20;
/** Each writes one page or one batch. */
const PATIENCE_MS = 120_000;

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
        'another session has written entries or requests and keeps its transaction open: end it (see pg_stat_activity) and run again',
      );
    await sleep(PAUSE_MS);
    const still = new Set(await writersOpen(db));
    open = open.filter((writer) => still.has(writer));
  }
  return numbered;
};

const numbersGiven = async (db: Kysely<DB>): Promise<Numbered> => {
  const { rows } = await sql<Numbered>`
    select (e.last_value - (not e.is_called)::int)::text as entry, (r.last_value - (not r.is_called)::int)::text as request
    from ledger.entries_entry_number_seq e cross join land.requests_request_id_seq r`.execute(db);
  return rows[0] ?? { entry: '0', request: '0' };
};

/** The transactions of other sessions that write entries or requests: a statement locks the table before it takes a number. */
const writersOpen = async (db: Kysely<DB>): Promise<string[]> => {
  const { rows } = await sql<{ writer: string }>`
    select distinct virtualtransaction as writer from pg_locks
    where locktype = 'relation' and mode = 'RowExclusiveLock' and pid <> pg_backend_pid()
      and relation in ('ledger.entries'::regclass, 'land.requests'::regclass)
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
  return rows.map(({ writer }) => writer);
};
