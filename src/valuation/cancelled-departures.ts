// Cancelled departures: a departure that is cancelled once its lots have arrived in a closed month gives them back, so that they count on both
// sides; one whose lots have come back from an own wallet gives back units without a cost. Once the arrival is cancelled too, what it brings back into
// transit or into the wallet is what the departure took out of there, and nobody waits for it.
import type { Kysely } from 'kysely';
import { type Atto, attoOf } from '../base/money.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { EntryValuation } from './entry-valuation.ts';
import type { PoolName, StoredLot, StoredValues, Use } from './event.ts';
import { isImported } from './external-lots.ts';
import { restOf } from './moved-lots.ts';
import { type Fraction, removeFromLot } from './pool.ts';
import { isOffPlatform, poolOf } from './state.ts';
import { storedValuesOf } from './stored-values.ts';
import { replaceUnknown } from './wallet-lots.ts';

/** The units of an asset that the entries of a departure took out of transit, or of an own wallet, after they had left there. */
export type CancelledDeparture = {
  readonly entity: string;
  readonly pool: PoolName;
  readonly entries: readonly string[];
  readonly currency: string;
  units: Atto;
  /** The lots without a cost that came back from an own wallet in their place. */
  readonly unknown: readonly StoredLot[];
};

type Row = {
  readonly entity_id: string;
  readonly pool: PoolName;
  readonly entries: string[];
  readonly reversals: string[];
  readonly currency: string;
  readonly units: string;
};

type Sent = { readonly entity: string; readonly entry: string };

/**
 * The cancelled departures among the records of some entries. `pending`: what reversals have used that are not stored yet, because they wait
 * for the entries in place of what they reverse.
 */
export const cancelledDepartures = async (
  tx: Kysely<DB>,
  sent: readonly Sent[],
  pending: readonly Use[],
): Promise<CancelledDeparture[]> => {
  if (sent.length === 0) return [];
  const names = { entities: sent.map(({ entity }) => entity), entries: sent.map(({ entry }) => entry) };
  const rows = await readRows<Row>(tx, loadSql('valuation/cancelled_departures.sql', names));
  const departures: CancelledDeparture[] = [];
  for (const { entity_id: entity, units, reversals, ...row } of rows)
    departures.push({
      entity,
      ...row,
      units: attoOf(units) - broughtBackOf({ entity, ...row }, pending),
      unknown: await unknownIn(tx, entity, reversals),
    });
  return departures;
};

const broughtBackOf = (
  { entity, pool, currency, entries }: Pick<CancelledDeparture, 'entity' | 'pool' | 'currency' | 'entries'>,
  pending: readonly Use[],
): Atto => {
  const isOf = (use: Use): boolean => {
    if (use.lot === null || !isBroughtBack(use)) return false;
    const by = sentBy(use.lot);
    const isSame = use.pool === pool && use.currency === currency && by.entity === entity;
    return isSame && entries.includes(by.entry);
  };
  return pending.reduce((sum, use) => (isOf(use) ? sum + use.units : sum), 0n);
};

const isBroughtBack = ({ id }: Use): boolean => id.includes('/b.');

const unknownIn = async (
  tx: Kysely<DB>,
  entity: string,
  reversals: readonly string[],
): Promise<StoredLot[]> => {
  const found: StoredLot[] = [];
  for (const reversal of reversals) {
    const { uses, lots } = await storedValuesOf(tx, entity, reversal);
    const without = new Set(uses.filter(({ lot }) => lot === null).map(({ id }) => id));
    found.push(...lots.filter(({ id }) => without.has(id)));
  }
  return found;
};

/** The entries that sent the lots which a stored entry took out of transit, or of an own wallet. */
export const sentTo = ({ uses }: Pick<StoredValues, 'uses'>): Sent[] =>
  uses.flatMap(({ pool, lot }) => (isOffPlatform(pool) && lot && !isImported(lot) ? [sentBy(lot)] : []));

const sentBy = ({ entity, id }: { readonly entity: string; readonly id: string }): Sent => ({
  entity,
  entry: id.slice(0, id.indexOf('/')),
});

/** Takes what a reversal gave back to transit, or to an own wallet, out of there again, as far as its departure was cancelled before. */
export const takeBroughtBack = (
  valuation: EntryValuation,
  use: Use,
  departures: readonly CancelledDeparture[],
): void => {
  const { pool: name, lot, currency, leg } = use;
  if (lot === null) return;
  const { entity, entry } = sentBy(lot);
  const departure = departures.find(
    (one) =>
      one.entity === entity && one.pool === name && one.currency === currency && one.entries.includes(entry),
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
  const [back] = restOf({ used: [use], made: [] }, use.units - units).used; // what had arrived comes last
  const pool = poolOf(state, { name, entity: '' }, currency);
  const broughtBack = back ? removeFromLot(pool, lot, back) : [];
  if (departure.unknown.length === 0) for (const fraction of broughtBack) record(fraction, 'b');
  else replaceUnknown(valuation, use, { fractions: broughtBack, unknown: departure.unknown });
};
