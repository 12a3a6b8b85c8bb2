// Rows of the schema value: what is stored of an event's lines, lots and uses, and the columns with their types.
import { type Atto, attoText } from '../base/money.ts';
import type { Event, Line, NewLot, Use } from './event.ts';

export const text = (amount: Atto | null | undefined): string | null =>
  amount === null || amount === undefined ? null : attoText(amount);

export const entryColumns = ({ entity, id, period }: Event) => ({ entity_id: entity, entry_id: id, period });
export const ENTRY_COLUMNS = { entity_id: 'text', entry_id: 'uuid', period: 'text' } as const;

/** Written out: there are more of these than of anything else, and spreading costs. */
export const lineRow = (event: Event, line: Line, nth: number) => ({
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

export const LINE = {
  ...ENTRY_COLUMNS,
  line: 'smallint',
  leg: 'smallint',
  account: 'text',
  currency: 'text',
  units: 'numeric',
  exact: 'numeric',
  value: 'numeric',
  rule: 'text',
  source: 'text',
  path: 'text',
  age_seconds: 'integer',
  fee_in_cost: 'numeric',
  fee_in_proceeds: 'numeric',
  fee_expensed: 'numeric',
  spread: 'numeric',
  memo: 'text',
} as const;

export const lotRow = (event: Event, lot: NewLot) => ({
  ...entryColumns(event),
  lot_id: lot.id,
  pool: lot.pool,
  currency: lot.currency,
  leg: lot.leg,
  acquired_at: lot.acquiredAt,
  units: attoText(lot.units),
  cost: text(lot.cost),
  origin: lot.origin,
  seq: lot.seq,
});

export const LOT = {
  ...ENTRY_COLUMNS,
  lot_id: 'text',
  pool: 'text',
  currency: 'text',
  leg: 'smallint',
  acquired_at: 'timestamptz',
  units: 'numeric',
  cost: 'numeric',
  origin: 'text',
  seq: 'bigint',
} as const;

export const useRow = (event: Event, use: Use) => ({
  ...entryColumns(event),
  use_id: use.id,
  pool: use.pool,
  currency: use.currency,
  leg: use.leg,
  used_at: event.effectiveAt,
  kind: use.kind,
  lot_entity_id: use.lot?.entity ?? null,
  lot_id: use.lot?.id ?? null,
  acquired_at: use.lot?.acquiredAt ?? null,
  units: attoText(use.units),
  cost: text(use.cost),
  proceeds: text(use.proceeds),
  fee_in_proceeds: text(use.feeInProceeds),
  exchanged_for: use.exchangedFor,
});

export const USE = {
  ...ENTRY_COLUMNS,
  use_id: 'text',
  pool: 'text',
  currency: 'text',
  leg: 'smallint',
  used_at: 'timestamptz',
  kind: 'text',
  lot_entity_id: 'text',
  lot_id: 'text',
  acquired_at: 'timestamptz',
  units: 'numeric',
  cost: 'numeric',
  proceeds: 'numeric',
  fee_in_proceeds: 'numeric',
  exchanged_for: 'text',
} as const;
