// Listed funds for a scene that the generator does not know of, so that it has what it takes, whatever the generator spends.
import { HOUR_MS } from '../../base/time.ts';
import { free } from './books.ts';
import type { Holder } from './cast.ts';
import { isFiat } from './coins.ts';
import { hashOf, networksOf, ownWalletOf } from './networks.ts';
import { referenceOf } from './pocket-reference.ts';
import { money, movement, pocketIn, pocketSide, type Scene } from './scene.ts';
import { walletRow } from './wallet-row.ts';

/** A deposit into a pocket an hour before the scene, by bank or on a chain. Returns the pocket. */
export const fund = (scene: Scene, currency: string, units: bigint): Holder => {
  const pocket = pocketIn(scene, currency);
  const instant = scene.at - HOUR_MS;
  scene.move(instant, free(pocket.id), currency, units);
  walletRow(scene, {
    at: instant,
    type: 'deposit',
    subtype: 'receive',
    denomination: money(units, currency),
    destination: pocketSide(pocket, units),
    ...(isFiat(currency) ? byBank(pocket, units) : onChain(scene, pocket, units)),
  });
  return pocket;
};

const byBank = ({ id, currency }: Holder, units: bigint) => ({
  method: 'bank-transfer',
  origin: { class: 'bank-transfer', ...money(units, currency) },
  more: { concept: referenceOf(id) },
});

/** From the user's own wallet. Nothing is drawn, so that the world stays the same with and without the scene. */
const onChain = ({ player, at: instant }: Scene, { id, currency }: Holder, units: bigint) => {
  const network = networksOf(currency)[0] ?? '';
  const address = ownWalletOf(network, player.userId);
  return {
    method: 'blockchain',
    origin: { class: 'blockchain', ...money(units, currency), address, addressNetwork: network },
    chain: { network, hash: hashOf(network, `fund:${id}:${instant}`), confirmationCount: 1 },
  };
};

/** The platform adds funds to the trading wallet an hour before the scene. */
export const fundTrading = (scene: Scene, currency: string, units: bigint): void => {
  const instant = scene.at - HOUR_MS;
  scene.move(instant, 'trading', currency, units);
  movement(scene, { at: instant, currency, units, type: 'deposit', origin: 'admin' });
};
