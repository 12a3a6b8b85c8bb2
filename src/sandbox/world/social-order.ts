// Social pay orders of a world: who sends what to whom, the row that debits the sender, and its claim.
import { DAY_MS, HOUR_MS } from '../../base/time.ts';
import type { Entity } from '../entity.ts';
import { randomOf } from '../random.ts';
import type { Plan } from './placed-order.ts';

/** How long an order can be claimed (assumption A-SOCIAL-COURSE). */
export const VALID_MS = 7 * DAY_MS;

type Recipient = {
  readonly type: 'email' | 'phone' | 'alias';
  readonly email?: string | undefined;
  readonly phone?: { readonly countryCode: string; readonly number: string } | undefined;
  readonly alias?: string | undefined;
};

type SocialClaim = {
  readonly entity: Entity;
  readonly pocketId: string;
  readonly at: number;
  readonly walletMovementId: string | null;
};

export type SocialOrder = {
  readonly id: string;
  /** An entity of the world, or a person outside, whose entity id is empty. */
  readonly sender: Entity;
  readonly recipient: Recipient;
  readonly concept: string;
  readonly note: string;
  readonly currency: string;
  readonly units: bigint;
  /** Empty for a person outside. */
  readonly pocketId: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The row that debits the sender, unless that is a person outside; and the money's return. */
  readonly walletMovementId: string | null;
  readonly plan: Plan;
  claim: SocialClaim | null;
};

type SocialStatus = 'waiting-funds' | 'accepted' | 'expired';

export const socialStatus = ({ claim, expiresAt }: SocialOrder, now: number): SocialStatus => {
  if (claim !== null && claim.at <= now) return 'accepted';
  return now >= expiresAt ? 'expired' : 'waiting-funds';
};

/** A person who is no user of the world, known by an e-mail address. */
const outsider = (email: string): Entity => ({
  entityId: '',
  userId: randomOf(`person:${email}`).uuid(),
  name: email.replace(/@.*/, ''),
  email,
});

type PaidOf = {
  readonly walletMovementId: string;
  readonly entity: Entity;
  readonly pocketId: string;
  readonly currency: string;
  readonly units: bigint;
  readonly at: number;
  readonly email: string;
  readonly note?: string;
};

const NO_PLAN: Plan = { rows: [], effects: [] };

/** An order that an entity sent and its recipient outside has claimed. */
export const sentOrder = (paid: PaidOf): SocialOrder => ({
  ...termsOf(paid, paid.at),
  sender: paid.entity,
  recipient: { type: 'email', email: paid.email },
  pocketId: paid.pocketId,
  walletMovementId: paid.walletMovementId,
  claim: { entity: outsider(paid.email), pocketId: '', at: paid.at, walletMovementId: null },
});

/** An order of a person outside that an entity has claimed: its row is the claim. */
export const receivedOrder = (paid: PaidOf): SocialOrder => ({
  ...termsOf(paid, paid.at - HOUR_MS),
  sender: outsider(paid.email),
  recipient: { type: 'email', email: paid.entity.email },
  pocketId: '',
  walletMovementId: null,
  claim: {
    entity: paid.entity,
    pocketId: paid.pocketId,
    at: paid.at,
    walletMovementId: paid.walletMovementId,
  },
});

const termsOf = ({ walletMovementId, currency, units, note = '' }: PaidOf, createdAt: number) => ({
  id: orderIdOf(walletMovementId),
  concept: '',
  note,
  currency,
  units,
  createdAt,
  expiresAt: createdAt + VALID_MS,
  plan: NO_PLAN,
});

/** The id of the order behind a row of the history. */
export const orderIdOf = (walletMovementId: string): string =>
  randomOf(`${walletMovementId}:social-pay`).uuid();
