// Corrections: entries whose values rest on stored ones. A reversal negates those of the entry that it reverses. A departure that is
// corrected after a closed month had received it moves no lots again: they are where its arrival took them.
import type { Kysely } from 'kysely';
import { type Atto, attoOf } from '../base/money.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { valueEvent } from './booking.ts';
import type { EntryValues, Event, ValueFinding } from './event.ts';
import type { Market } from './exchange.ts';
import { ownPlace } from './leg-values.ts';
import type { Fraction } from './pool.ts';
import { storedValuesOf } from './restoring.ts';
import { reverseEvent } from './reversal.ts';
import { roleOf } from './roles.ts';
import type { State } from './state.ts';

/** Whether the values of an event rest on stored ones. */
export const needsStored = (event: Event): boolean =>
  event.reverses !== null || (event.isCorrection && event.legs.some((leg) => isOwnDeparture(event, leg)));

const isOwnDeparture = (event: Event, { leg, debit, credit }: Event['legs'][number]): boolean => {
  const roles = { leg, to: roleOf(debit), from: roleOf(credit) };
  return roles.to === 'outside' && ownPlace(event, roles) !== null;
};

type Correcting = { readonly state: State; readonly market: Market; readonly closed: string };

/** Values such an event and updates the state. */
export const valueCorrection = async (
  tx: Kysely<DB>,
  event: Event,
  { state, market, closed }: Correcting,
): Promise<EntryValues> => {
  const { entity, id, reverses } = event;
  const departed = closed === '' ? [] : await departedLegs(tx, { entity, entry: id, closed });
  if (reverses === null) {
    const own = departed.filter(({ entry_id }) => entry_id === id);
    const departing = { ...event, departed: new Map(own.map((row) => [row.leg, fractionsOf(row)])) };
    const values = valueEvent(departing, state, market);
    return { ...values, findings: [...values.findings, ...own.flatMap((row) => unknownCost(event, row))] };
  }
  const stored = await storedValuesOf(tx, entity, reverses);
  const staying = new Set(departed.flatMap((row) => (row.was_entry_id === reverses ? row.was_leg : [])));
  const isMoved = ({ leg }: { readonly leg: number }): boolean => !staying.has(leg);
  const moved = { ...stored, uses: stored.uses.filter(isMoved), lots: stored.lots.filter(isMoved) };
  return reverseEvent(event, moved, { state, market });
};

type DepartedLeg = {
  readonly was_entry_id: string;
  readonly was_leg: number;
  readonly entry_id: string;
  readonly leg: number;
  readonly currency: string;
  readonly units: string;
  readonly cost: string | null;
  readonly is_open: boolean;
};

const departedLegs = (
  tx: Kysely<DB>,
  entry: { readonly entity: string; readonly entry: string; readonly closed: string },
): Promise<DepartedLeg[]> => readRows<DepartedLeg>(tx, loadSql('valuation/departed_lots.sql', entry));

/** The lots of a departure as one fraction of known cost, and one without units for what has no cost. */
const fractionsOf = ({ units, cost, is_open }: DepartedLeg): Fraction[] => {
  const known: Atto | null = cost === null ? null : attoOf(cost);
  const whole = { lot: null, units: attoOf(units), cost: known };
  return is_open && known !== null ? [whole, { lot: null, units: 0n, cost: null }] : [whole];
};

const unknownCost = (
  { name }: Event,
  { leg, currency, units, cost, is_open }: DepartedLeg,
): ValueFinding[] => {
  if (cost !== null && !is_open) return [];
  const detail = `${name}: the cost of what was sent is unknown, or a part of it, as before it was corrected`;
  return [{ kind: 'no-cost', severity: 'finding', leg, currency, units: attoOf(units), detail }];
};
