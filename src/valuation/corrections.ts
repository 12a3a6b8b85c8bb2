// Corrections: entries in place of reversed ones that moved lots between our own accounts. The lots that both move stay where the reversed
// entry took them.
import type { Kysely } from 'kysely';
import { type Atto, attoOf } from '../base/money.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { counterpartiesOf } from './counterparties.ts';
import type { Event, MovedLots, StoredValues } from './event.ts';
import { ownPlace } from './leg-values.ts';
import { firstOf, isWhole, joined, movedBy, partsOf, restOf, type StayingLots } from './moved-lots.ts';
import { roleOf } from './roles.ts';
import { isOffPlatform, type PoolPlace } from './state.ts';
import type { Taxpayer } from './taxpayers.ts';

/** Whether an entry in place of an earlier one moves lots of our own, which stored values may have moved. */
export const movesOwn = (event: Event): boolean =>
  event.isCorrection && event.legs.some((leg) => ownPlace(event, leg) !== null);

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
    const all = movedBy(stored, wasLeg);
    const away = isOutgoing ? all.made : all.used;
    if (!isWhole(all, wasUnits) || away.some(({ pool }) => pool !== place.name)) return [];
    const moved = inOrderOfStay(all, isOutgoing);
    const known = isOutgoing ? wasUnits : unitsWithLot(moved);
    const stays = known < units ? known : units;
    return [{ wasLeg, leg, moved: firstOf(moved, stays), rest: restOf(moved, stays) }];
  });
};

/**
 * What was moved, first what is to stay if less is moved now: of a departure the lots that arrivals receive first, so that what has arrived is not
 * looked for in transit; of an arrival what a lot covered.
 */
const inOrderOfStay = (moved: MovedLots, isOutgoing: boolean): MovedLots => {
  const rank = ({ used: [use], made: [lot] }: MovedLots): number =>
    isOutgoing ? (lot?.seq ?? 0) : use?.lot === null ? 1 : 0;
  return joined(partsOf(moved).sort((a, b) => rank(a) - rank(b)));
};

/** The units that a lot covered, which come first. What arrived without a lot is not there to stay: it looks for one again. */
const unitsWithLot = ({ used }: MovedLots): Atto =>
  used.reduce((sum, { lot, units }) => (lot === null ? sum : sum + units), 0n);

const isMoving = ({ uses, lots }: StoredValues): boolean =>
  [...uses, ...lots].some(({ pool }) => isOffPlatform(pool));

export type Replacing = { readonly entity: string; readonly reversal: string; readonly entry: string };

type ReplacedLegRow = {
  readonly was_leg: number;
  readonly was_units: string;
  readonly leg: number;
  readonly units: string;
  readonly debit: string;
  readonly credit: string;
  readonly is_same: boolean;
};

export type ReplacedLeg = {
  readonly wasLeg: number;
  readonly wasUnits: Atto;
  readonly leg: number;
  readonly units: Atto;
  readonly place: PoolPlace;
  readonly isOutgoing: boolean;
};

/** The legs of an entry that move lots of our own, as legs of the one in whose place it is did: through the same pool, in the same transfer. */
export const replacedLegs = async (
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
    const place = counterparties ? ownPlace(counterparties, row) : null;
    if (place === null || (place.name === 'in-transit' && !row.is_same)) return [];
    const [wasUnits, units] = [attoOf(row.was_units), attoOf(row.units)];
    const isOutgoing = roleOf(row.debit) === 'external';
    return [{ wasLeg: row.was_leg, wasUnits, leg: row.leg, units, place, isOutgoing }];
  });
};
