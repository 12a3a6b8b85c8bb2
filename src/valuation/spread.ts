// The spread of a conversion in the wallet: the market value of what was given minus that of what was received. It is part
// of the cost, is never posted, and is stored beside the conversion's line.

import { type Atto, attoText, roundToCents } from '../base/money.ts';
import { CONVERSION } from '../ledger/accounts.ts';
import type { EntryValuation } from './entry-valuation.ts';

/** Records nothing if a side has no rate. That is not a finding, because no value depends on the spread. */
export const recordSpread = ({ event, priced, market, values }: EntryValuation): void => {
  if (event.kind !== 'wallet-transaction' || !priced.exchange) return;
  const line = values.lines.find(({ account }) => account === CONVERSION);
  let [spread, sources] = [0n, new Set<string>()];
  for (const [currency, units] of priced.exchange.amounts) {
    const mid = midOf(units, currency);
    if (mid === null) return;
    spread += mid.value;
    if (mid.source !== '') sources.add(mid.source);
  }
  if (!line || sources.size === 0) return;
  line.spread = roundToCents(spread);
  line.memo = `spread ${attoText(line.spread)} ${market.reporting} against ${[...sources].join(', ')}`;

  function midOf(units: Atto, currency: string): { value: Atto; source: string } | null {
    if (currency === market.reporting) return { value: units, source: '' };
    const price = market.prices(currency, event.micros);
    return (
      price && { value: units < 0n ? -price.convert(-units) : price.convert(units), source: price.source }
    );
  }
};
