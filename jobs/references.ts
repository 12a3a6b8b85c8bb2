// Reads the streams that move no money and explain those that do, once the records that name them have landed: what a record
// names for the first time, what is still open, and each whole list once a week. A quiet night makes no request for them.
import { sql } from 'kysely';
import { groupBy } from '../src/base/group.ts';
import type { ReferenceName } from '../src/base/streams.ts';
import { DAY_MS, isoOf } from '../src/base/time.ts';
import { together } from '../src/base/together.ts';
import { loadSql, readRows } from '../src/database/database.ts';
import type { Source } from '../src/extract/extract.ts';
import {
  addressBookWalk,
  assetWalk,
  depositAddressWalk,
  loanOrderWalk,
  ORDERS_MAX,
  pocketReferenceWalk,
  socialPayWalk,
  tellerOrderWalk,
  tradingOrderWalk,
} from '../src/extract/references.ts';
import type { ReadGateway } from '../src/gateway/client.ts';
import { landWalk } from '../src/land/land.ts';
import { peopleKey } from '../src/privacy/people.ts';
import type { Work } from '../src/run/work.ts';
import type { Context } from './extraction.ts';
import { askOptional, type Question } from './optional.ts';
import { type Reference, readStream } from './reference-stream.ts';

const WEEK_MS = 7 * DAY_MS;

/** A stream that wallet transactions name, and a name in it to request; an empty name is the whole list. */
type WantedName = {
  readonly stream: Exclude<ReferenceName, 'trading-orders' | 'assets'>;
  readonly name: string;
};

/**
 * What the wallet transactions name: whether it was read, as far as the gateway has it, and what is `left`. A refused operation is a
 * finding, and one that the gateway lacks a note.
 */
type NamedReferences = { readonly wasRead: boolean; readonly left: readonly Reference[] };

/** No figure rests on a teller order: the trades need the budget of the minute more. */
const isLeft = ({ stream }: Reference): boolean => stream === 'teller-orders';

/** Reads what the wallet transactions name, and each whole list that is due, but what is left to readOrders. */
export const readReferences = async (context: Context): Promise<NamedReferences> => {
  const { work, entity, gateway } = context;
  const wanted = {
    entity: entity.id,
    since: await lookedThrough(context),
    weekly: isoOf(gateway.nowMs() - WEEK_MS),
  };
  const names = await readRows<WantedName>(work.db, loadSql('references/named.sql', wanted));
  const references = names.map(referenceOf);
  const streams = groupBy(
    references.filter((reference) => !isLeft(reference)),
    ({ stream }) => stream,
  );
  const ends = await together([...streams.values()].map((group) => readStream(context, group)));
  return { wasRead: !ends.includes('unread'), left: references.filter(isLeft) };
};

/**
 * Reads what readReferences left, and the orders that the trades name, once all lists have landed. Then what the records name has been
 * looked through, unless some of that was not read.
 */
export const readOrders = async (context: Context, { wasRead, left }: NamedReferences): Promise<void> => {
  const { work, entity } = context;
  const until = await lastRequest(context);
  const wanted = { entity: entity.id, since: await lookedThrough(context) };
  const names = await readRows<{ name: string }>(work.db, loadSql('references/orders.sql', wanted));
  const streams = [left, ordersOf(names.map(({ name }) => name))];
  const ends = await together(streams.map((references) => readStream(context, references)));
  if (wasRead && !ends.includes('unread')) await noteLookedThrough(context, until);
};

/** A list in one request, and each pocket, address and teller order in one. */
const referenceOf = ({ stream, name }: WantedName): Reference => {
  switch (stream) {
    case 'deposit-addresses': {
      const [pocketId = '', ...network] = name.split(' ');
      const walk = (source: Source) => depositAddressWalk(source, pocketId, network.join(' '));
      return { stream, scope: name, walk };
    }
    case 'pocket-references':
      return { stream, scope: '', walk: (source) => pocketReferenceWalk(source, name) };
    case 'teller-orders':
      return { stream, scope: '', walk: (source) => tellerOrderWalk(source, name) };
    case 'loan-orders':
      return { stream, scope: '', walk: loanOrderWalk };
    case 'social-pay-orders':
      return { stream, scope: '', walk: socialPayWalk };
    case 'address-book':
      return { stream, scope: '', walk: addressBookWalk };
  }
};

/** Orders by the hundred; the list of those that are open, whose name is empty, alone. */
const ordersOf = (names: readonly string[]): Reference[] => {
  const ids = names.filter((name) => name !== '');
  const batches = Array.from({ length: Math.ceil(ids.length / ORDERS_MAX) }, (_, nth) =>
    ids.slice(nth * ORDERS_MAX, (nth + 1) * ORDERS_MAX),
  );
  return [...(ids.length < names.length ? [[]] : []), ...batches].map((batch) => ({
    stream: 'trading-orders',
    scope: '',
    walk: (source) => tradingOrderWalk(source, batch),
  }));
};

/**
 * Reads the list of assets, on behalf of `entity`, if the books hold a currency that it lacks, and weekly.
 */
export const readAssets = async (work: Work, gateway: ReadGateway, entity: string): Promise<void> => {
  const weekly = isoOf(gateway.nowMs() - WEEK_MS);
  const [due] = await readRows<{ due: boolean }>(work.db, loadSql('references/assets_due.sql', { weekly }));
  if (!due?.due) return;
  const to = { db: work.db, run: work.run, entity, stream: 'assets', scope: '' } as const;
  const question: Question = {
    entity,
    subject: to.stream,
    cost: 'so the list of assets is not updated',
    severity: () => 'note',
  };
  const key = await peopleKey(work.db, entity);
  await askOptional(work, question, () => landWalk({ ...to, key }, assetWalk({ gateway }), () => {}));
};

/** The newest request so far: the records of all requests up to it are landed. */
const lastRequest = async ({ work, entity }: Context): Promise<string> => {
  const { rows } = await sql<{ last: string }>`
    select coalesce(max(request_id), 0)::text as last from land.requests where entity_id = ${entity.id}`.execute(
    work.db,
  );
  return rows[0]?.last ?? '0';
};

/** The last request whose records were looked through for names; 0 for a reading of everything. */
const lookedThrough = async ({ work, entity, isFull }: Context): Promise<string> => {
  if (isFull) return '0';
  const row = await work.db
    .selectFrom('run.entities')
    .select('named_to')
    .where('entity_id', '=', entity.id)
    .executeTakeFirst();
  return row?.named_to ?? '0';
};

const noteLookedThrough = ({ work, entity }: Context, named_to: string) =>
  work.db.updateTable('run.entities').set({ named_to }).where('entity_id', '=', entity.id).execute();
