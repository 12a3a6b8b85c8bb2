// What a wallet transaction is to do, from the body of its proforma: its kind, its pockets and its amounts.
import type { CONTRACT } from '../../gateway/contract/contract.ts';
import { cut, times, unitsOf } from '../amount.ts';
import { type Refusal, refusal } from '../refusals.ts';
import type { WireObject } from '../wire-json.ts';
import type { Holder } from '../world/cast.ts';
import { decimalsOf, isFiat } from '../world/coins.ts';
import { convert } from '../world/conversion-actions.ts';
import { networksOf } from '../world/networks.ts';
import type { PresentScene } from '../world/scene.ts';
import { amountFrom, type BodyOf, pocketNotFound, pocketOf } from './change.ts';
import { isIban } from './iban.ts';

export type ProformaBody = BodyOf<typeof CONTRACT.wallet.prepare>;

type Common = {
  readonly from: Holder;
  /** What leaves, without a fee on top. */
  readonly units: bigint;
  /** A fee on top of it. */
  readonly onTop: bigint;
};

type ChainAddress = {
  readonly address: string;
  readonly addressNetwork: string;
  readonly addressTag?: string;
};

/** A transaction as priced; `enters` is what arrives. */
export type WalletOrder = Common &
  (
    | {
        readonly kind: 'chain';
        readonly fee: bigint;
        readonly address: ChainAddress;
        readonly enters: bigint;
      }
    | { readonly kind: 'bank'; readonly account: WireObject; readonly enters: bigint }
    | { readonly kind: 'internal' | 'conversion'; readonly to: Holder; readonly enters: bigint }
    | { readonly kind: 'to-trading' | 'from-trading'; readonly enters: bigint }
  );

/** Reads a body; a refusal says what is wrong. */
export const walletOrder = (scene: PresentScene, body: ProformaBody): WalletOrder | Refusal => {
  if (body.operation === 'launchpad-purchase') return refusal(423, 'The operation is blocked');
  const from = originOf(scene, body);
  if (from === undefined) return pocketNotFound();
  if (from.currency !== body.currency)
    return refusal(406, 'The amount must be in the currency of the pocket that pays');
  const units = amountFrom(body.amount, decimalsOf(from.currency));
  if (units === null)
    return refusal(406, `${from.currency} has at most ${decimalsOf(from.currency)} decimals`);
  const order = destinationOf(scene, body, { from, units, onTop: 0n });
  return 'statusCode' in order ? order : (outsideLimits(scene, order) ?? order);
};

/** The named pocket, or the first of the currency. */
const originOf = (scene: PresentScene, { pocket, currency }: ProformaBody): Holder | undefined =>
  pocket === undefined
    ? scene.player.pockets.find((one) => one.currency === currency)
    : pocketOf(scene, pocket);

const destinationOf = (scene: PresentScene, body: ProformaBody, common: Common): WalletOrder | Refusal => {
  const { destination = {}, operation } = body;
  const enters = common.units;
  if (operation === 'withdrawal-trading') return { ...common, kind: 'to-trading', enters };
  if (operation === 'deposit-trading') return { ...common, kind: 'from-trading', enters };
  if (destination.address !== undefined) return chainOrder(body, common);
  if (destination.bankAccount !== undefined) return bankOrder(body, common);
  const to = targetOf(scene, body, common.from);
  if (to === undefined) return pocketNotFound();
  if (to.id === common.from.id) return refusal(406, 'Both pockets are the same');
  if (to.currency === common.from.currency) return { ...common, kind: 'internal', to, enters };
  const bought = convert(scene, common.units, [common.from.currency, to.currency]);
  return { ...common, kind: 'conversion', to, enters: cut(bought, decimalsOf(to.currency)) };
};

/** The named pocket, or the first of the other currency of the pair. */
const targetOf = (
  scene: PresentScene,
  { destination, pair }: ProformaBody,
  { currency }: Holder,
): Holder | undefined => {
  if (destination?.pocket !== undefined) return pocketOf(scene, destination.pocket);
  const other = pair?.split('/').find((symbol) => symbol !== currency);
  return scene.player.pockets.find((pocket) => pocket.currency === other);
};

/** The network's fee, in its own coin: a five-hundredth, as in the history. REA: the receiver gets the exact amount. */
const chainOrder = (body: ProformaBody, common: Common): WalletOrder | Refusal => {
  const { currency } = common.from;
  const { address = '', network = networksOf(currency)[0] ?? '', tag } = body.destination ?? {};
  if (!networksOf(currency).includes(network))
    return refusal(422, `The network ${network} is not supported for ${currency}`);
  const fee = cut(common.units / 500n, decimalsOf(currency));
  const isFeeOnTop = body.type === 'REA';
  return {
    ...common,
    kind: 'chain',
    fee,
    onTop: isFeeOnTop ? fee : 0n,
    enters: isFeeOnTop ? common.units : common.units - fee,
    address: { address, addressNetwork: network, ...(tag !== undefined && { addressTag: tag }) },
  };
};

const bankOrder = ({ destination, receiverName }: ProformaBody, common: Common): WalletOrder | Refusal => {
  const { bankAccount = '', receiverName: name = receiverName } = destination?.bankAccount ?? {};
  if (!isFiat(common.from.currency)) return refusal(406, 'Only fiat currencies are sent to a bank account');
  if (!isIban(bankAccount)) return refusal(406, 'Not a valid IBAN');
  return { ...common, kind: 'bank', enters: common.units, account: { bankAccount, fullName: name } };
};

const LEAST = unitsOf('1');
const MOST = unitsOf('50000');

/** By its value in euro. */
const outsideLimits = (scene: PresentScene, { units, from, enters }: WalletOrder): Refusal | null => {
  const value = times(units, scene.euro(from.currency));
  if (value < LEAST || enters <= 0n) return refusal(417, 'The amount is too low');
  return value > MOST ? refusal(417, 'The amount is too high') : null;
};
