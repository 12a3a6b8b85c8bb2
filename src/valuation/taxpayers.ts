// Taxpayers: the entities that share lots, their reporting currency and their cost method. The only file that reads
// books.profiles and books.outside for valuation.
import { type Kysely, sql } from 'kysely';
import { type LotRules, lotRulesOf } from '../approvals/approvals.ts';
import { groupBy } from '../base/group.ts';
import { attoOf } from '../base/money.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { isExternal } from '../ledger/accounts.ts';
import { ALWAYS, type CounterpartyType, type Departure, type Event } from './event.ts';
import type { EventRow } from './event-row.ts';
import type { Method } from './pool.ts';

export type Taxpayer = {
  readonly name: string;
  readonly entities: readonly string[];
  readonly currency: string;
  readonly method: Method;
  readonly rules: LotRules;
  /** The rules in one form, as the profile has them. */
  readonly rulesText: string;
  /** The month, 1 to 12, in which the fiscal years of each entity begin. */
  readonly yearStarts: ReadonlyMap<string, number>;
  /** The last closed month of any of its entities, whose values never change. Empty if there is none. */
  readonly closed: string;
};

/** The methods that a profile may choose. */
const METHODS: readonly Method[] = ['fifo', 'average', 'hifo', 'specific'];

type TaxpayerRow = {
  taxpayer: string;
  entities: string[];
  currency: string;
  method: string;
  lot_rules: string | null;
  year_starts: string[];
  closed: string | null;
  closed_method: string | null;
};

/** Every taxpayer of the books. The cost method of closed months stays, whatever is set later. */
export const taxpayers = async (db: Kysely<DB>, currency: string): Promise<Taxpayer[]> => {
  const { rows } = await sql<TaxpayerRow>`
    with payer as (
      select p.taxpayer, array_agg(p.entity_id order by p.entity_id collate "C") as entities,
        array_agg(coalesce(p.fiscal_year_start, 1)::text order by p.entity_id collate "C") as year_starts,
        coalesce(min(p.currency), ${currency}) as currency, min(p.cost_method) as method, min(p.lot_rules) as lot_rules, max(c.through) as closed
      from books.profiles p
      left join books_internal.closed_through c using (entity_id)
      group by 1
    )
    select payer.*, (
      select l.method from value.lots l
      where l.taxpayer = payer.taxpayer and l.period <= payer.closed and l.period > ${ALWAYS} limit 1
    ) as closed_method
    from payer
    order by taxpayer collate "C"`.execute(db);
  return rows.map(
    ({
      taxpayer: name,
      entities,
      year_starts,
      currency: reporting,
      method,
      lot_rules,
      closed,
      closed_method,
    }) => ({
      name,
      entities,
      yearStarts: new Map(entities.map((entity, i) => [entity, Number.parseInt(year_starts[i] ?? '1', 10)])),
      currency: reporting,
      closed: closed ?? '',
      method: METHODS.find((known) => known === (closed_method ?? method)) ?? 'fifo',
      rules: lotRulesOf(lot_rules),
      rulesText: lot_rules ?? '',
    }),
  );
};

type OutsideLegRow = {
  entity_id: string;
  entry_id: string;
  leg: number;
  counterparty_type: CounterpartyType;
  is_paired: boolean | null;
  whose: string[];
  closed_pool: 'in-transit' | 'external' | 'none' | null;
  sent_by: string | null;
  sent_as: string[] | null;
  surplus: string | null;
};

/** The counterparties of an entry's legs, and which departure each arrival belongs to. */
export type Counterparties = Pick<Event, 'counterpartyTypes' | 'departures'>;

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
  const query = loadSql('valuation/counterparty_types.sql', { ...names, closed });
  const rows = await readRows<OutsideLegRow>(db, query);
  const legs = groupBy(rows, ({ entity_id, entry_id }) => `${entity_id} ${entry_id}`);
  return new Map(
    [...legs].map(([entry, own]) => [
      entry,
      {
        counterpartyTypes: new Map(own.map((row) => [row.leg, typeOf(row, entities)])),
        departures: new Map(own.flatMap(departureOf)),
      },
    ]),
  );
};

const departureOf = ({ leg, sent_by, sent_as, surplus }: OutsideLegRow): (readonly [number, Departure])[] =>
  sent_by === null
    ? []
    : [[leg, { entity: sent_by, entries: sent_as ?? [], surplus: attoOf(surplus ?? '0') }]];

/**
 * An own entity of another taxpayer counts as a third party. A leg whose other side we booked too is an own transfer, unless that side
 * was closed before the two were paired: then it is what the closed month took it for, or its lots would be lost or count twice.
 */
const typeOf = (
  { counterparty_type: type, is_paired, whose, closed_pool }: OutsideLegRow,
  entities: readonly string[],
): CounterpartyType => {
  if (type !== 'own' && type !== 'own-entity') return type;
  const isAnotherTaxpayers =
    type === 'own-entity' && whose.length > 0 && !whose.some((entity) => entities.includes(entity));
  if (isAnotherTaxpayers) return 'third-party';
  if (closed_pool === 'none') return 'closed-side';
  return is_paired && closed_pool !== 'external' ? 'own-transfer' : type;
};
