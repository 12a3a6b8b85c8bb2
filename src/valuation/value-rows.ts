// Rows of the schema value, built from an event's lines, lots and uses.
import { type Atto, attoText } from '../base/money.ts';
import type { Event, Line, NewLot, Use, ValueFinding } from './event.ts';
import type { Taxpayer } from './taxpayers.ts';

export const text = (amount: Atto | null | undefined): string | null =>
  amount === null || amount === undefined ? null : attoText(amount);

const entryColumns = ({ entity, id, period }: Event, { name }: Taxpayer) => ({
  entity_id: entity,
  entry_id: id,
  period,
  taxpayer: name,
});

/** Written out field by field: there are more of these rows than of any other, and object spread is slow. */
export const lineRow = (
  event: Event,
  line: Line,
  { nth, taxpayer }: { nth: number; taxpayer: Taxpayer },
) => ({
  entity_id: event.entity,
  entry_id: event.id,
  period: event.period,
  taxpayer: taxpayer.name,
  value_currency: taxpayer.currency,
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

export const lotRow = (event: Event, lot: NewLot, taxpayer: Taxpayer) => ({
  ...entryColumns(event, taxpayer),
  method: taxpayer.method,
  lot_id: lot.id,
  pool: lot.pool,
  currency: lot.currency,
  leg: lot.leg,
  acquired_at: lot.acquiredAt,
  units: attoText(lot.units),
  cost: text(lot.cost),
  origin: lot.origin,
  seq: String(lot.seq),
});

export const useRow = (event: Event, use: Use, taxpayer: Taxpayer) => ({
  ...entryColumns(event, taxpayer),
  method: taxpayer.method,
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

export const findingRow = (
  event: Event,
  { kind, severity, leg, currency, units, detail }: ValueFinding,
  { nth, taxpayer }: { nth: number; taxpayer: Taxpayer },
) => ({
  ...entryColumns(event, taxpayer),
  finding: nth + 1,
  leg,
  kind,
  severity,
  currency,
  units: attoText(units),
  detail,
});
