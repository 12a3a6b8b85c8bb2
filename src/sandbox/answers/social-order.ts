// A social pay order: its state through time, and how the sender and the recipient see it.
import { isoOf } from '../../base/time.ts';
import type { CONTRACT } from '../../gateway/contract/contract.ts';
import type { Entity } from '../entity.ts';
import type { Question } from '../question.ts';
import type { WireObject } from '../wire-json.ts';
import type { Plan } from '../world/placed-order.ts';
import type { BodyOf } from './change.ts';
import { phoneOf } from './subaccounts.ts';

export type SocialBody = BodyOf<typeof CONTRACT.socialPay.create>;

export type SocialOrder = {
  readonly id: string;
  readonly sender: Entity;
  readonly body: SocialBody;
  readonly amount: string;
  readonly units: bigint;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The row that debits the sender, and the money's return. */
  readonly walletMovementId: string;
  readonly plan: Plan;
  claim: SocialClaim | null;
};

type SocialClaim = {
  readonly entity: Entity;
  readonly pocketId: string;
  readonly at: number;
  readonly walletMovementId: string;
};

/** All orders in the order of their creation; senders and recipients share them. */
export const socialOrders = ({ platform }: Question): SocialOrder[] =>
  platform.on({ name: 'social-pay', empty: (): SocialOrder[] => [] });

type SocialStatus = 'waiting-funds' | 'accepted' | 'expired';

export const socialStatus = ({ claim, expiresAt }: SocialOrder, now: number): SocialStatus => {
  if (claim !== null) return 'accepted';
  return now >= expiresAt ? 'expired' : 'waiting-funds';
};

/** Whether an order goes to a user, by the e-mail, the phone, or the name as alias; never to its sender. */
export const isRecipient = (
  { platform }: Question,
  { body, sender }: SocialOrder,
  entity: Entity,
): boolean => {
  if (entity.entityId === sender.entityId) return false;
  if (body.type === 'email') return body.email?.toLowerCase() === entity.email.toLowerCase();
  if (body.type === 'alias') return body.alias?.toLowerCase() === entity.name.toLowerCase();
  return isEqualPhone(body.phone, phoneOf(platform, entity));
};

type Phone = SocialBody['phone'];

const isEqualPhone = (a: Phone, b: Phone): boolean => {
  const digits = (phone: Phone) => `${phone?.countryCode}${phone?.number}`.replaceAll(/\D/g, '');
  return digits(a) === digits(b);
};

/** As a user of the order sees it: with their own pocket and wallet transaction. */
export const socialView = (order: SocialOrder, viewer: Entity, now: number): WireObject => {
  const { body, sender, claim, createdAt, expiresAt } = order;
  const isSender = viewer.entityId === sender.entityId;
  const { type, currency, concept, note, email, phone, alias } = body;
  return {
    orderId: order.id,
    userId: sender.userId,
    type,
    amount: order.amount,
    currency,
    concept: concept ?? '',
    note: note ?? '',
    email,
    phone,
    alias,
    senderName: sender.name,
    pocketId: isSender ? body.pocketId : (claim?.pocketId ?? ''),
    status: socialStatus(order, now),
    statusChanges: changesOf(order, now),
    createdAt: isoOf(createdAt),
    expiryDate: isoOf(expiresAt),
    walletMovementId: isSender ? order.walletMovementId : (claim?.walletMovementId ?? null),
  };
};

const changesOf = (order: SocialOrder, now: number): WireObject[] => {
  const { sender, createdAt, expiresAt, claim } = order;
  const status = socialStatus(order, now);
  const first = change(sender.userId, createdAt, 'waiting-funds', 'created');
  if (status === 'waiting-funds') return [first];
  return claim === null
    ? [first, change('system', expiresAt, 'expired', 'not claimed in time')]
    : [first, change(claim.entity.userId, claim.at, 'accepted', 'claimed')];
};

const change = (author: string, instant: number, newStatus: SocialStatus, reason: string): WireObject => ({
  author,
  created: isoOf(instant),
  newStatus,
  reason,
});
