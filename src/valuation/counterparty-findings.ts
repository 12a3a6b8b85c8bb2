// Findings about the other side of a leg: it may be no third party, or another amount arrived of an own transfer than was sent, because one
// of the two records books a fee and the other does not.
import { absolute, attoText } from '../base/money.ts';
import type { EntryValuation } from './entry-valuation.ts';
import type { Event, ReturnedLots } from './event.ts';
import { numbered, ownPlace, type PricedLeg } from './leg-values.ts';
import type { Fraction } from './pool.ts';
import { IN_TRANSIT } from './state.ts';

/**
 * A leg to or from an external account whose counterparty type is unknown is valued like a third party's, and a note reports it. So is a
 * transfer between own accounts whose other side a closed month valued like that: its gain, or the cost of what arrived, is wrong for the
 * two together.
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

/** Reports an arrival of another amount than was sent, once for each asset. */
export const reportOtherAmount = ({ event, values }: EntryValuation, leg: PricedLeg): void => {
  const surplus = event.departures.get(leg.leg)?.surplus ?? 0n;
  if (surplus === 0n || event.kind === 'manual' || ownPlace(event, leg) !== IN_TRANSIT) return;
  const kind = 'other-amount';
  if (values.findings.some((known) => known.kind === kind && known.currency === leg.currency)) return;
  const rest = `${attoText(absolute(surplus))} ${leg.currency}`;
  const outcome =
    surplus > 0n
      ? `${rest} more arrived than were sent, so they have no lot: perhaps a fee that one side books, or a person entered, was never charged`
      : `${rest} fewer arrived than were sent, so they stay in transit with their cost: enter them as a fee with npx tieout adjust --transfer`;
  const detail = `${event.name}: of this own transfer ${outcome}`;
  values.findings.push({ kind, severity: 'finding', ...numbered(leg), units: surplus, detail });
};

/** Reports units that leave after a closed month received them without their lots: what that month has in their place leaves instead. */
export const reportReceived = (
  { event, values }: EntryValuation,
  leg: PricedLeg,
  { used, receivedIn }: ReturnedLots,
): void => {
  const received = used.filter(({ kind, lot }) => kind === 'moved' && lot === null); // a reversal's are undone
  const units = received.reduce((sum, use) => sum + use.units, 0n);
  if (receivedIn === null || units === 0n) return;
  const detail = `${event.name}: ${attoText(units)} ${leg.currency} of this own transfer arrived in ${receivedIn}, which was closed while fewer were sent, so they have no lot there: reopen ${receivedIn} to carry the lots over`;
  values.findings.push({ kind: 'closed-side', severity: 'finding', ...numbered(leg), units, detail });
};

/** Whether units of an arrival have no lot only because fewer were sent, or those of a fee because they arrived after all. */
export const isSurplus = ({ departures, kind }: Event, leg: number, { lot, units }: Fraction): boolean => {
  const surplus = departures.get(leg)?.surplus ?? 0n;
  return lot === null && (kind === 'manual' ? units <= surplus : units === surplus);
};
