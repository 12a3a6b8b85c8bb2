// What changed in the world between two looks, as notices: teller orders, wallet transactions, and balances to read again.
import { type AccessContext, presentEntities } from '../access/access.ts';
import { type TellerState, tellerStates } from '../answers/teller.ts';
import type { Entity } from '../entity.ts';
import type { Notice } from '../notices.ts';
import { digitsOf, type Wire, type WireObject } from '../wire-json.ts';

const SERVICES = ['wallet', 'trading', 'earn'] as const;
type Service = (typeof SERVICES)[number];

/** One entity as last seen. A record that changed has another body. */
type Look = {
  readonly tellerOrders: ReadonlyMap<string, TellerState>;
  readonly rows: ReadonlyMap<string, WireObject>;
  readonly balances: Readonly<Record<Service, string>>;
};

type Watch = {
  /** Takes the present state as seen, unless a watch goes on already. */
  readonly begin: () => void;
  /** Publishes what changed since the last look. */
  readonly look: () => void;
  readonly end: () => void;
};

/** A watch of the world; it has not begun. */
export const worldWatch = (context: AccessContext): Watch => {
  let known: ReadonlyMap<string, Look> | null = null;
  const present = () =>
    new Map(presentEntities(context).map(({ entityId }) => [entityId, lookAt(context, entityId)] as const));
  return {
    begin: () => {
      known ??= present();
    },
    look: () => {
      if (known === null) return;
      const [before, now] = [known, present()];
      known = now;
      for (const entity of presentEntities(context))
        for (const notice of changes(entity, before.get(entity.entityId), now.get(entity.entityId)))
          context.platform.notices.publish(notice);
    },
    end: () => {
      known = null;
    },
  };
};

const lookAt = ({ world, platform }: AccessContext, entityId: string): Look => ({
  tellerOrders: new Map(
    tellerStates(platform, entityId, world.now()).map((order) => [order.orderId, order] as const),
  ),
  rows: new Map(world.rows(entityId, 'wallet-transactions').map(({ id, body }) => [id, body])),
  balances: {
    wallet: JSON.stringify(world.pockets(entityId)),
    trading: JSON.stringify(world.trading(entityId)),
    earn: JSON.stringify(world.earn(entityId)?.map(({ balance }) => balance)),
  },
});

const changes = ({ userId }: Entity, before: Look | undefined, now: Look | undefined): Notice[] => {
  if (now === undefined) return [];
  const orders = [...now.tellerOrders.values()].filter(
    ({ orderId, status }) => before?.tellerOrders.get(orderId)?.status !== status,
  );
  const tellerNotices = orders.map((order) => ({
    userId,
    type: 'teller-order-v1',
    payload: { ...order, userId },
  }));
  const rows = [...now.rows].filter(([id, body]) => before?.rows.get(id) !== body);
  const transactions = rows.flatMap(([id, body]) => transactionNotices(userId, body, !before?.rows.has(id)));
  const services = SERVICES.filter((service) => before?.balances[service] !== now.balances[service]);
  const refreshes = services.map((service) => ({
    userId,
    type: 'activity.balance.refresh',
    payload: { service, userId },
  }));
  return [...tellerNotices, ...transactions, ...refreshes];
};

/** One transaction gives several notices; that of a withdrawal does not name it. */
const transactionNotices = (userId: string, body: WireObject, isNew: boolean): Notice[] => {
  const { id: transactionId, status, type, subtype, fee } = body;
  const isOutgoing = type !== 'deposit' && body.origin !== undefined;
  const { pocketId, amount, currency } = partOf(isOutgoing ? body.origin : body.destination);
  const own = { pocketId: pocketId ?? '', amount: digitsOf(amount), currency };
  const withId = { ...own, transactionId };
  const tellerId = partOf(partOf(fee).teller).id ?? null;
  const isDone = status === 'completed';
  const notices: readonly (readonly [isSent: boolean, type: string, payload: WireObject])[] = [
    [true, 'wallet-transaction-v1', { userId, ...withId, status, tellerId }],
    [isNew && type === 'deposit', 'wallet.trx.received', withId],
    [isDone && type === 'deposit', 'wallet.trx.confirmed', withId],
    [isDone && type === 'withdrawal', 'wallet.withdrawal.sent', own],
    [subtype === 'social-pay', `social.payment.${isDone ? 'success' : 'pending'}`, own],
  ];
  return notices.flatMap(([isSent, name, payload]) => (isSent ? [{ userId, type: name, payload }] : []));
};

const partOf = (value: Wire | undefined): WireObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as WireObject) : {};
