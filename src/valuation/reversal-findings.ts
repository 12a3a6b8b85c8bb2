// What a reversal reports: what it reverses has no value, or what it takes back is no longer there.
import { attoText } from '../base/money.ts';
import type { EntryValuation } from './entry-valuation.ts';
import type { StoredLot, StoredValues } from './event.ts';
import type { Fraction } from './pool.ts';

/** The reversal of an entry without stored values has none. */
export const reportUnknownEntry = ({ event, values, market }: EntryValuation): void => {
  const detail = `${event.name} reverses an entry that has no stored value`;
  values.findings.push({
    kind: 'not-understood',
    severity: 'finding',
    leg: null,
    currency: market.reporting,
    units: 0n,
    detail,
  });
};

/** The reversal of lines without a value has no value either. */
export const reportUnvalued = ({ event, values }: EntryValuation, { lines }: StoredValues): void => {
  const line = lines.find(({ exact }) => exact === null);
  if (!line) return;
  const { leg, currency, units } = line;
  const detail = `${event.name} reverses an entry without a value`;
  values.findings.push({ kind: 'no-cost', severity: 'finding', leg, currency, units: -units, detail });
};

/** A closed month received what is now taken back: its cost counts on both sides of the transfer. */
export const reportArrived = (
  { event, values }: EntryValuation,
  { leg, currency }: StoredLot,
  others: readonly Fraction[],
): void => {
  const kind = 'closed-side';
  for (const { units } of others) {
    const detail = `${event.name}: ${attoText(units)} ${currency} of this own transfer arrived in a closed month, so their cost counts on both sides: reopen that month`;
    values.findings.push({ kind, severity: 'finding', leg, currency, units, detail });
  }
};

/** Other lots leave in place of one whose cost is unknown: so is the gain. */
export const reportUnknownGain = (
  { event, values }: EntryValuation,
  { leg, currency }: StoredLot,
  others: readonly Fraction[],
): void => {
  for (const { units, cost } of others) {
    if (cost === null) continue;
    const detail = `${attoText(units)} ${currency} in ${event.name} have no gain: they replace units whose cost is unknown`;
    values.findings.push({ kind: 'no-cost', severity: 'finding', leg, currency, units, detail });
  }
};
