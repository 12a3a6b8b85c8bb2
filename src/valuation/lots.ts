// Lots of an event: lots acquired, lots used, and lots moved from one pool to the other.
import { type Atto, attoText, shareOf } from '../base/money.ts';
import { isSurplus } from './counterparty-findings.ts';
import type { EntryValuation } from './entry-valuation.ts';
import type { ChosenLot, Leg, NewLot, ValueFinding } from './event.ts';
import { numbered, type PricedLeg } from './leg-values.ts';
import { type Acquired, type Lot, lotsOfEntries } from './lot-queue.ts';
import { lotOf, moveFraction } from './moving.ts';
import { placeOf } from './places.ts';
import { addLot, type Fraction, lackingOf, type Pool, take, takeFromLot } from './pool.ts';
import { isOffPlatform, nextLot, type PoolPlace, poolOf, type State } from './state.ts';

const ORIGINS: Readonly<Record<string, string>> = {
  conversion: 'exchange',
  external: 'received',
  opening: 'opening',
  reward: 'reward',
  owed: 'borrowed',
  withheld: 'refunded',
  fee: 'refunded',
};

/** Adds the acquired units as a lot. */
export const addAcquiredLot = (
  { event, state, values }: EntryValuation,
  leg: PricedLeg,
  { units, cost }: Acquired,
): void => {
  if (units <= 0n) return; // the fees consumed all units
  const place = placeOf(state, event.entity, leg.debit);
  const opening = leg.from === 'opening' ? event.openings.get(leg.leg) : undefined;
  const { acquiredAt, micros } = opening ?? { acquiredAt: event.effectiveAt, micros: event.micros };
  const lot: NewLot = {
    id: `${event.id}/${leg.leg}`,
    pool: place.name,
    currency: leg.currency,
    leg: leg.leg,
    acquiredAt,
    micros,
    seq: nextLot(state),
    units,
    cost,
    origin: ORIGINS[leg.from] ?? leg.from,
  };
  values.lots.push(lot);
  addLot(poolOf(state, place, leg.currency), lotOf(lot, event.entity));
};

type Disposal = {
  readonly fractions: readonly Fraction[];
  readonly pool: PoolPlace['name'];
  /** `cost`: each fraction leaves at what it cost. */
  readonly proceeds: Atto | null | 'cost';
  readonly feesDeducted: Atto | null;
};

/**
 * Records a disposal for each fraction, with its share of the proceeds. Returns the gain of each; null if its cost or
 * value is unknown.
 */
export const recordDisposals = (
  valuation: EntryValuation,
  leg: PricedLeg,
  { fractions, pool, proceeds, feesDeducted }: Disposal,
): (Atto | null)[] => {
  const sharesIn = (whole: Atto | null) => shares(fractions, whole ?? 0n);
  const [ofProceeds, ofFees] = [sharesIn(proceeds === 'cost' ? null : proceeds), sharesIn(feesDeducted)];
  const received = exchangedFor(valuation, leg);
  return fractions.map(({ lot, units, cost }, nth) => {
    const share = proceeds === 'cost' ? cost : proceeds === null ? null : (ofProceeds[nth] ?? 0n);
    valuation.values.uses.push({
      lot,
      units,
      cost,
      id: `${valuation.event.id}/${leg.leg}.${nth}`,
      pool,
      currency: leg.currency,
      leg: leg.leg,
      kind: 'disposal',
      exchangedFor: received,
      proceeds: share,
      feeInProceeds: ofFees[nth] ?? 0n,
    });
    return share === null || cost === null ? null : share - cost;
  });
};

/** Divides an amount among fractions by their units; the last takes the rounding remainder. */
export const shares = (fractions: readonly Fraction[], whole: Atto): Atto[] => {
  const all = fractions.reduce((sum, { units }) => sum + units, 0n);
  let [units, allotted] = [0n, 0n];
  return fractions.map((fraction) => {
    units += fraction.units;
    const upTo = shareOf(whole, units, all);
    const share = upTo - allotted;
    allotted = upTo;
    return share;
  });
};

const exchangedFor = ({ priced: { exchange } }: EntryValuation, leg: PricedLeg): string => {
  if (leg.to !== 'conversion') return leg.to === 'fee' ? leg.debit : leg.to;
  const received = [...(exchange?.amounts ?? [])].filter(([, units]) => units < 0n);
  return received.map(([currency, units]) => `${attoText(-units)} ${currency}`).join(' + ') || 'nothing';
};

/** Takes the lots that a person named for this asset. What they lack is taken as if none were named, which is a finding. */
const takeChosen = ({ event, values, chosen }: EntryValuation, leg: Leg, pool: Pool): Fraction[] => {
  const chosenLots = chosen.get(leg.currency) ?? [];
  const taken: Fraction[] = [];
  let rest = leg.units;
  while (rest > 0n) {
    const lot = chosenLots.shift(); // what is left of the named lots is for the next leg
    if (!lot) break;
    const wanted = lot.units < rest ? lot.units : rest;
    const fractions = takeNamed(pool, lot, wanted);
    taken.push(...fractions);
    rest -= wanted;
    if (lot.units > wanted) chosenLots.unshift({ ...lot, units: lot.units - wanted });
    const lacking = lackingOf(fractions, wanted);
    if (lacking === 0n) continue;
    const detail = `${attoText(lacking)} ${leg.currency} of lot ${lot.id}, named for ${event.name}, are not left at that time: the oldest lots were used instead`;
    values.findings.push({
      kind: 'chosen-lot',
      severity: 'finding',
      ...numbered(leg),
      units: lacking,
      detail,
    });
  }
  return taken;
};

