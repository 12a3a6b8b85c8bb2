// Payments that clients order: to an address, to a bank account, and between their own pockets.
import type { WireObject } from '../wire-json.ts';
import { free } from './books.ts';
import type { Holder } from './cast.ts';
import { hashOf } from './networks.ts';
import { money, pocketSide, type Scene } from './scene.ts';
import { outflow } from './wallet-actions.ts';
import { type ChainTransaction, walletRow } from './wallet-row.ts';

type PaymentOf = {
  readonly id: string;
  readonly from: Holder;
  readonly units: bigint;
  readonly remarks: WireObject;
};

type ChainPaymentOf = PaymentOf & {
  readonly fee: bigint;
  /** Whether the receiver gets the whole amount and the fee is on top. */
  readonly isFeeOnTop: boolean;
  readonly address: WireObject;
};

/** The time until a network, and a bank, confirms. */
const CHAIN_MS = 10 * 60_000;
const BANK_MS = 60 * 60_000;

/** What the network carries: when it arrives, how much, and the hash that both sides see. */
type ChainTransfer = {
  readonly arrivesAt: number;
  readonly units: bigint;
  readonly chain: ChainTransaction;
};

/** Leaves at once, into what the pocket shows as blocked for output, and is confirmed after ten minutes. */
export const payOnChain = (scene: Scene, payment: ChainPaymentOf): ChainTransfer => {
  const { id, from, units, fee, isFeeOnTop, address, remarks } = payment;
  const { currency } = from;
  const outcome = { kind: 'completed', at: scene.at + CHAIN_MS, waiting: 'pending' } as const;
  outflow(scene, outcome, from, isFeeOnTop ? units + fee : units);
  scene.move(outcome.at, 'fees-network', currency, fee);
  const received = isFeeOnTop ? units : units - fee;
  const chain = newTransaction(scene, String(address.addressNetwork));
  walletRow(scene, {
    id,
    type: 'withdrawal',
    subtype: 'manual-send',
    method: 'blockchain',
    outcome,
    denomination: money(units, currency),
    origin: pocketSide(from, units),
    destination: { class: 'blockchain', ...money(received, currency), ...address },
    more: { ...remarks, ...(isFeeOnTop && { fee: { network: money(fee, currency) } }) },
    chain,
  });
  return { arrivesAt: outcome.at, units: received, chain };
};

const newTransaction = ({ random }: Scene, network: string): ChainTransaction => ({
  network,
  hash: hashOf(network, random.uuid()),
  confirmationCount: 0,
});

/** The other side of a payment to a deposit address of the platform: a deposit when it arrives. */
export const receiveOnChain = (
  scene: Scene,
  { arrivesAt, units, chain }: ChainTransfer,
  to: Holder,
  network: string,
): void => {
  const amount = money(units, to.currency);
  scene.move(arrivesAt, free(to.id), to.currency, units);
  walletRow(scene, {
    at: arrivesAt,
    type: 'deposit',
    subtype: 'receive',
    method: 'blockchain',
    denomination: amount,
    origin: { class: 'blockchain', ...amount, addressNetwork: network },
    destination: pocketSide(to, units),
    chain,
  });
};

/** The same to a bank account, confirmed after an hour, without a fee. */
export const payToBank = (
  scene: Scene,
  { id, from, units, remarks, account }: PaymentOf & { readonly account: WireObject },
): void => {
  const outcome = { kind: 'completed', at: scene.at + BANK_MS, waiting: 'pending' } as const;
  outflow(scene, outcome, from, units);
  const amount = money(units, from.currency);
  walletRow(scene, {
    id,
    type: 'withdrawal',
    subtype: 'manual-send',
    method: 'bank-transfer',
    outcome,
    denomination: amount,
    origin: pocketSide(from, units),
    destination: { class: 'bank-transfer', ...amount, ...account },
    more: remarks,
  });
};

export const moveBetween = (
  scene: Scene,
  { id, from, to, units, remarks }: PaymentOf & { readonly to: Holder },
): void => {
  scene.move(scene.at, free(from.id), from.currency, -units);
  scene.move(scene.at, free(to.id), to.currency, units);
  walletRow(scene, {
    id,
    type: 'transfer',
    subtype: 'internal',
    method: 'pocket',
    denomination: money(units, from.currency),
    origin: pocketSide(from, units),
    destination: pocketSide(to, units),
    more: remarks,
  });
};
