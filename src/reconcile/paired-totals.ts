// Paired totals: what accounts summed to when their days were last paired, so that a night looks for changed days only where
// something was posted since.
import { type Kysely, sql } from 'kysely';
import { insertRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';

/** A day to pair; the total of its account if that has changed, otherwise null. */
export type PairedDay = {
  readonly currency: string;
  readonly total_debit: string | null;
  readonly total_credit: string | null;
  readonly total_addresses?: number | null;
};

type TotalledAccount = { readonly entity: string; readonly account: string };

/** Stores the new totals of the accounts of some days, of all of which every changed day is paired now. */
export const storePairedTotals = <D extends PairedDay>(
  tx: Kysely<DB>,
  days: readonly D[],
  accountOf: (day: D) => TotalledAccount,
): Promise<void> => {
  const totals = new Map(
    days.flatMap((day) => {
      const { entity, account } = accountOf(day);
      const { currency, total_debit: debit, total_credit: credit, total_addresses: addresses } = day;
      if (debit === null || credit === null) return [];
      const total = { entity_id: entity, account, currency, debit, credit, addresses: addresses ?? 0 };
      return [[`${entity} ${account} ${currency}`, total]];
    }),
  );
  return insertRows(
    tx,
    'reconcile.paired_totals',
    [...totals.values()],
    sql`on conflict (entity_id, account, currency)
    do update set debit = excluded.debit, credit = excluded.credit, addresses = excluded.addresses`,
  );
};

export const forgetPairedTotals = async (tx: Kysely<DB>): Promise<void> => {
  await sql`delete from reconcile.paired_totals`.execute(tx);
};
