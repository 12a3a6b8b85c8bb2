// Transfers between pockets and people, gifts of the platform, and holds that no list shows.

import { DAY_MS } from '../../base/time.ts';
import type { WireObject } from '../wire-json.ts';
import { blockedBucket, free } from './books.ts';
import type { Holder } from './cast.ts';
import { type Action, amountBetween, money, pocketIn, pocketSide, portion, type Scene } from './scene.ts';
import { receivedOrder, sentOrder } from './social-order.ts';
import { inflow, outflow } from './wallet-actions.ts';
import { walletRow } from './wallet-row.ts';

const PEOPLE = ['ana@example.com', 'ben@example.com', 'chloe@example.com'];

const person = (units: bigint, email: string): WireObject => ({
  class: 'email',
  ...money(units, 'EUR'),
  email,
});

/** What both sides of a payment by e-mail have in common. */
const paidBy = ({ player: entity, at: instant }: Scene, pocket: Holder, units: bigint) => ({
  entity,
  pocketId: pocket.id,
  currency: pocket.currency,
  units,
  at: instant,
});

export const personPays: Action = (scene) => {
  const pocket = pocketIn(scene, 'EUR');
  const amount = amountBetween(scene, 'EUR', 5, 300);
  inflow(scene, { kind: 'at-once' }, pocket, amount);
  const email = scene.random.pick(PEOPLE);
  const walletMovementId = walletRow(scene, {
    type: 'transfer',
    subtype: 'social-pay',
    method: 'email',
    denomination: money(amount, 'EUR'),
    origin: person(amount, email),
    destination: pocketSide(pocket, amount),
    more: { note: 'Lunch' },
  });
  scene.send(receivedOrder({ ...paidBy(scene, pocket, amount), walletMovementId, email, note: 'Lunch' }));
  return true;
};

export const personPaid: Action = (scene) => {
  const pocket = pocketIn(scene, 'EUR');
  const amount = portion(scene, free(pocket.id), 'EUR', 5);
  if (amount <= 0n) return false;
  outflow(scene, { kind: 'at-once' }, pocket, amount);
  const email = scene.random.pick(PEOPLE);
  const walletMovementId = walletRow(scene, {
    type: 'transfer',
    subtype: 'social-pay',
    method: 'email',
    denomination: money(amount, 'EUR'),
    origin: pocketSide(pocket, amount),
    destination: person(amount, email),
  });
  scene.send(sentOrder({ ...paidBy(scene, pocket, amount), walletMovementId, email }));
  return true;
};

export const referral: Action = (scene) => {
  const pocket = pocketIn(scene, 'EUR');
  const amount = amountBetween(scene, 'EUR', 5, 30);
  inflow(scene, { kind: 'at-once' }, pocket, amount);
  walletRow(scene, {
    type: 'deposit',
    subtype: 'funding',
    method: 'promo-referral',
    denomination: money(amount, 'EUR'),
    destination: pocketSide(pocket, amount),
  });
  return true;
};

/** Blocks part of a pocket for a while. No list shows it, only the balances do. */
export const hold: Action = (scene) => {
  const pocket = pocketIn(scene, 'ETH');
  const amount = portion(scene, free(pocket.id), 'ETH', 10);
  if (amount <= 0n) return false;
  const end = scene.at + DAY_MS + scene.random.below(DAY_MS);
  for (const [instant, units] of [[scene.at, amount] as const, [end, -amount] as const]) {
    scene.move(instant, free(pocket.id), 'ETH', -units);
    scene.move(instant, blockedBucket(pocket.id), 'ETH', units);
  }
  return true;
};
