// Entry valuation: the value lines of one event. Each line updates its account's carrying amount as it is written, so
// that the next line sees the new amount.
import { type Atto, absolute, roundToCents } from '../base/money.ts';
import {
  CONVERSION,
  COST_DIFFERENCES,
  FX_GAINS,
  FX_LOSSES,
  GAINS,
  LOSSES,
  ROUNDING,
} from '../ledger/accounts.ts';
import { accountKey, carry, carryingKey } from './carrying.ts';
import type { Basis, ChosenLot, EntryValues, Event, Leg, Line, ValueFinding } from './event.ts';
import { isBearer, type Market } from './exchange.ts';
import type { Priced, PricedLeg } from './leg-values.ts';
import type { State } from './state.ts';

/** An event while its legs are valued, one after the other. */
export type EntryValuation = {
  readonly event: Event;
  readonly state: State;
  readonly priced: Priced;
  readonly market: Market;
  readonly values: EntryValues;
  readonly fees: Fees;
  /** The units of named lots that no leg has used yet, by currency. */
  readonly chosen: Map<string, ChosenLot[]>;
};

/** What fees add to cost and deduct from proceeds; null if the value of one of them is unknown. */
type Fees = {
  readonly inCost: Atto | null;
  readonly inProceeds: Atto | null;
  /** The leg that bears the fees: the first that receives what was bought or delivers what was sold. */
  readonly bearer: number | null;
};

/** The sum, or null if one of the values is unknown. */
export const sumIfKnown = (values: readonly (Atto | null)[]): Atto | null =>
  values.reduce<Atto | null>((sum, value) => (sum === null || value === null ? null : sum + value), 0n);

export const feesOf = ({ legs, exchange }: Priced, market: Market): Fees => {
  const fees = legs.filter(({ to }) => to === 'fee');
  const feesGoingTo = (goes: string) =>
    sumIfKnown(
      fees
        .filter((fee) => fee.feeTarget === goes && !(fee.isNetted && goes === 'cost'))
        .map(({ value }) => value),
    );
  const bearer = exchange && legs.find((leg) => isBearer(leg, exchange, market));
  return {
    inCost: feesGoingTo('cost'),
    inProceeds: feesGoingTo('proceeds'),
    bearer: bearer?.leg ?? null,
  };
};

export const negated = (value: Atto | null): Atto | null => (value === null ? null : -value);

export const accountKeyIn = ({ event }: EntryValuation, account: string, currency: string): string =>
  accountKey(event.entity, account, currency);

/** The id of the next use of an entry that undoes another, or that another undid. */
export const undoneId = ({ event, values }: EntryValuation): string =>
  `${event.id}/u.${values.lots.length + values.uses.length}`;

export const CARRIED: Basis = { rule: 'carried', source: '', path: null, ageSeconds: null };
export const AT_LOT_COST: Basis = { ...CARRIED, rule: 'lot-cost' };
const BALANCED: Basis = { ...CARRIED, rule: 'rounding' };

/**
 * Writes a line and adds it to its account's carrying amount. Conversion is zero after every entry: only its reporting currency
 * is carried, and the other side takes the remainder. Written out field by field, here and below, because object spread is
 * slow and there are seven lines to an entry.
 */
export const writeLine = (
  { event, state, values, market }: EntryValuation,
  { leg, account, currency, units, exact, basis, fee }: UnvaluedLine,
): void => {
  const isCarried = account !== CONVERSION || currency === market.reporting;
  const change = { units, exact: exact ?? 0n };
  const { entity, bookedIn } = event;
  const key = () => carryingKey({ entity, account, currency }, bookedIn, state.yearStarts.get(entity));
  const cents = isCarried ? carry(state.carrying, key(), change) : roundToCents(change.exact);
  const value = exact === null ? null : cents;
  values.lines.push({ leg, account, currency, units, exact, value, basis, fee, spread: null, memo: null });
};

export type UnvaluedLine = Omit<Line, 'value' | 'spread' | 'memo'>;
export type LegSide = Pick<Line, 'exact'> & { readonly basis?: Basis };

