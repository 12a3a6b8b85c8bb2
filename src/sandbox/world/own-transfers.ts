// Transfers between entities of one owner: each list shows its own side. They alternate between the other's pocket and the
// other's e-mail address, where only amount and time show the owner.
import { strict as assert } from 'node:assert';
import { unitsOf } from '../amount.ts';
import type { WireObject } from '../wire-json.ts';
import { free } from './books.ts';
import type { Life } from './life.ts';
import { money, pocketIn, pocketSide } from './scene.ts';
import { sentOrder } from './social-order.ts';
import { main, other, type Stage } from './stage.ts';
import { walletRow } from './wallet-row.ts';

/** When the first is sent, in days before the anchor; each further one some minutes earlier. */
const DAYS_BEFORE = 1.5;
const APART_DAYS = 0.01;

/** The time that a payment by e-mail takes to arrive. */
const CLAIM_MS = 90_000;

/** Sends `count` transfers from the main account to the last subaccount. Throws if there is no other entity. */
export const ownTransfers = (stage: Stage, count: number): void => {
  assert(main(stage) !== other(stage), 'the fault own-transfers needs two entities: --entities 2');
  for (let nth = 0; nth < count; nth += 1) transferBetween(stage, nth);
};

const transferBetween = (stage: Stage, nth: number): void => {
  const [from, to] = [main(stage), other(stage)].map((life) =>
    stage.scene(life, DAYS_BEFORE + nth * APART_DAYS),
  );
  assert(from && to);
  const units = unitsOf('40.5') + unitsOf('1') * BigInt(nth);
  const [a, b] = [pocketIn(from, 'EUR'), pocketIn(to, 'EUR')];
  const isSocial = nth % 2 === 1;
  const claimedAt = isSocial ? to.at + CLAIM_MS : to.at;
  from.move(from.at, free(a.id), 'EUR', -units);
  to.move(claimedAt, free(b.id), 'EUR', units);
  const transfer = {
    type: 'transfer' as const,
    denomination: money(units, 'EUR'),
    ...(isSocial ? { subtype: 'social-pay', method: 'email' } : { subtype: 'internal', method: 'pocket' }),
  };
  const person = (life: Life): WireObject => ({
    class: 'email',
    ...money(units, 'EUR'),
    email: life.player.email,
  });
  const sentId = walletRow(from, {
    ...transfer,
    origin: pocketSide(a, units),
    destination: isSocial ? person(other(stage)) : pocketSide(b, units),
  });
  const claimedId = walletRow(to, {
    ...transfer,
    at: claimedAt,
    origin: isSocial ? person(main(stage)) : pocketSide(a, units),
    destination: pocketSide(b, units),
  });
  if (!isSocial) return;
  const { email } = to.player;
  const paid = { entity: from.player, pocketId: a.id, currency: 'EUR', units, at: from.at, email };
  const claim = { entity: to.player, pocketId: b.id, at: claimedAt, walletMovementId: claimedId };
  from.send({ ...sentOrder({ ...paid, walletMovementId: sentId }), claim });
};
