// What each list explains, from the world's own sums and prices: a test compares it with what a reader of the lists shows.
import { isoOf } from '../base/time.ts';
import { over, textOf, times, unitsOf } from './amount.ts';
import type { Entity } from './entity.ts';
import type { Wire, WireObject } from './wire-json.ts';
import { referenceOf } from './world/pocket-reference.ts';
import { socialStatus } from './world/social-order.ts';
import type { Listed, World } from './world.ts';

/** By entity: how each amount and record is explained. */
export const explanationsOf = (world: World): Wire =>
  Object.fromEntries(world.entities.map((entity) => [entity.entityId, explained(world, entity)]));

const explained = (world: World, { entityId }: Entity): WireObject => {
  const rows = world.rows(entityId, 'wallet-transactions');
  return {
    reserved: reservedIn(world, entityId),
    transfers_to_own_addresses: rows.flatMap((row) => ownTransfer(world, row)),
    social_payments: paidIn(world, entityId),
    unpaid_social_orders: unpaidIn(world, entityId),
    conversion_spreads: rows.flatMap((row) => spreadOf(world, row)),
    teller_orders: rows.flatMap(({ id, body }) => {
      const order_id = textAt(body, 'fee', 'teller', 'id');
      return order_id === undefined ? [] : [{ record_id: id, order_id }];
    }),
    earn_partners: world.rows(entityId, 'earn-movements').flatMap(({ id, body }) => {
      const pocket_id = textAt(body, 'source', 'walletId');
      return pocket_id === undefined ? [] : [{ record_id: id, pocket_id }];
    }),
    pocket_references: world
      .pockets(entityId)
      .map(({ id }) => ({ pocket_id: id, reference: referenceOf(id) })),
  };
};

/** Blocked trading balances, by what blocks them. */
const reservedIn = (world: World, entityId: string): WireObject[] =>
  world.trading(entityId).flatMap(({ currency, inOrders = '0', inBots = '0' }) => {
    const isFree = inOrders === '0' && inBots === '0';
    return isFree ? [] : [{ currency, orders: inOrders, bots: inBots }];
  });

/** A payment on a chain whose address belongs to a pocket of the same world. */
const ownTransfer = (world: World, { id, body }: Listed): WireObject[] => {
  const [address, network, currency] = ['address', 'addressNetwork', 'currency'].map((field) =>
    textAt(body, 'destination', field),
  );
  if (address === undefined || network === undefined || currency === undefined) return [];
  const to = world.depositPocket?.({ address, network, currency });
  return to === undefined
    ? []
    : [{ record_id: id, address, network, entity_id: to.entityId, pocket_id: to.pocketId }];
};

/** The row of each social pay order that an entity sent or has claimed. */
const paidIn = (world: World, entityId: string): WireObject[] =>
  (world.socialOrders?.() ?? []).flatMap((order) => {
    const { id: order_id, sender, walletMovementId, claim } = order;
    const isClaimed = socialStatus(order, world.now()) === 'accepted' && claim?.entity.entityId === entityId;
    return [
      ...(sender.entityId === entityId ? [{ record_id: walletMovementId, order_id, direction: 'sent' }] : []),
      ...(isClaimed ? [{ record_id: claim.walletMovementId, order_id, direction: 'received' }] : []),
    ];
  });

/** Money that left for somebody who has not claimed it: it waits, or has returned. */
const unpaidIn = (world: World, entityId: string): WireObject[] =>
  (world.socialOrders?.() ?? [])
    .filter(({ sender }) => sender.entityId === entityId)
    .map((order) => ({ order, status: socialStatus(order, world.now()) }))
    .filter(({ status }) => status !== 'accepted')
    .map(({ order, status }) => ({
      record_id: order.walletMovementId,
      order_id: order.id,
      status,
      amount: textOf(order.units),
      currency: order.currency,
      returns_at: isoOf(order.expiresAt),
    }));

/** What a conversion at the market's price would have bought beyond what it bought, in the currency that it bought. */
const spreadOf = (world: World, { id, at: instant, body }: Listed): WireObject[] => {
  const [from, to] = [textAt(body, 'origin', 'currency'), textAt(body, 'destination', 'currency')];
  if (!['purchase', 'sell', 'swap'].includes(String(body.subtype)) || from === undefined || to === undefined)
    return [];
  const [left, bought] = [textAt(body, 'origin', 'amount'), textAt(body, 'destination', 'amount')].map(
    (text = '0') => unitsOf(text),
  ) as [bigint, bigint];
  const converted = body.subtype === 'purchase' ? left - tellerFee(body) : left;
  const atMarket = over(times(converted, world.prices.euro(from, instant)), world.prices.euro(to, instant));
  const shown = textAt(body, 'destination', 'rate', 'value');
  const spread = textOf(atMarket - bought);
  return [{ record_id: id, currency: to, spread, ...(shown !== undefined && { rate: shown }) }];
};

const tellerFee = (body: WireObject): bigint =>
  [['fixed', 'amount'], ['variable', 'amount'], ['fixedFee'], ['variableFee']].reduce(
    (sum, path) => sum + unitsOf(textAt(body, 'fee', 'teller', ...path) ?? '0'),
    0n,
  );

/** The text at a path of members; undefined if there is none. */
const textAt = (body: WireObject, ...path: readonly string[]): string | undefined => {
  const value = path.reduce<unknown>(
    (part, member) => (part as Record<string, unknown> | null | undefined)?.[member],
    body,
  );
  return typeof value === 'string' ? value : undefined;
};
