// Pairing: reads the lines and the payments of an entity that are in no pair, matches them, and stores the new pairs with their
// evidence. Only entities with statements have any.
import { type Kysely, sql } from 'kysely';
import { groupBy } from '../base/group.ts';
import { insertRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { peopleKey } from '../privacy/people.ts';
import type { Run } from '../run/job-run.ts';
import { hashKey } from './chain-text.ts';
import { markOf } from './marks.ts';
import { type DaysMax, matchPayments } from './match.ts';
import type { ExternalPair, OpenLine, OpenPayment } from './payment.ts';

/** Pairs what is new. Returns the number of pairs made. */
export const pairExternal = async (tx: Kysely<DB>, run: Run, entity: string): Promise<number> => {
  const lines = await openLines(tx, entity);
  if (lines.length === 0) return 0;
  const payments = await openPayments(tx, entity);
  const daysMax = await daysOf(tx);
  const byPlace = groupBy(payments, placeOf);
  const pairs = [...groupBy(lines, placeOf)].flatMap(([place, ofPlace]) =>
    matchPayments(ofPlace, byPlace.get(place) ?? [], daysMax),
  );
  await insertRows(
    tx,
    'reconcile.external_matches',
    pairs.map((pair) => rowOf(pair, { entity, run })),
    sql`on conflict do nothing`, // a payment that was returned stands again with the line that it had before
  );
  return pairs.length;
};

const placeOf = ({ kind, currency }: { kind: string; currency: string }): string => `${kind} ${currency}`;

const daysOf = async (tx: Kysely<DB>): Promise<DaysMax> => {
  const { rows } = await sql<DaysMax>`
    select books_internal.external_days('bank') as bank, books_internal.external_days('chain') as chain`.execute(
    tx,
  );
  return rows[0] ?? { bank: 0, chain: 0 };
};

const openLines = async (tx: Kysely<DB>, entity: string): Promise<OpenLine[]> => {
  const { rows } = await sql<OpenLine>`
    select account_name, line_number, kind, currency, booked_on::text, value_on::text, amount, hash, own_address, reference_marks, number_marks,
      is_related
    from books_internal.open_external_lines(${entity})`.execute(tx);
  return rows;
};

type StoredPayment = Omit<OpenPayment, 'marks'> & { readonly identifiers: readonly string[] };

/** Payments with the commitments by which a line may name them: each identifier of the record, under the entity's key. */
const openPayments = async (tx: Kysely<DB>, entity: string): Promise<OpenPayment[]> => {
  const key = await peopleKey(tx, entity);
  const { rows } = await sql<StoredPayment>`
    select kind, entry_id, account, currency, effective_at, effective_day::text, stream, record_id, amount, pocketed, identifiers, concept,
      bank_account, hash, address, returned_by, returned_at, returned_day::text
    from books_internal.open_payments(${entity}) where not is_platform_card`.execute(tx);
  return rows.map(({ identifiers, ...payment }) => ({
    ...payment,
    hash: payment.hash === null ? null : hashKey(payment.hash),
    marks: [...new Set(identifiers)].map((identifier) => markOf(identifier, key)),
  }));
};

const rowOf = (
  { line, payment, grounds, fee, daysApart }: ExternalPair,
  { entity, run }: { readonly entity: string; readonly run: Run },
) => ({
  entity_id: entity,
  account_name: line.account_name,
  line_number: line.line_number,
  entry_id: payment.entry_id,
  kind: line.kind,
  account: payment.account,
  currency: line.currency,
  line_amount: line.amount,
  entry_amount: payment.amount,
  fee,
  stream: payment.stream,
  record_id: payment.record_id,
  effective_at: payment.effective_at,
  effective_day: payment.effective_day,
  days_apart: daysApart,
  grounds,
  run_id: run.id,
  matched_at: run.startedAt,
  is_return: payment.entry_id === payment.returned_by,
});
