// Which pocket a deposit address of the platform belongs to.
import type { Player } from './cast.ts';
import { comparableAddress, depositAddressOf, networksOf } from './networks.ts';

export type AddressOf = { readonly address: string; readonly network: string; readonly currency: string };
export type DepositPocket = { readonly entityId: string; readonly pocketId: string };

const keyOf = ({ address, network, currency }: AddressOf): string =>
  `${currency} ${network} ${comparableAddress(address)}`;

/** Finds the pocket of an address among the players of the moment. Addresses are computed once for each player. */
export const depositPockets = (
  players: () => readonly Player[],
): ((place: AddressOf) => DepositPocket | undefined) => {
  const found = new Map<string, DepositPocket>();
  let known = 0;
  return (place) => {
    for (const { entityId, pockets } of players().slice(known))
      for (const { id: pocketId, currency } of pockets)
        for (const network of networksOf(currency)) {
          const address = depositAddressOf(network, pocketId);
          found.set(keyOf({ address, network, currency }), { entityId, pocketId });
        }
    known = players().length;
    return found.get(keyOf(place));
  };
};
