// Listed funds for a scene that the generator does not know of, so that it has what it takes, whatever the generator spends.
import { HOUR_MS } from '../../base/time.ts';
import { free } from './books.ts';
import type { Holder } from './cast.ts';
import { isFiat } from './coins.ts';
import { referenceOf } from './pocket-reference.ts';
import { money, movement, pocketIn, pocketSide, type Scene } from './scene.ts';
import { walletRow } from './wallet-row.ts';

/** A deposit into a pocket an hour before the scene, by bank or on a chain. Returns the pocket. */
export const fund = (scene: Scene, currency: string, units: bigint): Holder => {
  const pocket = pocketIn(scene, currency);
  const instant = scene.at - HOUR_MS;
  scene.move(instant, free(pocket.id), currency, units);
  const way = isFiat(currency) ? 'bank-transfer' : 'blockchain';
  walletRow(scene, {
    at: instant,
    type: 'deposit',
    subtype: 'receive',
    method: way,
    denomination: money(units, currency),
    origin: { class: way, ...money(units, currency) },
    destination: pocketSide(pocket, units),
    more: isFiat(currency) ? { concept: referenceOf(pocket.id) } : {},
  });
  return pocket;
};

/** The platform adds funds to the trading wallet an hour before the scene. */
export const fundTrading = (scene: Scene, currency: string, units: bigint): void => {
  const instant = scene.at - HOUR_MS;
  scene.move(instant, 'trading', currency, units);
  movement(scene, { at: instant, currency, units, type: 'deposit', origin: 'admin' });
};
