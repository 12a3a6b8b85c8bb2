// What stands of records, with the value that the version reports which booked it: an entry stands for both.
import type { Kysely } from 'kysely';
import type { DB } from '../database/db-types.ts';
import { standing } from '../ledger/ledger.ts';
import type { Standing } from '../ledger/posting.ts';
import { reportedValues } from './reported-value.ts';

/** The last entry of a record, and the value of its version in the reporting currency; null if none is reported, or none is used. */
export type BookedStanding = Standing & { readonly reportedValue: string | null };

type Sought = {
  readonly entity: string;
  readonly currency: string;
  readonly stream: string;
  readonly recordIds: readonly string[];
};

/** What stands of some records of one stream, by record id; absent if nothing was ever booked. */
export const bookedStanding = async (
  tx: Kysely<DB>,
  { currency, ...records }: Sought,
): Promise<Map<string, BookedStanding>> => {
  const known = [...(await standing(tx, records))];
  const entries = known.map(([record_id, { last }]) => ({ ...last, entity_id: last.entity, record_id }));
  const values = await reportedValues(tx, entries, currency);
  return new Map(
    known.map(([recordId, stands], nth) => [recordId, { ...stands, reportedValue: values[nth] ?? null }]),
  );
};
