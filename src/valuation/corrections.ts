// Corrections: entries in place of reversed ones that moved lots between our own accounts. The lots that both move stay where the reversed
// entry took them. An entry that stands again some time after its cancellation takes back what that returned.
import type { Kysely } from 'kysely';
import { type Atto, attoOf } from '../base/money.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { type CancelledDeparture, cancelledDepartures } from './cancelled-departures.ts';
import { counterpartiesOf } from './counterparties.ts';
import type { Event, MovedLots, StoredValues } from './event.ts';
import { ownPlace } from './leg-values.ts';
import { firstOf, isWhole, movedBy, restOf, type StayingLots } from './moved-lots.ts';
import { roleOf } from './roles.ts';
import { isOffPlatform, type PoolPlace } from './state.ts';
import { storedValuesOf } from './stored-values.ts';
import type { Taxpayer } from './taxpayers.ts';

/** Whether an entry in place of an earlier one moves lots of our own, which stored values may have moved. */
export const movesOwn = (event: Event): boolean =>
  event.isCorrection && event.legs.some((leg) => placeOfLeg(event, leg) !== null);

const placeOfLeg = (
  { counterpartyTypes }: Pick<Event, 'counterpartyTypes'>,
  { leg, debit, credit }: Pick<Event['legs'][number], 'leg' | 'debit' | 'credit'>,
): PoolPlace | null => ownPlace({ counterpartyTypes }, { leg, to: roleOf(debit), from: roleOf(credit) });

/**
 * An entry in place of an earlier one, with the lots that it leaves where that moved them, or takes back. `staying`: what stays of the lots
 * of the reversed entry, if its reversal is valued together with this one.
 */
export const withMovedLots = async (
  tx: Kysely<DB>,
  event: Event,
  { staying, taxpayer }: { readonly staying: readonly StayingLots[] | null; readonly taxpayer: Taxpayer },
): Promise<Event> => {
  if (staying === null) return { ...event, returned: await returnedBefore(tx, event, taxpayer) };
  return { ...event, staying: new Map(staying.map(({ leg, moved }) => [leg, moved])) };
};

/**
 * What stays of the lots that a reversed entry moved, because the entry in its place moves them too. Null if it moved none between our own
 * accounts, or if nothing is in its place at the same time.
 */
export const stayingLots = async (
  tx: Kysely<DB>,
  { entity, id, correctedBy }: Event,
  { stored, taxpayer }: { readonly stored: StoredValues; readonly taxpayer: Taxpayer },
): Promise<StayingLots[] | null> => {
  if (correctedBy === null || !isMoving(stored)) return null;
  const replaced = await replacedLegs(tx, { entity, reversal: id, entry: correctedBy }, taxpayer);
  return replaced.flatMap(({ wasLeg, leg, place, isOutgoing, wasUnits, units }) => {
    const moved = movedBy(stored, wasLeg);
    const away = isOutgoing ? moved.made : moved.used;
    if (!isWhole(moved, wasUnits) || away.some(({ pool }) => pool !== place.name)) return [];
    const known = isOutgoing ? wasUnits : unitsWithLot(moved);
    const stays = known < units ? known : units;
    return [{ wasLeg, leg, moved: firstOf(moved, stays), rest: restOf(moved, stays) }];
  });
};

/** The units that a lot covered, which come first. What arrived without a lot is not there to stay: it looks for one again. */
const unitsWithLot = ({ used }: MovedLots): Atto =>
  used.reduce((sum, { lot, units }) => (lot === null ? sum : sum + units), 0n);

const isMoving = ({ uses, lots }: StoredValues): boolean =>
  [...uses, ...lots].some(({ pool }) => isOffPlatform(pool));

/**
 * What the last reversal that moved lots between our own accounts returned of a departure: the entry takes back as many units as it sends. One
 * that is sent after its reversal takes back only what arrived nevertheless: otherwise it sends lots as any other departure of its time.
 */
