// Corrections: entries whose values rest on stored ones. A reversal negates those of the entry that it reverses. A side of an own
// transfer that is corrected after a closed month has valued the arrival moves no lots again: they are where that took them.
import { strict as assert } from 'node:assert';
import type { Kysely } from 'kysely';
import { type Atto, attoOf } from '../base/money.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { valueEvent } from './booking.ts';
import { negated } from './entry-valuation.ts';
import type { EntryValues, Event, ReturnedLots, StoredLot, Use, ValueFinding } from './event.ts';
import type { Market } from './exchange.ts';
import { ownPlace } from './leg-values.ts';
import type { Fraction } from './pool.ts';
import { type BegunReversal, beginReversal } from './reversal.ts';
import { roleOf } from './roles.ts';
import type { State } from './state.ts';
import { allottedOf, storedValuesOf } from './stored-values.ts';

/** Whether an entry in place of an earlier one moves lots of our own, which stored values may have moved. */
export const movesOwn = (event: Event): boolean =>
  event.isCorrection && event.legs.some((leg) => isOwnLeg(event, leg));

const isOwnLeg = (event: Event, { leg, debit, credit }: Event['legs'][number]): boolean => {
  const roles = { leg, to: roleOf(debit), from: roleOf(credit) };
  return ownPlace(event, roles) !== null;
};

type Correcting = { readonly state: State; readonly market: Market; readonly closed: string };

/** Values an entry in place of an earlier one and updates the state. */
export const valueCorrection = async (
  tx: Kysely<DB>,
  event: Event,
  { state, market, closed }: Correcting,
): Promise<EntryValues> => {
  const settled = await settledLegs(tx, event, closed);
  const own = settled.filter(({ entry_id }) => entry_id === event.id);
  const returned = new Map<number, ReturnedLots>();
  for (const { leg, was_leg, undone_by } of own)
    if (undone_by !== null) returned.set(leg, await returnedLots(tx, event, { undone_by, was_leg }));
  const staying = new Map(own.map((row) => [row.leg, fractionsOf(row)]));
  const values = valueEvent({ ...event, settled: staying, returned }, state, market);
  return { ...values, findings: [...values.findings, ...own.flatMap((row) => unknownCost(event, row))] };
};

/** Begins to value the reversal of an entry: what it used is restored. */
export const beginStored = async (
  tx: Kysely<DB>,
  event: Event,
  { state, market, closed }: Correcting,
): Promise<BegunReversal> => {
  const { entity, reverses } = event;
  assert(reverses !== null, `${event.id} reverses nothing`);
  const settled = await settledLegs(tx, event, closed);
  const stored = await storedValuesOf(tx, entity, reverses);
  const staying = new Set(settled.flatMap((row) => (row.was_entry_id === reverses ? row.was_leg : [])));
  const isMoved = ({ leg }: { readonly leg: number }): boolean => !staying.has(leg);
  const moved = { ...stored, uses: stored.uses.filter(isMoved), lots: stored.lots.filter(isMoved) };
  return beginReversal(event, moved, { state, market });
};

/** What a cancellation moved back of a leg. */
const returnedLots = async (
  tx: Kysely<DB>,
  { entity }: Event,
  { undone_by, was_leg }: { readonly undone_by: string; readonly was_leg: number },
): Promise<ReturnedLots> => {
  const { uses } = await storedValuesOf(tx, entity, undone_by);
  const ofLeg = uses.filter(({ leg }) => leg === was_leg);
  const lots = ofLeg.filter(({ units }) => units < 0n).map(restoredLot);
  const allotted = await allottedOf(tx, lots);
  return {
    restored: lots.map((lot) => ({ ...lot, allotted: allotted.get(lot.id) ?? [] })),
    removed: ofLeg.filter(({ units }) => units > 0n),
  };
};

/** The units that a cancellation gave back to a lot, as a lot. What had left without one has no name. */
const restoredLot = ({ lot, pool, currency, leg, units, cost }: Use): Omit<StoredLot, 'allotted'> => ({
  ...(lot ?? { entity: '', id: '', acquiredAt: '', micros: 0, seq: 0 }),
  pool,
  currency,
  leg,
  units: -units,
  cost: negated(cost),
  origin: '',
});

type SettledLeg = {
  readonly was_entry_id: string;
  readonly was_leg: number;
  /** The entry that cancelled it, in a closed month too. */
  readonly undone_by: string | null;
  readonly entry_id: string;
  readonly leg: number;
  readonly currency: string;
  readonly units: string;
  readonly cost: string | null;
  readonly is_open: boolean;
};

const settledLegs = async (tx: Kysely<DB>, { entity, id }: Event, closed: string): Promise<SettledLeg[]> =>
  closed === ''
    ? []
    : readRows<SettledLeg>(tx, loadSql('valuation/settled_transfers.sql', { entity, entry: id, closed }));

/** The lots of a leg as one fraction of known cost, and one without units for what has no cost. */
const fractionsOf = ({ units, cost, is_open }: SettledLeg): Fraction[] => {
  const known: Atto | null = cost === null ? null : attoOf(cost);
  const whole = { lot: null, units: attoOf(units), cost: known };
  return is_open && known !== null ? [whole, { lot: null, units: 0n, cost: null }] : [whole];
};

const unknownCost = (
  { name }: Event,
  { leg, currency, units, cost, is_open }: SettledLeg,
): ValueFinding[] => {
  if (cost !== null && !is_open) return [];
  const detail = `${name}: the cost of what was moved is unknown, or a part of it, as before it was corrected`;
  return [{ kind: 'no-cost', severity: 'finding', leg, currency, units: attoOf(units), detail }];
};
