// Wallet transactions: the rule for amounts that enter and leave pockets. Other files read sides and fees; this one turns
// them into legs.

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
import type { Leg } from '../ledger/entry.ts';
import { leg } from '../ledger/ledger.ts';
import { instant, isGiven, Reject, words } from './fields.ts';
import { booked, type PocketCurrency, type Rule, type RuleContext } from './outcome.ts';
import { unbooked } from './status.ts';
import { type Fee, feesOf, refuseUnstatedFee } from './wallet-fees.ts';
import { sidesOf, type WalletSide } from './wallet-sides.ts';

/** A wallet transaction, booked at `completedAt`, or at `date`, its creation, if that is null. */
export const walletTransaction: Rule = (record, context) => {
  const aside = unbooked(record);
  if (aside) return aside;
  const { origin, destination } = sidesOf(record, context);
  const fees = feesOf(record);
  return booked({
    kind: 'wallet-transaction',
    effectiveAt: instant(record, timeFieldOfWallet(record)),
    description: describe(record),
    legs:
      origin.currency === destination.currency
        ? transferred({ record, origin, destination, fees, context })
        : converted({
            record,
            origin,
            destination,
            context,
            fees: isGiven(record, 'origin.amount') ? fees : besides(fees, origin.currency),
          }),
  });
};

/** The field of the time that counts: the completion, or the creation if there is none. */
export const timeFieldOfWallet = (record: WireRecord): string =>
  isGiven(record, 'completedAt') ? 'completedAt' : 'date';

const describe = (record: WireRecord): string =>
  words(record, ['type', 'subtype', 'method']).join(' ') || 'wallet transaction';

type Move = {
  readonly record: WireRecord;
  readonly origin: WalletSide;
  readonly destination: WalletSide;
  readonly fees: readonly Fee[];
  readonly context: RuleContext;
};

/** One currency: the rest between the two sides is the fee, once. */
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

/**
 * The fee between the sides: split by the kinds named in its currency if they sum to it, and what is named in another currency
 * is charged beside it. Otherwise network for chains, or unclassified: a fee in another currency may be its value.
 */
const withheld = (move: Move, rest: string): Leg[] => {
  const { origin, destination, fees } = move;
  const sameCurrency = fees.filter((fee) => fee.currency === origin.currency);
  if (compare(sum(sameCurrency.map((fee) => fee.amount)), rest) === 0)
    return [...charged(origin.account, sameCurrency), ...beside(move)];
  const isOnChain = [origin, destination].some(({ account }) => account === EXTERNAL_BLOCKCHAIN);
  return leg(isOnChain ? FEES_NETWORK : FEES_UNCLASSIFIED, origin.account, rest, origin.currency);
};

/** Without a rest between the sides, a named fee was paid on top. It is ours only if one of our pockets pays. */
const onTop = (move: Move): Leg[] => {
  const { record, origin, fees } = move;
  if (origin.place !== 'pocket') return [];
  refuseUnstatedFee(record);
  return [...charged(origin.account, fees, [origin.currency]), ...beside(move)];
};

/** The fees in another currency than the transfer, if one of our pockets pays; otherwise they are the sender's. */
const beside = ({ origin, fees, context }: Move): Leg[] =>
  origin.place === 'pocket' ? elsewhere(fees, [origin.currency], context) : [];

/**
 * Two currencies meet in conversion. A fee in the origin's currency is part of the amount that left, one in the
 * destination's comes out of the conversion, and a network fee may be in a third.
 */
const converted = ({ record, origin, destination, fees, context }: Move): Leg[] => {
  if (isGiven(record, 'origin.amount')) refuseUnstatedFee(record); // a card's own fee is inside the amount paid
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

/** The card's own fee is inside the amount paid (assumption), so it has no leg. */
const besides = (fees: readonly Fee[], code: string): Fee[] => fees.filter((fee) => fee.currency !== code);

/** The fees that one account pays; if currencies are given, only fees in those. */
const charged = (payer: string, fees: readonly Fee[], codes: readonly string[] | null = null): Leg[] =>
  fees
    .filter((fee) => codes === null || codes.includes(fee.currency))
    .flatMap((fee) => leg(fee.account, payer, fee.amount, fee.currency));

/** A network may charge another coin than it transfers. Any other fee must be in a currency of the record. */
const elsewhere = (fees: readonly Fee[], codes: readonly string[], context: RuleContext): Leg[] =>
  fees
    .filter((fee) => !codes.includes(fee.currency))
    .flatMap((fee) => {
      if (fee.account !== FEES_NETWORK)
        throw new Reject(fee.path, `${fee.currency} is the currency of neither side`);
      return leg(fee.account, payerOf(fee.currency, context), fee.amount, fee.currency);
    });

/**
 * The entity's only pocket of a coin when the record first landed; if there was not exactly one, the payer is unknown. A pocket that
 * is opened later changes nothing: a rebuild names the same payer.
 */
const payerOf = (code: string, { pockets, request }: RuleContext): string => {
  const isPayer = ({ currency, after, until }: PocketCurrency): boolean =>
    currency === code &&
    (request === undefined ? until === null : after < request && (until === null || request <= until));
  const [only, ...others] = [...(pockets ?? [])].filter(([, currencies]) => currencies.some(isPayer));
  return only && others.length === 0 ? pocket(only[0]) : CLEARING_FEES;
};
