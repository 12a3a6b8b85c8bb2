// Faults, one of each kind: what the gateway did and what it told part, and the cause that should be named is known.
import type { Evidence, Kind, Part, Told } from '../../src/reconcile/cause.ts';
import { textOf, unitsOf } from '../../src/sandbox/amount.ts';
import { isoOf } from '../../src/time.ts';
import { amountOf, BROKE, DAY, movement, TIED, trade, transfer, type World, walletMove } from './world.ts';

/** What is told otherwise than it happened. */
export type Fault = {
  readonly kind: Kind;
  /** Those that must be named; none where nothing was told. */
  readonly records: readonly string[];
  /** What happened, and is not in `told`, and the reverse. */
  readonly happened: readonly Told[];
  readonly told: readonly Told[];
  readonly rest?: Partial<Evidence>;
};

export type Plant = (world: World) => Fault;

/** Within the night that broke, an hour clear of its reading. */
const tonight = ({ random }: World): number => TIED + 7_200_000 + random.below(DAY - 14_400_000);

const changed = (it: Told, change: (part: Part) => Part): Told => ({ ...it, parts: it.parts.map(change) });

const times = (part: Part, factor: bigint): Part => ({
  ...part,
  amount: textOf(unitsOf(part.amount) * factor),
});

const some = (world: World): Told => {
  const make = world.random.pick([trade, movement, walletMove]);
  return make(world.random, tonight(world));
};

const rewritten = (kind: Kind, make: (world: World) => Told, change: (part: Part) => Part): Plant => {
  return (world) => {
    const it = make(world);
    return { kind, records: [it.name], happened: [it], told: [changed(it, change)] };
  };
};

const aTrade = (world: World): Told => trade(world.random, tonight(world));

const unlisted: Plant = (world) => ({ kind: 'unlisted', records: [], happened: [some(world)], told: [] });

const twin: Plant = (world) => {
  const it = some(world);
  const twice = { ...it, name: `${it.stream} ${world.random.uuid()}` };
  return { kind: 'twin', records: [it.name, twice.name], happened: [it], told: [it, twice] };
};

const surplus: Plant = (world) => {
  const it = some(world);
  return { kind: 'surplus', records: [it.name], happened: [], told: [it] };
};

const sign = rewritten('sign', some, (part) => (part.role === 'fee' ? part : times(part, -1n)));

const feeOf =
  (factor: bigint): Plant =>
  (world) => {
    const it = aTrade(world);
    const truth = changed(it, (part) => (part.role === 'fee' ? times(part, factor) : part));
    return { kind: 'fee', records: [it.name], happened: [truth], told: [it] };
  };

/** The pair named the wrong way round. */
const swappedPair: Plant = (world) => {
  const it = aTrade(world);
  const [one, other] = it.parts as [Part, Part];
  const turned = changed(it, (part) =>
    part === one ? { ...part, place: other.place } : part === other ? { ...part, place: one.place } : part,
  );
  return { kind: 'swapped', records: [it.name], happened: [it], told: [turned] };
};

/** Amount and cost named the wrong way round: the direction of each currency stays. */
const swappedAmounts: Plant = (world) => {
  const it = aTrade(world);
  const [one, other] = it.parts as [Part, Part];
  const turned = changed(it, (part) => {
    if (part !== one && part !== other) return part;
    return times({ ...part, amount: (part === one ? other : one).amount }, -1n);
  });
  return { kind: 'swapped', records: [it.name], happened: [it], told: [turned] };
};

const scale: Plant = (world) => {
  const it = some(world);
  const role = it.parts[0]?.role;
  const place = it.parts[0]?.place;
  const power = world.random.pick([1n, 2n, 3n, 6n, 8n]);
  const turned = changed(it, (part) =>
    part.role === role && part.place === place ? times(part, 10n ** power) : part,
  );
  return { kind: 'scale', records: [it.name], happened: [it], told: [turned] };
};

const notFinal: Plant = (world) => {
  const it = walletMove(world.random, tonight(world) - 8 * DAY);
  const waiting = [{ name: it.name, changes: it.parts }];
  return { kind: 'not-final', records: [it.name], happened: [it], told: [], rest: { waiting } };
};

