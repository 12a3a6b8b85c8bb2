// Faults in the blocked part of a balance: blocked funds reported twice or not at all, and bots left out.
import { cut, textOf, unitsOf } from '../../../src/sandbox/amount.ts';
import type { TradingState } from '../../../src/sandbox/world.ts';
import type { Plant, Stage } from './fault.ts';
import type { Lie } from './liar.ts';

/** A currency without funds in bots or orders, in either night. */
const quietOne = ({ random, before, now, withBots }: Stage): TradingState | null => {
  const isQuiet = (state: TradingState) => unitsOf(state.blocked) === 0n && unitsOf(state.balance) > 0n;
  const found = now.filter(
    (state) =>
      isQuiet(state) &&
      (withBots.get(state.currency) ?? 0n) === 0n &&
      before.some((then) => then.currency === state.currency && isQuiet(then)),
  );
  return found.length === 0 ? null : random.pick(found);
};

const misreport = (currency: string, change: (state: TradingState) => Partial<TradingState>): Lie => ({
  trading: (state) => (state.currency === currency ? { ...state, ...change(state) } : state),
});

/** Part of a balance is blocked: reported within the balance as well, or no longer reported. */
const blocked =
  (isTwice: boolean): Plant =>
  (stage) => {
    const quiet = quietOne(stage);
    const then = stage.before.find(({ currency }) => currency === quiet?.currency);
    if (!quiet || !then) return null;
    const least = [quiet, then].map(({ balance }) => unitsOf(balance)).reduce((a, b) => (a < b ? a : b));
    const units = cut(least / 3n, 6) + 1n;
    const without = ({ balance }: TradingState) => textOf(unitsOf(balance) - units);
    const apart = misreport(quiet.currency, (state) => ({ balance: without(state), blocked: textOf(units) }));
    const wrong = misreport(quiet.currency, (state) =>
      isTwice ? { blocked: textOf(units) } : { balance: without(state), blocked: '0' },
    );
    return { kind: 'blocked', records: [], lie: wrong, before: apart };
  };

const botsLeftOut: Plant = ({ random, withBots, now }) => {
  const found = now.filter(({ currency }) => (withBots.get(currency) ?? 0n) > 0n);
  if (found.length === 0) return null;
  const { currency } = random.pick(found);
  const units = withBots.get(currency) ?? 0n;
  const lie = misreport(currency, (state) => ({ blocked: textOf(unitsOf(state.blocked) - units) }));
  return { kind: 'bots', records: [], lie };
};

export const ASIDE: Readonly<Record<string, Plant>> = {
  'blocked counted twice': blocked(true),
  'blocked left out': blocked(false),
  'bots left out': botsLeftOut,
};
