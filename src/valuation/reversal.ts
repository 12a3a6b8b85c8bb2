// Reversal: values an entry that reverses an earlier one, because that month was closed or the record was cancelled
// later. It negates the entry line by line: it removes lots that the entry acquired, restores lots that it used, and
// repeats its disposals with the opposite sign.
import { FX_GAINS, GAINS } from '../ledger/accounts.ts';
import { type CancelledDeparture, takeBroughtBack } from './cancelled-departures.ts';
import {
  balanceRounding,
  type EntryValuation,
  negated,
  type UnvaluedLine,
  writeLine,
} from './entry-valuation.ts';
import type { EntryValues, Event, Leg, Line, StoredValues, Use } from './event.ts';
import type { Market } from './exchange.ts';
import { lotKeyText } from './lot-queue.ts';
import { removeLot } from './lot-removal.ts';
import { moveLots } from './lots.ts';
import { noteStaying, type StayingLots, withoutStaying } from './moved-lots.ts';
import { type ClosedDeparture, reportNotArrived } from './not-arrived.ts';
import { placeOf } from './places.ts';
import { restoreUse } from './restored-lots.ts';
import { roleOf } from './roles.ts';
import type { State } from './state.ts';
import type { ChargedFees } from './transfer-fees.ts';
import { returnFromWallet, splitMoves } from './wallet-lots.ts';

/** The values of a reversal, of which the lots that the reversed entry made are still to be removed. */
export type BegunReversal = { readonly values: EntryValues; readonly removeLots: () => void };

/** What the values of a reversal rest on: those of the reversed entry, and what has become of the lots that it moved. */
export type ReversedEntry = {
  readonly stored: StoredValues;
  /** Null if no entry in its place moves its lots too. */
  readonly staying: readonly StayingLots[] | null;
  readonly departures: readonly CancelledDeparture[];
  readonly charged: ChargedFees;
  readonly closedDepartures: readonly ClosedDeparture[];
};

/**
 * Restores what an entry used. The lots that it made leave by `removeLots`, once the entry in its place is valued: that one may need what
 * is restored here, and its own lots leave in the place of units that were used since.
 */
export const beginReversal = (
  event: Event,
  { stored, staying, departures, charged, closedDepartures }: ReversedEntry,
  { state, market }: { readonly state: State; readonly market: Market },
): BegunReversal => {
  const stays = staying ?? [];
  const values: EntryValues = { lines: [], lots: [], uses: [], findings: [] };
  const fees = { inCost: 0n, inProceeds: 0n, bearer: null };
  const valuation: EntryValuation = {
    event,
    state,
    market,
    values,
    fees,
    chosen: new Map(),
    priced: { legs: [], exchange: null, findings: [] },
  };
  if (stored.lines.length === 0) reportUnknownEntry(valuation);
  for (const line of stored.lines) writeLine(valuation, opposite(line));
  reportUnvalued(valuation, stored);
  for (const { wasLeg, moved } of stays) noteStaying(valuation, { leg: wasLeg, moved, sign: -1n });
  const { sent, rest } = splitMoves(withoutStaying(stored, stays));
  for (const use of rest.used) restoreUse(valuation, use);
  const lastFirst = [...rest.used].reverse(); // what had arrived of a departure was sent last
  for (const use of lastFirst) takeBroughtBack(valuation, use, departures);
  reportNotArrived(valuation, closedDepartures);
  for (const part of sent) returnFromWallet(valuation, part);
  keepUnknownGains(valuation);
  for (const leg of event.legs) returnToPlace(valuation, leg, stored);
  const removeLots = (): void => {
    for (const lot of rest.made) removeLot(valuation, lot, charged.get(lotKeyText(lot)));
    balanceRounding(valuation);
  };
  return { values, removeLots };
};

/** A gain of which the size is unknown is taken back with its lots only: that of lots that do not come back stays. */
const keepUnknownGains = ({ values: { lines, uses } }: EntryValuation): void => {
  const isUnknown = ({ exchangedFor, proceeds, cost }: Use) =>
    exchangedFor !== null && (proceeds === null || cost === null);
  if (uses.some(isUnknown)) return;
  const known = lines.filter(
    ({ account, exact }) => exact !== null || (account !== GAINS && account !== FX_GAINS),
  );
  lines.splice(0, lines.length, ...known);
};

/** The reversal of an entry without stored values has none. */
const reportUnknownEntry = ({ event, values, market }: EntryValuation): void => {
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
const reportUnvalued = ({ event, values }: EntryValuation, { lines }: StoredValues): void => {
  const line = lines.find(({ exact }) => exact === null);
  if (!line) return;
  const { leg, currency, units } = line;
  const detail = `${event.name} reverses an entry without a value`;
  values.findings.push({ kind: 'no-cost', severity: 'finding', leg, currency, units: -units, detail });
};

const opposite = ({ leg, account, currency, units, exact, basis, fee }: Line): UnvaluedLine => {
  const negatedFee = fee === null ? null : { target: fee.target, value: -fee.value };
  return { leg, account, currency, units: -units, exact: negated(exact), basis, fee: negatedFee };
};

/** A transfer between places from before each had a pool moved no lots, so its reversal moves lots back now. */
const returnToPlace = (valuation: EntryValuation, leg: Leg, { uses }: StoredValues): void => {
  const { event, state, market } = valuation;
  const isTransfer = [leg.debit, leg.credit].every((account) => roleOf(account) === 'held');
  if (!isTransfer || leg.currency === market.reporting || uses.some((use) => use.leg === leg.leg)) return;
  const [from, to] = [leg.credit, leg.debit].map((account) => placeOf(state, event.entity, account));
  if (from && to && from.name !== to.name) moveLots(valuation, leg, [from, to]);
};
