// Faults, one of each kind: what the gateway did and what it reports differ, and the expected cause is known.
import { isoOf } from '../../../src/base/time.ts';
import type { CauseKind } from '../../../src/breaks/cause.ts';
import { cut, textOf, unitsOf } from '../../../src/sandbox/amount.ts';
import { exact, type Wire, type WireObject } from '../../../src/sandbox/wire-json.ts';
import type { TradingState } from '../../../src/sandbox/world.ts';
import { ASIDE } from './aside-faults.ts';
import { clearing, effectsOf, figure, type Row, type Sums, word } from './effects.ts';
import type { Fault, Plant, Stage } from './fault.ts';
import { type Lie, UNKNOWN } from './liar.ts';

const nameOf = ({ stream, id }: Row): string => `${stream} ${id}`;

const isTrade = ({ stream }: Row): boolean => stream === 'trades';
const isAdmin = ({ body }: Row): boolean => body.serviceOrderName === 'admin';
const isTransfer = ({ body }: Row): boolean => body.serviceOrderName === 'wallet';
const OUTSIDE = ['bank-transfer', 'bank transfer', 'blockchain', 'network'];
const sides = ({ body }: Row): WireObject[] =>
  [body.origin, body.destination].filter((side) => side !== undefined) as WireObject[];
const isOutside = (row: Row): boolean =>
  row.stream === 'wallet-transactions' &&
  row.body.status === 'completed' &&
  sides(row).some((side) => OUTSIDE.includes(word(side, 'class')));
const isAny = (row: Row): boolean => isTrade(row) || isAdmin(row) || isOutside(row);

const pickOf = ({ random, rows }: Stage, fits: (row: Row) => boolean): Row | null => {
  const found = rows.filter(fits);
  return found.length === 0 ? null : random.pick(found);
};

const about = (fits: (row: Row) => boolean, make: (row: Row, stage: Stage) => Fault | null): Plant => {
  return (stage) => {
    const row = pickOf(stage, fits);
    return row && make(row, stage);
  };
};

const opposite = (sums: ReadonlyMap<string, bigint>): Sums =>
  new Map([...sums].map(([place, units]) => [place, -units]));

const changedTo = (row: Row, body: WireObject): Lie => ({
  hidden: [row],
  added: [{ ...row, body: { ...row.body, ...body } }],
});

const rewritten = (
  kind: CauseKind,
  fits: (row: Row) => boolean,
  change: (row: Row, stage: Stage) => WireObject,
): Plant =>
  about(fits, (row, stage) => ({ kind, records: [nameOf(row)], lie: changedTo(row, change(row, stage)) }));

const unlisted = about(isAny, (row) => ({ kind: 'unlisted', records: [], lie: { hidden: [row] } }));

const twin = about(isAny, (row, { random }) => {
  const id = random.uuid();
  const other = { ...row, id, body: { ...row.body, id } };
  return { kind: 'twin', records: [nameOf(row), nameOf(other)], lie: { added: [other] } };
});

const surplus = about(isAny, (row) => ({
  kind: 'surplus',
  records: [nameOf(row)],
  lie: { moved: opposite(effectsOf(row)) },
}));

const TURNED: Readonly<Record<string, string>> = {
  buy: 'sell',
  sell: 'buy',
  deposit: 'withdrawal',
  withdrawal: 'deposit',
};

const sign = rewritten(
  'sign',
  (row) => isTrade(row) || isAdmin(row),
  (row) =>
    isTrade(row)
      ? { side: TURNED[word(row.body, 'side')] }
      : { movementType: TURNED[word(row.body, 'movementType')] },
);

const hasFee = (row: Row): boolean => isTrade(row) && figure(row.body, 'feeAmount') > 0n;

const feeOf = (factor: bigint): Plant =>
  about(hasFee, (row) => {
    const place = `assets:trading ${word(row.body, 'feeCurrency')}`;
    const moved = new Map([[place, factor * figure(row.body, 'feeAmount')]]);
    return { kind: 'fee', records: [nameOf(row)], lie: { moved } };
  });

const swappedPair = rewritten('swapped', isTrade, ({ body }) => ({
  symbol: word(body, 'symbol').split('/').reverse().join('/'),
  amountCurrency: body.priceCurrency,
  priceCurrency: body.amountCurrency,
}));

const swappedAmounts = rewritten('swapped', isTrade, ({ body }) => ({
  amount: body.cost,
  cost: body.amount,
}));

const like = (sent: Wire | undefined, digits: string): Wire =>
  typeof sent === 'string' ? digits : exact(digits);

const scale = rewritten(
  'scale',
  (row) => isTrade(row) || isAdmin(row),
  ({ body }, { random }) => {
    const factor = 10n ** random.pick([1n, 2n, 3n, 6n]);
    return { amount: like(body.amount, textOf(factor * figure(body, 'amount'))) };
  },
);

