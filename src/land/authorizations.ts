// Deliveries of the authorization webhook: each is landed with its answer in one transaction before the answer is sent.
// They arrive whether or not a run is open, so they are no run's and take no lock of one. The number of a delivery is the
// next of its entity, and is committed before another can be: a run that links them misses none.
import { type Kysely, sql, type Transaction } from 'kysely';
import { codeOf } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { seal } from '../privacy/people.ts';
import { besideRuns } from '../run/run.ts';
import { landPeople } from './people.ts';

/** A delivery as received; what could not be read of it is null. */
export type Delivery = {
  readonly transactionId: string | null;
  readonly userId: string | null;
  readonly type: string | null;
  readonly amount: string | null;
  readonly currency: string | null;
  readonly value: Readonly<Record<string, unknown>>;
  readonly sha256: string;
  /** The body's text, with the personal values replaced as in the sealed value. */
  readonly textOf: (sealed: unknown) => string;
};

/** An earlier delivery about the same transaction of the same user. */
export type EarlierDelivery = {
  readonly number: string;
  readonly isAuthorized: boolean;
  readonly hasSameTerms: boolean;
};

/** What was landed: the answer, and where it is. */
export type LandedDelivery = {
  readonly entity: string;
  readonly number: string;
  readonly isAuthorized: boolean;
  readonly reason: string;
};

type Answering = {
  /** The entity of users that no books belong to. */
  readonly mainEntity: string;
  readonly decide: (earlier: EarlierDelivery | null) => {
    readonly isAuthorized: boolean;
    readonly reason: string;
  };
  /** Called last before the commit; what it throws rolls the delivery back. */
  readonly confirm: () => void;
};

const TAKEN = '23505';
const TRIES_MAX = 20;
const PATIENCE = '2s';

/**
 * Decides about a delivery and lands it with the answer. Throws if it cannot be landed: then there is no answer either.
 * Another process that serves the same books may take the number first; the delivery is then decided again.
 */
export const landDelivery = async (
  db: Kysely<DB>,
  delivery: Delivery,
  answering: Answering,
): Promise<LandedDelivery> => {
  for (let round = 1; ; round += 1)
    try {
      return await besideRuns(db, async (tx) => {
        const landed = await landOne(tx, delivery, answering);
        answering.confirm();
        return landed;
      });
    } catch (error) {
      if (codeOf(error) !== TAKEN || round === TRIES_MAX) throw error;
    }
};

const landOne = async (
  tx: Transaction<DB>,
  delivery: Delivery,
  { mainEntity, decide }: Answering,
): Promise<LandedDelivery> => {
  await sql`select set_config('statement_timeout', ${PATIENCE}, true), set_config('lock_timeout', ${PATIENCE}, true)`.execute(
    tx,
  );
  const { entity, key } = await booksOf(tx, delivery.userId, mainEntity);
  const { number, earlier } = await stateBefore(tx, { entity, mainEntity, delivery });
  const { isAuthorized, reason } = decide(earlier);
  const { payload, people } = seal(delivery.value, key);
  await tx
    .insertInto('land.authorizations')
    .values({
      entity_id: entity,
      delivery_number: number,
      received_at: sql<string>`clock_timestamp()`,
      transaction_id: delivery.transactionId,
      user_id: delivery.userId,
      transaction_type: delivery.type,
      amount: delivery.amount,
      currency: delivery.currency,
      is_authorized: isAuthorized,
      reason,
      body: delivery.textOf(payload),
      body_sha256: delivery.sha256,
    })
    .execute();
  const recordId = delivery.transactionId ?? `delivery ${number}`;
  const rows = people.map((person) => ({ record_id: recordId, version: number, ...person }));
  await landPeople(tx, { entity, stream: 'authorizations' }, rows);
  return { entity, number, isAuthorized, reason };
};

/** The books of a user, by the id that the gateway gave; those of the main account for a user without books. */
const booksOf = async (tx: Kysely<DB>, userId: string | null, mainEntity: string) => {
  const { rows } = await sql<{ entity: string; key: Buffer }>`
    select e.entity_id as entity, k.key from run.entities e join land.people_keys k using (entity_id)
    where ${userId}::text in (e.subaccount_id, e.gateway_user_id) or e.entity_id = ${mainEntity}
    order by coalesce(e.subaccount_id = ${userId}, false) desc, coalesce(e.gateway_user_id = ${userId}, false) desc, e.entity_id
    limit 1`.execute(tx);
  const [books] = rows;
  if (books === undefined) throw new Error('the books of the main account have no key');
  return books;
};

/** Whether the main account's books were read: before, no personal value could be replaced. */
export const hasKey = async (db: Kysely<DB>, entity: string): Promise<boolean> =>
  (await db
    .selectFrom('land.people_keys')
    .select('entity_id')
    .where('entity_id', '=', entity)
    .executeTakeFirst()) !== undefined;

type Before = { readonly entity: string; readonly mainEntity: string; readonly delivery: Delivery };

/** The number after the last, and the first delivery about the same transaction, as one statement sees them. */
const stateBefore = async (tx: Kysely<DB>, { entity, mainEntity, delivery }: Before) => {
  const { transactionId, userId, type, amount, currency } = delivery;
  const { rows } = await sql<{
    next: string;
    number: string | null;
    is_authorized: boolean;
    is_same: boolean;
  }>`
    select last.next, earlier.number, earlier.is_authorized, earlier.is_same
    from (
      select coalesce(max(delivery_number), 0) + 1 as next from land.authorizations where entity_id = ${entity}
    ) as last
    left join lateral (
      select delivery_number as number, is_authorized,
        (transaction_type, amount, currency) is not distinct from (${type}::text, ${amount}::numeric, ${currency}::text) as is_same
      from land.authorizations
      where entity_id in (${entity}, ${mainEntity}) and transaction_id = ${transactionId} and user_id is not distinct from ${userId}
      order by received_at, delivery_number limit 1
    ) as earlier on true`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate has a row');
  const { next, number, is_authorized: isAuthorized, is_same: hasSameTerms } = row;
  return { number: next, earlier: number === null ? null : { number, isAuthorized, hasSameTerms } };
};
