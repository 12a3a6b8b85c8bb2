// Teller orders: a proforma is executed once within two minutes; what is paid by card waits for the user.
import type { CONTRACT } from '../../gateway/contract/contract.ts';
import { oncePerList } from '../once-per-list.ts';
import type { Platform } from '../platform.ts';
import type { Answers, Question, SandboxAnswer } from '../question.ts';
import { refusal } from '../refusals.ts';
import type { WireObject } from '../wire-json.ts';
import { free } from '../world/books.ts';
import { planned } from '../world/moment.ts';
import type { Plan } from '../world/placed-order.ts';
import { money, type PresentScene, type Scene } from '../world/scene.ts';
import { cardBuy, pocketBuy, tellerDeposit } from '../world/teller-actions.ts';
import { type BodyOf, change } from './change.ts';
import { validateIban, validateIbanOld } from './iban.ts';
import { priceView, type TellerPrice, tellerPrice } from './teller-proforma.ts';
import { walletProformaStatus } from './wallet-proforma.ts';

type Teller = typeof CONTRACT.teller;

type TellerOrder = {
  readonly id: string;
  readonly price: TellerPrice;
  readonly expiresAt: number;
  /** null until it is executed. */
  course: { readonly plan: Plan; readonly paidAt: number } | null;
  isCancelled: boolean;
};

const SHELF = { name: 'teller-orders', empty: () => new Map<string, TellerOrder>() };

const ordersOf = ({ platform, entity }: Question): Map<string, TellerOrder> =>
  platform.on(SHELF, entity.entityId);

const VALID_MS = 2 * 60_000;

/** The time that a user takes to pay by card. */
const PAYMENT_MS = 15 * 60_000;

const prepareOrder = (question: Question): SandboxAnswer =>
  change(question, (scene) => {
    const price = tellerPrice(scene, question.body as BodyOf<Teller['prepareOrder']>);
    if ('statusCode' in price) return price;
    const id = question.platform.uuid();
    const expiresAt = scene.at + VALID_MS;
    ordersOf(question).set(id, { id, price, expiresAt, course: null, isCancelled: false });
    return { data: priceView(id, price) };
  });

const executeOrder = (question: Question): SandboxAnswer => {
  const { orderId } = question.body as BodyOf<Teller['executeOrder']>;
  const order = ordersOf(question).get(orderId);
  if (order === undefined) return refusal(404, 'Order not found');
  return change(question, (scene) => executed(question, scene, order));
};

const executed = (question: Question, scene: PresentScene, order: TellerOrder): SandboxAnswer => {
  const { price } = order;
  if (order.course !== null) return refusal(406, 'The order was executed before');
  if (scene.at >= order.expiresAt) return refusal(406, 'The proforma is expired: request another');
  if (price.from !== null && scene.has(free(price.from.id), price.currency) < price.paid)
    return refusal(412, 'Insufficient funds in the pocket');
  const verdict = question.authorize({
    transactionId: scene.nextId,
    userId: question.entity.userId,
    type: price.from === null ? 'deposit' : 'transfer',
    amount: String(money(price.paid, price.currency).amount),
    currency: price.currency,
  });
  if (verdict !== null) return verdict;
  const paidAt = isByUser(price) ? scene.at + PAYMENT_MS : scene.at;
  const { scene: noting, plan } = planned({ ...scene, at: paidAt });
  perform(noting, order, scene.nextId);
  order.course = { plan, paidAt };
  return { data: orderView(order, scene.at) };
};

/** Whether the user has to pay on a page of a provider. */
const isByUser = ({ method }: TellerPrice): boolean => ['card', 'apple-pay', 'google-pay'].includes(method);

const perform = (scene: Scene, { id: orderId, price }: TellerOrder, id: string): void => {
  const terms = { ...price, orderId, id };
  if (price.orderType === 'deposit') tellerDeposit(scene, terms);
  else if (price.from === null) cardBuy(scene, terms);
  else pocketBuy(scene, { ...terms, from: price.from });
};

const statusOf = ({ course, isCancelled }: TellerOrder, now: number): string => {
  if (isCancelled) return 'cancelled';
  if (course === null) return 'pending';
  return now >= course.paidAt ? 'accepted' : 'waiting-user';
};

/** A teller order that was executed, for the notification socket. */
export type TellerState = {
  readonly orderId: string;
  readonly status: string;
  readonly type: TellerPrice['orderType'];
};

/** The orders that an entity has executed, at an instant. */
export const tellerStates = (platform: Platform, entityId: string, now: number): readonly TellerState[] =>
  [...platform.on(SHELF, entityId).values()]
    .filter(({ course }) => course !== null)
    .map((order) => ({ orderId: order.id, status: statusOf(order, now), type: order.price.orderType }));

const orderView = (order: TellerOrder, now: number): WireObject => {
  const status = statusOf(order, now);
  const type = order.price.method === 'card' ? 'iframe' : 'external';
  const uri = `https://pay.example.com/${order.id}`;
  return {
    orderId: order.id,
    status,
    ...(status === 'waiting-user' && { provider: { requestConfiguration: { type, uri } } }),
  };
};

const cancelOrder = (question: Question): SandboxAnswer => {
  const { orderId } = question.body as BodyOf<Teller['cancelOrder']>;
  const order = ordersOf(question).get(orderId);
  if (order === undefined) return refusal(404, 'Order not found');
  return change(question, (scene) => {
    if (order.course === null || statusOf(order, scene.at) !== 'waiting-user')
      return refusal(406, 'The order does not wait for the user');
    scene.callOff(order.course.plan);
    order.isCancelled = true;
    return { data: orderView(order, scene.at) };
  });
};

/** The status of each row whose fee names an order, by the order. */
const statusByOrder = oncePerList(
  (rows) =>
    new Map(
      rows.toReversed().flatMap(({ body: { fee, status } }) => {
        const id = (fee as { teller?: WireObject } | undefined)?.teller?.id;
        return typeof id === 'string' ? [[id, String(status)]] : [];
      }),
    ),
);

/** The state of the order behind a row of the history, the first that names it; null if no row does. */
const historicStatus = ({ world, entity }: Question, id: string): string | null => {
  const status = statusByOrder(world.rows(entity.entityId, 'wallet-transactions')).get(id);
  return status === undefined ? null : (ORDER_STATUS[status] ?? 'pending');
};

const ORDER_STATUS: Readonly<Record<string, string>> = {
  completed: 'accepted',
  canceled: 'cancelled',
  cancelled: 'cancelled',
  'waiting-user-information': 'waiting-user',
};

/** By the id of an order or of a wallet proforma; an unknown id is pending. */
const orderStatus = (question: Question): SandboxAnswer => {
  const id = String(question.query.id);
  const order = ordersOf(question).get(id);
  const status =
    order === undefined
      ? (historicStatus(question, id) ?? walletProformaStatus(question, id))
      : statusOf(order, question.world.now());
  return { data: { status } };
};

export const teller: Answers = {
  'teller-proforma': prepareOrder,
  'teller-order': executeOrder,
  'teller-order-cancel': cancelOrder,
  'teller-order-status': orderStatus,
  'iban-validate': validateIban,
  'iban-validate-old': validateIbanOld,
};