const rejected = rewritten('rejected', isAny, (row) => {
  if (isTrade(row)) return { side: UNKNOWN };
  if (isAdmin(row)) return { movementType: UNKNOWN };
  const side = OUTSIDE.includes(word(row.body.origin as WireObject, 'class')) ? 'origin' : 'destination';
  return { [side]: { ...(row.body[side] as WireObject), class: UNKNOWN } };
});

/** Pending in both nights; its money arrives, or leaves, in the second. */
const notFinal: Plant = ({ random, old }) => {
  const found = old.filter(isOutside);
  if (found.length === 0) return null;
  const row = random.pick(found);
  const waiting = changedTo(row, { status: 'pending', completedAt: null });
  return {
    kind: 'not-final',
    records: [nameOf(row)],
    lie: waiting,
    before: { ...waiting, moved: opposite(effectsOf(row)) },
  };
};

/** A transfer between a pocket and trading has two records, about a second apart. */
const viewsOf = (stage: Stage): { wallet: Row; movement: Row } | null => {
  const movement = pickOf(stage, isTransfer);
  const place = movement && clearing(word(movement.body, 'currency'));
  const wallet = stage.rows.find(
    (row) =>
      row.stream === 'wallet-transactions' &&
      movement !== null &&
      sides(row).some((side) => side.class === 'trading') &&
      Math.abs(row.at - movement.at) < 5_000 &&
      effectsOf(row).get(place ?? '') === -(effectsOf(movement).get(place ?? '') ?? 0n),
  );
  return movement && wallet ? { wallet, movement } : null;
};

const oneSided =
  (lost: 'wallet' | 'movement', didArrive: boolean): Plant =>
  (stage) => {
    const views = viewsOf(stage);
    if (views === null) return null;
    const [hidden, shown] = [views[lost], views[lost === 'wallet' ? 'movement' : 'wallet']];
    const missing = [...opposite(effectsOf(hidden))].filter(
      ([place]) => !place.startsWith('assets:clearing:'),
    );
    return {
      kind: 'one-sided',
      records: [nameOf(shown)],
      lie: { hidden: [hidden], ...(didArrive ? {} : { moved: new Map(missing) }) },
    };
  };

/** A balance that is always reported at eight decimals. */
const rounding: Plant = ({ random, before, now }) => {
  const left = (state: TradingState | undefined) => {
    const units = state ? unitsOf(state.balance) + unitsOf(state.blocked) : 0n;
    return cut(units + (units < 0n ? -HALF : HALF), 8) - units;
  };
  const fine = now.filter((state) => left(state) !== 0n);
  if (fine.length === 0) return null;
  const { currency } = random.pick(fine);
  const lieOf = (states: readonly TradingState[]): Lie => ({
    moved: new Map([
      [`assets:trading ${currency}`, left(states.find((state) => state.currency === currency))],
    ]),
  });
  return { kind: 'rounding', records: [], lie: lieOf(now), before: lieOf(before) };
};

/** Half of the eighth decimal. */
const HALF = 5n * 10n ** 9n;

/** Two or three movements of one currency that never reached the balance. */
const combined =
  (count: number): Plant =>
  (stage) => {
    const model = pickOf(stage, ({ stream }) => stream === 'movements');
    if (model === null) return null;
    const { random } = stage;
    const rows = Array.from({ length: count }, (): Row => {
      const [id, timeMs] = [random.uuid(), model.at + random.below(3_600_000)];
      const amount = exact(textOf(cut(random.units(10n ** 21n), 6) + 10n ** 12n));
      const body = { ...model.body, id, amount, movementType: 'deposit', serviceOrderName: 'admin' };
      return { ...model, id, at: timeMs, body: { ...body, createdAt: isoOf(timeMs) } };
    });
    return { kind: 'combination', records: rows.map(nameOf), lie: { added: rows } };
  };

export const SINGLE: Readonly<Record<string, Plant>> = {
  'never listed': unlisted,
  'under two ids': twin,
  'not in the balance': surplus,
  'sign turned': sign,
  'fee not taken': feeOf(1n),
  'fee taken twice': feeOf(-1n),
  'pair swapped': swappedPair,
  'amounts swapped': swappedAmounts,
  'wrong scale': scale,
  'not final': notFinal,
  'movement never listed': oneSided('movement', true),
  'wallet view never listed': oneSided('wallet', true),
  'never arrived': oneSided('movement', false),
  rounding,
  ...ASIDE,
  rejected,
};

const SEVERAL: Readonly<Record<string, Plant>> = {
  'two records': combined(2),
  'three records': combined(3),
};

/** All plants, by name. */
export const PLANTS: Readonly<Record<string, Plant>> = { ...SINGLE, ...SEVERAL };
