// Writing: stores the values of events in batches, and removes values that are to be derived again. The only writer of the
// schema value.
import { type Kysely, sql } from 'kysely';
import { attoText } from '../base/money.ts';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { EntryValues, Event } from './event.ts';
import type { OutsideLot } from './outside.ts';
import type { Taxpayer } from './taxpayers.ts';
import { ENTRY_COLUMNS, entryColumns, LINE, LOT, lineRow, lotRow, text, USE, useRow } from './value-rows.ts';

/** An event and its values. */
export type ValuedEvent = { readonly event: Event; readonly values: EntryValues };

/** Stores a batch. */
export const writeValues = async (
  tx: Kysely<DB>,
  taxpayer: Taxpayer,
  batch: readonly ValuedEvent[],
): Promise<void> => {
  await writeLines(tx, taxpayer, batch);
  await writeLots(tx, taxpayer, batch);
  await writeUses(tx, taxpayer, batch);
  await writeFindings(tx, taxpayer, batch);
};

const writeLines = (tx: Kysely<DB>, { name, currency }: Taxpayer, batch: readonly ValuedEvent[]) => {
  const rows = batch.flatMap(({ event, values: outcome }) =>
    outcome.lines.map((line, nth) => lineRow(event, line, nth)),
  );
  return sql`
    insert into value.postings (entity_id, entry_id, line, taxpayer, leg, account, currency, units, exact, value, value_currency,
      period, rule, source, path, age_seconds, fee_in_cost, fee_in_proceeds, fee_expensed, spread, memo)
    select entity_id, entry_id, line, ${name}, leg, account, currency, units, exact, value, ${currency}, period, rule, source,
      path, age_seconds, fee_in_cost, fee_in_proceeds, fee_expensed, spread, memo
    from ${unnest(rows, LINE)}`.execute(tx);
};

const writeLots = async (
  tx: Kysely<DB>,
  { name, method }: Taxpayer,
  batch: readonly ValuedEvent[],
): Promise<void> => {
  const rows = batch.flatMap(({ event, values: outcome }) => outcome.lots.map((lot) => lotRow(event, lot)));
  if (rows.length === 0) return;
  await sql`
    insert into value.lots (entity_id, lot_id, taxpayer, pool, currency, entry_id, leg, period, acquired_at, units, cost, origin, seq,
      method)
    select entity_id, lot_id, ${name}, pool, currency, entry_id, leg, period, acquired_at, units, cost, origin, seq,
      ${method}
    from ${unnest(rows, LOT)}`.execute(tx);
};

/** Stores externally held lots, which belong to no entry. */
export const writeOutside = async (
  tx: Kysely<DB>,
  { name, method }: Taxpayer,
  lots: readonly OutsideLot[],
): Promise<void> => {
  if (lots.length === 0) return;
  const rows = lots.map((lot) => ({
    entity_id: lot.entity,
    period: lot.period,
    lot_id: lot.id,
    pool: lot.pool,
    currency: lot.currency,
    acquired_at: lot.acquiredAt,
    units: attoText(lot.units),
    cost: text(lot.cost),
    origin: lot.origin,
    seq: lot.seq,
  }));
  const { entry_id: _entry, leg: _leg, ...columns } = LOT;
  await sql`
    insert into value.lots (entity_id, lot_id, taxpayer, pool, currency, period, acquired_at, units, cost, origin, seq, method)
    select entity_id, lot_id, ${name}, pool, currency, period, acquired_at, units, cost, origin, seq, ${method}
    from ${unnest(rows, columns)}`.execute(tx);
};

const writeUses = async (
  tx: Kysely<DB>,
  { name, method }: Taxpayer,
  batch: readonly ValuedEvent[],
): Promise<void> => {
  const rows = batch.flatMap(({ event, values: outcome }) => outcome.uses.map((use) => useRow(event, use)));
  if (rows.length === 0) return;
  await sql`
    insert into value.uses (entity_id, use_id, taxpayer, pool, currency, entry_id, leg, period, used_at, kind, lot_entity_id,
      lot_id, acquired_at, units, cost, proceeds, fee_in_proceeds, exchanged_for, method)
    select entity_id, use_id, ${name}, pool, currency, entry_id, leg, period, used_at, kind, lot_entity_id, lot_id, acquired_at,
      units, cost, proceeds, fee_in_proceeds, exchanged_for, ${method}
    from ${unnest(rows, USE)}`.execute(tx);
};

const FINDING = {
  ...ENTRY_COLUMNS,
  finding: 'integer',
  leg: 'smallint',
  kind: 'text',
  severity: 'text',
  currency: 'text',
  units: 'numeric',
  detail: 'text',
} as const;

const writeFindings = async (
  tx: Kysely<DB>,
  { name }: Taxpayer,
  batch: readonly ValuedEvent[],
): Promise<void> => {
  const rows = batch.flatMap(({ event, values: outcome }) =>
    outcome.findings.map(({ kind, severity, leg, currency, units, detail }, nth) => ({
      ...entryColumns(event),
      finding: nth + 1,
      leg,
      kind,
      severity,
      currency,
      units: attoText(units),
      detail,
    })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into value.findings (entity_id, entry_id, finding, taxpayer, period, leg, kind, severity, currency, units, detail)
    select entity_id, entry_id, finding, ${name}, period, leg, kind, severity, currency, units, detail
    from ${unnest(rows, FINDING)}`.execute(tx);
};

/**
 * Removes the values of a taxpayer from a month on, also those of its entities under an earlier taxpayer, and all
 * fingerprints.
 */
export const removeValues = async (
  tx: Kysely<DB>,
  { name, entities }: Taxpayer,
  from: string,
): Promise<void> => {
  const whose = sql`(taxpayer = ${name} or entity_id = any(${entities}::text[])) and period >= ${from}`;
  await sql`delete from value.postings where ${whose}`.execute(tx);
  await sql`delete from value.lots where ${whose}`.execute(tx);
  await sql`delete from value.uses where ${whose}`.execute(tx);
  await sql`delete from value.findings where ${whose}`.execute(tx);
  await sql`delete from value.months where taxpayer = ${name} or entity_id = any(${entities}::text[])`.execute(
    tx,
  );
};

/** The fingerprint of a month's values. */
export type ValuedMonth = {
  readonly entity_id: string;
  readonly period: string;
  readonly entries: number;
  readonly fingerprint: string;
};

/** Stores the fingerprint of each month. */
export const writeMonths = async (
  tx: Kysely<DB>,
  { name }: Taxpayer,
  months: readonly ValuedMonth[],
): Promise<void> => {
  if (months.length === 0) return;
  await sql`
    insert into value.months (entity_id, period, taxpayer, entries, fingerprint)
    select entity_id, period, ${name}, entries, fingerprint
    from ${unnest(months, { entity_id: 'text', period: 'text', entries: 'integer', fingerprint: 'text' })}`.execute(
    tx,
  );
};
