// Rows of the schema value, built from an event's lines, lots and uses.
import { type Atto, attoText } from '../base/money.ts';
import type { Event, Line, NewLot, Use, ValueFinding } from './event.ts';
import type { Taxpayer } from './taxpayers.ts';

export const text = (amount: Atto | null): string | null => (amount === null ? null : attoText(amount));

/** Rows are written out field by field, because object spread is slow and these are most of what valuing makes. */
export const lineRow = (
  event: Event,
  { leg, account, currency, units, exact, value, basis, fee, spread, memo }: Line,
  { nth, taxpayer }: { nth: number; taxpayer: Taxpayer },
) => ({
  entity_id: event.entity,
  entry_id: event.id,
  period: event.period,
  taxpayer: taxpayer.name,
  value_currency: taxpayer.currency,
  line: nth + 1,
  leg,
  account,
  currency,
  units: attoText(units),
  exact: text(exact),
  value: text(value),
  rule: basis.rule,
  source: basis.source,
  path: basis.path,
  age_seconds: basis.ageSeconds,
  fee_in_cost: fee?.target === 'cost' ? attoText(fee.value) : null,
  fee_in_proceeds: fee?.target === 'proceeds' ? attoText(fee.value) : null,
  fee_expensed: fee?.target === 'expenses' ? attoText(fee.value) : null,
  spread: text(spread),
  memo,
});

export const lotRow = (event: Event, lot: NewLot, taxpayer: Taxpayer) => ({
  entity_id: event.entity,
  entry_id: event.id,
  period: event.period,
  taxpayer: taxpayer.name,
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
  entity_id: event.entity,
  entry_id: event.id,
  period: event.period,
  taxpayer: taxpayer.name,
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
  fee_in_proceeds: attoText(use.feeInProceeds),
  exchanged_for: use.exchangedFor,
});

export const findingRow = (
  event: Event,
  finding: ValueFinding,
  { nth, taxpayer }: { nth: number; taxpayer: Taxpayer },
) => ({
  entity_id: event.entity,
  entry_id: event.id,
  period: event.period,
  taxpayer: taxpayer.name,
  finding: nth + 1,
  leg: finding.leg,
  kind: finding.kind,
  severity: finding.severity,
  currency: finding.currency,
  units: attoText(finding.units),
  detail: finding.detail,
});
