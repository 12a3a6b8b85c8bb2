// The price of a teller order: its pockets, fees and discount.
import type { CONTRACT } from '../../gateway/contract/contract.ts';
import { cut, over, textOf, times, unitsOf } from '../amount.ts';
import { type Refusal, refusal } from '../refusals.ts';
import type { WireObject } from '../wire-json.ts';
import { free } from '../world/books.ts';
import type { Holder } from '../world/cast.ts';
import { isFiat } from '../world/coins.ts';
import { convert } from '../world/conversion-actions.ts';
import { money, type PresentScene, walletText } from '../world/scene.ts';
import { amountFrom, type BodyOf, pocketNotFound, pocketOf } from './change.ts';

type TellerBody = BodyOf<typeof CONTRACT.teller.prepareOrder>;

/** A teller order as priced. */
export type TellerPrice = {
  readonly orderType: TellerBody['orderType'];
  readonly method: string;
  readonly currency: string;
  readonly paid: bigint;
  readonly fixedFee: bigint;
  readonly variableFee: bigint;
  readonly discount: bigint;
  /** null unless a pocket pays. */
  readonly from: Holder | null;
  readonly to: Holder;
  readonly bought: bigint;
};

/** Methods, fees and limits are assumptions (A-TELLER-COURSE). */
const METHODS = ['card', 'apple-pay', 'google-pay', 'bank-transfer', 'pocket'];
const FIXED = unitsOf('0.25');
const [LEAST, MOST, DISCOUNTED] = [unitsOf('10'), unitsOf('10000'), unitsOf('1000')];

/** Prices a body; a refusal says what is wrong. */
export const tellerPrice = (scene: PresentScene, body: TellerBody): TellerPrice | Refusal => {
  const { currency, orderType, method } = body;
  if (!isFiat(currency)) return refusal(406, 'Teller orders are paid in a fiat currency');
  if (!METHODS.includes(method.type)) return refusal(406, `The method must be one of ${METHODS.join(', ')}`);
  const to = targetOf(scene, body);
  if (to === undefined) return pocketNotFound();
  if (
    isFiat(to.currency) !== (orderType === 'deposit') ||
    (orderType === 'deposit' && to.currency !== currency)
  )
    return refusal(406, 'The pocket has the wrong currency');
  const from = method.type === 'pocket' ? payerOf(scene, body) : null;
  if (from === undefined) return pocketNotFound();
  if (from !== null && orderType === 'deposit') return refusal(406, 'A deposit is not paid from a pocket');
  const amount = amountFrom(body.amount, 2);
  if (amount === null) return refusal(406, `${currency} has at most 2 decimals`);
  const value = times(amount, scene.euro(currency));
  if (value < LEAST) return refusal(417, 'The amount is too low');
  if (value > MOST) return refusal(417, 'The amount is too high');
  const price = feesOf(amount, body.feeType === 'REA', value);
  const fee = price.fixedFee + price.variableFee;
  const bought = orderType === 'deposit' ? 0n : convert(scene, price.paid - fee, [currency, to.currency]);
  const isFunded = from === null || scene.has(free(from.id), currency) >= price.paid;
  if (!isFunded) return refusal(412, 'Insufficient funds in the pocket');
  return { ...price, orderType, method: method.type, currency, from, to, bought };
};

/** 0.5 % less a tenth of it from 1,000 euro on, and 0.25. REA: the amount arrives, the fee is on top. */
const feesOf = (amount: bigint, isReceiverExact: boolean, value: bigint) => {
  const full = cut(amount / 200n, 2);
  const discount = value >= DISCOUNTED ? cut(full / 10n, 2) : 0n;
  const variableFee = full - discount;
  const paid = isReceiverExact ? amount + FIXED + variableFee : amount;
  return { paid, fixedFee: FIXED, variableFee, discount };
};

/** The pocket that is named, or the first of the currency. */
const targetOf = (scene: PresentScene, { destination, currency }: TellerBody): Holder | undefined =>
  destination === undefined
    ? scene.player.pockets.find((pocket) => pocket.currency === currency)
    : pocketOf(scene, destination.value);

const payerOf = (scene: PresentScene, { method, currency }: TellerBody): Holder | undefined => {
  const { pocketId } = method.params ?? {};
  return typeof pocketId === 'string'
    ? scene.player.pockets.find((pocket) => pocket.id === pocketId && pocket.currency === currency)
    : scene.player.pockets.find((pocket) => pocket.currency === currency);
};

/** As the proforma shows it. */
export const priceView = (orderId: string, price: TellerPrice): WireObject => {
  const { currency, paid, fixedFee, variableFee, discount, to, bought } = price;
  const net = paid - fixedFee - variableFee;
  const full = variableFee + discount;
  return {
    orderId,
    denomination: money(paid, currency),
    currency: to.currency,
    amountBeforeFee: walletText(paid, currency),
    amountAfterFee: walletText(net, currency),
    fixedFee: walletText(fixedFee, currency),
    variableFee: walletText(variableFee, currency),
    variableFeePercentage: textOf(cut(over(variableFee * 100n, paid), 4)),
    ...(discount > 0n && {
      discount: {
        ...money(discount, currency),
        percentage: textOf(cut(over(discount * 100n, full), 2)),
      },
    }),
    destination: price.orderType === 'deposit' ? money(net, currency) : money(bought, to.currency),
  };
};
