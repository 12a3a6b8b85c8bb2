// Places: with the lot rule `wallets-from`, every place of an entity has a pool of its own from that month on: its pockets,
// trading and Earn. Units between two places belong to the pockets until the other side has booked them. The lots that a
// taxpayer has by then are allotted to the places of an entity at its first entry, as many units as each place holds, in the
// order of the cost method. A place whose units others had used up by then lacks lots until units come in where they are missing.
import type { Atto } from '../base/money.ts';
import { COST_DIFFERENCES, EARN, TRADING, TRADING_BOTS } from '../ledger/accounts.ts';
import { accountParts } from './carrying.ts';
import type { EntryValues, Event, PoolName } from './event.ts';
import { lotKeyText } from './lot-queue.ts';
import { moveFraction } from './moving.ts';
import { type Fraction, take } from './pool.ts';
import { roleOf } from './roles.ts';
import { HELD, type PoolPlace, poolKey, poolOf, type State, unitsOf } from './state.ts';

/** The places of an entity, in the order in which lots are allotted to them. */
const PLACES = ['pockets', 'trading', 'earn'] as const satisfies readonly PoolName[];

const placeNameOf = (account: string): (typeof PLACES)[number] => {
  if (account === TRADING || account === TRADING_BOTS) return 'trading';
  return account === EARN ? 'earn' : 'pockets';
};

/** The pool of an entity's account that holds lots. */
export const placeOf = ({ isPerPlace }: State, entity: string, account: string): PoolPlace =>
  isPerPlace ? { name: placeNameOf(account), entity } : HELD;

/** Allots what the taxpayer's one pool still has to the places of an event's entity; null if there is nothing to allot. */
export const allotLots = (state: State, event: Event): EntryValues | null => {
  if (!beginPlaces(state, event)) return null;
  state.placeUnits ??= unitsByPlace(state);
  const values: EntryValues = { lines: [], lots: [], uses: [], findings: [] };
  for (const currency of [...state.placeUnits.keys()].sort())
    allotLacking(state, { event, values, currency, step: 'w' });
  return values.lots.length > 0 ? values : null;
};

/**
 * Gives every place a pool of its own from the month of the rule on. Returns whether the event is the first of its entity since then: the
 * lots of the one pool are allotted before it.
 */
const beginPlaces = (state: State, { entity, period }: Event): boolean => {
  const from = state.rules['wallets-from'];
  if (from === null || period < from.slice(0, 7)) return false;
  state.isPerPlace = true;
  if (state.allotted.has(entity)) return false;
  state.allotted.add(entity);
  return true;
};

/**
 * Moves lots after an event to the places that lack them, by the units that each holds now: from its other places, and through the
 * one pool from those of other entities.
 */
export const settleLots = (
  state: State,
  { event, values, currencies }: Pick<Allotting, 'event' | 'values'> & { readonly currencies: Set<string> },
): void => {
  for (const currency of currencies) {
    const settling = { event, values, currency, step: 's' } as const;
    releaseSurplus(state, settling);
    allotLacking(state, settling);
  }
};

/** The booked units of every place, by currency and by the key of its pool. */
const unitsByPlace = ({ carrying }: State): Map<string, Map<string, Atto>> => {
  const units: NonNullable<State['placeUnits']> = new Map();
  for (const [key, amount] of carrying) {
    const { entity, account, currency } = accountParts(key);
    if (isHolding(account)) addUnits(units, { name: placeNameOf(account), entity }, [currency, amount.units]);
  }
  return units;
};

/** Cost differences have value and no units, so no role. */
const isHolding = (account: string): boolean =>
  account.startsWith('assets:') && account !== COST_DIFFERENCES && roleOf(account) === 'held';

const addUnits = (
  placeUnits: Map<string, Map<string, Atto>>,
  place: PoolPlace,
  [currency, units]: readonly [string, Atto],
): void => {
  const places = placeUnits.get(currency) ?? new Map<string, Atto>();
  placeUnits.set(currency, places);
  const key = poolKey(place, currency);
  places.set(key, (places.get(key) ?? 0n) + units);
};