/** Writes the two lines of a leg, debit and credit, each with its exact value. */
export const writeLeg = (
  valuation: EntryValuation,
  pricedLeg: PricedLeg,
  debit: LegSide,
  credit: LegSide,
): void => {
  const { leg, currency, units, basis, debit: to, credit: from } = pricedLeg;
  const [debited, credited] = [debit.basis ?? basis, credit.basis ?? basis];
  const fee = feeOf(pricedLeg);
  writeLine(valuation, { leg, currency, account: to, units, exact: debit.exact, basis: debited, fee });
  writeLine(valuation, {
    leg,
    currency,
    account: from,
    units: -units,
    exact: credit.exact,
    basis: credited,
    fee: feeTakenBack(pricedLeg, credit.exact),
  });
};

const feeOf = ({ feeTarget: target, value }: PricedLeg): Line['fee'] =>
  target === null || value === null ? null : { target, value };

/** A fee that is paid back, or moves to another kind of fee, is less of an expense by what leaves its account. */
const feeTakenBack = ({ from }: PricedLeg, exact: Atto | null): Line['fee'] =>
  from === 'fee' && exact !== null ? { target: 'expenses', value: exact } : null;

/** A line without units: a gain or loss in the reporting currency, or a cost adjustment in the asset's. */
export const writeValueLine = (
  valuation: EntryValuation,
  leg: Pick<Leg, 'currency'>,
  account: string,
  exact: Atto | null,
): void => {
  if (exact === 0n) return;
  const currency = account === COST_DIFFERENCES ? leg.currency : valuation.market.reporting;
  writeLine(valuation, { leg: null, account, currency, units: 0n, exact, basis: AT_LOT_COST, fee: null });
};

/** A line without units and without a value: the account's share in the entry is unknown. */
export const writeUnvaluedLine = (
  valuation: EntryValuation,
  { currency }: Pick<Leg, 'currency'>,
  account: string,
): void =>
  writeLine(valuation, {
    leg: null,
    account,
    currency,
    units: 0n,
    exact: null,
    basis: AT_LOT_COST,
    fee: null,
  });

/**
 * The gain or loss of the fractions whose proceeds and cost are both known, and a line without a value if there are
 * others.
 */
export const recordGain = (
  valuation: EntryValuation,
  leg: Pick<Leg, 'currency'>,
  gains: readonly (Atto | null)[],
): void => {
  const known = gains.reduce<Atto>((sum, gain) => sum + (gain ?? 0n), 0n);
  const { reporting, isFiat } = valuation.market;
  const isForeign = leg.currency !== reporting && isFiat(leg.currency);
  const [gain, loss] = isForeign ? [FX_GAINS, FX_LOSSES] : [GAINS, LOSSES];
  writeValueLine(valuation, leg, known < 0n ? loss : gain, -known);
  if (gains.includes(null)) writeValueLine(valuation, leg, gain, null);
};

const CENT = 10n ** 16n;

/**
 * Balance rounding: makes conversion and the entry zero to the cent. The rounding line is at most one cent per other
 * line.
 */
export const balanceRounding = (valuation: EntryValuation): void => {
  const { lines } = valuation.values;
  const conversionLines = lines.filter(({ account }) => account === CONVERSION);
  const last = conversionLines.findLast(({ currency }) => currency !== valuation.market.reporting);
  const left = sumIfKnown(conversionLines.map(({ value }) => value));
  if (last && left !== null) last.value = (last.value ?? 0n) - left;
  const rest = sumIfKnown(lines.map(({ value }) => value));
  if (rest === null || rest === 0n) return;
  if (absolute(rest) > CENT * BigInt(lines.length))
    valuation.values.findings.push(unbalanced(valuation, rest));
  const { reporting: currency } = valuation.market;
  lines.push({
    leg: null,
    account: ROUNDING,
    currency,
    units: 0n,
    exact: 0n,
    value: -rest,
    basis: BALANCED,
    fee: null,
    spread: null,
    memo: null,
  });
};

const unbalanced = ({ event, market }: EntryValuation, rest: Atto): ValueFinding => ({
  kind: 'rounding',
  severity: 'finding',
  leg: null,
  currency: market.reporting,
  units: rest,
  detail: `${event.name}: its value lines are out of balance by more than a cent each`,
});
