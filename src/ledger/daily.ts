// The summaries beside the ledger: what the postings of an account, a UTC day and an instant of recording sum to, and what the
// account sums to now. They are no truth of their own: verify ledger recomputes them, and a rebuild makes them anew.
import { type Kysely, sql } from 'kysely';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { Entry } from './posting.ts';

const LEG_COLUMNS = {
  entity_id: 'text',
  effective_at: 'timestamptz',
  recorded_at: 'timestamptz',
  debit: 'text',
  credit: 'text',
  currency: 'text',
  amount: 'numeric',
};

/**
 * Adds what entries post, in the transaction that posts them. Rows are touched in the order of their key, so that two
 * writers wait for each other and never in a ring.
 */
export const addToDaily = async (tx: Kysely<DB>, entries: readonly Entry[]): Promise<void> => {
  const legs = entries.flatMap(({ entity, effectiveAt, recordedAt, legs: own }) =>
    own.map((leg) => ({ ...leg, entity_id: entity, effective_at: effectiveAt, recorded_at: recordedAt })),
  );
  await sql`
    with side as materialized (
      select input.entity_id, side.account, input.currency, (input.effective_at at time zone 'UTC')::date as effective_day,
        input.recorded_at, sum(side.debit) as debit, sum(side.credit) as credit
      from ${unnest(legs, LEG_COLUMNS)}
      cross join lateral (values (input.debit, input.amount, 0), (input.credit, 0, input.amount)) as side (account, debit, credit)
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    ), summed as (
      insert into ledger.totals as total (entity_id, account, currency, debit, credit)
      select entity_id, account, currency, sum(debit), sum(credit) from side group by 1, 2, 3 order by 1, 2, 3
      on conflict (entity_id, account, currency) do update set debit = total.debit + excluded.debit, credit = total.credit + excluded.credit
    )
    insert into ledger.daily as summary (entity_id, account, currency, effective_day, recorded_at, debit, credit) select * from side
    on conflict (entity_id, account, currency, effective_day, recorded_at)
    do update set debit = summary.debit + excluded.debit, credit = summary.credit + excluded.credit`.execute(
    tx,
  );
};

/** Empties the summaries, with the ledger that they sum. */
export const emptyDaily = async (tx: Kysely<DB>): Promise<void> => {
  await sql`delete from ledger.totals`.execute(tx);
  await sql`delete from ledger.daily`.execute(tx);
};

/** Makes the summaries of what the ledger holds. */
export const fillDaily = async (tx: Kysely<DB>): Promise<void> => {
  await sql`
    insert into ledger.daily (entity_id, account, currency, effective_day, recorded_at, debit, credit)
    select entity_id, account, currency, effective_day, recorded_at, debit, credit from ledger.daily_sums
    order by 1, 2, 3, 4, 5`.execute(tx);
  await sql`
    insert into ledger.totals (entity_id, account, currency, debit, credit)
    select entity_id, account, currency, debit, credit from ledger.total_sums order by 1, 2, 3`.execute(tx);
};
