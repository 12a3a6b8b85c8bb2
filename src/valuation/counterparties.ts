// Counterparties: who is on the other side of a leg, and which departure an arrival from our own accounts belongs to.
import type { Kysely } from 'kysely';
import { groupBy } from '../base/group.ts';
import { attoOf } from '../base/money.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { isExternal } from '../ledger/accounts.ts';
import type { CounterpartyType, Departure, Event, TransferFee } from './event.ts';
import type { EventRow } from './event-row.ts';
import type { Taxpayer } from './taxpayers.ts';

type ExternalLegRow = {
  entity_id: string;
  entry_id: string;
  leg: number;
  currency: string;
  is_arrival: boolean;
  counterparty_type: CounterpartyType;
  is_paired: boolean | null;
  whose: string[];
  is_lone_fee: boolean;
};

/** More of a leg that is one side of a transfer between our own accounts. */
type PairedLegRow = {
  entity_id: string;
  entry_id: string;
  leg: number;
  closed_pool: 'in-transit' | 'external' | 'none' | null;
  sent_by: string | null;
  sent_as: string[] | null;
  surplus: string | null;
  closed_fee: string | null;
  closed_fees: string | null;
};

type ExternalLeg = ExternalLegRow & { readonly pair: PairedLegRow | undefined };

/** The counterparties of an entry's legs, which departure each arrival belongs to, and which fees of it are closed. */
export type Counterparties = Pick<Event, 'counterpartyTypes' | 'departures' | 'closedFees'>;

/** The counterparties by entry; only entries that have some. */
export const counterpartiesOf = async (
  db: Kysely<DB>,
  { entities, closed }: Pick<Taxpayer, 'entities' | 'closed'>,
  entries: readonly Pick<EventRow, 'entity_id' | 'entry_id' | 'debits' | 'credits'>[],
): Promise<Map<string, Counterparties>> => {
  const wanted = entries.filter(({ debits, credits }) => [...debits, ...credits].some(isExternal));
  if (wanted.length === 0) return new Map();
  const names = {
    entities: wanted.map(({ entity_id }) => entity_id),
    entries: wanted.map(({ entry_id }) => entry_id),
  };
  const rows = await readRows<ExternalLegRow>(db, loadSql('valuation/counterparty_types.sql', names));
  const pairs = await pairsOf(db, rows, closed);
  const legs = groupBy(
    rows.map((row) => ({ ...row, pair: pairs.get(legKey(row)) })),
    ({ entity_id, entry_id }) => `${entity_id} ${entry_id}`,
  );
  return new Map(
    [...legs].map(([entry, own]) => [
      entry,
      {
        counterpartyTypes: new Map(own.map((row) => [row.leg, typeOf(row, entities)])),
        departures: new Map(own.flatMap(departureOf)),
        closedFees: new Map(own.flatMap(closedFeeOf)),
      },
    ]),
  );
};

const legKey = ({ entity_id, entry_id, leg }: PairedLegRow | ExternalLegRow): string =>
  `${entity_id} ${entry_id} ${leg}`;

const pairsOf = async (
  db: Kysely<DB>,
  rows: readonly ExternalLegRow[],
  closed: string,
): Promise<Map<string, PairedLegRow>> => {
  const paired = rows.filter(({ is_paired }) => is_paired);
  if (paired.length === 0) return new Map();
  const legs = {
    entities: paired.map(({ entity_id }) => entity_id),
    entries: paired.map(({ entry_id }) => entry_id),
    legs: paired.map(({ leg }) => String(leg)),
    currencies: paired.map(({ currency }) => currency),
    arrivals: paired.map(({ is_arrival }) => String(is_arrival)),
  };
  const found = await readRows<PairedLegRow>(db, loadSql('valuation/paired_legs.sql', { ...legs, closed }));
  return new Map(found.map((row) => [legKey(row), row]));
};

const departureOf = ({ leg, pair }: ExternalLeg): (readonly [number, Departure])[] => {
  if (pair === undefined || pair.sent_by === null) return [];
  const { sent_by: entity, sent_as, surplus } = pair;
  return [[leg, { entity, entries: sent_as ?? [], surplus: attoOf(surplus ?? '0') }]];
};

const closedFeeOf = ({ leg, pair }: ExternalLeg): (readonly [number, TransferFee])[] => {
  if (pair === undefined || pair.closed_fee === null) return [];
  return [[leg, { units: attoOf(pair.closed_fee), fees: pair.closed_fees ?? '' }]];
};

/**
 * An own entity of another taxpayer counts as a third party. A leg whose other side we booked too is an own transfer, unless that side
 * was closed before the two were paired: then it is what the closed month took it for, or its lots would be lost or count twice.
 */
const typeOf = (
  { counterparty_type: type, is_paired, whose, is_lone_fee, pair }: ExternalLeg,
  entities: readonly string[],
): CounterpartyType => {
  if (is_lone_fee) return 'lone-fee';
  if (type !== 'own' && type !== 'own-entity') return type;
  const isAnotherTaxpayers =
    type === 'own-entity' && whose.length > 0 && !whose.some((entity) => entities.includes(entity));
  if (isAnotherTaxpayers) return 'third-party';
  if (pair?.closed_pool === 'none') return 'closed-side';
  return is_paired && pair?.closed_pool !== 'external' ? 'own-transfer' : type;
};
