// The spread of a conversion in the wallet: what was given is worth more at the market's rate than what was received. It is
// part of the cost, is never posted, and is told beside the conversion.

import { type Atto, attoText, roundToCents } from '../base/money.ts';
import { CONVERSION } from '../ledger/accounts.ts';
import type { Making } from './making.ts';

/** Nothing where a side has no rate: that is no finding, since no value depends on it. */
export const tellSpread = ({ event, priced, at, out }: Making): void => {
  if (event.kind !== 'wallet-transaction' || !priced.exchange) return;
  const line = out.lines.find(({ account }) => account === CONVERSION);
  let [spread, sources] = [0n, new Set<string>()];
  for (const [currency, units] of priced.exchange.met) {
    const mid = midOf(units, currency);
    if (mid === null) return;
    spread += mid.worth;
    if (mid.source !== '') sources.add(mid.source);
  }
  if (!line || sources.size === 0) return;
  line.spread = roundToCents(spread);
  line.memo = `spread ${attoText(line.spread)} ${at.reporting} against ${[...sources].join(', ')}`;

  function midOf(units: Atto, currency: string): { worth: Atto; source: string } | null {
    if (currency === at.reporting) return { worth: units, source: '' };
    const price = at.prices(currency, event.at);
    return (
      price && { worth: units < 0n ? -price.worthOf(-units) : price.worthOf(units), source: price.source }
    );
  }
};
