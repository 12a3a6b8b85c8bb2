// Social pay: orders sent and received, their creation in both versions, and claims.
import type { CONTRACT } from '../../gateway/contract/contract.ts';
import type { Entity } from '../entity.ts';
import type { Answers, Question, SandboxAnswer } from '../question.ts';
import { refusal } from '../refusals.ts';
import type { WireObject } from '../wire-json.ts';
import { free } from '../world/books.ts';
import { decimalsOf } from '../world/coins.ts';
import { paySocially, receiveSocially } from '../world/social-actions.ts';
import { type SocialOrder, socialStatus, VALID_MS } from '../world/social-order.ts';
import { amountFrom, type BodyOf, change, pocketNotFound, pocketOf } from './change.ts';
import { isRecipient, socialOrders, socialView } from './social-order.ts';

type SocialBody = BodyOf<typeof CONTRACT.socialPay.create>;

/** Debits the pocket of the sender at once; what nobody claims within a week returns. */
const create = (question: Question): SandboxAnswer =>
  change(question, (scene) => {
    const body = question.body as SocialBody;
    const { entity, platform } = question;
    const pocket = pocketOf(scene, body.pocketId);
    if (pocket === undefined) return pocketNotFound();
    if (pocket.currency !== body.currency) return refusal(406, 'The pocket has another currency');
    const units = amountFrom(body.amount, decimalsOf(body.currency));
    if (units === null || units === 0n) return refusal(406, 'The amount is zero or has too many decimals');
    if (scene.has(free(pocket.id), pocket.currency) < units)
      return refusal(412, 'Insufficient funds in the pocket');
    const { nextId: id } = scene;
    const transfer = { transactionId: id, userId: entity.userId, type: 'transfer' } as const;
    const verdict = question.authorize({ ...transfer, amount: body.amount, currency: body.currency });
    if (verdict !== null) return verdict;
    const expiresAt = scene.at + VALID_MS;
    const payment = { id, pocket, units, person: personOf(body), remarks: remarksOf(body), expiresAt };
    const order: SocialOrder = {
      id: platform.uuid(),
      sender: entity,
      recipient: body,
      ...remarksOf(body),
      currency: body.currency,
      units,
      pocketId: pocket.id,
      createdAt: scene.at,
      expiresAt,
      walletMovementId: id,
      plan: paySocially(scene, payment),
      claim: null,
    };
    scene.send(order);
    return { data: socialView(order, entity, scene.at) };
  });

const personOf = ({ type, email, phone, alias }: SocialBody): WireObject => {
  if (type === 'email') return { class: type, email };
  if (type === 'phone') return { class: type, phone: `+${phone?.countryCode}${phone?.number}` };
  return { class: type, alias };
};

const remarksOf = ({ note = '', concept = '' }: Pick<SocialBody, 'note' | 'concept'>) => ({ note, concept });

const orders = (question: Question): SandboxAnswer => {
  const { entity, world } = question;
  return {
    data: socialOrders(question)
      .filter((order) => order.sender.entityId === entity.entityId || isRecipient(question, order, entity))
      .map((order) => socialView(order, entity, world.now())),
  };
};

type ClaimItem = BodyOf<typeof CONTRACT.socialPay.claim>[number];

/** Each item succeeds or fails alone. */
const claim = (question: Question): SandboxAnswer => {
  const items = question.body as readonly ClaimItem[];
  return {
    data: items.map((item) => {
      const message = claimOne(question, item);
      return { orderId: item.orderId, result: message === null, ...(message !== null && { message }) };
    }),
  };
};

/** Returns why it failed, or null. */
const claimOne = (question: Question, { orderId, pocketId }: ClaimItem): string | null => {
  const { entity, world } = question;
  const order = socialOrders(question).find(({ id }) => id === orderId);
  if (order === undefined || !isRecipient(question, order, entity)) return 'Order not found';
  const pocket = world.pockets(entity.entityId).find(({ id }) => id === pocketId);
  if (pocket === undefined) return 'Pocket not found';
  if (pocket.currency !== order.currency) return `The pocket is not in ${order.currency}`;
  if (order.sender.entityId === '') return `The order is ${socialStatus(order, world.now())}`;
  const { act } = world;
  if (act === undefined) return 'This world cannot be changed';
  return act(order.sender.entityId, (scene) => {
    const status = socialStatus(order, scene.at);
    if (status !== 'waiting-funds') return `The order is ${status}`;
    scene.callOff(order.plan);
    return act(entity.entityId, (own) => {
      const payment = {
        pocket,
        units: order.units,
        person: senderOf(order.sender),
        remarks: remarksOf(order),
      };
      const walletMovementId = own.nextId;
      receiveSocially(own, { ...payment, id: walletMovementId, subtype: 'social-pay' });
      order.claim = { entity, pocketId, at: own.at, walletMovementId };
      return null;
    });
  });
};

const senderOf = ({ email }: Entity): WireObject => ({ class: 'email', email });

export const socialPay: Answers = {
  'social-pay-claim': claim,
  'social-pay-orders': orders,
  'social-pay-create': create,
  'social-pay-create-v1': create,
};
