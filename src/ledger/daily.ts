// The summaries beside the ledger: what the postings of an account, a UTC day and an instant of recording sum to, and what the
// account sums to now. They are no truth of their own: verify ledger recomputes them, and a rebuild makes them anew.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { exactSum } from '../base/money.ts';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { Entry } from './posting.ts';

const SUM_COLUMNS = {
  entity_id: 'text',
  account: 'text',
  currency: 'text',
  effective_day: 'date',
  recorded_at: 'timestamptz',
  debit: 'numeric',
  credit: 'numeric',
};

/**
 * The statement that adds what entries post, for the transaction that posts them. Rows are touched in the order of their key, so
 * that two writers wait for each other and never in a ring.
 */
export const dailyAddition = (entries: readonly Entry[]): RawBuilder<unknown> => sql`
    with side as materialized (
      select entity_id, account, currency, effective_day, recorded_at, debit, credit
      from ${unnest(dailySums(entries), SUM_COLUMNS)} order by 1, 2, 3, 4, 5
    ), summed as (
      insert into ledger.totals as total (entity_id, account, currency, debit, credit)
      select entity_id, account, currency, sum(debit), sum(credit) from side group by 1, 2, 3 order by 1, 2, 3
      on conflict (entity_id, account, currency) do update set debit = total.debit + excluded.debit, credit = total.credit + excluded.credit
    )
    insert into ledger.daily as summary (entity_id, account, currency, effective_day, recorded_at, debit, credit) select * from side
    on conflict (entity_id, account, currency, effective_day, recorded_at)
    do update set debit = summary.debit + excluded.debit, credit = summary.credit + excluded.credit`;

/** What entries post, summed here: the statement then reads a row for each sum and not two for each leg. */
const dailySums = (entries: readonly Entry[]) => {
  const days = new Map<string, DailySum>();
  for (const entry of entries) {
    for (const { debit, credit, currency, amount } of entry.legs) {
      sumOf(days, entry, { account: debit, currency }).debits.push(amount);
      sumOf(days, entry, { account: credit, currency }).credits.push(amount);
    }
  }
  return [...days.values()].map(({ debits, credits, ...key }) => ({
    ...key,
    debit: exactSum(debits),
    credit: exactSum(credits),
  }));
};

type AccountOf = { readonly account: string; readonly currency: string };

/** The amounts of an account on one UTC day, recorded at one instant. */
type DailySum = AccountOf & {
  readonly entity_id: string;
  readonly effective_day: string;
  readonly recorded_at: string;
  readonly debits: string[];
  readonly credits: string[];
};

const DAY_LENGTH = '2026-10-31'.length;

const sumOf = (days: Map<string, DailySum>, entry: Entry, { account, currency }: AccountOf): DailySum => {
  const { entity, effectiveAt, recordedAt } = entry;
  const day = effectiveAt.slice(0, DAY_LENGTH);
  const key = `${account} ${currency} ${day} ${recordedAt} ${entity}`;
  const known = days.get(key);
  if (known) return known;
  const begun = {
    entity_id: entity,
    account,
    currency,
    effective_day: day,
    recorded_at: recordedAt,
    debits: [],
    credits: [],
  };
  days.set(key, begun);
  return begun;
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
