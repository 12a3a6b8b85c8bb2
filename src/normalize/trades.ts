// Trades: the rule for a fill. Cost and fee are the gateway's own figures, never recomputed from price or percentage.

import { sign } from '../base/money.ts';
import type { WireRecord } from '../base/streams.ts';
import { CONVERSION, FEES_TRADING, TRADING } from '../ledger/accounts.ts';
import type { Leg } from '../ledger/entry.ts';
import { leg } from '../ledger/ledger.ts';
import { amount, currency, instant, isGiven, Reject, text, word } from './fields.ts';
import { booked, type Rule } from './outcome.ts';

const SYMBOL = /^([A-Z0-9]{1,20})\/([A-Z0-9]{1,20})$/;

/** A fill, as its legs: base and cost meet in conversion, the fee leaves trading in its own currency. */
export const trade: Rule = (record) => {
  const side = word(record, 'side', ['buy', 'sell']);
  const { base, quote } = pairOf(record);
  const bought = side === 'buy';
  return booked({
    kind: 'trade',
    effectiveAt: instant(record, 'createdAt'),
    description: `${side} ${base}/${quote}`,
    legs: [
      ...exchanged(bought, amount(record, 'amount'), base),
      ...exchanged(!bought, amount(record, 'cost'), quote),
      ...feeLegs(record),
    ],
  });
};

const exchanged = (enters: boolean, value: string, code: string): Leg[] =>
  enters ? leg(TRADING, CONVERSION, value, code) : leg(CONVERSION, TRADING, value, code);

/** A free fill has the fee 0, with or without a currency. Throws a Reject for a missing fee amount. */
const feeLegs = (record: WireRecord): Leg[] => {
  const fee = amount(record, 'feeAmount');
  return sign(fee) === 0 ? [] : leg(FEES_TRADING, TRADING, fee, currency(record, 'feeCurrency'));
};

/** The currencies of BASE/QUOTE; if the record names them again, they must be equal. */
const pairOf = (record: WireRecord): { base: string; quote: string } => {
  const [, base, quote] = SYMBOL.exec(text(record, 'symbol', 'is not BASE/QUOTE')) ?? [];
  if (!base || !quote) throw new Reject('symbol', 'is not BASE/QUOTE');
  mustAgree(record, 'amountCurrency', base);
  mustAgree(record, 'priceCurrency', quote);
  return { base, quote };
};

const mustAgree = (record: WireRecord, path: string, code: string): void => {
  if (!isGiven(record, path)) return;
  const feeCurrency = currency(record, path);
  if (feeCurrency !== code) throw new Reject(path, `${feeCurrency} is not the ${code} of symbol`);
};
