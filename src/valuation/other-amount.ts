// Transfers between our own accounts of which another amount arrived than was sent: one of the two records books a fee, and the other does not.
import { absolute, attoText } from '../base/money.ts';
import type { EntryValuation } from './entry-valuation.ts';
import type { Event } from './event.ts';
import { numbered, ownPlace, type PricedLeg } from './leg-values.ts';
import type { Fraction } from './pool.ts';
import { IN_TRANSIT } from './state.ts';

/** Reports an arrival of another amount than was sent, once for each asset. */
export const reportOtherAmount = ({ event, values }: EntryValuation, leg: PricedLeg): void => {
  const surplus = event.departures.get(leg.leg)?.surplus ?? 0n;
  if (surplus === 0n || ownPlace(event, leg) !== IN_TRANSIT) return;
  const kind = 'other-amount';
  if (values.findings.some((known) => known.kind === kind && known.currency === leg.currency)) return;
  const rest = `${attoText(absolute(surplus))} ${leg.currency}`;
  const outcome =
    surplus > 0n
      ? `${rest} more arrived than were sent, so they have no lot: perhaps a fee that one side books was never charged`
      : `${rest} fewer arrived than were sent, so they stay in transit with their cost: enter them as a fee with npx tieout adjust --transfer`;
  const detail = `${event.name}: of this own transfer ${outcome}`;
  values.findings.push({ kind, severity: 'finding', ...numbered(leg), units: surplus, detail });
};

/** Whether units of an arrival have no lot only because fewer were sent. */
export const isSurplus = ({ departures }: Event, leg: number, { lot, units }: Fraction): boolean =>
  lot === null && departures.get(leg)?.surplus === units;