const inFlight: Plant = (world) => {
  const it = trade(world.random, BROKE - world.random.below(600_000));
  return { kind: 'in-flight', records: [it.name], happened: [], told: [it] };
};

const unmatchedOf = (it: Told) =>
  it.parts
    .filter(({ place }) => place.startsWith('assets:clearing:'))
    .map(({ place, amount }) => ({ name: it.name, place, amount }));

/** One side is listed; the other happened, or did not. */
const oneSided =
  (listed: 0 | 1, didArrive: boolean): Plant =>
  (world) => {
    const both = transfer(world.random, tonight(world));
    const shown = both[listed];
    const lost = changed(shown, (part) =>
      part.place.startsWith('assets:clearing:') ? times(part, 0n) : part,
    );
    return {
      ...{ kind: 'one-sided', records: [shown.name], told: [shown] },
      happened: didArrive ? both : [lost],
      rest: { unmatched: unmatchedOf(shown) },
    };
  };

const rounding: Plant = (world) => {
  const it = aTrade(world);
  const off = world.random.units(9n) + 1n;
  const turned = changed(it, (part) =>
    part.role === 'fee' ? { ...part, amount: textOf(unitsOf(part.amount) - off) } : part,
  );
  return { kind: 'rounding', records: [], happened: [it], told: [turned] };
};

/** Funds that stand apart: a balance that holds them twice, or not at all. */
const apart =
  (kind: 'blocked' | 'bots', way: 1n | -1n): Plant =>
  (world) => {
    const units = amountOf(world.random, 'USDC') + world.random.units(10n ** 18n);
    const place = 'assets:trading USDC';
    const amount = textOf(units);
    const gone: Told = {
      ...{ name: 'nothing', stream: 'none', at: isoOf(BROKE), bookedAt: isoOf(BROKE) },
      parts: [{ place, amount: textOf(units * way), role: 'move' }],
    };
    const none = { place, blocked: '0', blockedBefore: '0', withBots: '0' };
    const aside =
      kind === 'bots' ? { withBots: amount } : way === 1n ? { blocked: amount } : { blockedBefore: amount };
    return { kind, records: [], happened: [gone], told: [], rest: { asides: [{ ...none, ...aside }] } };
  };

/** A rejected record names every amount and currency that it would have booked. */
const rejected: Plant = (world) => {
  const it = some(world);
  const sums = new Set(it.parts.filter(({ role }) => role !== 'fee').map(({ place }) => place));
  const rejects = [...sums].map((place) => ({
    ...{ name: it.name, reason: 'side: unknown word "swap"', place },
    hasAmount: it.parts.filter((part) => part.place === place).length === 1,
  }));
  return { kind: 'rejected', records: [it.name], happened: [it], told: [], rest: { rejects } };
};

/** Two or three records on one account that never reached the balance. */
const combined =
  (count: number): Plant =>
  (world) => {
    const all = Array.from({ length: count }, () => {
      const it = movement(world.random, tonight(world));
      const amount = textOf(amountOf(world.random, 'USDC') + world.random.units(10n ** 15n));
      return changed(it, (part) => ({ ...part, place: 'assets:trading USDC', amount }));
    });
    return { kind: 'combination', records: all.map(({ name }) => name), happened: [], told: all };
  };

export const SINGLE: Readonly<Record<string, Plant>> = {
  'never listed': unlisted,
  'under two ids': twin,
  'not in the balance': surplus,
  'sign turned': sign,
  'fee not taken': feeOf(0n),
  'fee taken twice': feeOf(2n),
  'pair swapped': swappedPair,
  'amounts swapped': swappedAmounts,
  'wrong scale': scale,
  'not final': notFinal,
  'in flight': inFlight,
  'movement never listed': oneSided(0, true),
  'wallet view never listed': oneSided(1, true),
  'never arrived': oneSided(0, false),
  rounding,
  'blocked counted twice': apart('blocked', 1n),
  'blocked left out': apart('blocked', -1n),
  'bots left out': apart('bots', -1n),
  rejected,
};

export const SEVERAL: Readonly<Record<string, Plant>> = {
  'two records': combined(2),
  'three records': combined(3),
};
