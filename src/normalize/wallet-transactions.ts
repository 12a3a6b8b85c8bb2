// Wallet transactions: the rule for what enters and leaves pockets (design, "The booking rules"). Sides and fees are
// read beside; here they become legs.
import { CONVERSION, FEES_NETWORK } from '../ledger/accounts.ts';
import { type Leg, leg } from '../ledger/entry.ts';
import { compare, sign, subtract, sum } from '../money.ts';
import type { WireRecord } from '../streams.ts';
import { hasObject, instant, isGiven, Reject, words } from './fields.ts';
import { booked, type Rule } from './outcome.ts';
import { unbooked } from './status.ts';
import { type Fee, feesOf } from './wallet-fees.ts';
import { type Side, sidesOf } from './wallet-sides.ts';

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
        ? transferred(origin, destination, fees)
        : converted(origin, destination, hasObject(record, 'origin') ? fees : besides(fees, origin.currency)),
  });
};

const describe = (record: WireRecord): string =>
  words(record, ['type', 'subtype', 'method']).join(' ') || 'wallet transaction';

/** One currency: what is left between the two sides is the fee, once. */
const transferred = (origin: Side, destination: Side, fees: readonly Fee[]): Leg[] => {
  if (compare(destination.amount, origin.amount) > 0) {
    throw new Reject('destination.amount', `${destination.amount} is more than origin: ${origin.amount}`);
  }
  const rest = subtract(origin.amount, destination.amount);
  return [
    ...leg(destination.account, origin.account, destination.amount, origin.currency),
    ...(sign(rest) > 0 ? withheld(origin, rest, fees) : onTop(origin, fees)),
  ];
};

/** The fee between the sides: of the kinds named if they say exactly that, else the network's. */
const withheld = (origin: Side, rest: string, fees: readonly Fee[]): Leg[] => {
  const same = fees.every((fee) => fee.currency === origin.currency);
  const explained = same && compare(sum(fees.map((fee) => fee.amount)), rest) === 0;
  return explained ? charged(origin.account, fees) : leg(FEES_NETWORK, origin.account, rest, origin.currency);
};

/** Nothing is left between the sides: a named fee was paid besides. It is ours only where a pocket of ours pays. */
const onTop = (origin: Side, fees: readonly Fee[]): Leg[] => {
  if (origin.place !== 'pocket') return [];
  mustBeIn(fees, [origin.currency]);
  return charged(origin.account, fees);
};

/**
 * Two currencies meet in conversion. A fee in the origin's currency is part of what left, one in the destination's
 * comes out of conversion, and one in a third has no account that it could leave.
 */
const converted = (origin: Side, destination: Side, fees: readonly Fee[]): Leg[] => {
  mustBeIn(fees, [origin.currency, destination.currency]);
  const ofOrigin = fees.filter((fee) => fee.currency === origin.currency);
  const taken = sum(ofOrigin.map((fee) => fee.amount));
  if (compare(taken, origin.amount) > 0)
    throw new Reject('fee', `${taken} is more than origin: ${origin.amount}`);
  return [
    ...leg(CONVERSION, origin.account, subtract(origin.amount, taken), origin.currency),
    ...charged(origin.account, ofOrigin),
    ...leg(destination.account, CONVERSION, destination.amount, destination.currency),
    ...charged(CONVERSION, besides(fees, origin.currency)),
  ];
};

/** A card's own fee is inside what was paid (assumption): it is not booked beside it. */
const besides = (fees: readonly Fee[], code: string): Fee[] => fees.filter((fee) => fee.currency !== code);

const charged = (payer: string, fees: readonly Fee[]): Leg[] =>
  fees.flatMap((fee) => leg(fee.account, payer, fee.amount, fee.currency));

const mustBeIn = (fees: readonly Fee[], codes: readonly string[]): void => {
  const strange = fees.find((fee) => !codes.includes(fee.currency));
  if (strange) throw new Reject(strange.path, `${strange.currency} is the currency of neither side`);
};
