// Writing: what events came to, stored in batches; and taking out what is to be derived again. The only writer of the
// schema value.
import { type Kysely, sql } from 'kysely';
import { type Atto, attoText } from '../base/money.ts';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { Event, Line, NewLot, Outcome, Use } from './event.ts';
import type { OutsideLot } from './outside.ts';
import type { Taxpayer } from './taxpayers.ts';

/** An event and what it came to. */
export type Booked = { readonly event: Event; readonly outcome: Outcome };

/** Stores a batch. */
export const write = async (tx: Kysely<DB>, taxpayer: Taxpayer, batch: readonly Booked[]): Promise<void> => {
  await writeLines(tx, taxpayer, batch);
  await writeLots(tx, taxpayer, batch);
  await writeUses(tx, taxpayer, batch);
  await writeFindings(tx, taxpayer, batch);
};

const text = (amount: Atto | null | undefined): string | null =>
  amount === null || amount === undefined ? null : attoText(amount);

const named = ({ entity, id, period }: Event) => ({ entity_id: entity, entry_id: id, period });
const NAMED = { entity_id: 'text', entry_id: 'uuid', period: 'text' } as const;

/** Written out: there are more of these than of anything else, and spreading costs. */
const lineRow = (event: Event, line: Line, nth: number) => ({
  entity_id: event.entity,
  entry_id: event.id,
  period: event.period,
  line: nth + 1,
  leg: line.leg,
  account: line.account,
  currency: line.currency,
  units: attoText(line.units),
  exact: text(line.exact),
  value: text(line.value),
  rule: line.rule,
  source: line.source,
  path: line.path,
  age_seconds: line.ageSeconds,
  fee_in_cost: text(line.feeInCost),
  fee_in_proceeds: text(line.feeInProceeds),
  fee_expensed: text(line.feeExpensed),
  spread: text(line.spread),
  memo: line.memo ?? null,
});

const LINE = {
  ...NAMED,
  ...{
    line: 'smallint',
    leg: 'smallint',
    account: 'text',
    currency: 'text',
    units: 'numeric',
    exact: 'numeric',
  },
  ...{
    value: 'numeric',
    rule: 'text',
    source: 'text',
    path: 'text',
    age_seconds: 'integer',
    fee_in_cost: 'numeric',
  },
  ...{ fee_in_proceeds: 'numeric', fee_expensed: 'numeric', spread: 'numeric', memo: 'text' },
} as const;

const writeLines = (tx: Kysely<DB>, { name, currency }: Taxpayer, batch: readonly Booked[]) => {
  const rows = batch.flatMap(({ event, outcome }) =>
    outcome.lines.map((line, nth) => lineRow(event, line, nth)),
  );
  return sql`
    insert into value.postings (entity_id, entry_id, line, taxpayer, leg, account, currency, units, exact, value, value_currency,
      period, rule, source, path, age_seconds, fee_in_cost, fee_in_proceeds, fee_expensed, spread, memo)
    select entity_id, entry_id, line, ${name}, leg, account, currency, units, exact, value, ${currency}, period, rule, source,
      path, age_seconds, fee_in_cost, fee_in_proceeds, fee_expensed, spread, memo
    from ${unnest(rows, LINE)}`.execute(tx);
};

const lotRow = (event: Event, lot: NewLot) => ({
  ...named(event),
  ...{ lot_id: lot.id, pool: lot.pool, currency: lot.currency, leg: lot.leg, acquired_at: lot.acquiredAt },
  ...{ units: attoText(lot.units), cost: text(lot.cost), origin: lot.origin, seq: lot.seq },
});

const LOT = {
  ...NAMED,
  ...{ lot_id: 'text', pool: 'text', currency: 'text', leg: 'smallint', acquired_at: 'timestamptz' },
  ...{ units: 'numeric', cost: 'numeric', origin: 'text', seq: 'bigint' },
} as const;

const writeLots = async (
  tx: Kysely<DB>,
  { name, method }: Taxpayer,
  batch: readonly Booked[],
): Promise<void> => {
  const rows = batch.flatMap(({ event, outcome }) => outcome.lots.map((lot) => lotRow(event, lot)));
  if (rows.length === 0) return;
  await sql`
    insert into value.lots (entity_id, lot_id, taxpayer, pool, currency, entry_id, leg, period, acquired_at, units, cost, origin, seq,
      method)
    select entity_id, lot_id, ${name}, pool, currency, entry_id, leg, period, acquired_at, units, cost, origin, seq,
      ${method}
    from ${unnest(rows, LOT)}`.execute(tx);
};

