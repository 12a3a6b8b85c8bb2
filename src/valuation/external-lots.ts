// Externally held lots from imported files, in the pool `external`. They precede all months or, if a month was closed
// before the import, belong to the first open month.
import { type Kysely, type Selectable, sql } from 'kysely';
import { attoOf } from '../base/money.ts';
import type { DB } from '../database/db-types.ts';
import { monthAfter } from '../ledger/ledger.ts';
import { ALWAYS, type NewLot } from './event.ts';
import { acquisitionOf } from './facts.ts';
import { addLot } from './pool.ts';
import type { CountedMonth, Sources } from './sources.ts';
import { EXTERNAL, nextLot, poolOf, type State } from './state.ts';
import type { Taxpayer } from './taxpayers.ts';

type ExternalLotRow = Pick<
  Selectable<DB['decide.external_lots']>,
  'entity_id' | 'lot_number' | 'currency' | 'units' | 'cost' | 'cost_currency' | 'acquired_on'
>;

export type ExternalLot = Omit<NewLot, 'leg'> & { readonly entity: string; readonly period: string };

/** Whether a lot was imported: no entry made it. */
export const isImported = ({ id }: Pick<NewLot, 'id'>): boolean => id.startsWith('external/');

/** The month in which externally held lots count, if the months up to one are closed: before all months if none is. */
const firstMonthOf = (closed: string): string => (closed === '' ? ALWAYS : monthAfter(closed));

/** Adds imported lots to a state if they are not stored yet, and returns them for storing. */
export const addExternalLots = async (
  tx: Kysely<DB>,
  { entities, currency: reporting, closed }: Taxpayer,
  state: State,
): Promise<ExternalLot[]> => {
  const { rows } = await sql<ExternalLotRow>`
    select o.entity_id, o.lot_number, o.currency, o.units::text, o.cost::text, o.cost_currency, o.acquired_on::text
    from decide.external_lots o
    where o.entity_id = any(${entities}::text[]) and not exists (
      select from value.lots l where (l.entity_id, l.lot_id) = (o.entity_id, 'external/' || o.lot_number)
    )
    order by o.acquired_on, o.lot_number`.execute(tx);
  const lots: ExternalLot[] = [];
  for (const row of rows) {
    const lot: ExternalLot = {
      ...(await acquisitionOf(tx, row, reporting)),
      entity: row.entity_id,
      id: `external/${row.lot_number}`,
      pool: 'external',
      currency: row.currency,
      seq: nextLot(state),
      units: attoOf(row.units),
      origin: 'imported',
      period: firstMonthOf(closed),
    };
    lots.push(lot);
    addLot(poolOf(state, EXTERNAL, row.currency), { ...lot, acquired: lot });
  }
  return lots;
};

type CountedMonths = {
  readonly sources: Pick<Sources, 'entities'>;
  readonly months: readonly CountedMonth[];
};

/**
 * The first month that changes with a taxpayer's externally held lots, which its fingerprint may not show; null if none does. A lot counts
 * after the first open month, because months that were closed when it was imported were reopened: its month. A lot is new, or has
 * another cost, and no open month's fingerprint shows that: the first open month, or that of the newest lot where there are no months.
 */
export const externalLotsChangedFrom = async (
  db: Kysely<DB>,
  taxpayer: Taxpayer,
  { sources, months }: CountedMonths,
): Promise<string | null> => {
  const { entities, closed } = taxpayer;
  const first = firstMonthOf(closed);
  const own = entities.flatMap((entity) => sources.entities.get(entity) ?? []);
  const misplaced = own.flatMap(({ external_lot_periods }) =>
    external_lot_periods.filter((month) => month > first),
  );
  const isUnseen = closed !== '' || months.length === 0;
  const isNew = isUnseen && own.some((entity) => entity.external_lots > entity.external_lots_placed);
  const isLone =
    own.some((entity) => entity.external_lots > 0) && !months.some(({ period }) => period > closed);
  const isRecosted = isLone && (await hasOtherCosts(db, taxpayer));
  const newest = own
    .flatMap(({ last_on }) => last_on?.slice(0, 'YYYY-MM'.length) ?? [])
    .sort()
    .slice(-1);
  const open = closed === '' ? newest : [first];
  return [...misplaced, ...(isNew || isRecosted ? open : [])].sort()[0] ?? null;
};

type CostRow = Pick<ExternalLotRow, 'cost' | 'cost_currency' | 'acquired_on'> & {
  readonly stored: string | null;
};

/**
 * Whether a lot that no closed month rests on would have another cost today, because a rate came later. For a taxpayer without entries in an
 * open month: otherwise a month's fingerprint shows it.
 */
const hasOtherCosts = async (
  db: Kysely<DB>,
  { name, entities, currency, closed }: Taxpayer,
): Promise<boolean> => {
  const { rows } = await sql<CostRow>`
    select distinct o.cost::text, o.cost_currency, o.acquired_on::text, l.cost::text as stored
    from decide.external_lots o
    join value.lots l on (l.entity_id, l.lot_id) = (o.entity_id, 'external/' || o.lot_number)
    where o.entity_id = any(${entities}::text[]) and o.cost_currency <> ${currency} and l.taxpayer = ${name} and l.period > ${closed}`.execute(
    db,
  );
  for (const { stored, ...row } of rows) {
    const { cost } = await acquisitionOf(db, row, currency);
    if (cost !== (stored === null ? null : attoOf(stored))) return true;
  }
  return false;
};
