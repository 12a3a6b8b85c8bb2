// Wallet transactions: the rule for what enters and leaves pockets (design, "The booking rules"). Sides and fees are
// read beside; here they become legs.

import { compare, sign, subtract, sum } from '../base/money.ts';
import type { WireRecord } from '../base/streams.ts';
import {
  CLEARING_FEES,
  CONVERSION,
  EXTERNAL_BLOCKCHAIN,
  FEES_NETWORK,
  FEES_UNCLASSIFIED,
  pocket,
} from '../ledger/accounts.ts';
import { type Leg, leg } from '../ledger/entry.ts';
import { hasObject, instant, isGiven, Reject, words } from './fields.ts';
import { booked, type Rule, type RuleContext } from './outcome.ts';
import { unbooked } from './status.ts';
import { type Fee, feesOf } from './wallet-fees.ts';
import { sidesOf, type WalletSide } from './wallet-sides.ts';

/** A wallet transaction, booked when it completed; `date` is its creation and stands in where that is null. */
export const walletTransaction: Rule = (record, context) => {
  const aside = unbooked(record);
  if (aside) return aside;
  const { origin, destination } = sidesOf(record, context);
  const fees = feesOf(record);
  return booked({
    kind: 'wallet-transaction',
    effectiveAt: instant(record, isGiven(record, 'completedAt') ? 'completedAt' : 'date'),
    description: describe(record),
    legs:
      origin.currency === destination.currency
        ? transferred({ origin, destination, fees, context })
        : converted({
            origin,
            destination,
            context,
            fees: hasObject(record, 'origin') ? fees : besides(fees, origin.currency),
          }),
  });
};

const describe = (record: WireRecord): string =>
  words(record, ['type', 'subtype', 'method']).join(' ') || 'wallet transaction';

type Move = {
  readonly origin: WalletSide;
  readonly destination: WalletSide;
  readonly fees: readonly Fee[];
  readonly context: RuleContext;
};

/** One currency: what is left between the two sides is the fee, once. */
const transferred = (move: Move): Leg[] => {
  const { origin, destination } = move;
  if (compare(destination.amount, origin.amount) > 0) {
    throw new Reject('destination.amount', `${destination.amount} is more than origin: ${origin.amount}`);
  }
  const rest = subtract(origin.amount, destination.amount);
  return [
    ...leg(destination.account, origin.account, destination.amount, origin.currency),
    ...(sign(rest) > 0 ? withheld(move, rest) : onTop(move)),
  ];
};

/** The fee between the sides: of the kinds named if they say exactly that, else the network's where there is one. */
const withheld = ({ origin, destination, fees }: Move, rest: string): Leg[] => {
  const same = fees.every((fee) => fee.currency === origin.currency);
  if (same && compare(sum(fees.map((fee) => fee.amount)), rest) === 0) return charged(origin.account, fees);
  const isOnChain = [origin, destination].some(({ account }) => account === EXTERNAL_BLOCKCHAIN);
  return leg(isOnChain ? FEES_NETWORK : FEES_UNCLASSIFIED, origin.account, rest, origin.currency);
};

/** Nothing is left between the sides: a named fee was paid besides. It is ours only where a pocket of ours pays. */
const onTop = ({ origin, fees, context }: Move): Leg[] => {
  if (origin.place !== 'pocket') return [];
  return [
    ...charged(origin.account, fees, [origin.currency]),
    ...elsewhere(fees, [origin.currency], context),
  ];
};

/**
 * Two currencies meet in conversion. A fee in the origin's currency is part of what left, one in the destination's
 * comes out of conversion, and the network's may be in a third.
 */
const converted = ({ origin, destination, fees, context }: Move): Leg[] => {
  const ofOrigin = fees.filter((fee) => fee.currency === origin.currency);
  const taken = sum(ofOrigin.map((fee) => fee.amount));
  if (compare(taken, origin.amount) > 0)
    throw new Reject('fee', `${taken} is more than origin: ${origin.amount}`);
  return [
    ...leg(CONVERSION, origin.account, subtract(origin.amount, taken), origin.currency),
    ...charged(origin.account, ofOrigin),
    ...leg(destination.account, CONVERSION, destination.amount, destination.currency),
    ...charged(CONVERSION, fees, [destination.currency]),
    ...elsewhere(fees, [origin.currency, destination.currency], context),
  ];
};

/** A card's own fee is inside what was paid (assumption): it is not booked beside it. */
const besides = (fees: readonly Fee[], code: string): Fee[] => fees.filter((fee) => fee.currency !== code);

/** Fees that one account pays, those in other currencies left out where some are named. */
const charged = (payer: string, fees: readonly Fee[], codes: readonly string[] | null = null): Leg[] =>
  fees
    .filter((fee) => codes === null || codes.includes(fee.currency))
    .flatMap((fee) => leg(fee.account, payer, fee.amount, fee.currency));

/** A network may charge another coin than it carries. No other fee can leave a currency that the record does not move. */
const elsewhere = (fees: readonly Fee[], codes: readonly string[], { pockets }: RuleContext): Leg[] =>
  fees
    .filter((fee) => !codes.includes(fee.currency))
    .flatMap((fee) => {
      if (fee.account !== FEES_NETWORK)
        throw new Reject(fee.path, `${fee.currency} is the currency of neither side`);
      return leg(fee.account, payerOf(fee.currency, pockets), fee.amount, fee.currency);
    });

/** The entity's only pocket of a coin; where there is not exactly one, nobody says which of them paid. */
const payerOf = (code: string, pockets: RuleContext['pockets']): string => {
  const [only, ...others] = [...(pockets ?? [])].filter(([, currency]) => currency === code);
  return only && others.length === 0 ? pocket(only[0]) : CLEARING_FEES;
};
