// Lots of an event: those that it brings, those that it uses, and those that only change their pool.
import { type Atto, attoText, shareOf } from '../money.ts';
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

/** A row for each fraction; the last takes what rounding left, so that they sum to the whole. */
export const disposed = (making: Making, leg: PricedLeg, { fractions, proceeds, less }: Disposed): void => {
  let units = 0n;
  const upTo = (whole: Atto) => shareOf(whole, units, leg.units);
  let given = { proceeds: 0n, less: 0n };
  fractions.forEach((fraction, nth) => {
    units += fraction.units;
    const sum = { proceeds: upTo(proceeds ?? 0n), less: upTo(less ?? 0n) };
    making.out.uses.push({
      ...{
        ...fraction,
        id: `${making.event.id}/${leg.leg}.${nth}`,
        pool: 'held',
        currency: leg.currency,
        leg: leg.leg,
      },
      ...{ kind: 'disposal', exchangedFor: exchangedFor(making, leg) },
      proceeds: proceeds === null ? null : sum.proceeds - given.proceeds,
      feeInProceeds: sum.less - given.less,
    });
    given = sum;
  });
};

/** What was given for it, in words. */
const exchangedFor = ({ priced: { exchange } }: Making, leg: PricedLeg): string => {
  if (leg.to !== 'conversion') return leg.to === 'fee' ? leg.debit : leg.to;
  const received = [...(exchange?.met ?? [])].filter(([, units]) => units < 0n);
  return received.map(([currency, units]) => `${attoText(-units)} ${currency}`).join(' + ');
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
