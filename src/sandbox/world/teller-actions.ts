// Teller orders: fiat that enters a pocket, and coins bought with fiat, paid by card, by bank or from a pocket.
import type { WireObject } from '../wire-json.ts';
import { free } from './books.ts';
import type { Holder } from './cast.ts';
import { convertPockets } from './conversion-actions.ts';
import { referenceOf } from './pocket-reference.ts';
import { money, pocketSide, type Scene, walletText } from './scene.ts';
import { walletRow } from './wallet-row.ts';

type TellerOf = {
  readonly orderId: string;
  readonly id: string;
  readonly method: string;
  readonly currency: string;
  /** What is paid, the fee in it, and what a purchase buys. */
  readonly paid: bigint;
  readonly fixedFee: bigint;
  readonly variableFee: bigint;
  readonly to: Holder;
};

/** The row names the order as the id of its fee. */
const feeOf = ({ orderId, currency, fixedFee, variableFee }: TellerOf): WireObject => ({
  teller: {
    id: orderId,
    feeCurrency: currency,
    fixedFee: walletText(fixedFee, currency),
    variableFee: walletText(variableFee, currency),
    variableFeePercentage: '0.5',
  },
});

/** Fiat from a card or a bank; the fee is deducted. */
export const tellerDeposit = (scene: Scene, order: TellerOf): void => {
  const { to, currency, paid, method, id } = order;
  const fee = order.fixedFee + order.variableFee;
  scene.move(scene.at, free(to.id), currency, paid - fee);
  scene.move(scene.at, 'fees-teller', currency, fee);
  const isBank = method === 'bank-transfer';
  walletRow(scene, {
    id,
    type: 'deposit',
    subtype: 'funding',
    method,
    denomination: money(paid, currency),
    origin: { class: isBank ? 'bank-transfer' : 'card', ...money(paid, currency) },
    destination: { ...pocketSide(to, paid), amountAfterFees: walletText(paid - fee, currency) },
    more: { fee: feeOf(order), ...(isBank && { concept: referenceOf(to.id) }) },
  });
};

/** Coins paid by card: no origin, only the price in the denomination, with the fee inside it. */
export const cardBuy = (scene: Scene, order: TellerOf & { readonly bought: bigint }): void => {
  const { to, currency, paid, bought, method, id } = order;
  scene.move(scene.at, free(to.id), to.currency, bought);
  walletRow(scene, {
    id,
    type: 'deposit',
    subtype: 'purchase',
    method,
    denomination: money(paid, currency),
    destination: pocketSide(to, bought),
    more: { fee: feeOf(order), instantId: scene.random.uuid() },
  });
};

/** Coins paid from a fiat pocket; the fee is part of what leaves. */
export const pocketBuy = (
  scene: Scene,
  order: TellerOf & { readonly bought: bigint; readonly from: Holder },
): void => {
  const { from, to, currency, paid, bought, id } = order;
  const fee = feeOf(order);
  convertPockets(scene, {
    id,
    subtype: 'purchase',
    from,
    to,
    left: paid,
    bought,
    fee,
    priced: [to.currency, currency],
  });
  scene.move(scene.at, 'fees-teller', currency, order.fixedFee + order.variableFee);
};