/** Counts the units that an event moves, once places have lots of their own. Returns the currencies to settle. */
export const countUnits = (state: State, { entity, legs }: Event): Set<string> => {
  const { placeUnits } = state;
  if (placeUnits === null) return new Set();
  for (const { debit, credit, currency, units } of legs) {
    if (isHolding(debit)) addUnits(placeUnits, placeOf(state, entity, debit), [currency, units]);
    if (isHolding(credit)) addUnits(placeUnits, placeOf(state, entity, credit), [currency, -units]);
  }
  return new Set(legs.map(({ currency }) => currency));
};

/** `step` tells apart, in their ids, the lots that an event is allotted before it (w) and with its own values (s). */
type Allotting = {
  readonly event: Event;
  readonly values: EntryValues;
  readonly currency: string;
  readonly step: 'w' | 's';
};

/** The units that a place holds and no lot of its own covers; negative for lots without units. */
const lackingAt = (state: State, key: string, currency: string): Atto => {
  const booked = state.placeUnits?.get(currency)?.get(key) ?? 0n;
  return (booked > 0n ? booked : 0n) - (state.pools.get(key)?.units ?? 0n);
};

const allotLacking = (state: State, allotting: Allotting): void => {
  const { event, currency } = allotting;
  for (const name of PLACES) {
    const unallotted = unitsOf(state, poolKey(HELD, currency));
    if (unallotted <= 0n) return;
    const place = { name, entity: event.entity };
    const lacking = lackingAt(state, poolKey(place, currency), currency);
    allot(state, allotting, { from: HELD, to: place, units: lacking < unallotted ? lacking : unallotted });
  }
};

/** Gives lots without units of the event's entity to the one pool, as many as the places of the taxpayer lack beside what it has. */
const releaseSurplus = (state: State, allotting: Allotting): void => {
  const { event, currency } = allotting;
  for (const name of PLACES) {
    const place = { name, entity: event.entity };
    const surplus = -lackingAt(state, poolKey(place, currency), currency);
    if (surplus <= 0n) continue;
    const wanted = lackingInAll(state, currency) - unitsOf(state, poolKey(HELD, currency));
    allot(state, allotting, { from: place, to: HELD, units: surplus < wanted ? surplus : wanted });
  }
};

const lackingInAll = (state: State, currency: string): Atto => {
  const places = [...(state.placeUnits?.get(currency)?.keys() ?? [])];
  return places.reduce((sum, key) => {
    const lacking = lackingAt(state, key, currency);
    return lacking > 0n ? sum + lacking : sum;
  }, 0n);
};

type Allotment = { readonly from: PoolPlace; readonly to: PoolPlace; readonly units: Atto };

const allot = (state: State, allotting: Allotting, { from, to, units }: Allotment): void => {
  if (units <= 0n) return;
  for (const fraction of take(poolOf(state, from, allotting.currency), units))
    allotFraction(state, allotting, { fraction, from, to });
  if (to === HELD) state.allotted.clear(); // every entity takes what it lacks before its next entry
};

type AllottedFraction = { readonly fraction: Fraction; readonly from: PoolPlace; readonly to: PoolPlace };

/** Makes a fraction that was taken from one pool a lot of another. */
export const allotFraction = (
  state: State,
  { event, values, currency, step }: Allotting,
  { fraction, from, to }: AllottedFraction,
): void => {
  if (fraction.lot === null) return;
  const id = `${event.id}/${step}.${values.lots.length}`;
  const allotted = { id, kind: 'allotted', currency, leg: 0, origin: 'allotted', from, to } as const;
  const lot = moveFraction(state, { event, values }, fraction, allotted);
  if (state.allottedSince === null) return;
  const key = lotKeyText(fraction.lot);
  const made = state.allottedSince.get(key) ?? [];
  state.allottedSince.set(key, [...made, { entity: event.entity, id, pool: to.name, seq: lot.seq }]);
};
