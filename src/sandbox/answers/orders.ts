// Orders: the list, one of them, its trades, and its cancellation.
import type { Query, Question, SandboxAnswer } from '../question.ts';
import { type Refusal, refusal } from '../refusals.ts';
import { digitsOf, type WireObject } from '../wire-json.ts';
import { cancelOrder, statusOf } from '../world/order-placing.ts';
import type { PlacedOrder } from '../world/placed-order.ts';
import { change } from './change.ts';
import { moodOf, rejected } from './order-code.ts';
import { orderView } from './order-view.ts';
import { compareValues, textFrom, wholeFrom, within } from './query-values.ts';

const ORDERS_MAX = 100;

const ordersOf = ({ world, entity }: Question): readonly PlacedOrder[] =>
  world.orders?.(entity.entityId) ?? [];

/** Newest first unless the query says otherwise, at most 100. */
export const orders = (question: Question): SandboxAnswer => {
  const { world, entity, query } = question;
  const isWithin = within(query.startTime, query.endTime);
  const ids = listed(query.ids);
  const wantedIds = ids && new Set(ids);
  const now = world.now();
  const views = ordersOf(question)
    .filter(
      (order) => isWithin(order.at) && (wantedIds?.has(order.id) ?? true) && isWanted(order, now, query),
    )
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    .map((order) => orderView(order, entity.userId, now)); // only of those wanted: an entity may have many thousand orders
  const sorted = bySort(views, textFrom(query.sort));
  const rows = query.direction === 'asc' ? sorted : sorted.toReversed();
  const offset = wholeFrom(query.offset, 0);
  return { data: rows.slice(offset, offset + wholeFrom(query.limit, ORDERS_MAX)) };
};

const bySort = (views: readonly WireObject[], field = 'createdAt'): readonly WireObject[] => {
  const key = (view: WireObject) => digitsOf(view[field]);
  return views.toSorted((a, b) => compareValues(key(a), key(b)));
};

const EQUAL = ['symbol', 'side', 'orderType', 'clientOrderId'] as const;

const listed = (value: Query[string]): readonly string[] | undefined => textFrom(value)?.split(',');

const isWanted = (order: PlacedOrder, now: number, query: Query): boolean => {
  const status = statusOf(order, now);
  return (
    EQUAL.every((field) => query[field] === undefined || order[field] === query[field]) &&
    (query.status === undefined || status === query.status) &&
    (listed(query.status_in)?.includes(status) ?? true) &&
    status !== query.status_ne &&
    !(listed(query.status_ni)?.includes(status) ?? false)
  );
};

const notFound = (): Refusal => refusal(404, 'Order not found');

const find = (question: Question): PlacedOrder | undefined =>
  ordersOf(question).find(({ id }) => id === question.params.id);

export const order = (question: Question): SandboxAnswer => {
  const found = find(question);
  return found === undefined
    ? notFound()
    : { data: orderView(found, question.entity.userId, question.world.now()) };
};

/** Oldest first. */
export const orderTrades = (question: Question): SandboxAnswer => {
  const found = find(question);
  if (found === undefined) return notFound();
  const rows = question.world.rows(question.entity.entityId, 'trades');
  return { data: rows.filter(({ body }) => body.orderId === found.id).map(({ body }) => body) };
};

/** Cancels what is not filled yet and releases its funds. */
export const deleteOrder = (question: Question): SandboxAnswer => {
  const mood = moodOf(question.platform, 'cancel');
  if (mood !== null) return rejected(mood);
  const found = find(question);
  if (found === undefined) return notFound();
  return change(question, (scene) => {
    if (!['open', 'inactive'].includes(statusOf(found, scene.at))) return rejected('DELETE_CLOSED_ORDER');
    cancelOrder(scene, found, 'user');
    return { data: orderView(found, question.entity.userId, scene.at) };
  });
};
