// Findings about legs that are valued as a third party's although they may not be.
import type { EntryValuation } from './entry-valuation.ts';
import { numbered, type PricedLeg } from './leg-values.ts';

/**
 * An outside leg whose counterparty type is unknown is valued like a third party's, and a note reports it. So is a transfer between own
 * accounts whose other side a closed month valued like that: its gain, or the cost of what arrived, is wrong for the two together.
 */
export const reportTakenAsThird = ({ event, market, values }: EntryValuation, leg: PricedLeg): void => {
  const isExternal = leg.to === 'external' || leg.from === 'external';
  if (!isExternal || leg.currency === market.reporting) return;
  const type = event.counterpartyTypes.get(leg.leg) ?? 'unknown';
  if (type === 'closed-side') {
    const detail = `${event.name}: the other side of this own transfer is in a closed month and was valued as a third party's, so this side is too: reopen that month to carry the lots over`;
    values.findings.push({ kind: 'closed-side', severity: 'finding', ...numbered(leg), detail });
  }
  if (type !== 'unknown') return;
  const detail = `${event.name}: the counterparty's type is unknown, so the leg is valued as a third party's`;
  values.findings.push({ kind: 'unknown-counterparty', severity: 'note', ...numbered(leg), detail });
};
