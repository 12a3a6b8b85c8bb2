// Balances: one reading of a list of balances, landed whole. The gateway has no as-of balance, so each night reads before
// and after its streams, and a change in between is visible.
import { type Kysely, sql } from 'kysely';
import { UsageError } from '../base/errors.ts';
import { canonical, storable } from '../base/json.ts';
import { keyText } from '../base/key-text.ts';
import { readAmount, sum } from '../base/money.ts';
import type { Product, WireRecord } from '../base/streams.ts';
import { insertRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { Receipt } from '../gateway/client.ts';
import { earnWalletId } from '../gateway/contract/contract.ts';
import { seal } from '../privacy/people.ts';
import type { Run } from '../run/job-run.ts';
import { report } from '../run/run.ts';
import { landedAt, storeRequest } from './pages.ts';

export type Phase = 'before' | 'after';

const plainId = ({ id }: WireRecord): string => String(id);

/** The id field of a product's list, and the fields that add up to the total: the balance excludes blocked funds. */
const LISTS = {
  trading: { stream: 'trading-balance', idOf: plainId, blocked: ['blockedBalance'] },
  pocket: { stream: 'pockets', idOf: plainId, blocked: ['blockedBalance', 'blockedOutputBalance'] },
  earn: { stream: 'earn-wallets', idOf: earnWalletId, blocked: [] },
} as const satisfies Record<
  Product,
  {
    stream: string;
    idOf: (row: WireRecord) => string;
    blocked: readonly string[];
  }
>;

type BalanceReading = {
  readonly product: Product;
  readonly phase: Phase;
  readonly rows: readonly WireRecord[];
  /** The requests of the rows, in order: one for each page of the list. */
  readonly receipts: readonly [Receipt, ...Receipt[]];
};

type Item = {
  readonly id: string;
  readonly currency: string;
  readonly balance: string | null;
  readonly blocked: string | null;
  readonly total: string | null;
  readonly payload: string;
  /** Why the total is not known. */
  readonly wrong: string | null;
};

/** Whose reading lands, and in which run; `subaccount` is absent for the main account. */
type BalanceOwner = {
  readonly run: Run;
  readonly entity: string;
  readonly subaccount?: string;
  readonly key: Buffer;
};

/** Lands a reading in one transaction. A balance that is not a valid amount, or is listed twice, is stored and is a finding. */
export const landReading = (db: Kysely<DB>, to: BalanceOwner, reading: BalanceReading): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await refuseOtherUser(tx, to, reading);
    const list = LISTS[reading.product];
    const [first, ...others] = reading.receipts;
    const traced = { ...to, stream: list.stream };
    const { request_id: requestId } = await storeRequest(tx, traced, {
      receipt: first,
      rows: reading.rows.length,
    });
    for (const receipt of others) await storeRequest(tx, traced, { receipt, rows: 0 });
    const items = distinct(
      reading.product,
      reading.rows.map((row) => itemOf(reading.product, row, to.key)),
    );
    await store(tx, to, { reading, requestId, items });
    for (const { id, wrong } of items.filter((item) => item.wrong !== null)) {
      await report(tx, to.run, {
        entity: to.entity,
        subject: list.stream,
        detail: `the balance of ${id} is not known: ${wrong}`,
      });
    }
  });

const itemOf = (product: Product, row: WireRecord, key: Buffer): Item => {
  const list = LISTS[product];
  const balance = amountIn(row.balance);
  const parts = list.blocked.map((field) =>
    row[field] === undefined || row[field] === null ? '0' : amountIn(row[field]),
  );
  const blocked = parts.includes(null) ? null : sum(parts as string[]);
  const fields = ['balance', ...list.blocked];
  const unread = [balance, ...parts].flatMap((part, index) => (part === null ? [fields[index]] : []));
  const currency = typeof row.currency === 'string' ? keyText(row.currency) : '';
  const wrong = unread.length > 0 ? `${unread.join(' and ')} is not a valid amount` : null;
  return {
    id: storable(list.idOf(row)),
    currency,
    balance,
    blocked,
    total: balance === null || blocked === null || currency === '' ? null : sum([balance, blocked]),
    payload: canonical(seal(row, key).payload),
    wrong: wrong ?? (currency === '' ? 'its currency is missing' : null),
  };
};