/** Stores lots that no entry brought. */
export const writeOutside = async (
  tx: Kysely<DB>,
  { name, method }: Taxpayer,
  lots: readonly OutsideLot[],
): Promise<void> => {
  if (lots.length === 0) return;
  const rows = lots.map((lot) => ({
    ...{ entity_id: lot.entity, period: lot.period, lot_id: lot.id, pool: lot.pool, currency: lot.currency },
    ...{
      acquired_at: lot.acquiredAt,
      units: attoText(lot.units),
      cost: text(lot.cost),
      origin: lot.origin,
      seq: lot.seq,
    },
  }));
  const { entry_id: _entry, leg: _leg, ...columns } = LOT;
  await sql`
    insert into value.lots (entity_id, lot_id, taxpayer, pool, currency, period, acquired_at, units, cost, origin, seq, method)
    select entity_id, lot_id, ${name}, pool, currency, period, acquired_at, units, cost, origin, seq, ${method}
    from ${unnest(rows, columns)}`.execute(tx);
};

const useRow = (event: Event, use: Use) => ({
  ...named(event),
  ...{
    use_id: use.id,
    pool: use.pool,
    currency: use.currency,
    leg: use.leg,
    used_at: event.effectiveAt,
    kind: use.kind,
  },
  ...{
    lot_entity_id: use.lot?.entity ?? null,
    lot_id: use.lot?.id ?? null,
    acquired_at: use.lot?.acquiredAt ?? null,
  },
  ...{ units: attoText(use.units), cost: text(use.cost), proceeds: text(use.proceeds) },
  ...{ fee_in_proceeds: text(use.feeInProceeds), exchanged_for: use.exchangedFor },
});

const USE = {
  ...NAMED,
  ...{
    use_id: 'text',
    pool: 'text',
    currency: 'text',
    leg: 'smallint',
    used_at: 'timestamptz',
    kind: 'text',
  },
  ...{ lot_entity_id: 'text', lot_id: 'text', acquired_at: 'timestamptz', units: 'numeric', cost: 'numeric' },
  ...{ proceeds: 'numeric', fee_in_proceeds: 'numeric', exchanged_for: 'text' },
} as const;

const writeUses = async (
  tx: Kysely<DB>,
  { name, method }: Taxpayer,
  batch: readonly Booked[],
): Promise<void> => {
  const rows = batch.flatMap(({ event, outcome }) => outcome.uses.map((use) => useRow(event, use)));
  if (rows.length === 0) return;
  await sql`
    insert into value.uses (entity_id, use_id, taxpayer, pool, currency, entry_id, leg, period, used_at, kind, lot_entity_id,
      lot_id, acquired_at, units, cost, proceeds, fee_in_proceeds, exchanged_for, method)
    select entity_id, use_id, ${name}, pool, currency, entry_id, leg, period, used_at, kind, lot_entity_id, lot_id, acquired_at,
      units, cost, proceeds, fee_in_proceeds, exchanged_for, ${method}
    from ${unnest(rows, USE)}`.execute(tx);
};

const FINDING = {
  ...NAMED,
  ...{
    finding: 'integer',
    leg: 'smallint',
    kind: 'text',
    severity: 'text',
    currency: 'text',
    units: 'numeric',
    detail: 'text',
  },
} as const;

const writeFindings = async (tx: Kysely<DB>, { name }: Taxpayer, batch: readonly Booked[]): Promise<void> => {
  const rows = batch.flatMap(({ event, outcome }) =>
    outcome.findings.map(({ kind, severity, leg, currency, units, detail }, nth) => ({
      ...named(event),
      ...{ finding: nth + 1, leg, kind, severity, currency, units: attoText(units), detail },
    })),
  );
  if (rows.length === 0) return;
  await sql`
    insert into value.findings (entity_id, entry_id, finding, taxpayer, period, leg, kind, severity, currency, units, detail)
    select entity_id, entry_id, finding, ${name}, period, leg, kind, severity, currency, units, detail
    from ${unnest(rows, FINDING)}`.execute(tx);
};

/**
 * Takes out what was derived of a taxpayer from a month on, of its entities too where they were another's before, and what
 * every month of it was derived from.
 */
export const takeOut = async (tx: Kysely<DB>, { name, entities }: Taxpayer, from: string): Promise<void> => {
  const whose = sql`(taxpayer = ${name} or entity_id = any(${entities}::text[])) and period >= ${from}`;
  await sql`delete from value.postings where ${whose}`.execute(tx);
  await sql`delete from value.lots where ${whose}`.execute(tx);
  await sql`delete from value.uses where ${whose}`.execute(tx);
  await sql`delete from value.findings where ${whose}`.execute(tx);
  await sql`delete from value.months where taxpayer = ${name} or entity_id = any(${entities}::text[])`.execute(
    tx,
  );
};

/** What a month was derived from. */
export type Month = {
  readonly entity_id: string;
  readonly period: string;
  readonly entries: number;
  readonly fingerprint: string;
};

/** Keeps what each month was derived from. */
export const writeMonths = async (
  tx: Kysely<DB>,
  { name }: Taxpayer,
  months: readonly Month[],
): Promise<void> => {
  if (months.length === 0) return;
  await sql`
    insert into value.months (entity_id, period, taxpayer, entries, fingerprint)
    select entity_id, period, ${name}, entries, fingerprint
    from ${unnest(months, { entity_id: 'text', period: 'text', entries: 'integer', fingerprint: 'text' })}`.execute(
    tx,
  );
};
