// One instant: the order in which entries that take effect together are valued. Entries that add units come before
// entries that use them, through conversions and transfers; all others keep the order in which they were read, which is
// that of the gateway's lists. Nothing depends on when or in which page a record arrived.
import type { Atto } from '../base/money.ts';
import { accountKey } from './carrying.ts';
import type { Event, Leg } from './event.ts';
import { ownPlace } from './leg-values.ts';
import { type Role, roleOf } from './roles.ts';
import { type PoolPlace, poolKey } from './state.ts';

export type Stock = {
  readonly reporting: string;
  /** Units in a pool or an account before the instant, by its key. */
  readonly unitsOf: (key: string) => Atto;
  /** The pool of an entity's account. */
  readonly placeOf: (entity: string, account: string) => PoolPlace;
};

/** An event with the pools and accounts that it adds units to and takes units from. */
type Flow = {
  readonly event: Event;
  readonly incoming: readonly string[];
  readonly outgoing: readonly string[];
  readonly net: ReadonlyMap<string, Atto>;
  /** The departures whose lots it brings: no other units in transit will do. */
  readonly departures: ReadonlySet<string>;
};

/**
 * Orders the events of one instant. Events that need each other's units form a ring: each is taken as soon as the
 * available units allow, and if none can be, the first event begins. Costs one pass per step of the longest chain.
 */
export const orderInstant = (
  events: readonly Event[],
  { reporting, unitsOf, placeOf }: Stock,
): readonly Event[] => {
  if (events.length < 2) return events;
  const ordered: Flow[] = [];
  const units = new Map<string, Atto>();
  const unitsNow = (key: string): Atto => units.get(key) ?? unitsOf(key);
  const take = (flow: Flow): void => {
    ordered.push(flow);
    for (const [key, change] of flow.net) units.set(key, unitsNow(key) + change);
  };
  let remaining = events.map((event) => flowOf(event, reporting, placeOf));
  while (remaining.length > 0) {
    const ready = independentOf(remaining);
    if (ready.length > 0) ready.forEach(take);
    else stepOfRing(ringIn(remaining), { take, unitsNow });
    const taken = new Set(ordered);
    remaining = remaining.filter((flow) => !taken.has(flow));
  }
  return ordered.map(({ event }) => event);
};

/** Events that need no units which a remaining event still adds. */
const independentOf = (remaining: readonly Flow[]): Flow[] => {
  const brought = new Set(remaining.flatMap(({ incoming }) => incoming));
  return remaining.filter(({ outgoing }) => !outgoing.some((key) => brought.has(key)));
};

/** Events whose units another event needs: the ring, without events that only follow it. */
const ringIn = (remaining: readonly Flow[]): readonly Flow[] => {
  const wanted = new Set(remaining.flatMap(({ outgoing }) => outgoing));
  const needed = remaining.filter(({ incoming }) => incoming.some((key) => wanted.has(key)));
  return needed.length === remaining.length ? needed : ringIn(needed);
};

type RingStep = { readonly take: (flow: Flow) => void; readonly unitsNow: (key: string) => Atto };

/** One pass over a ring: takes each event that the available units allow, or the first if they allow none; an arrival after its departure. */
const stepOfRing = (ring: readonly Flow[], { take, unitsNow }: RingStep): void => {
  const departing = new Set(ring.map(({ event }) => event.id));
  const isHeldBack = ({ departures }: Flow) => [...departures].some((entry) => departing.has(entry));
  let isAny = false;
  for (const flow of ring) {
    if (isHeldBack(flow)) continue;
    if (!flow.outgoing.every((key) => unitsNow(key) + (flow.net.get(key) ?? 0n) >= 0n)) continue;
    take(flow);
    departing.delete(flow.event.id);
    isAny = true;
  }
  const first = ring.find((flow) => !isHeldBack(flow)) ?? ring[0];
  if (!isAny && first) take(first);
};

const flowOf = (event: Event, reporting: string, placeOf: Stock['placeOf']): Flow => {
  const net = new Map<string, Atto>();
  const add = (key: string, units: Atto) => net.set(key, (net.get(key) ?? 0n) + units);
  for (const leg of event.legs) {
    if (leg.currency === reporting) continue; // money in the reporting currency has no lots
    for (const key of keysOf(event, [leg, 'debit'], placeOf)) add(key, leg.units);
    for (const key of keysOf(event, [leg, 'credit'], placeOf)) add(key, -leg.units);
  }
  const changed = [...net];
  return {
    event,
    net,
    departures: new Set([...event.departures.values()].flatMap(({ entries }) => entries)),
    incoming: changed.flatMap(([key, units]) => (units > 0n ? [key] : [])),
    outgoing: changed.flatMap(([key, units]) => (units < 0n ? [key] : [])),
  };
};

/** The pool of lots and the account on one side of a leg. */
const keysOf = (
  event: Event,
  [leg, side]: readonly [Leg, 'debit' | 'credit'],
  placeOf: Stock['placeOf'],
): string[] => {
  const { currency } = leg;
  const role: Role = roleOf(leg[side]);
  const account = accountKey(event.entity, leg[side], currency);
  if (role === 'held') return [poolKey(placeOf(event.entity, leg[side]), currency), account];
  if (role === 'withheld') return [account];
  if (role === 'fee') return []; // what a fee used is gone
  const place = ownPlace(event, leg);
  return place ? [poolKey(place, currency)] : [];
};
