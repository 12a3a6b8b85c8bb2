// Earn movements: the rule for the Earn wallets (observed.md, "Earn"). Amounts are in the coin; `convertedAmount` is
// the platform's valuation and is never booked.
import { CLEARING_EARN, EARN, REWARDS, TAX_WITHHELD } from '../ledger/accounts.ts';
import { type Leg, leg } from '../ledger/entry.ts';
import { compare, subtract } from '../money.ts';
import type { WireRecord } from '../streams.ts';
import { amount, currency, instant, isGiven, Reject, valueAt, word } from './fields.ts';
import { booked, type Rule } from './outcome.ts';

type Coin = { readonly value: string; readonly code: string };

/** A deposit or withdrawal against clearing, or a reward with the tax withheld from it; no other type has a rule yet. */
export const earnMovement: Rule = (record) => {
  const type = word(record, 'type', ['deposit', 'withdrawal', 'reward']);
  const coin = { value: amount(record, 'amount.value'), code: currency(record, 'amount.currency') };
  const legs = {
    deposit: () => leg(EARN, CLEARING_EARN, coin.value, coin.code),
    withdrawal: () => leg(CLEARING_EARN, EARN, coin.value, coin.code),
    reward: () => rewardLegs(record, coin),
  };
  return booked({
    kind: 'earn-movement',
    effectiveAt: instant(record, 'createdAt'),
    description: `earn ${type}`,
    legs: legs[type](),
  });
};

/** Net and withheld as given; of the two, the one not given is what the other leaves of the gross amount. */
const rewardLegs = (record: WireRecord, gross: Coin): Leg[] => {
  const given = {
    net: part(record, 'netAmount', gross.code),
    withheld: part(record, 'withholdingAmount', gross.code),
  };
  const net = given.net ?? left(gross, given.withheld ?? '0', 'withholdingAmount');
  const withheld = given.withheld ?? left(gross, net, 'netAmount');
  return [...leg(EARN, REWARDS, net, gross.code), ...leg(TAX_WITHHELD, REWARDS, withheld, gross.code)];
};

/** A part of the reward, `{value, currency}` or a bare value; null where absent. In another coin: Reject. */
const part = (record: WireRecord, path: string, code: string): string | null => {
  if (!isGiven(record, path)) return null;
  if (typeof valueAt(record, path) === 'string') return amount(record, path);
  const named = isGiven(record, `${path}.currency`) ? currency(record, `${path}.currency`) : code;
  if (named !== code) throw new Reject(`${path}.currency`, `${named} is not the ${code} of amount`);
  return amount(record, `${path}.value`);
};

const left = (gross: Coin, taken: string, path: string): string => {
  if (compare(taken, gross.value) > 0) throw new Reject(path, `${taken} is more than amount: ${gross.value}`);
  return subtract(gross.value, taken);
};
