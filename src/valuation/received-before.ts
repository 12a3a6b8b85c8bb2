// Received before: units that a closed month received of a transfer although its departure had been corrected to fewer by then, so that they have no
// lot. Once the departure sends them after all, they leave as what the arrival has in place of their lots: otherwise lots would wait in transit for
// units that have arrived.
import type { Kysely } from 'kysely';
import { attoOf } from '../base/money.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { Event, MovedLots, ReturnedLots, StoredValues } from './event.ts';
import { ownPlace } from './leg-values.ts';
import { joined, lastOf } from './moved-lots.ts';
import { roleOf } from './roles.ts';
import { IN_TRANSIT } from './state.ts';
import { storedValuesOf } from './stored-values.ts';

type ReceivedRow = {
  readonly entity_id: string;
  readonly entry_id: string;
  readonly currency: string;
  readonly period: string;
  readonly units: string;
};

/** What closed months received without a lot of the legs of a departure, and the last of these months. */
export const receivedBefore = async (
  tx: Kysely<DB>,
  event: Event,
  closed: string,
): Promise<Map<number, ReturnedLots>> => {
  const sent = sentLegs(event);
  if (sent.length === 0) return new Map();
  const query = loadSql('valuation/received_before.sql', { entity: event.entity, entry: event.id, closed });
  const received = new Map<number, ReturnedLots>();
  for (const { entity_id, entry_id, currency, period, units } of await readRows<ReceivedRow>(tx, query)) {
    const leg = sent.find((one) => one.currency === currency);
    if (!leg) continue;
    const arrived = withoutLot(await storedValuesOf(tx, entity_id, entry_id), currency);
    const moved = lastOf(arrived, attoOf(units)); // the departure has stood for the first ones already
    const known = received.get(leg.leg);
    received.set(leg.leg, { ...joined(known ? [known, moved] : [moved]), receivedIn: period });
  }
  return received;
};

const sentLegs = (event: Event): Event['legs'] =>
  event.legs.filter((leg) => roleOf(leg.debit) === 'external' && ownPlace(event, leg) === IN_TRANSIT);

/** What a stored arrival took out of transit without a lot, and the lots that it has in place of those. */
const withoutLot = ({ uses, lots }: StoredValues, currency: string): MovedLots => {
  const used = uses.filter(
    (use) =>
      use.pool === IN_TRANSIT.name && use.kind === 'moved' && use.lot === null && use.currency === currency,
  );
  const made = lots.filter(({ id }) => used.some((use) => use.id === id));
  return { used, made };
};
