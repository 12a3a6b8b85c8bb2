// Records that are not final, with the effect that each would have on the accounts: a difference that they explain is
// pending and not yet a break.
import { type Kysely, sql } from 'kysely';
import { negate, sum } from '../base/money.ts';
import type { LandedStream, WireRecord } from '../base/streams.ts';
import type { DB } from '../database/db-types.ts';
import type { Draft } from '../ledger/entry.ts';
import type { ContextOf } from '../normalize/context.ts';
import { contextOf, effectOfNonFinal } from '../normalize/rules.ts';

/** A record that is not final, with its effect on the account: a signed amount. */
export type Effect = {
  readonly record: string;
  readonly amount: string;
  readonly at: string | null;
  /** What else is known about it. */
  readonly remark?: string;
  /** The status of its teller order, if that says more than that it waits. */
  readonly teller?: string;
};

/** What the status of its teller order says about a record; `pending` says nothing, an unknown order is pending too. */
export const TELLER_REMARKS: Readonly<Record<string, string>> = {
  'waiting-user': 'its teller order waits for the user',
  review: 'its teller order is in review',
  accepted: 'its teller order is accepted',
  cancelled: 'its teller order is cancelled',
};

/** The effects of records that are not final, by account and currency, as the rules would book them today. */
export const effectsOfNotFinal = async (
  db: Kysely<DB>,
  books: ContextOf,
  asOf: string | null,
): Promise<Map<string, Effect[]>> => {
  const effects = new Map<string, Effect[]>();
  if (asOf === null) return effects;
  const { rows } = await sql<{
    stream: LandedStream;
    record_id: string;
    payload: string;
    record_at: string;
    teller_status: string | null;
  }>`
    select r.stream, r.record_id, r.payload, coalesce(r.record_at, r.landed_at) as record_at, t.status as teller_status
    from ledger.outcomes o
    join books_internal.latest_records r using (entity_id, stream, record_id, version)
    left join books.teller_orders t
      on (t.entity_id, t.record_id) = (r.entity_id, r.payload::jsonb #>> '{fee,teller,id}')
    where o.entity_id = ${books.entity} and not o.final
    order by r.stream, r.record_id`.execute(db);
  if (rows.length === 0) return effects;
  const context = await contextOf(db, books);
  for (const row of rows) {
    const legs = effectOfNonFinal(row.stream, JSON.parse(row.payload) as WireRecord, context);
    const teller = row.teller_status ?? '';
    const remark = TELLER_REMARKS[teller];
    for (const [place, amount] of legs ? sides(legs) : []) {
      effects.set(place, [
        ...(effects.get(place) ?? []),
        {
          record: `${row.stream} ${row.record_id}`,
          amount,
          at: row.record_at,
          ...(remark !== undefined && { remark, teller }),
        },
      ]);
    }
  }
  return effects;
};

/** The effect of legs on each account and currency, summed: part of a record explains nothing. */
const sides = (legs: Draft['legs']): Map<string, string> => {
  const effects = new Map<string, string>();
  const add = (place: string, amount: string) => effects.set(place, sum([effects.get(place) ?? '0', amount]));
  for (const { debit, credit, currency, amount } of legs) {
    add(`${debit} ${currency}`, amount);
    add(`${credit} ${currency}`, negate(amount));
  }
  return effects;
};
