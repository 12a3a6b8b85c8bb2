// Making: an event's lines as they are written, each carried at once, so that the next one sees what the account holds.

import { type Atto, roundToCents } from '../base/money.ts';
import {
  CONVERSION,
  COST_DIFFERENCES,
  FX_GAINS,
  FX_LOSSES,
  GAINS,
  LOSSES,
  ROUNDING,
} from '../ledger/accounts.ts';
import { carry, placeOf } from './carrying.ts';
import type { Basis, Event, Found, Line, Outcome } from './event.ts';
import { type At, isBearer } from './exchange.ts';
import type { State } from './state.ts';
import type { Priced, PricedLeg } from './worth.ts';

/** What is made of an event while its legs are gone through. */
export type Making = {
  readonly event: Event;
  readonly state: State;
  readonly priced: Priced;
  readonly at: At;
  readonly out: Outcome;
  readonly fees: Fees;
};

/** What fees add to cost and take from proceeds; null where one of them has no worth. */
export type Fees = {
  readonly inCost: Atto | null;
  readonly inProceeds: Atto | null;
  /** The leg that bears the fees: the first that brings what was bought, or gives what was sold. */
  readonly bearer: number | null;
};

/** The sum, or null where one of them is not known. */
export const total = (worths: readonly (Atto | null)[]): Atto | null =>
  worths.reduce<Atto | null>((sum, it) => (sum === null || it === null ? null : sum + it), 0n);

export const feesOf = ({ legs, exchange }: Priced, at: At): Fees => {
  const fees = legs.filter(({ to }) => to === 'fee');
  const worthIn = (goes: string) =>
    total(
      fees.filter((it) => it.feeGoes === goes && !(it.isNetted && goes === 'cost')).map(({ worth }) => worth),
    );
  const bearer = exchange && legs.find((leg) => isBearer(leg, exchange, at));
  return {
    inCost: worthIn('cost'),
    inProceeds: worthIn('proceeds'),
    bearer: bearer?.leg ?? null,
  };
};

export const minus = (worth: Atto | null): Atto | null => (worth === null ? null : -worth);

export const place = ({ event }: Making, account: string, currency: string): string =>
  placeOf(event.entity, account, currency);

export const CARRIED: Basis = { rule: 'carried', source: '', path: null, ageSeconds: null };

/**
 * Writes a line and carries it. Conversion is zero after every entry: only its reporting currency is carried, and the other
 * side takes what that leaves.
 */
export const write = ({ event, state, out, at }: Making, line: Omit<Line, 'value'>): void => {
  const { account, currency, units, exact } = line;
  const isCarried = account !== CONVERSION || currency === at.reporting;
  const moved = { units, exact: exact ?? 0n };
  const cents = isCarried
    ? carry(state.carrying, placeOf(event.entity, account, currency), moved)
    : roundToCents(moved.exact);
  out.lines.push({ ...line, value: exact === null ? null : cents });
};

export type Side = Pick<Line, 'exact'> & Partial<Line>;

/** Two lines of a leg: its debit and its credit, each with its exact value. */
export const push = (making: Making, leg: PricedLeg, debit: Side, credit: Side): void => {
  const { currency, rule, source, path, ageSeconds } = leg;
  const it = { leg: leg.leg, currency, rule, source, path, ageSeconds };
  write(making, { ...it, account: leg.debit, units: leg.units, ...feeColumns(leg), ...debit });
  write(making, { ...it, account: leg.credit, units: -leg.units, ...credit });
};

/** A fee stands in one of the three columns, and is an expense only in the last. */
const feeColumns = ({ to, feeGoes, worth }: PricedLeg): Partial<Line> => {
  if (to !== 'fee' || worth === null) return {};
  if (feeGoes === 'cost') return { feeInCost: worth };
  return feeGoes === 'proceeds' ? { feeInProceeds: worth } : { feeExpensed: worth };
};

/** A line that only value has: a gain or loss in the reporting currency, a difference of cost in the asset's. */
export const extra = (making: Making, leg: PricedLeg, account: string, exact: Atto | null): void => {
  if (exact === 0n) return;
  const currency = account === COST_DIFFERENCES ? leg.currency : making.at.reporting;
  write(making, { leg: null, account, currency, units: 0n, exact, ...CARRIED, rule: 'lot-cost' });
};

/** A line of no units and without a value: what an account's share in an entry is not known to be. */
export const open = (making: Making, { currency }: PricedLeg, account: string): void =>
  write(making, { leg: null, account, currency, units: 0n, exact: null, ...CARRIED, rule: 'lot-cost' });

/**
 * What proceeds are above cost, or below it, of the fractions of which both are known; and a line without a value where
 * there are others.
 */
export const gained = (making: Making, leg: PricedLeg, gains: readonly (Atto | null)[]): void => {
  const known = gains.reduce<Atto>((sum, gain) => sum + (gain ?? 0n), 0n);
  const { reporting, isFiat } = making.at;
  const isForeign = leg.currency !== reporting && isFiat(leg.currency);
  const [gain, loss] = isForeign ? [FX_GAINS, FX_LOSSES] : [GAINS, LOSSES];
  extra(making, leg, known < 0n ? loss : gain, -known);
  if (gains.includes(null)) extra(making, leg, gain, null);
};

const CENT = 10n ** 16n;

/** Conversion is zero to the cent, and so is the entry: what rounding left has a line, at most a cent for each other. */
export const settle = (making: Making): void => {
  const { lines } = making.out;
  const met = lines.filter(({ account }) => account === CONVERSION);
  const last = met.findLast(({ currency }) => currency !== making.at.reporting);
  const left = total(met.map(({ value }) => value));
  if (last && left !== null) last.value = (last.value ?? 0n) - left;
  const rest = total(lines.map(({ value }) => value));
  if (rest === null || rest === 0n) return;
  const size = rest < 0n ? -rest : rest;
  if (size > CENT * BigInt(lines.length)) making.out.findings.push(unbalanced(making, rest));
  const it = { leg: null, account: ROUNDING, currency: making.at.reporting, units: 0n, exact: 0n };
  lines.push({ ...it, ...CARRIED, rule: 'rounding', value: -rest });
};

const unbalanced = ({ event, at }: Making, rest: Atto): Found => ({
  ...{ kind: 'rounding', severity: 'finding', leg: null, currency: at.reporting, units: rest },
  detail: `${event.name}: its lines leave more than a cent each`,
});