const returnedBefore = async (
  tx: Kysely<DB>,
  { entity, id }: Event,
  taxpayer: Taxpayer,
): Promise<Map<number, MovedLots>> => {
  const query = loadSql('valuation/last_reversal.sql', { entity, entry: id });
  const [last] = await readRows<LastReversal>(tx, query);
  if (!last) return new Map();
  const reversal = last.entry_id;
  const replaced = await replacedLegs(tx, { entity, reversal, entry: id }, taxpayer);
  const stored = await storedValuesOf(tx, entity, reversal);
  const departures = await cancelledDepartures(tx, [{ entity, entry: id }]);
  return new Map(
    replaced.flatMap(({ wasLeg, leg, place, isOutgoing, wasUnits, units }) => {
      const moved = movedBy(stored, wasLeg);
      const isBack = isOutgoing && moved.used.every(({ pool }) => pool === place.name);
      if (!isBack || !isWhole(moved, wasUnits)) return [];
      const away = unitsAway(moved, last, departures);
      return away === 0n ? [] : [[leg, firstOf(moved, away < units ? away : units)] as const];
    }),
  );
};

/** `is_after`: the entry has a later time than the reversal. */
type LastReversal = { readonly entry_id: string; readonly is_after: boolean };

/**
 * How many of the units that a reversal took back had left before: all that were there, and those that are with an arrival that still stands,
 * which come last. What its arrival brought back since leaves like any other.
 */
const unitsAway = (
  { used }: MovedLots,
  { is_after }: LastReversal,
  departures: readonly CancelledDeparture[],
): Atto => {
  const sum = (parts: readonly { readonly units: Atto }[]) =>
    parts.reduce((all, { units }) => all + units, 0n);
  const arrived = used.filter(({ lot }) => lot === null);
  if (arrived.length === 0) return is_after ? 0n : sum(used);
  const waiting = sum(
    departures.filter(({ pool, currency }) =>
      arrived.some((use) => use.pool === pool && use.currency === currency),
    ),
  );
  return waiting === 0n ? 0n : sum(used) - sum(arrived) + waiting;
};

type Replacing = { readonly entity: string; readonly reversal: string; readonly entry: string };

type ReplacedLegRow = {
  readonly was_leg: number;
  readonly was_units: string;
  readonly leg: number;
  readonly units: string;
  readonly debit: string;
  readonly credit: string;
  readonly is_same: boolean;
};

type ReplacedLeg = {
  readonly wasLeg: number;
  readonly wasUnits: Atto;
  readonly leg: number;
  readonly units: Atto;
  readonly place: PoolPlace;
  readonly isOutgoing: boolean;
};

/** The legs of an entry that move lots of our own, as legs of the one in whose place it is did: through the same pool, in the same transfer. */
const replacedLegs = async (
  tx: Kysely<DB>,
  replacing: Replacing,
  taxpayer: Taxpayer,
): Promise<ReplacedLeg[]> => {
  const rows = await readRows<ReplacedLegRow>(tx, loadSql('valuation/replaced_legs.sql', replacing));
  const { entity: entity_id, entry: entry_id } = replacing;
  const [debits, credits] = [rows.map(({ debit }) => debit), rows.map(({ credit }) => credit)];
  const known = await counterpartiesOf(tx, taxpayer, [{ entity_id, entry_id, debits, credits }]);
  const counterparties = known.get(`${entity_id} ${entry_id}`);
  return rows.flatMap((row) => {
    const place = counterparties ? placeOfLeg(counterparties, row) : null;
    if (place === null || (place.name === 'in-transit' && !row.is_same)) return [];
    const [wasUnits, units] = [attoOf(row.was_units), attoOf(row.units)];
    const isOutgoing = roleOf(row.debit) === 'external';
    return [{ wasLeg: row.was_leg, wasUnits, leg: row.leg, units, place, isOutgoing }];
  });
};
