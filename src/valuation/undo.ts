// Undoing: a reversal that comes after what it undoes, because that month was closed or the record was cancelled later.
// It takes back what the entry did, line by line: lots that it brought leave again, lots that it used come back as they
// were, and its disposals stand again with the other sign.

import type { Atto } from '../base/money.ts';
import { COST_DIFFERENCES } from '../ledger/accounts.ts';
import type { Event, Line, NewLot, Outcome, Use } from './event.ts';
import type { At } from './exchange.ts';
import { knownCost, shares, tellUnbacked } from './lots.ts';
import { extra, gained, type Making, settle, total, write } from './making.ts';
import { type Fraction, putBack, take, takeBack } from './pool.ts';
import { poolOf, type State } from './state.ts';
import type { PricedLeg } from './worth.ts';

/** What an entry came to, as it was written down. */
export type Done = Pick<Outcome, 'lines' | 'lots' | 'uses'>;

/** Takes back what was done. */
export const undo = (
  event: Event,
  done: Done,
  { state, at }: { readonly state: State; readonly at: At },
): Outcome => {
  const out: Outcome = { lines: [], lots: [], uses: [], findings: [] };
  const fees = { inCost: 0n, inProceeds: 0n, bearer: null };
  const making: Making = { event, state, at, out, fees, priced: { legs: [], exchange: null, findings: [] } };
  if (done.lines.length === 0) tellUnknown(making);
  for (const line of done.lines) write(making, opposite(line));
  tellUnvalued(making, done);
  for (const use of done.uses) giveBack(making, use);
  for (const lot of done.lots) takeAway(making, lot);
  settle(making);
  return out;
};

const tellUnknown = ({ event, out, at }: Making): void => {
  const detail = `${event.name} undoes an entry that has no value here`;
  out.findings.push({
    kind: 'not-understood',
    severity: 'finding',
    leg: null,
    currency: at.reporting,
    units: 0n,
    detail,
  });
};

/** What has no value, because what it takes back had none. */
const tellUnvalued = ({ event, out }: Making, { lines }: Done): void => {
  const line = lines.find(({ exact }) => exact === null);
  if (!line) return;
  const { leg, currency, units } = line;
  const detail = `${event.name} takes back an entry that has no value`;
  out.findings.push({ kind: 'no-cost', severity: 'finding', leg, currency, units: -units, detail });
};

const less = (amount: Atto | undefined): Atto | undefined => (amount === undefined ? undefined : -amount);

const opposite = (line: Line): Omit<Line, 'value'> => {
  const fees = {
    feeInCost: less(line.feeInCost),
    feeInProceeds: less(line.feeInProceeds),
    feeExpensed: less(line.feeExpensed),
  };
  const given = Object.fromEntries(Object.entries(fees).filter(([, amount]) => amount !== undefined));
  const { leg, account, currency, units, exact, rule, source, path, ageSeconds } = line;
  return {
    ...given,
    leg,
    account,
    currency,
    units: -units,
    exact: exact === null ? null : -exact,
    rule,
    source,
    path,
    ageSeconds,
  };
};

const idOf = ({ event, out }: Making): string => `${event.id}/u.${out.lots.length + out.uses.length}`;

/** A fraction that was used is in its lot again. */
const giveBack = (making: Making, use: Use): void => {
  const { pool, currency, leg, lot, units, cost } = use;
  making.out.uses.push({
    ...{ id: idOf(making), pool, currency, leg, kind: 'undone', lot, units: -units },
    ...{ cost: cost === null ? null : -cost, proceeds: use.proceeds === null ? null : -use.proceeds },
    ...{ feeInProceeds: -use.feeInProceeds, exchangedFor: use.exchangedFor },
  });
  if (lot !== null) putBack(poolOf(making.state, pool, currency), { ...lot, units, cost });
};

/** A lot that came leaves again; what of it was used since leaves others in its place, at their own cost. */
const takeAway = (making: Making, lot: NewLot): void => {
  const { event, state, out } = making;
  const pool = poolOf(state, lot.pool, lot.currency);
  const own = takeBack(pool, { entity: event.entity, id: lot.id }, lot.units);
  const taken = own.reduce((sum, { units }) => sum + units, 0n);
  const others = taken < lot.units ? take(pool, lot.units - taken) : [];
  const leg = { leg: lot.leg, currency: lot.currency } as PricedLeg;
  tellUnbacked(making, leg, others);
  const all = [...own, ...others];
  const gains = gainsOf(lot, own, others);
  for (const [nth, fraction] of all.entries())
    out.uses.push(undone(making, lot, { fraction, gain: gains[nth] ?? null }));
  if (lot.pool === 'outside') return;
  extra(making, leg, COST_DIFFERENCES, (lot.cost ?? 0n) - knownCost(all));
  gained(making, leg, gains);
};

/**
 * The lot's own units leave as they came, but for what an average makes of their cost; the others at what the units had cost
 * in whose place they leave. Null where one of the two is not known.
 */
const gainsOf = (lot: NewLot, own: readonly Fraction[], others: readonly Fraction[]): (Atto | null)[] => {
  if (lot.cost === null) return [...own.map(() => 0n), ...others.map(() => null)];
  const replaced = lot.cost - knownCost(own);
  if (others.length === 0) return own.map((_, nth) => (nth === own.length - 1 ? replaced : 0n));
  const worths = shares(others, replaced);
  return [
    ...own.map(() => 0n),
    ...others.map(({ cost }, nth) => (cost === null ? null : (worths[nth] ?? 0n) - cost)),
  ];
};

type Leaving = { readonly fraction: Fraction; readonly gain: Atto | null };

/** A row of a lot that leaves: a disposal only where others left in its place at another cost. */
const undone = (making: Making, { pool, currency, leg }: NewLot, { fraction, gain }: Leaving): Use => ({
  ...{ ...fraction, id: idOf(making), pool, currency, leg, kind: 'undone', feeInProceeds: 0n },
  ...(gain === 0n || pool === 'outside'
    ? { proceeds: null, exchangedFor: null }
    : { proceeds: total([fraction.cost, gain]), exchangedFor: 'undone' }),
});
