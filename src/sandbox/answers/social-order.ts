// Social pay orders as the sender and the recipient see them, and who that is.
import { isoOf } from '../../base/time.ts';
import { textOf } from '../amount.ts';
import type { Entity } from '../entity.ts';
import type { Question } from '../question.ts';
import type { WireObject } from '../wire-json.ts';
import { type SocialOrder, socialStatus } from '../world/social-order.ts';
import { phoneOf } from './subaccounts.ts';

/** All orders in the order of their creation; senders and recipients share them. */
export const socialOrders = ({ world }: Question): readonly SocialOrder[] => world.socialOrders?.() ?? [];

/** Whether an order goes to a user, by the e-mail, the phone, or the name as alias; never to its sender. */
export const isRecipient = (
  { platform }: Question,
  { recipient, sender }: SocialOrder,
  entity: Entity,
): boolean => {
  if (entity.entityId === sender.entityId) return false;
  if (recipient.type === 'email') return recipient.email?.toLowerCase() === entity.email.toLowerCase();
  if (recipient.type === 'alias') return recipient.alias?.toLowerCase() === entity.name.toLowerCase();
  return isEqualPhone(recipient.phone, phoneOf(platform, entity));
};

type Phone = SocialOrder['recipient']['phone'];

const isEqualPhone = (a: Phone, b: Phone): boolean => {
  const digits = (phone: Phone) => `${phone?.countryCode}${phone?.number}`.replaceAll(/\D/g, '');
  return digits(a) === digits(b);
};

/** As a user of the order sees it: with their own pocket and wallet transaction. */
export const socialView = (order: SocialOrder, viewer: Entity, now: number): WireObject => {
  const { recipient, sender, createdAt, expiresAt } = order;
  const isSender = viewer.entityId === sender.entityId;
  const claim = socialStatus(order, now) === 'accepted' ? order.claim : null;
  return {
    orderId: order.id,
    userId: sender.userId,
    type: recipient.type,
    amount: textOf(order.units),
    currency: order.currency,
    concept: order.concept,
    note: order.note,
    email: recipient.email,
    phone: recipient.phone,
    alias: recipient.alias,
    senderName: sender.name,
    pocketId: isSender ? order.pocketId : (claim?.pocketId ?? ''),
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

const change = (
  author: string,
  instant: number,
  newStatus: ReturnType<typeof socialStatus>,
  reason: string,
): WireObject => ({
  author,
  created: isoOf(instant),
  newStatus,
  reason,
});
