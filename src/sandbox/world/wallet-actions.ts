// Money that enters or leaves pockets by bank and chain, and transfers between pockets.
import { cut, unitsOf } from '../amount.ts';
import type { WireObject } from '../wire-json.ts';
import { free, output } from './books.ts';
import type { Holder } from './cast.ts';
import { COINS, CRYPTO, decimalsOf, FIAT_USED } from './coins.ts';
import { addressOf, hashOf, ownWalletOf } from './networks.ts';
import { referenceOf } from './pocket-reference.ts';
import {
  type Action,
  amountBetween,
  money,
  pocketIn,
  pocketSide,
  portion,
  type Scene,
  walletText,
} from './scene.ts';
import { outcomeOf, type RowOutcome, settledAt, type WalletRowOf, walletRow } from './wallet-row.ts';

type TellerFee = { readonly units: bigint; readonly fee: WireObject | undefined };

/** A teller fee in fiat, in one of the two forms that the service uses, or none. */
export const tellerFee = (scene: Scene, amount: bigint, currency: string): TellerFee => {
  if (!scene.random.chance(35)) return { units: 0n, fee: undefined };
  const fixed = unitsOf('0.25');
  const variable = cut(amount / 200n, 2);
  const nested = {
    fixed: money(fixed, currency),
    variable: { percentage: '0.5', ...money(variable, currency) },
  };
  const flat = {
    feeCurrency: currency,
    fixedFee: walletText(fixed, currency),
    variableFee: walletText(variable, currency),
  };
  return { units: fixed + variable, fee: { teller: scene.random.chance(50) ? nested : flat } };
};

/** Credits a pocket when the row settles; null if it never does. */
export const inflow = (scene: Scene, outcome: RowOutcome, pocket: Holder, units: bigint): number | null => {
  const when = settledAt(scene, outcome);
  if (when !== null) scene.move(when, free(pocket.id), pocket.currency, units);
  return when;
};

/** Until it leaves, the amount is in the pocket's blocked output, so that the pocket's total stays the same. */
export const outflow = (scene: Scene, outcome: RowOutcome, pocket: Holder, units: bigint): number | null => {
  const { id, currency } = pocket;
  scene.move(scene.at, free(id), currency, -units);
  if (outcome.kind === 'at-once') return scene.at;
  scene.move(scene.at, output(id), currency, units);
  scene.move(outcome.at, output(id), currency, -units);
  if (outcome.kind === 'cancelled') scene.move(outcome.at, free(id), currency, units);
  return settledAt(scene, outcome);
};

export const bankDeposit: Action = (scene) => {
  const pocket = pocketIn(scene, scene.random.pick(FIAT_USED));
  const { currency } = pocket;
  const amount = amountBetween(scene, currency, 400, 15_000);
  const { units, fee } = tellerFee(scene, amount, currency);
  const outcome = outcomeOf(scene);
  const when = inflow(scene, outcome, pocket, amount - units);
  if (when !== null && units > 0n) scene.move(when, 'fees-teller', currency, units);
  const after = units > 0n ? { amountAfterFees: walletText(amount - units, currency) } : {};
  const bank = scene.random.chance(80) ? 'bank-transfer' : 'bank transfer';
  walletRow(scene, {
    type: 'deposit',
    subtype: 'funding',
    method: 'bank-transfer',
    denomination: money(amount, currency),
    outcome,
    origin: {
      class: bank,
      ...money(amount, currency),
      bankAccount: 'ES9121000418450200051332',
      fullName: 'Ana Example',
    },
    destination: { ...pocketSide(pocket, amount), ...after },
    more: { fee, concept: referenceOf(pocket.id) },
  });
  return true;
};

type AddressFor = (network: string, drawn: string) => string;

const chain = (
  { random }: Scene,
  { currency, units }: { readonly currency: string; readonly units: bigint },
  addressFor: AddressFor = addressOf,
): WireObject => ({
  class: random.chance(85) ? 'blockchain' : 'network',
  ...money(units, currency),
  address: addressFor(networkOf(currency), random.uuid()),
  addressNetwork: networkOf(currency),
});

const networkOf = (currency: string): string => COINS[currency]?.network ?? '';

/** Where a deposit comes from: the user's own wallet, or somebody whom nothing else names. */
const sender = (scene: Scene, currency: string, units: bigint): WireObject =>
  chain(scene, { currency, units }, (network, drawn) =>
    drawn < OWN_BELOW ? ownWalletOf(network, scene.player.userId) : addressOf(network, drawn),
  );

/** Five in sixteen of what is drawn. */
const OWN_BELOW = '5';

const onChain = ({ random }: Scene, currency: string): Pick<WalletRowOf, 'chain'> => ({
  chain: {
    network: networkOf(currency),
    hash: hashOf(networkOf(currency), random.uuid()),
    confirmationCount: 1 + random.below(40),
  },
});

export const chainDeposit: Action = (scene) => {
  const currency = scene.random.pick(CRYPTO);
  const pocket = pocketIn(scene, currency);
  const amount = amountBetween(scene, currency, 300, 20_000);
  const outcome = outcomeOf(scene);
  inflow(scene, outcome, pocket, amount);
  walletRow(scene, {
    type: 'deposit',
    subtype: 'receive',
    method: 'blockchain',
    denomination: money(amount, currency),
    outcome,
    origin: sender(scene, currency, amount),
    destination: pocketSide(pocket, amount),
    ...onChain(scene, currency),
  });
  return true;
};

/** The network fee appears once: as the difference of the two sides, or listed and on top of equal sides. */
export const chainWithdrawal: Action = (scene) => {
  const currency = scene.random.pick(CRYPTO);
  const pocket = pocketIn(scene, currency);
  const amount = portion(scene, free(pocket.id), currency, 20);
  const fee = cut(amount / 500n, decimalsOf(currency));
  if (fee <= 0n) return false;
  const onTop = scene.random.chance(40);
  const outcome = outcomeOf(scene);
  const when = outflow(scene, outcome, pocket, onTop ? amount + fee : amount);
  if (when !== null) scene.move(when, 'fees-network', currency, fee);
  walletRow(scene, {
    type: 'withdrawal',
    subtype: 'automatic-send',
    method: 'blockchain',
    outcome,
    denomination: money(amount, currency),
    origin: pocketSide(pocket, amount),
    destination: chain(scene, { currency, units: onTop ? amount : amount - fee }),
    ...onChain(scene, currency),
    more: onTop ? { fee: { network: money(fee, currency) } } : {},
  });
  return true;
};

export const internalTransfer: Action = (scene) => {
  const currency = scene.random.pick(['EUR', 'BTC', 'ETH']);
  const [a, b] = scene.player.pockets.filter((pocket) => pocket.currency === currency) as [Holder, Holder];
  const [from, to] = scene.random.chance(50) ? [a, b] : [b, a];
  const amount = portion(scene, free(from.id), currency, 40);
  if (amount <= 0n) return false;
  scene.move(scene.at, free(from.id), currency, -amount);
  scene.move(scene.at, free(to.id), currency, amount);
  walletRow(scene, {
    type: 'transfer',
    subtype: 'internal',
    method: 'pocket',
    denomination: money(amount, currency),
    origin: pocketSide(from, amount),
    destination: pocketSide(to, amount),
  });
  return true;
};
