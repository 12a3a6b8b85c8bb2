// Lots of an event: those that it brings, those that it uses, and those that only change their pool.
import { type Atto, attoText, shareOf } from '../base/money.ts';
import type { Found, NewLot, PoolName, Use } from './event.ts';
import type { Making } from './making.ts';
import { addLot, type Fraction, take } from './pool.ts';
import { nextLot, poolOf } from './state.ts';
import { numbered, type PricedLeg } from './worth.ts';

const ORIGINS: Readonly<Record<string, string>> = {
  ...{ conversion: 'exchange', outside: 'received', opening: 'opening', reward: 'reward' },
  ...{ owed: 'borrowed', withheld: 'refunded', fee: 'refunded' },
};

type Brought = { readonly units: Atto; readonly cost: Atto | null };

/** What came, as a lot. */
export const newLot = ({ event, state, out }: Making, leg: PricedLeg, { units, cost }: Brought): void => {
  if (units <= 0n) return; // fees took all of it
  const opening = leg.from === 'opening' ? event.openings.get(leg.leg) : undefined;
  const { acquiredAt, at } = opening ?? { acquiredAt: event.effectiveAt, at: event.at };
  const lot: NewLot = {
    ...{ id: `${event.id}/${leg.leg}`, pool: 'held', currency: leg.currency, leg: leg.leg },
    ...{ acquiredAt, at, seq: nextLot(state), units, cost, origin: ORIGINS[leg.from] ?? leg.from },
  };
  out.lots.push(lot);
  addLot(poolOf(state, 'held', leg.currency), { ...lot, entity: event.entity });
};

type Disposed = {
  readonly fractions: readonly Fraction[];
  readonly proceeds: Atto | null;
  readonly less: Atto | null;
};

/** A row for each fraction, with its share of the proceeds. Returns the gain of each: null where its cost or worth is not known. */
export const disposed = (
  making: Making,
  leg: PricedLeg,
  { fractions, proceeds, less }: Disposed,
): (Atto | null)[] => {
  const sharesIn = (whole: Atto | null) => shares(fractions, whole ?? 0n);
  const [ofProceeds, ofLess] = [sharesIn(proceeds), sharesIn(less)];
  return fractions.map((fraction, nth) => {
    const share = proceeds === null ? null : (ofProceeds[nth] ?? 0n);
    making.out.uses.push({
      ...{ ...fraction, id: `${making.event.id}/${leg.leg}.${nth}`, pool: 'held', currency: leg.currency },
      ...{ leg: leg.leg, kind: 'disposal', exchangedFor: exchangedFor(making, leg) },
      ...{ proceeds: share, feeInProceeds: ofLess[nth] ?? 0n },
    });
    return share === null || fraction.cost === null ? null : share - fraction.cost;
  });
};

/** A whole by the units of fractions; the last takes what rounding left. */
export const shares = (fractions: readonly Fraction[], whole: Atto): Atto[] => {
  const all = fractions.reduce((sum, { units }) => sum + units, 0n);
  let [units, given] = [0n, 0n];
  return fractions.map((fraction) => {
    units += fraction.units;
    const upTo = shareOf(whole, units, all);
    const share = upTo - given;
    given = upTo;
    return share;
  });
};

/** What was given for it, in words. */
const exchangedFor = ({ priced: { exchange } }: Making, leg: PricedLeg): string => {
  if (leg.to !== 'conversion') return leg.to === 'fee' ? leg.debit : leg.to;
  const received = [...(exchange?.met ?? [])].filter(([, units]) => units < 0n);
  return received.map(([currency, units]) => `${attoText(-units)} ${currency}`).join(' + ') || 'nothing';
};

/** Says which units had no lot, or one whose cost nobody knows. */
export const tellUnbacked = (
  { out, event }: Making,
  leg: PricedLeg,
  fractions: readonly Fraction[],
): void => {
  for (const { lot, units, cost } of fractions) {
    if (lot !== null && cost !== null) continue;
    const kind: Found['kind'] = lot === null ? 'no-lot' : 'no-cost';
    const why =
      lot === null ? 'no lot is left that they could be of' : `the cost of lot ${lot.id} is not known`;
    const detail = `${attoText(units)} ${leg.currency} left with ${event.name}, and ${why}`;
    out.findings.push({ kind, severity: 'finding', ...numbered(leg), units, detail });
  }
};

/** What is known of the cost of fractions. */
export const knownCost = (fractions: readonly Fraction[]): Atto =>
  fractions.reduce((sum, { cost }) => sum + (cost ?? 0n), 0n);

/** Lots go from one pool to the other as they are. */
export const relocated = (
  making: Making,
  leg: PricedLeg,
  [from, to]: readonly [PoolName, PoolName],
): Fraction[] => {
  const { event, state, out } = making;
  const fractions = take(poolOf(state, from, leg.currency), leg.units);
  tellUnbacked(making, leg, fractions);
  fractions.forEach((fraction, nth) => {
    const [id, at] = [`${event.id}/${leg.leg}.${nth}`, { currency: leg.currency, leg: leg.leg }];
    const use: Use = {
      ...fraction,
      ...at,
      id,
      pool: from,
      kind: 'moved',
      proceeds: null,
      feeInProceeds: 0n,
      exchangedFor: null,
    };
    out.uses.push(use);
    const { acquiredAt, at: when } = fraction.lot ?? { acquiredAt: event.effectiveAt, at: event.at };
    const { units, cost } = fraction;
    const origin = to === 'outside' ? 'sent' : 'returned';
    const lot: NewLot = {
      ...at,
      id,
      pool: to,
      acquiredAt,
      at: when,
      seq: nextLot(state),
      units,
      cost,
      origin,
    };
    out.lots.push(lot);
    addLot(poolOf(state, to, leg.currency), { ...lot, entity: event.entity });
  });
  return fractions;
};
