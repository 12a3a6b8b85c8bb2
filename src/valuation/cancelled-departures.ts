// Cancelled departures: a departure that is cancelled once its lots have arrived in a closed month gives them back, so that they count on both
// sides. Once the arrival is cancelled too, what it brings back into transit is what the departure took out of there, and nobody waits for it.
import type { Kysely } from 'kysely';
import { type Atto, attoOf } from '../base/money.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { EntryValuation } from './entry-valuation.ts';
import type { StoredValues, Use } from './event.ts';
import { type Fraction, takeFromLot } from './pool.ts';
import { IN_TRANSIT, poolOf } from './state.ts';

/** The units of an asset that the entries of a departure took out of transit after they had arrived. */
export type CancelledDeparture = {
  readonly entity: string;
  readonly entries: readonly string[];
  readonly currency: string;
  units: Atto;
};

type Sent = { readonly entity: string; readonly entry: string };

/** The cancelled departures among the records of some entries. */
export const cancelledDepartures = async (
  tx: Kysely<DB>,
  sent: readonly Sent[],
): Promise<CancelledDeparture[]> => {
  if (sent.length === 0) return [];
  const names = { entities: sent.map(({ entity }) => entity), entries: sent.map(({ entry }) => entry) };
  const rows = await readRows<{ entity_id: string; entries: string[]; currency: string; units: string }>(
    tx,
    loadSql('valuation/cancelled_departures.sql', names),
  );
  return rows.map(({ entity_id: entity, units, ...row }) => ({ entity, ...row, units: attoOf(units) }));
};

/** The entries that sent the lots which a stored entry took out of transit. */
export const sentTo = ({ uses }: Pick<StoredValues, 'uses'>): Sent[] =>
  uses.flatMap(({ pool, lot }) => (pool === IN_TRANSIT.name && lot ? [sentBy(lot)] : []));

const sentBy = ({ entity, id }: { readonly entity: string; readonly id: string }): Sent => ({
  entity,
  entry: id.slice(0, id.indexOf('/')),
});

/** Takes what a reversal gave back to transit out of there again, as far as its departure was cancelled before. */
export const takeBroughtBack = (
  valuation: EntryValuation,
  use: Use,
  departures: readonly CancelledDeparture[],
): void => {
  const { pool: name, lot, currency, leg } = use;
  if (name !== IN_TRANSIT.name || lot === null) return;
  const { entity, entry } = sentBy(lot);
  const departure = departures.find(
    (one) => one.entity === entity && one.currency === currency && one.entries.includes(entry),
  );
  if (!departure || departure.units === 0n) return;
  const units = use.units < departure.units ? use.units : departure.units;
  departure.units -= units;
  const { event, state, values } = valuation;
  const record = (fraction: Fraction, mark: string): void => {
    const id = `${event.id}/${mark}.${values.lots.length + values.uses.length}`;
    const about = { id, pool: name, currency, leg, kind: 'undone' } as const;
    values.uses.push({ ...fraction, ...about, proceeds: null, feeInProceeds: 0n, exchangedFor: null });
  };
  record({ lot: null, units: -units, cost: null }, 'u');
  for (const fraction of takeFromLot(poolOf(state, IN_TRANSIT, currency), lot, units)) record(fraction, 'b');
};