const amountIn = (value: unknown): string | null => {
  const read = typeof value === 'string' ? readAmount(value) : null;
  return read && 'amount' in read ? read.amount : null;
};

const TWICE = 'it is listed twice, with different values';

/**
 * Each item once; one that is listed twice with different values has no known balance. A pocket has one currency; trading and Earn
 * have a balance in each, whose id may be that of one wallet for all.
 */
const distinct = (product: Product, items: readonly Item[]): Item[] => {
  const byKey = new Map<string, Item>();
  for (const item of items) {
    const key = product === 'pocket' ? item.id : `${item.id} ${item.currency}`;
    const known = byKey.get(key);
    const isAlike = known === undefined || known.payload === item.payload;
    const unknown = { balance: null, blocked: null, total: null, wrong: TWICE };
    byKey.set(key, isAlike ? item : { ...known, ...unknown });
  }
  return [...byKey.values()];
};

type Stored = {
  readonly reading: BalanceReading;
  readonly requestId: string;
  readonly items: readonly Item[];
};

const store = async (
  tx: Kysely<DB>,
  { run, entity }: { readonly run: Run; readonly entity: string },
  { reading, requestId, items }: Stored,
): Promise<void> => {
  const { product, phase, receipts } = reading;
  const { taken_at } = await tx
    .insertInto('land.snapshots')
    .values({
      entity_id: entity,
      request_id: requestId,
      run_id: run.id,
      product,
      phase,
      taken_at: landedAt(receipts[0]),
    })
    .returning('taken_at')
    .executeTakeFirstOrThrow();
  await insertRows(
    tx,
    'land.balances',
    items.map(({ id, wrong, ...item }) => ({
      entity_id: entity,
      request_id: requestId,
      item_id: id,
      ...item,
    })),
  );
  if (product !== 'pocket') return;
  await insertRows(
    tx,
    'land.pockets',
    items.map(({ id, currency }) => ({
      entity_id: entity,
      pocket_id: id,
      currency,
      first_listed_at: taken_at,
    })),
    sql`on conflict do nothing`,
  );
};

/**
 * Stores the gateway's user on first use: the key of another account never writes into the same books. A reading may come before
 * the books of its entity exist, to prove the key.
 */
const refuseOtherUser = async (
  tx: Kysely<DB>,
  { entity, subaccount }: BalanceOwner,
  reading: BalanceReading,
): Promise<void> => {
  const users = new Set(
    reading.rows.map((row) => row.userId).filter((id): id is string => typeof id === 'string' && id !== ''),
  );
  const user = storable([...users][0] ?? '');
  if (users.size !== 1) return;
  const row = await tx
    .selectFrom('run.entities')
    .select('gateway_user_id')
    .where('entity_id', '=', entity)
    .executeTakeFirst();
  if (row?.gateway_user_id === user) return;
  if (row?.gateway_user_id) {
    throw new UsageError(
      `these are the books of another account: ${entity} was begun with gateway user ${row.gateway_user_id}, this key answers as ${user}; ` +
        'set TIEOUT_ENTITY, TIEOUT_HOME or DATABASE_URL to other books, or use the key of that account',
    );
  }
  const other = await tx
    .selectFrom('run.entities')
    .select('entity_id')
    .where('gateway_user_id', '=', user)
    .where('entity_id', '<>', entity)
    .where('subaccount_id', 'is', null)
    .executeTakeFirst();
  if (other && subaccount === undefined) {
    throw new UsageError(
      `gateway user ${user} has books already, as ${other.entity_id}: a second set as ${entity} would count everything twice; ` +
        `set TIEOUT_ENTITY=${other.entity_id}`,
    );
  }
  await tx
    .updateTable('run.entities')
    .set({ gateway_user_id: user })
    .where('entity_id', '=', entity)
    .execute();
};
