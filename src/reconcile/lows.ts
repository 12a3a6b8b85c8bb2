// Lows: the days below zero of asset accounts up to a month ago, in short, so that a night reads only the days since.
import { type Insertable, type Kysely, sql } from 'kysely';
import { insertRows, loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';

/** Settles the days of some entities' accounts that are old enough. */
export const settleLows = async (db: Kysely<DB>, entities: readonly string[]): Promise<void> => {
  const lows = await readRows<Insertable<DB['reconcile.lows']>>(
    db,
    loadSql('reconcile/lows.sql', { entities }),
  );
  await insertRows(
    db,
    'reconcile.lows',
    lows,
    sql`on conflict (entity_id, account, currency) do update set through_day = excluded.through_day, debit = excluded.debit,
      credit = excluded.credit, days_below = excluded.days_below, first_below = excluded.first_below, lowest = excluded.lowest,
      lowest_on = excluded.lowest_on`,
  );
};

/** Forgets them: the ledger is made anew, so the next night reads every day. */
export const forgetLows = async (tx: Kysely<DB>): Promise<void> => {
  await sql`delete from reconcile.lows`.execute(tx);
};
