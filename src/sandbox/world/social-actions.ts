// Social pay: what a sender pays, what returns after the expiry, and what a recipient claims.
import type { WireObject } from '../wire-json.ts';
import { free } from './books.ts';
import type { Holder } from './cast.ts';
import { planned } from './moment.ts';
import type { Plan } from './placed-order.ts';
import { money, pocketSide, type Scene } from './scene.ts';
import { walletRow } from './wallet-row.ts';

type SocialOf = {
  readonly id: string;
  readonly pocket: Holder;
  readonly units: bigint;
  /** The other person, as the row shows them: a class, and an e-mail, a phone or an alias. */
  readonly person: WireObject;
  readonly remarks: WireObject;
};

/** Debits the pocket at once, and plans the return at the expiry. */
export const paySocially = (scene: Scene, payment: SocialOf & { readonly expiresAt: number }): Plan => {
  const { id, pocket, units, person, remarks, expiresAt } = payment;
  const amount = money(units, pocket.currency);
  scene.move(scene.at, free(pocket.id), pocket.currency, -units);
  walletRow(scene, {
    id,
    type: 'transfer',
    subtype: 'social-pay',
    method: String(person.class),
    denomination: amount,
    origin: pocketSide(pocket, units),
    destination: { ...person, ...amount },
    more: remarks,
  });
  const { scene: noting, plan } = planned({ ...scene, at: expiresAt });
  receiveSocially(noting, { ...payment, id: scene.random.uuid(), subtype: 'reimbursement' });
  return plan;
};

/** Credits the pocket. */
export const receiveSocially = (
  scene: Scene,
  { id, pocket, units, person, remarks, subtype }: SocialOf & { readonly subtype: string },
): void => {
  const amount = money(units, pocket.currency);
  scene.move(scene.at, free(pocket.id), pocket.currency, units);
  walletRow(scene, {
    id,
    type: 'transfer',
    subtype,
    method: String(person.class),
    denomination: amount,
    origin: { ...person, ...amount },
    destination: pocketSide(pocket, units),
    more: remarks,
  });
};
