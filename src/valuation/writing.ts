// Stores the values of events in batches, and removes values that are derived again. The only writer of the schema value.
import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { groupBy } from '../base/group.ts';
import { attoText } from '../base/money.ts';
import { copyBatch, insertRows } from '../database/database.ts';
import type { DB, ValueMonths } from '../database/db-types.ts';
import { ALWAYS, type EntryValues, type Event } from './event.ts';
import type { ExternalLot } from './external-lots.ts';
import { externalLotsOfMoved } from './moved-entities.ts';
import type { Range } from './range.ts';
import type { Sources } from './sources.ts';
import type { Taxpayer } from './taxpayers.ts';
import { findingRow, lineRow, lotRow, text, useRow } from './value-rows.ts';

/** Values on their way to the database, batch by batch. */
export type BatchWriter = {
  readonly add: (event: Event, values: EntryValues) => void;
  /** Takes what was added: the function stores it. */
  readonly take: () => () => Promise<void>;
};

export const batchWriter = (tx: Kysely<DB>, taxpayer: Taxpayer): BatchWriter => {
  const lines = copyBatch('value.postings');
  const lots = copyBatch('value.lots');
  const uses = copyBatch('value.uses');
  const findings = copyBatch('value.findings');
  return {
    add: (event, values) => {
      for (const [nth, line] of values.lines.entries()) lines.add(lineRow(event, line, { nth, taxpayer }));
      for (const lot of values.lots) lots.add(lotRow(event, lot, taxpayer));
      for (const use of values.uses) uses.add(useRow(event, use, taxpayer));
      for (const [nth, finding] of values.findings.entries())
        findings.add(findingRow(event, finding, { nth, taxpayer }));
    },
    take: () => {
      const taken = [lines.take(), lots.take(), uses.take(), findings.take()];
      return async () => {
        for (const store of taken) await store(tx);
      };
    },
  };
};

/** Stores externally held lots, which belong to no entry, and may be of earlier months. */
export const writeExternalLots = async (
  tx: Kysely<DB>,
  { name, method }: Taxpayer,
  lots: readonly ExternalLot[],
): Promise<void> => {
  const keys = (lot: ExternalLot) => ({
    entity_id: lot.entity,
    lot_id: lot.id,
    taxpayer: name,
    period: lot.period,
  });
  const rows = lots.map((lot) => ({
    ...keys(lot),
    pool: lot.pool,
    currency: lot.currency,
    acquired_at: lot.acquiredAt,
    units: attoText(lot.units),
    cost: text(lot.cost),
    origin: lot.origin,
    seq: String(lot.seq),
    method,
  }));
  await insertRows(tx, 'value.lots', rows);
  await insertRows(tx, 'value.open_lots', lots.map(keys));
};

/** Removes a taxpayer's values from a month on, including those of its entities under an earlier taxpayer. */
export const removeValues = async (tx: Kysely<DB>, taxpayer: Taxpayer, from: string): Promise<void> => {
  const whose = fromMonth(taxpayer, from);
  await listOpenLots(tx, whose, from);
  await deleteValues(tx, whose);
  await deleteExternalLots(tx, taxpayer);
};

/**
 * Externally held lots are of no month: while no value rests on them, they are stored anew, with today's rates and method. They come
 * before all others, so they stay where earlier months do.
 */
const deleteExternalLots = async (tx: Kysely<DB>, { name, entities, closed }: Taxpayer): Promise<void> => {
  if (closed !== '') return;
  await sql`
    with gone as (
      delete from value.lots l using decide.external_lots o
      where o.entity_id = any(${entities}::text[]) and (l.entity_id, l.lot_id) = (o.entity_id, 'external/' || o.lot_number)
        and l.taxpayer = ${name} and l.period = ${ALWAYS} and not exists (
          select from value.uses u where (u.lot_entity_id, u.lot_id) = (l.entity_id, l.lot_id)
        ) and not exists (select from value.lots earlier where earlier.taxpayer = ${name} and earlier.period <> ${ALWAYS})
      returning l.entity_id, l.lot_id
    )
    delete from value.open_lots o using gone where (o.entity_id, o.lot_id) = (gone.entity_id, gone.lot_id)`.execute(
    tx,
  );
};

const fromMonth = ({ name, entities }: Taxpayer, from: string): RawBuilder<unknown> =>
  sql`(taxpayer = ${name} or entity_id = any(${entities}::text[])) and period >= ${from}`;

const deleteValues = async (tx: Kysely<DB>, whose: RawBuilder<unknown>): Promise<void> => {
  for (const table of ['postings', 'monthly', 'lots', 'uses', 'findings'])
    await sql`delete from ${sql.table(`value.${table}`)} where ${whose}`.execute(tx);
};

type Removed = { readonly taxpayer: Taxpayer; readonly from: string };

/**
 * The same for several taxpayers at once, each from its own month on, where an entity has moved between some of `all`: their old values
 * used each other's lots, so which lots are open shows only once all of them are gone.
 */