/** Takes at most `units` from a named lot, or from the one that stands in its place. */
const takeNamed = (pool: Pool, chosen: ChosenLot, units: Atto): Fraction[] => {
  const ofRecord = lotsOfEntries(pool.queue, chosen.entity, chosen.entries);
  return takeFromLots(
    pool,
    ofRecord.filter((lot) => isNamed(lot, chosen)),
    units,
  );
};

/**
 * Whether a lot of the same record is the one that was named. A lot that was acquired has the number of its leg. One that was moved has a
 * place among what its transfer moved, which may be another lot's by now: the time of acquisition tells them apart.
 */
const isNamed = ({ id, micros }: Lot, chosen: ChosenLot): boolean => {
  const [leg, namedLeg] = [id, chosen.id].map((lotId) => lotId.slice(lotId.indexOf('/')));
  return namedLeg?.includes('.') ? micros === chosen.micros : leg === namedLeg;
};

/** Takes the lots of the departure that a leg receives, and no others, which wait for arrivals of their own. */
const takeSent = ({ event }: EntryValuation, leg: Leg, pool: Pool): Fraction[] => {
  const { entity, entries } = event.departures.get(leg.leg) ?? { entity: '', entries: [] };
  const taken = takeFromLots(pool, lotsOfEntries(pool.queue, entity, entries), leg.units);
  const rest = lackingOf(taken, leg.units);
  return rest > 0n ? [...taken, { lot: null, units: rest, cost: null }] : taken;
};

/** Takes at most `units` from some lots, one after the other. */
const takeFromLots = (pool: Pool, lots: readonly Lot[], units: Atto): Fraction[] => {
  const taken: Fraction[] = [];
  for (const lot of lots) {
    const rest = lackingOf(taken, units);
    if (rest > 0n) taken.push(...takeFromLot(pool, lot, rest));
  }
  return taken;
};

const takeInOrder = (valuation: EntryValuation, leg: Leg, place: PoolPlace): Fraction[] => {
  const pool = poolOf(valuation.state, place, leg.currency);
  if (place.name === 'in-transit') return takeSent(valuation, leg, pool);
  const chosen = isOffPlatform(place.name) ? [] : takeChosen(valuation, leg, pool);
  const rest = lackingOf(chosen, leg.units);
  return rest > 0n ? [...chosen, ...take(pool, rest)] : chosen;
};

/** Takes the units of a leg from a pool. */
export const takeLots = (valuation: EntryValuation, leg: Leg, place: PoolPlace): Fraction[] =>
  costWithoutLot(valuation.state, takeInOrder(valuation, leg, place));

/** What no lot covers has no cost, or a cost of 0 by the rule `without-lot`. */
export const costWithoutLot = <Taken extends Fraction>({ rules }: State, fractions: Taken[]): Taken[] => {
  if (rules['without-lot'] === 'unknown') return fractions;
  return fractions.map((fraction) => (fraction.lot === null ? { ...fraction, cost: 0n } : fraction));
};

/** Reports units without a lot, or from a lot with unknown cost. */
export const reportMissingLots = (
  { values, event }: EntryValuation,
  { leg, currency }: Pick<Leg, 'leg' | 'currency'>,
  fractions: readonly Fraction[],
): void => {
  for (const fraction of fractions) {
    const { lot, units, cost } = fraction;
    if ((lot !== null && cost !== null) || isSurplus(event, leg, fraction)) continue;
    const kind: ValueFinding['kind'] = lot === null ? 'no-lot' : 'no-cost';
    const why = lot === null ? 'no lot is left to cover them' : `the cost of lot ${lot.id} is unknown`;
    const [severity, outcome] =
      cost === null ? (['finding', 'no cost'] as const) : (['note', 'a cost of 0'] as const);
    const detail = `${attoText(units)} ${currency} in ${event.name} have ${outcome}: ${why}`;
    values.findings.push({ kind, severity, leg, currency, units, detail });
  }
};

/** The known cost of fractions. */
export const knownCost = (fractions: readonly Pick<Fraction, 'cost'>[]): Atto =>
  fractions.reduce((sum, { cost }) => sum + (cost ?? 0n), 0n);

const originOf = (from: PoolPlace, to: PoolPlace): string => {
  if (isOffPlatform(to.name)) return 'sent';
  return isOffPlatform(from.name) ? 'returned' : 'transferred';
};

/** Moves lots from one pool to the other, with their cost and age. */
export const moveLots = (
  valuation: EntryValuation,
  leg: Leg,
  [from, to]: readonly [PoolPlace, PoolPlace],
): Fraction[] => {
  const { event, state, values } = valuation;
  const fractions = takeLots(valuation, leg, from);
  reportMissingLots(valuation, leg, fractions);
  const { currency, leg: number } = leg;
  const origin = originOf(from, to);
  fractions.forEach((fraction, nth) => {
    const id = `${event.id}/${number}.${nth}`;
    moveFraction(state, { event, values }, fraction, {
      id,
      kind: 'moved',
      currency,
      leg: number,
      origin,
      from,
      to,
    });
  });
  return fractions;
};
