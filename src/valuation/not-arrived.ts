// Not arrived: a transfer between own accounts whose arrival is cancelled once the month of its departure is closed. An open month would value the
// departure as sent to somebody else; a closed one does not change, so the lots lie in transit, and nothing waits for them.
import type { Kysely } from 'kysely';
import { type Atto, attoText } from '../base/money.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { EntryValuation } from './entry-valuation.ts';
import type { Event } from './event.ts';
import { lotsOfEntries } from './lot-queue.ts';
import { roleOf } from './roles.ts';
import { IN_TRANSIT, poolOf } from './state.ts';

/** The entries of a departure that put lots of an asset in transit in closed months, the last of which is `month`. */
export type ClosedDeparture = {
  readonly entity_id: string;
  readonly currency: string;
  readonly month: string;
  readonly entries: readonly string[];
};

/** The closed departures of an arrival that an event cancels. */
export const closedDepartures = async (
  tx: Kysely<DB>,
  { entity, reverses: entry, correctedBy, legs }: Event,
  closed: string,
): Promise<ClosedDeparture[]> => {
  const isArrival = legs.some(
    ({ debit, credit }) => roleOf(debit) === 'external' && roleOf(credit) === 'held',
  );
  if (!isArrival || entry === null || correctedBy !== null) return [];
  return readRows(tx, loadSql('valuation/closed_departures.sql', { entity, entry, closed }));
};

/** Reports what lies in transit of the departures of a cancelled arrival. The view leaves out what the same month puts right. */
export const reportNotArrived = (
  { event, state, values }: EntryValuation,
  departures: readonly ClosedDeparture[],
): void => {
  for (const { entity_id, currency, month, entries } of departures) {
    const { queue } = poolOf(state, IN_TRANSIT, currency);
    const lots = lotsOfEntries(queue, entity_id, entries);
    const units = lots.reduce<Atto>((sum, lot) => sum + lot.units, 0n);
    if (units === 0n) continue;
    const leg = event.legs.find((one) => one.currency === currency)?.leg ?? null;
    const detail = `${event.name}: ${attoText(units)} ${currency} of this own transfer are in transit, with their cost, because ${month}, which sent them, is closed: if they were not sent, the departure is to be cancelled too; if somebody else has them, reopen ${month}`;
    values.findings.push({ kind: 'not-arrived', severity: 'finding', leg, currency, units, detail });
  }
};