export const removeTogether = async (
  tx: Kysely<DB>,
  all: readonly Taxpayer[],
  removed: readonly Removed[],
): Promise<void> => {
  for (const { taxpayer, from } of removed) await deleteValues(tx, fromMonth(taxpayer, from));
  for (const { taxpayer } of removed) await deleteExternalLots(tx, taxpayer);
  await sql`delete from value.lots where (entity_id, lot_id) in (${externalLotsOfMoved(all)})`.execute(tx);
  await tx.deleteFrom('value.open_lots').execute();
  await sql`
    insert into value.open_lots (entity_id, lot_id, taxpayer, period)
    select entity_id, lot_id, taxpayer, period from value.lots_left(${LATER})`.execute(tx);
};

/** Sorts after every month. */
export const LATER = 'later';

/**
 * Lists which of the lots that some values acquired or used are open at the start of a month, or after all: LATER. An earlier lot
 * is open again if its use is removed or reversed.
 */
const listOpenLots = async (tx: Kysely<DB>, whose: RawBuilder<unknown>, before: string): Promise<void> => {
  await sql`
    with touched as materialized (
      select lot_entity_id as entity_id, lot_id from value.uses where ${whose} and lot_id is not null
      union
      select entity_id, lot_id from value.lots where ${whose}
    ), open_lot as materialized (
      select l.* from touched join value.lots_left(${before}) l using (entity_id, lot_id)
    ), gone as (
      delete from value.open_lots o using touched t
      where (o.entity_id, o.lot_id) = (t.entity_id, t.lot_id) and (o.entity_id, o.lot_id) not in (select entity_id, lot_id from open_lot)
    )
    insert into value.open_lots (entity_id, lot_id, taxpayer, period)
    select entity_id, lot_id, taxpayer, period from open_lot
    on conflict do nothing`.execute(tx);
};

type Valued = Pick<Range, 'taxpayer' | 'from' | 'after'>;

/** Lists the lots that are open once a range is derived. */
export const noteOpenLots = (tx: Kysely<DB>, { taxpayer: { name }, from, after }: Valued): Promise<void> => {
  const isNew = sql`(entity_id, entry_id) in (select entity_id, entry_id from ledger.entries where entry_number > ${after}::bigint)`;
  const whose = sql`taxpayer = ${name} and period >= ${from} ${after === null ? sql`` : sql`and ${isNew}`}`;
  return listOpenLots(tx, whose, LATER);
};

/**
 * Sums what was derived from a month on into the summary of months. By a hash: the planner, which does not know the new lines
 * yet, expects a sum for each of them and would sort them all.
 */
export const sumMonths = async (tx: Kysely<DB>, { name }: Taxpayer, from: string): Promise<void> => {
  await sql`delete from value.monthly where taxpayer = ${name} and period >= ${from}`.execute(tx);
  await sql`set local enable_sort = off`.execute(tx);
  await sql`
    insert into value.monthly (entity_id, period, booked_in, effective_in, taxpayer, account, currency, value_currency, units, exact, value, debit, credit,
      unvalued, missing)
    select entity_id, period, booked_in, effective_in, taxpayer, account, currency, value_currency, units, exact, value, debit, credit,
      unvalued, missing
    from value.monthly_sums
    where taxpayer = ${name} and period >= ${from}`.execute(tx);
  await sql`set local enable_sort = on`.execute(tx);
};

/** The fingerprint of a month's values. */
export type ValuedMonth = Omit<Selectable<ValueMonths>, 'taxpayer'>;

/** Stores the fingerprint of each month of a taxpayer, in place of those of its entities under an earlier one too. */
export const writeMonths = async (
  tx: Kysely<DB>,
  { name, entities }: Taxpayer,
  months: readonly ValuedMonth[],
): Promise<void> => {
  await sql`delete from value.months where taxpayer = ${name} or entity_id = any(${entities}::text[])`.execute(
    tx,
  );
  await insertRows(
    tx,
    'value.months',
    months.map((month) => ({ ...month, taxpayer: name })),
  );
};

/** Lets the values of a month of some entities and of those after it be derived again: they depend on which months are closed. */
export const valueAgainFrom = async (
  db: Kysely<DB>,
  { entities, period }: { readonly entities: readonly string[]; readonly period: string },
): Promise<void> => {
  await sql`
    delete from value.months where entity_id = any(${entities}::text[]) and period >= ${period}`.execute(db);
};

/** Stores how far the sources were counted, once every month that they changed is derived. */
export const storeSources = async (db: Kysely<DB>, { entities, months, isNew }: Sources): Promise<void> => {
  if (!isNew) return;
  const counted = groupBy(months, ({ entity_id }) => entity_id);
  const rows = [...entities.values()].map(
    ({ entity_id, entry_number, pair_position, book_request, counterparties }) => ({
      entity_id,
      entry_number,
      pair_position,
      book_request,
      counterparties,
      months: counted.get(entity_id)?.length ?? 0,
    }),
  );
  await db.transaction().execute(async (tx) => {
    await forgetSources(tx);
    await insertRows(tx, 'value.sources', rows);
  });
};

/** The next time counts everything. */
export const forgetSources = async (tx: Kysely<DB>): Promise<void> => {
  await tx.deleteFrom('value.sources').execute();
};
