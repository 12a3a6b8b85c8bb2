// Earn movements: the rule for the Earn wallets. README.md has the assumptions of all rules. Amounts are in the coin;
// `convertedAmount` is the platform's valuation and is never booked.

import { compare, subtract } from '../base/money.ts';
import type { WireRecord } from '../base/streams.ts';
import { CLEARING_EARN, EARN, REWARDS, TAX_WITHHELD } from '../ledger/accounts.ts';
import { leg } from '../ledger/ledger.ts';
import { amount, currency, hasObject, instant, isGiven, Reject, valueAt, word } from './fields.ts';
import { booked, type Rule } from './outcome.ts';
import { unbooked } from './status.ts';

type Coin = { readonly value: string; readonly code: string };

/**
 * A deposit or withdrawal against clearing, or a reward, each less the tax withheld from it; no other type has a rule.
 * The older form of these records has no status: all of them are completed.
 */
export const earnMovement: Rule = (record) => {
  const aside = isGiven(record, 'status') ? unbooked(record) : null;
  if (aside) return aside;
  const type = word(record, 'type', TYPES);
  const coin = { value: amount(record, 'amount.value'), code: currency(record, 'amount.currency') };
  const [destination, origin] = ENDS[type];
  const { net, withheld } = partsOf(record, coin);
  return booked({
    kind: 'earn-movement',
    effectiveAt: instant(record, 'createdAt'),
    description: `earn ${type}`,
    legs: [...leg(destination, origin, net, coin.code), ...leg(TAX_WITHHELD, origin, withheld, coin.code)],
  });
};

/** By type: the account that receives the net amount, and the account that the gross amount leaves. */
const ENDS = {
  deposit: [EARN, CLEARING_EARN],
  withdrawal: [CLEARING_EARN, EARN],
  reward: [EARN, REWARDS],
} as const;
const TYPES = Object.keys(ENDS) as (keyof typeof ENDS)[];

type Parts = { readonly net: string; readonly withheld: string };

/** Net amount and withheld tax; if one is missing, it is the gross amount less the other. */
const partsOf = (record: WireRecord, gross: Coin): Parts => {
  const amounts = {
    net: part(record, 'netAmount', gross.code),
    withheld: part(record, 'withholdingAmount', gross.code),
  };
  const net = amounts.net ?? left(gross, amounts.withheld ?? '0', 'withholdingAmount');
  const withheld = amounts.withheld ?? left(gross, net, 'netAmount');
  return { net, withheld };
};

/** A part of the amount, `{value, currency}` or a bare value; null if absent or all nulls. Throws a Reject for another coin. */
const part = (record: WireRecord, path: string, code: string): string | null => {
  if (typeof valueAt(record, path) === 'string') return amount(record, path);
  if (!hasObject(record, path)) return null;
  const assetCode = isGiven(record, `${path}.currency`) ? currency(record, `${path}.currency`) : code;
  if (assetCode !== code) throw new Reject(`${path}.currency`, `${assetCode} is not the ${code} of amount`);
  return amount(record, `${path}.value`);
};

const left = (gross: Coin, taken: string, path: string): string => {
  if (compare(taken, gross.value) > 0) throw new Reject(path, `${taken} is more than amount: ${gross.value}`);
  return subtract(gross.value, taken);
};
