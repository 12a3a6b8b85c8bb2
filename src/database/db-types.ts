// Generated from the migrated database by `npm run types:db`: the reviewable whole of the schema. Not edited by hand.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** A view's column: selected, never written. A view's columns may all be null as far as Postgres can say. */
type ReadOnly<T> = ColumnType<T, never, never>;

export interface BooksAddressBook {
  entity_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  address: ReadOnly<string | null>;
  network: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  tag: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
  ownership: ReadOnly<string | null>;
  person_type: ReadOnly<string | null>;
  wallet_type: ReadOnly<string | null>;
  exchange_name: ReadOnly<string | null>;
  created_at: ReadOnly<string | null>;
  updated_at: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
}

export interface BooksAssetNetworks {
  symbol: ReadOnly<string | null>;
  network: ReadOnly<string | null>;
  fee_currency: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
}

export interface BooksAssets {
  symbol: ReadOnly<string | null>;
  name: ReadOnly<string | null>;
  asset_type: ReadOnly<string | null>;
  network: ReadOnly<string | null>;
  is_enabled: ReadOnly<boolean | null>;
  is_testnet: ReadOnly<boolean | null>;
  is_removed: ReadOnly<boolean | null>;
  removed_at: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
  class: ReadOnly<string | null>;
}

export interface BooksAuthorizationDeliveries {
  entity_id: ReadOnly<string | null>;
  delivery_number: ReadOnly<string | null>;
  received_at: ReadOnly<string | null>;
  transaction_id: ReadOnly<string | null>;
  user_id: ReadOnly<string | null>;
  user_entity_id: ReadOnly<string | null>;
  transaction_type: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  is_authorized: ReadOnly<boolean | null>;
  reason: ReadOnly<string | null>;
  body: ReadOnly<string | null>;
  body_sha256: ReadOnly<string | null>;
}

export interface BooksAuthorizations {
  entity_id: ReadOnly<string | null>;
  transaction_id: ReadOnly<string | null>;
  user_id: ReadOnly<string | null>;
  is_known_user: ReadOnly<boolean | null>;
  transaction_type: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  is_authorized: ReadOnly<boolean | null>;
  reason: ReadOnly<string | null>;
  first_received_at: ReadOnly<string | null>;
  deliveries: ReadOnly<string | null>;
  record_at: ReadOnly<string | null>;
  record_amount: ReadOnly<string | null>;
  record_currency: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
}

export interface BooksBalances {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  balance: ReadOnly<string | null>;
}

export interface BooksBatchLines {
  entity_id: ReadOnly<string | null>;
  year: ReadOnly<number | null>;
  batch_number: ReadOnly<number | null>;
  package: ReadOnly<string | null>;
  line: ReadOnly<number | null>;
  ordinal: ReadOnly<number | null>;
  entry_id: ReadOnly<string | null>;
  day: ReadOnly<string | null>;
  kind: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  counterparty_type: ReadOnly<string | null>;
  units: ReadOnly<string | null>;
  value: ReadOnly<string | null>;
  code: ReadOnly<string | null>;
  name: ReadOnly<string | null>;
  tax: ReadOnly<string | null>;
  dimension1: ReadOnly<string | null>;
  dimension2: ReadOnly<string | null>;
}

export interface BooksBatches {
  entity_id: ReadOnly<string | null>;
  year: ReadOnly<number | null>;
  batch_number: ReadOnly<number | null>;
  package: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  timezone: ReadOnly<string | null>;
  map_sha256: ReadOnly<string | null>;
  settings: ReadOnly<string | null>;
  summary: ReadOnly<string | null>;
  entries: ReadOnly<number | null>;
  lines: ReadOnly<number | null>;
  exported_by: ReadOnly<string | null>;
  exported_at: ReadOnly<string | null>;
  copies: ReadOnly<string | null>;
  facts: ReadOnly<string | null>;
}

export interface BooksBlockedBalances {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  run_id: ReadOnly<string | null>;
  taken_at: ReadOnly<string | null>;
  blocked: ReadOnly<string | null>;
  in_orders: ReadOnly<string | null>;
  with_bots: ReadOnly<string | null>;
  in_payments: ReadOnly<string | null>;
  unexplained: ReadOnly<string | null>;
}

export interface BooksBreakCandidates {
  entity_id: ReadOnly<string | null>;
  break_id: ReadOnly<string | null>;
  rank: ReadOnly<number | null>;
  kind: ReadOnly<string | null>;
  confidence: ReadOnly<string | null>;
  sentence: ReadOnly<string | null>;
  records: ReadOnly<string[] | null>;
  proof: ReadOnly<string | null>;
  run_id: ReadOnly<string | null>;
}

export interface BooksBreakEvents {
  entity_id: ReadOnly<string | null>;
  break_id: ReadOnly<string | null>;
  event_id: ReadOnly<string | null>;
  changed_at: ReadOnly<string | null>;
  run_id: ReadOnly<string | null>;
  changed_by: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
  difference: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
}

export interface BooksBreaks {
  break_id: ReadOnly<string | null>;
  entity_id: ReadOnly<string | null>;
  check_name: ReadOnly<string | null>;
  subject: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  reported: ReadOnly<string | null>;
  booked: ReadOnly<string | null>;
  difference: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  opened_at: ReadOnly<string | null>;
  resolved_at: ReadOnly<string | null>;
  run_id: ReadOnly<string | null>;
  since: ReadOnly<string | null>;
  value: ReadOnly<string | null>;
  age_days: ReadOnly<number | null>;
  severity: ReadOnly<string | null>;
  due_at: ReadOnly<string | null>;
  assigned_to: ReadOnly<string | null>;
  explanation: ReadOnly<string | null>;
  explained_by: ReadOnly<string | null>;
  explained_records: ReadOnly<string | null>;
  resolved_by: ReadOnly<string | null>;
  tied_run_id: ReadOnly<string | null>;
  found_at: ReadOnly<string | null>;
  diverged_after: ReadOnly<string | null>;
  waived_through: ReadOnly<string | null>;
  reason_parts: ReadOnly<string | null>;
}

export interface BooksCashFlows {
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  leg: ReadOnly<number | null>;
  effective_at: ReadOnly<string | null>;
  posted_at: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  channel: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  value: ReadOnly<string | null>;
  value_currency: ReadOnly<string | null>;
  kind: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  pocket_reference: ReadOnly<string | null>;
}

export interface BooksChain {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  landed_at: ReadOnly<string | null>;
  digest: ReadOnly<string | null>;
  outcome: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  rule_version: ReadOnly<number | null>;
  ordinal: ReadOnly<number | null>;
  entry_id: ReadOnly<string | null>;
  kind: ReadOnly<string | null>;
  effective_at: ReadOnly<string | null>;
  recorded_at: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  reverses: ReadOnly<string | null>;
  restated_at: ReadOnly<string | null>;
  restated_by: ReadOnly<string | null>;
  restated_because: ReadOnly<string | null>;
}

export interface BooksChartLines {
  version: ReadOnly<number | null>;
  line: ReadOnly<number | null>;
  account: ReadOnly<string | null>;
  class: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  code: ReadOnly<string | null>;
  name_en: ReadOnly<string | null>;
  name_es: ReadOnly<string | null>;
  name_de: ReadOnly<string | null>;
  statement: ReadOnly<string | null>;
  statement_class: ReadOnly<string | null>;
}

export interface BooksChartOfAccounts {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  asset_class: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  line: ReadOnly<number | null>;
  code: ReadOnly<string | null>;
  name_en: ReadOnly<string | null>;
  name_es: ReadOnly<string | null>;
  name_de: ReadOnly<string | null>;
  statement: ReadOnly<string | null>;
  statement_class: ReadOnly<string | null>;
}

export interface BooksChartTemplates {
  template: ReadOnly<string | null>;
  line: ReadOnly<number | null>;
  account: ReadOnly<string | null>;
  class: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  code: ReadOnly<string | null>;
  name_en: ReadOnly<string | null>;
  name_es: ReadOnly<string | null>;
  name_de: ReadOnly<string | null>;
  statement: ReadOnly<string | null>;
  statement_class: ReadOnly<string | null>;
}

export interface BooksCharts {
  version: ReadOnly<number | null>;
  for_entity: ReadOnly<string | null>;
  chart: ReadOnly<string | null>;
  from_month: ReadOnly<string | null>;
  imported_by: ReadOnly<string | null>;
  imported_at: ReadOnly<string | null>;
  proposal_id: ReadOnly<string | null>;
  lines: ReadOnly<string | null>;
}

export interface BooksClearingMatches {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  debit_stream: ReadOnly<string | null>;
  debit_record_id: ReadOnly<string | null>;
  debit_entry_id: ReadOnly<string | null>;
  debit_at: ReadOnly<string | null>;
  credit_stream: ReadOnly<string | null>;
  credit_record_id: ReadOnly<string | null>;
  credit_entry_id: ReadOnly<string | null>;
  credit_at: ReadOnly<string | null>;
  time_apart: ReadOnly<string | null>;
  run_id: ReadOnly<string | null>;
  matched_at: ReadOnly<string | null>;
  stands: ReadOnly<boolean | null>;
  grounds: ReadOnly<string | null>;
}

export interface BooksConfirmationLines {
  entity_id: ReadOnly<string | null>;
  confirmation_id: ReadOnly<string | null>;
  line: ReadOnly<number | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  stated: ReadOnly<string | null>;
  booked: ReadOnly<string | null>;
  difference: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
}

export interface BooksConfirmationYearLines {
  entity_id: ReadOnly<string | null>;
  confirmation_id: ReadOnly<string | null>;
  line: ReadOnly<number | null>;
  asset: ReadOnly<string | null>;
  what: ReadOnly<string | null>;
  sub_type: ReadOnly<string | null>;
  stated_units: ReadOnly<string | null>;
  booked_units: ReadOnly<string | null>;
  units_difference: ReadOnly<string | null>;
  stated_value: ReadOnly<string | null>;
  booked_value: ReadOnly<string | null>;
  value_difference: ReadOnly<string | null>;
  valued: ReadOnly<string | null>;
  stated_count: ReadOnly<string | null>;
  booked_count: ReadOnly<string | null>;
  count_difference: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
  differing: ReadOnly<string[] | null>;
  valuation: ReadOnly<string | null>;
}

export interface BooksConfirmations {
  entity_id: ReadOnly<string | null>;
  confirmation_id: ReadOnly<string | null>;
  as_of: ReadOnly<string | null>;
  file_name: ReadOnly<string | null>;
  file_sha256: ReadOnly<string | null>;
  evidence_name: ReadOnly<string | null>;
  evidence_sha256: ReadOnly<string | null>;
  imported_by: ReadOnly<string | null>;
  imported_at: ReadOnly<string | null>;
  covered_to: ReadOnly<string | null>;
  lines: ReadOnly<number | null>;
  agreed: ReadOnly<number | null>;
  differing: ReadOnly<number | null>;
  year: ReadOnly<string | null>;
  value_currency: ReadOnly<string | null>;
  tolerance: ReadOnly<string | null>;
}

export interface BooksConservation {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  landed: ReadOnly<string | null>;
  booked: ReadOnly<string | null>;
  rejected: ReadOnly<string | null>;
  set_aside: ReadOnly<string | null>;
  undecided: ReadOnly<string | null>;
}

export interface BooksConsolidated {
  currency: ReadOnly<string | null>;
  entities: ReadOnly<string | null>;
  as_of: ReadOnly<string | null>;
  reported: ReadOnly<string | null>;
  booked: ReadOnly<string | null>;
  difference: ReadOnly<string | null>;
  not_compared: ReadOnly<string | null>;
  own_transfers: ReadOnly<string | null>;
  own_out: ReadOnly<string | null>;
  own_in: ReadOnly<string | null>;
  person_outside: ReadOnly<string | null>;
  uncovered: ReadOnly<string | null>;
}

export interface BooksConversionSpreads {
  entity_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  effective_at: ReadOnly<string | null>;
  subtype: ReadOnly<string | null>;
  method: ReadOnly<string | null>;
  paid: ReadOnly<string | null>;
  paid_currency: ReadOnly<string | null>;
  received: ReadOnly<string | null>;
  received_currency: ReadOnly<string | null>;
  market_rate: ReadOnly<string | null>;
  market_rate_base: ReadOnly<string | null>;
  market_rate_quote: ReadOnly<string | null>;
  received_at_rate: ReadOnly<string | null>;
  spread: ReadOnly<string | null>;
  spread_percent: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  shown_rate: ReadOnly<string | null>;
  shown_rate_base: ReadOnly<string | null>;
  shown_rate_quote: ReadOnly<string | null>;
  flip_fee_amount: ReadOnly<string | null>;
  flip_fee_currency: ReadOnly<string | null>;
  flip_fee_percentage: ReadOnly<string | null>;
}

export interface BooksCounterpartyRules {
  version: ReadOnly<number | null>;
  line: ReadOnly<number | null>;
  class: ReadOnly<string | null>;
  address: ReadOnly<string | null>;
  bank_account: ReadOnly<string | null>;
  operation: ReadOnly<string | null>;
  counterparty: ReadOnly<string | null>;
  counterparty_type: ReadOnly<string | null>;
  imported_by: ReadOnly<string | null>;
  imported_at: ReadOnly<string | null>;
  file_name: ReadOnly<string | null>;
  not_known_to: ReadOnly<string | null>;
}

export interface BooksCoverage {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  covered_from: ReadOnly<string | null>;
  covered_to: ReadOnly<string | null>;
  records: ReadOnly<string | null>;
  scope: ReadOnly<string | null>;
}

export interface BooksCoverageGaps {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  gap_from: ReadOnly<string | null>;
  gap_to: ReadOnly<string | null>;
  scope: ReadOnly<string | null>;
}

export interface BooksCurrencies {
  currency: ReadOnly<string | null>;
  name: ReadOnly<string | null>;
  taken_at: ReadOnly<string | null>;
}

export interface BooksDepositAddresses {
  entity_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  pocket_id: ReadOnly<string | null>;
  network: ReadOnly<string | null>;
  address: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
  created_at: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
}

export interface BooksDisposals {
  taxpayer: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  disposal_id: ReadOnly<string | null>;
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  leg: ReadOnly<number | null>;
  disposed_at: ReadOnly<string | null>;
  lot_id: ReadOnly<string | null>;
  acquired_at: ReadOnly<string | null>;
  held_days: ReadOnly<number | null>;
  units: ReadOnly<string | null>;
  proceeds: ReadOnly<string | null>;
  cost: ReadOnly<string | null>;
  gain: ReadOnly<string | null>;
  fee_in_proceeds: ReadOnly<string | null>;
  exchanged_for: ReadOnly<string | null>;
  method: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  lot_entity_id: ReadOnly<string | null>;
}

export interface BooksDisposalsWithoutLot {
  taxpayer: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  pool: ReadOnly<string | null>;
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  leg: ReadOnly<number | null>;
  used_at: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  units: ReadOnly<string | null>;
}

export interface BooksEarnIncome {
  entity_id: ReadOnly<string | null>;
  month: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  rewards: ReadOnly<string | null>;
  tax_withheld: ReadOnly<string | null>;
  value: ReadOnly<string | null>;
  value_currency: ReadOnly<string | null>;
  unvalued: ReadOnly<string | null>;
}

export interface BooksEarnMovements {
  entity_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  wallet_id: ReadOnly<string | null>;
  type: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  created_at: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
  outcome: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  source_wallet_id: ReadOnly<string | null>;
  source_currency: ReadOnly<string | null>;
}

export interface BooksEntities {
  entity_id: ReadOnly<string | null>;
  name: ReadOnly<string | null>;
  subaccount_id: ReadOnly<string | null>;
  timezone: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  first_seen_at: ReadOnly<string | null>;
  fiscal_year_start: ReadOnly<number | null>;
  platform_class: ReadOnly<string | null>;
}

export interface BooksEntries {
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  effective_at: ReadOnly<string | null>;
  recorded_at: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  kind: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  reverses: ReadOnly<string | null>;
  description: ReadOnly<string | null>;
  ordinal: ReadOnly<number | null>;
  rule_version: ReadOnly<number | null>;
  original_period: ReadOnly<string | null>;
  entry_number: ReadOnly<string | null>;
  posted_at: ReadOnly<string | null>;
  is_returned: ReadOnly<boolean | null>;
  is_late: ReadOnly<boolean | null>;
  undoes: ReadOnly<string | null>;
}

export interface BooksErasures {
  entity_id: ReadOnly<string | null>;
  erasure_id: ReadOnly<string | null>;
  erased_at: ReadOnly<string | null>;
  erased_by: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  ground: ReadOnly<string | null>;
  retention_years: ReadOnly<number | null>;
  records_erased: ReadOnly<number | null>;
  fields_erased: ReadOnly<number | null>;
  kept_by_retention: ReadOnly<number | null>;
  kept_by_hold: ReadOnly<number | null>;
  first_may_go_at: ReadOnly<string | null>;
  last_may_go_at: ReadOnly<string | null>;
}

export interface BooksExplanations {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  by_stream: ReadOnly<string | null>;
  by_record_id: ReadOnly<string | null>;
  what: ReadOnly<string | null>;
  by_entity_id: ReadOnly<string | null>;
}

export interface BooksExternalAccounts {
  entity_id: ReadOnly<string | null>;
  account_name: ReadOnly<string | null>;
  kind: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  masked: ReadOnly<string | null>;
  address: ReadOnly<string | null>;
  network: ReadOnly<string | null>;
  added_by: ReadOnly<string | null>;
  added_at: ReadOnly<string | null>;
  statements: ReadOnly<string | null>;
  lines: ReadOnly<string | null>;
  starts_on: ReadOnly<string | null>;
  ends_on: ReadOnly<string | null>;
  balance: ReadOnly<string | null>;
  withdrawn: ReadOnly<string | null>;
}

export interface BooksExternalLines {
  entity_id: ReadOnly<string | null>;
  account_name: ReadOnly<string | null>;
  line_number: ReadOnly<number | null>;
  statement_number: ReadOnly<number | null>;
  file_line: ReadOnly<number | null>;
  kind: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  booked_on: ReadOnly<string | null>;
  value_on: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  hash: ReadOnly<string | null>;
  address: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
  grounds: ReadOnly<string | null>;
  days_apart: ReadOnly<number | null>;
  entry_id: ReadOnly<string | null>;
  booked: ReadOnly<string | null>;
  fee: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  effective_at: ReadOnly<string | null>;
}

export interface BooksExternalLots {
  entity_id: ReadOnly<string | null>;
  lot_number: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  units: ReadOnly<string | null>;
  cost: ReadOnly<string | null>;
  cost_currency: ReadOnly<string | null>;
  acquired_on: ReadOnly<string | null>;
  file_name: ReadOnly<string | null>;
  file_sha256: ReadOnly<string | null>;
  line: ReadOnly<number | null>;
  evidence_name: ReadOnly<string | null>;
  evidence_sha256: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  imported_by: ReadOnly<string | null>;
  imported_at: ReadOnly<string | null>;
}

export interface BooksExternalStatements {
  entity_id: ReadOnly<string | null>;
  account_name: ReadOnly<string | null>;
  statement_number: ReadOnly<number | null>;
  format: ReadOnly<string | null>;
  file_name: ReadOnly<string | null>;
  file_sha256: ReadOnly<string | null>;
  bank_number: ReadOnly<string | null>;
  starts_on: ReadOnly<string | null>;
  ends_on: ReadOnly<string | null>;
  opening: ReadOnly<string | null>;
  closing: ReadOnly<string | null>;
  lines: ReadOnly<number | null>;
  imported_by: ReadOnly<string | null>;
  imported_at: ReadOnly<string | null>;
  withdrawn_by: ReadOnly<string | null>;
  withdrawn_at: ReadOnly<string | null>;
  withdrawal_reason: ReadOnly<string | null>;
  reading: ReadOnly<string | null>;
}

export interface BooksFeesByMonth {
  entity_id: ReadOnly<string | null>;
  month: ReadOnly<string | null>;
  fee: ReadOnly<string | null>;
  value_currency: ReadOnly<string | null>;
  in_cost: ReadOnly<string | null>;
  in_proceeds: ReadOnly<string | null>;
  expensed: ReadOnly<string | null>;
  paid: ReadOnly<string | null>;
  unvalued: ReadOnly<string | null>;
}

export interface BooksFindings {
  run_id: ReadOnly<string | null>;
  entity_id: ReadOnly<string | null>;
  severity: ReadOnly<string | null>;
  subject: ReadOnly<string | null>;
  detail: ReadOnly<string | null>;
}

export interface BooksFirstDivergence {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  tied_at: ReadOnly<string | null>;
  broke_at: ReadOnly<string | null>;
  first_difference: ReadOnly<string | null>;
  records_inside: ReadOnly<string | null>;
  record_names: ReadOnly<string[] | null>;
}

export interface BooksHolds {
  entity_id: ReadOnly<string | null>;
  hold_id: ReadOnly<string | null>;
  placed_at: ReadOnly<string | null>;
  placed_by: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  released_at: ReadOnly<string | null>;
  released_by: ReadOnly<string | null>;
  release_reason: ReadOnly<string | null>;
}

export interface BooksLabels {
  kind: ReadOnly<string | null>;
  id: ReadOnly<string | null>;
  label: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  file_name: ReadOnly<string | null>;
  imported_by: ReadOnly<string | null>;
  imported_at: ReadOnly<string | null>;
  proposal_id: ReadOnly<string | null>;
}

export interface BooksLoanOrders {
  entity_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  status: ReadOnly<string | null>;
  loan_amount: ReadOnly<string | null>;
  loan_currency: ReadOnly<string | null>;
  guarantee_amount: ReadOnly<string | null>;
  guarantee_currency: ReadOnly<string | null>;
  created_at: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
}

export interface BooksLotChoices {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  lot_entity_id: ReadOnly<string | null>;
  lot_id: ReadOnly<string | null>;
  units: ReadOnly<string | null>;
  choice_number: ReadOnly<string | null>;
  is_in_force: ReadOnly<boolean | null>;
  file_name: ReadOnly<string | null>;
  file_sha256: ReadOnly<string | null>;
  line: ReadOnly<number | null>;
  reason: ReadOnly<string | null>;
  chosen_by: ReadOnly<string | null>;
  chosen_at: ReadOnly<string | null>;
  proposal_id: ReadOnly<string | null>;
}

export interface BooksLots {
  taxpayer: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  lot_id: ReadOnly<string | null>;
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  acquired_at: ReadOnly<string | null>;
  units: ReadOnly<string | null>;
  cost: ReadOnly<string | null>;
  units_left: ReadOnly<string | null>;
  cost_left: ReadOnly<string | null>;
  origin: ReadOnly<string | null>;
  pool: ReadOnly<string | null>;
  leg: ReadOnly<number | null>;
  period: ReadOnly<string | null>;
  method: ReadOnly<string | null>;
}

export interface BooksManualEntries {
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  effective_at: ReadOnly<string | null>;
  posted_at: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  original_period: ReadOnly<string | null>;
  kind: ReadOnly<string | null>;
  action: ReadOnly<string | null>;
  proposal_id: ReadOnly<string | null>;
  description: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  evidence_name: ReadOnly<string | null>;
  evidence_sha256: ReadOnly<string | null>;
  prepared_by: ReadOnly<string | null>;
  prepared_at: ReadOnly<string | null>;
  approved_by: ReadOnly<string | null>;
  approved_at: ReadOnly<string | null>;
  about_stream: ReadOnly<string | null>;
  about_record_id: ReadOnly<string | null>;
  reverses: ReadOnly<string | null>;
  reversed_by: ReadOnly<string | null>;
  legs: ReadOnly<string | null>;
}

export interface BooksMovements {
  entity_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  wallet_id: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  movement_type: ReadOnly<string | null>;
  origin: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
  created_at: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
  outcome: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
}

export interface BooksNewestTieOuts {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  as_of: ReadOnly<string | null>;
  reported: ReadOnly<string | null>;
  booked: ReadOnly<string | null>;
  difference: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  run_id: ReadOnly<string | null>;
}

export interface BooksNights {
  run_id: ReadOnly<string | null>;
  entity_id: ReadOnly<string | null>;
  began_at: ReadOnly<string | null>;
  is_skipped: ReadOnly<boolean | null>;
  reason: ReadOnly<string | null>;
  lists_run_id: ReadOnly<string | null>;
  lists_read_at: ReadOnly<string | null>;
}

export interface BooksOrders {
  entity_id: ReadOnly<string | null>;
  order_id: ReadOnly<string | null>;
  symbol: ReadOnly<string | null>;
  side: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
  order_amount: ReadOnly<string | null>;
  filled_amount: ReadOnly<string | null>;
  order_cost: ReadOnly<string | null>;
  created_at: ReadOnly<string | null>;
  fills: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  cost: ReadOnly<string | null>;
  fees: ReadOnly<string | null>;
  average_price: ReadOnly<string | null>;
  first_fill_at: ReadOnly<string | null>;
  last_fill_at: ReadOnly<string | null>;
}

export interface BooksOutside {
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  leg: ReadOnly<number | null>;
  effective_at: ReadOnly<string | null>;
  posted_at: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  original_period: ReadOnly<string | null>;
  kind: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  counterparty: ReadOnly<string | null>;
  counterparty_type: ReadOnly<string | null>;
  rule: ReadOnly<string | null>;
  operation: ReadOnly<string | null>;
  address: ReadOnly<string | null>;
}

export interface BooksOwnTransfers {
  from_entity: ReadOnly<string | null>;
  from_entry_id: ReadOnly<string | null>;
  to_entity: ReadOnly<string | null>;
  to_entry_id: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  amount_out: ReadOnly<string | null>;
  amount_in: ReadOnly<string | null>;
  grounds: ReadOnly<string | null>;
  time_apart: ReadOnly<string | null>;
  from_stream: ReadOnly<string | null>;
  from_record_id: ReadOnly<string | null>;
  from_at: ReadOnly<string | null>;
  to_stream: ReadOnly<string | null>;
  to_record_id: ReadOnly<string | null>;
  to_at: ReadOnly<string | null>;
  run_id: ReadOnly<string | null>;
  matched_at: ReadOnly<string | null>;
  stands: ReadOnly<boolean | null>;
}

export interface BooksPnlByMonth {
  entity_id: ReadOnly<string | null>;
  month: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  name: ReadOnly<string | null>;
  profit: ReadOnly<string | null>;
  value_currency: ReadOnly<string | null>;
  unvalued: ReadOnly<string | null>;
}

export interface BooksPocketReferences {
  entity_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  pocket_id: ReadOnly<string | null>;
  reference: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
}

export interface BooksPositions {
  entity_id: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  units: ReadOnly<string | null>;
  value_currency: ReadOnly<string | null>;
  price: ReadOnly<string | null>;
  price_at: ReadOnly<string | null>;
  value: ReadOnly<string | null>;
  cost: ReadOnly<string | null>;
  unrealised: ReadOnly<string | null>;
}

export interface BooksPostings {
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  leg: ReadOnly<number | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  effective_at: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  kind: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  recorded_at: ReadOnly<string | null>;
  original_period: ReadOnly<string | null>;
  posted_at: ReadOnly<string | null>;
  reverses: ReadOnly<string | null>;
  entry_number: ReadOnly<string | null>;
  is_late: ReadOnly<boolean | null>;
}

export interface BooksProfiles {
  entity_id: ReadOnly<string | null>;
  name: ReadOnly<string | null>;
  legal_name: ReadOnly<string | null>;
  tax_id: ReadOnly<string | null>;
  taxpayer: ReadOnly<string | null>;
  owner: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  timezone: ReadOnly<string | null>;
  cost_method: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  set_by: ReadOnly<string | null>;
  set_at: ReadOnly<string | null>;
  fiscal_year_start: ReadOnly<number | null>;
  lot_rules: ReadOnly<string | null>;
  residence: ReadOnly<string | null>;
}

export interface BooksProposals {
  entity_id: ReadOnly<string | null>;
  proposal_id: ReadOnly<string | null>;
  action: ReadOnly<string | null>;
  verdict: ReadOnly<string | null>;
  effective_at: ReadOnly<string | null>;
  description: ReadOnly<string | null>;
  legs: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  reverses: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  evidence_name: ReadOnly<string | null>;
  evidence_sha256: ReadOnly<string | null>;
  prepared_by: ReadOnly<string | null>;
  prepared_at: ReadOnly<string | null>;
  approved_by: ReadOnly<string | null>;
  approved_at: ReadOnly<string | null>;
  verdict_reason: ReadOnly<string | null>;
  content: ReadOnly<string | null>;
  content_sha256: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  duties_version: ReadOnly<number | null>;
}

export interface BooksRates {
  currency: ReadOnly<string | null>;
  quote: ReadOnly<string | null>;
  applies_from: ReadOnly<string | null>;
  rate: ReadOnly<string | null>;
  source: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  entity_id: ReadOnly<string | null>;
  request_id: ReadOnly<string | null>;
  file_id: ReadOnly<string | null>;
}

export interface BooksReadings {
  entity_id: ReadOnly<string | null>;
  run_id: ReadOnly<string | null>;
  request_id: ReadOnly<string | null>;
  product: ReadOnly<string | null>;
  phase: ReadOnly<string | null>;
  taken_at: ReadOnly<string | null>;
  item_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  balance: ReadOnly<string | null>;
  blocked: ReadOnly<string | null>;
  total: ReadOnly<string | null>;
}

export interface BooksRecords {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  scope: ReadOnly<string | null>;
  record_at: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
  payload: ReadOnly<string | null>;
  outcome: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  rule_version: ReadOnly<number | null>;
  request_id: ReadOnly<string | null>;
}

export interface BooksReferenceLists {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  scope: ReadOnly<string | null>;
  read_to: ReadOnly<string | null>;
  records: ReadOnly<number | null>;
}

export interface BooksRejects {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  payload: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  record_at: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
  decision: ReadOnly<string | null>;
  decided_by: ReadOnly<string | null>;
  decision_reason: ReadOnly<string | null>;
  decided_at: ReadOnly<string | null>;
  effective_at: ReadOnly<string | null>;
}

export interface BooksRestatements {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  ordinal: ReadOnly<number | null>;
  restated_at: ReadOnly<string | null>;
  restated_by: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  from_rule: ReadOnly<number | null>;
  to_rule: ReadOnly<number | null>;
  was_outcome: ReadOnly<string | null>;
  was_reason: ReadOnly<string | null>;
}

export interface BooksRuns {
  run_id: ReadOnly<string | null>;
  job: ReadOnly<string | null>;
  started_at: ReadOnly<string | null>;
  finished_at: ReadOnly<string | null>;
  exit_code: ReadOnly<number | null>;
  requests: ReadOnly<number | null>;
  summary: ReadOnly<string | null>;
  pages: ReadOnly<number | null>;
  pages_fewest: ReadOnly<number | null>;
  pages_ratio: ReadOnly<string | null>;
  run_number: ReadOnly<string | null>;
  entries_before: ReadOnly<string | null>;
  entries_to: ReadOnly<string | null>;
  requests_before: ReadOnly<string | null>;
  requests_to: ReadOnly<string | null>;
}

export interface BooksSeals {
  entity_id: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  seal_number: ReadOnly<number | null>;
  status: ReadOnly<string | null>;
  entries: ReadOnly<number | null>;
  root: ReadOnly<string | null>;
  seal_sha256: ReadOnly<string | null>;
  prepared_by: ReadOnly<string | null>;
  approved_by: ReadOnly<string | null>;
  sealed_at: ReadOnly<string | null>;
  approved_at: ReadOnly<string | null>;
  reopened_by: ReadOnly<string | null>;
  reopened_at: ReadOnly<string | null>;
  reopen_reason: ReadOnly<string | null>;
  seal: ReadOnly<string | null>;
}

export interface BooksSeverities {
  severity: ReadOnly<string | null>;
  rank: ReadOnly<number | null>;
  value_from: ReadOnly<string | null>;
  age_from: ReadOnly<number | null>;
  due_days: ReadOnly<number | null>;
}

export interface BooksSocialPayOrders {
  entity_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  wallet_transaction_id: ReadOnly<string | null>;
  pocket_id: ReadOnly<string | null>;
  recipient_type: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
  user_id: ReadOnly<string | null>;
  created_at: ReadOnly<string | null>;
  expires_at: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
  status_at: ReadOnly<string | null>;
}

export interface BooksSocialPayments {
  entity_id: ReadOnly<string | null>;
  order_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  grounds: ReadOnly<string | null>;
  direction: ReadOnly<string | null>;
  recipient_type: ReadOnly<string | null>;
  pocket_id: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
  created_at: ReadOnly<string | null>;
  status_at: ReadOnly<string | null>;
  expires_at: ReadOnly<string | null>;
  ended_at: ReadOnly<string | null>;
  may_return: ReadOnly<boolean | null>;
  is_returned: ReadOnly<boolean | null>;
  return_record_id: ReadOnly<string | null>;
  returned_at: ReadOnly<string | null>;
}

export interface BooksTellerOrders {
  entity_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  status: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
}

export interface BooksTieOuts {
  run_id: ReadOnly<string | null>;
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  as_of: ReadOnly<string | null>;
  reported: ReadOnly<string | null>;
  booked: ReadOnly<string | null>;
  difference: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
}

export interface BooksTrades {
  entity_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  order_id: ReadOnly<string | null>;
  symbol: ReadOnly<string | null>;
  side: ReadOnly<string | null>;
  order_type: ReadOnly<string | null>;
  price: ReadOnly<string | null>;
  price_currency: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  amount_currency: ReadOnly<string | null>;
  cost: ReadOnly<string | null>;
  cost_euro: ReadOnly<string | null>;
  fee_amount: ReadOnly<string | null>;
  fee_currency: ReadOnly<string | null>;
  fee_percentage: ReadOnly<string | null>;
  is_maker: ReadOnly<boolean | null>;
  created_at: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
  outcome: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  request_id: ReadOnly<string | null>;
}

export interface BooksTradesByMonth {
  entity_id: ReadOnly<string | null>;
  month: ReadOnly<string | null>;
  symbol: ReadOnly<string | null>;
  side: ReadOnly<string | null>;
  trades: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  amount_currency: ReadOnly<string | null>;
  cost: ReadOnly<string | null>;
  price_currency: ReadOnly<string | null>;
}

export interface BooksTradingOrders {
  entity_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  symbol: ReadOnly<string | null>;
  side: ReadOnly<string | null>;
  order_type: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
  price: ReadOnly<string | null>;
  stop_price: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  filled_amount: ReadOnly<string | null>;
  cost: ReadOnly<string | null>;
  fee_amount: ReadOnly<string | null>;
  fee_currency: ReadOnly<string | null>;
  created_at: ReadOnly<string | null>;
  updated_at: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
}

export interface BooksTransfers {
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  leg: ReadOnly<number | null>;
  debit: ReadOnly<string | null>;
  credit: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
}

export interface BooksValueFindings {
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  finding: ReadOnly<number | null>;
  taxpayer: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  leg: ReadOnly<number | null>;
  kind: ReadOnly<string | null>;
  severity: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  units: ReadOnly<string | null>;
  detail: ReadOnly<string | null>;
}

export interface BooksValuePostings {
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  line: ReadOnly<number | null>;
  leg: ReadOnly<number | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  units: ReadOnly<string | null>;
  value: ReadOnly<string | null>;
  value_currency: ReadOnly<string | null>;
  effective_at: ReadOnly<string | null>;
  posted_at: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  kind: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  rule: ReadOnly<string | null>;
  source: ReadOnly<string | null>;
  path: ReadOnly<string | null>;
  age_seconds: ReadOnly<number | null>;
  fee_in_cost: ReadOnly<string | null>;
  fee_in_proceeds: ReadOnly<string | null>;
  fee_expensed: ReadOnly<string | null>;
  spread: ReadOnly<string | null>;
  memo: ReadOnly<string | null>;
  exact: ReadOnly<string | null>;
  taxpayer: ReadOnly<string | null>;
  original_period: ReadOnly<string | null>;
  recorded_at: ReadOnly<string | null>;
  description: ReadOnly<string | null>;
}

export interface BooksWaivers {
  entity_id: ReadOnly<string | null>;
  break_id: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  difference: ReadOnly<string | null>;
  prepared_by: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  approved_at: ReadOnly<string | null>;
  proposal_id: ReadOnly<string | null>;
  approved_by: ReadOnly<string | null>;
}

export interface BooksWalletTransactions {
  entity_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  type: ReadOnly<string | null>;
  subtype: ReadOnly<string | null>;
  method: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
  date: ReadOnly<string | null>;
  completed_at: ReadOnly<string | null>;
  canceled_at: ReadOnly<string | null>;
  origin_class: ReadOnly<string | null>;
  origin_pocket_id: ReadOnly<string | null>;
  origin_currency: ReadOnly<string | null>;
  origin_amount: ReadOnly<string | null>;
  destination_class: ReadOnly<string | null>;
  destination_pocket_id: ReadOnly<string | null>;
  destination_currency: ReadOnly<string | null>;
  destination_amount: ReadOnly<string | null>;
  destination_amount_after_fees: ReadOnly<string | null>;
  denomination_amount: ReadOnly<string | null>;
  denomination_currency: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
  outcome: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  origin_address: ReadOnly<string | null>;
  origin_network: ReadOnly<string | null>;
  destination_address: ReadOnly<string | null>;
  destination_network: ReadOnly<string | null>;
  transaction_hash: ReadOnly<string | null>;
  fee_teller_id: ReadOnly<string | null>;
  instant_id: ReadOnly<string | null>;
  rate: ReadOnly<string | null>;
  rate_base: ReadOnly<string | null>;
  rate_quote: ReadOnly<string | null>;
  destination_rate: ReadOnly<string | null>;
  destination_rate_base: ReadOnly<string | null>;
  destination_rate_quote: ReadOnly<string | null>;
  flip_fee_amount: ReadOnly<string | null>;
  flip_fee_currency: ReadOnly<string | null>;
  flip_fee_percentage: ReadOnly<string | null>;
}

export interface BooksWorkingCapital {
  entity_id: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  type: ReadOnly<string | null>;
  limit_amount: ReadOnly<string | null>;
  used: ReadOnly<string | null>;
  remaining: ReadOnly<string | null>;
  threshold: ReadOnly<string | null>;
  taken_at: ReadOnly<string | null>;
  request_id: ReadOnly<string | null>;
}

export interface BooksInternalAcquiredLots {
  taxpayer: ReadOnly<string | null>;
  entity_id: ReadOnly<string | null>;
  lot_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  leg: ReadOnly<number | null>;
  pool: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  acquired_at: ReadOnly<string | null>;
  units: ReadOnly<string | null>;
  cost: ReadOnly<string | null>;
  origin: ReadOnly<string | null>;
  seq: ReadOnly<string | null>;
  method: ReadOnly<string | null>;
}

export interface BooksInternalAddressVersions {
  entity_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  payload: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
  request_id: ReadOnly<string | null>;
  address_hash: ReadOnly<string | null>;
}

export interface BooksInternalAnswers {
  entity_id: ReadOnly<string | null>;
  run_id: ReadOnly<string | null>;
  request_id: ReadOnly<string | null>;
  operation: ReadOnly<string | null>;
  taken_at: ReadOnly<string | null>;
  payload: ReadOnly<string | null>;
}

export interface BooksInternalApprovalEffects {
  entity_id: ReadOnly<string | null>;
  proposal_id: ReadOnly<string | null>;
  action: ReadOnly<string | null>;
  approved_by: ReadOnly<string | null>;
  approved_at: ReadOnly<string | null>;
  is_in_month: ReadOnly<boolean | null>;
  wanted: ReadOnly<number | null>;
  stored: ReadOnly<string | null>;
}

export interface BooksInternalAssetClasses {
  currency: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  class: ReadOnly<string | null>;
}

export interface BooksInternalAssetDays {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  through_day: ReadOnly<string | null>;
  days_below: ReadOnly<number | null>;
  first_below: ReadOnly<string | null>;
  lowest: ReadOnly<string | null>;
  lowest_on: ReadOnly<string | null>;
  effective_day: ReadOnly<string | null>;
  debit: ReadOnly<string | null>;
  credit: ReadOnly<string | null>;
}

export interface BooksInternalAssetLows {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  days_below: ReadOnly<string | null>;
  first_below: ReadOnly<string | null>;
  lowest: ReadOnly<string | null>;
  lowest_on: ReadOnly<string | null>;
}

export interface BooksInternalBookState {
  entity_id: ReadOnly<string | null>;
  table_name: ReadOnly<string | null>;
  part: ReadOnly<string | null>;
  number: ReadOnly<string | null>;
  link: ReadOnly<string | null>;
}

export interface BooksInternalBookedAmounts {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  side: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  rule_version: ReadOnly<number | null>;
  record_at: ReadOnly<string | null>;
  entry_number: ReadOnly<string | null>;
}

export interface BooksInternalBookedPairs {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
}

export interface BooksInternalBreakPrices {
  entity_id: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  price: ReadOnly<string | null>;
}

export interface BooksInternalBudgets {
  entity_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  ceiling: ReadOnly<string | null>;
  prepared_by: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  approved_at: ReadOnly<string | null>;
  proposal_id: ReadOnly<string | null>;
  approved_by: ReadOnly<string | null>;
}

export interface BooksInternalChainEnds {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  address: ReadOnly<string | null>;
  network: ReadOnly<string | null>;
  hash: ReadOnly<string | null>;
  pocket_id: ReadOnly<string | null>;
}

export interface BooksInternalChosenLots {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  choice_number: ReadOnly<string | null>;
  lot_entity_id: ReadOnly<string | null>;
  lot_id: ReadOnly<string | null>;
  acquired_at: ReadOnly<string | null>;
  units: ReadOnly<string | null>;
}

export interface BooksInternalClearingDays {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  effective_day: ReadOnly<string | null>;
  debit: ReadOnly<string | null>;
  credit: ReadOnly<string | null>;
  unmatched: ReadOnly<number | null>;
}

export interface BooksInternalClosedThrough {
  entity_id: ReadOnly<string | null>;
  through: ReadOnly<string | null>;
}

export interface BooksInternalConservationLines {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  record_at: ReadOnly<string | null>;
  rule_version: ReadOnly<number | null>;
  side: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  landed: ReadOnly<string | null>;
  booked: ReadOnly<string | null>;
  set_aside: ReadOnly<string | null>;
}

export interface BooksInternalConservationProof {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  rule_version: ReadOnly<number | null>;
  landed: ReadOnly<string | null>;
  booked: ReadOnly<string | null>;
  rejected: ReadOnly<string | null>;
  set_aside: ReadOnly<string | null>;
}

export interface BooksInternalConservationSums {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  rule_version: ReadOnly<number | null>;
  side: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  landed: ReadOnly<string | null>;
  booked: ReadOnly<string | null>;
  set_aside: ReadOnly<string | null>;
  difference: ReadOnly<string | null>;
}

export interface BooksInternalCountedRecords {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  record_at: ReadOnly<string | null>;
  rule_version: ReadOnly<number | null>;
  counted_as: ReadOnly<string | null>;
}

export interface BooksInternalDaily {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  effective_day: ReadOnly<string | null>;
  recorded_at: ReadOnly<string | null>;
  debit: ReadOnly<string | null>;
  credit: ReadOnly<string | null>;
}

export interface BooksInternalDuties {
  version: ReadOnly<number | null>;
  is_one_person: ReadOnly<boolean | null>;
  set_by: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  set_at: ReadOnly<string | null>;
}

export interface BooksInternalEntriesOnTime {
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  effective_at: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  kind: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  reverses: ReadOnly<string | null>;
  description: ReadOnly<string | null>;
  recorded_at: ReadOnly<string | null>;
}

export interface BooksInternalEntryLeaves {
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  leaf: ReadOnly<Buffer | null>;
}

export interface BooksInternalExternalMarks {
  entity_id: ReadOnly<string | null>;
  account_name: ReadOnly<string | null>;
  line_number: ReadOnly<number | null>;
  booked_on: ReadOnly<string | null>;
  value_on: ReadOnly<string | null>;
  happened_at: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  hash: ReadOnly<string | null>;
  address: ReadOnly<string | null>;
  reference_marks: ReadOnly<string[] | null>;
  is_related: ReadOnly<boolean | null>;
}

export interface BooksInternalExternalNumbers {
  entity_id: ReadOnly<string | null>;
  account_name: ReadOnly<string | null>;
  kind: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  number_marks: ReadOnly<string[] | null>;
  address: ReadOnly<string | null>;
}

export interface BooksInternalExternalPairs {
  entity_id: ReadOnly<string | null>;
  account_name: ReadOnly<string | null>;
  line_number: ReadOnly<number | null>;
  entry_id: ReadOnly<string | null>;
  kind: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  line_amount: ReadOnly<string | null>;
  entry_amount: ReadOnly<string | null>;
  fee: ReadOnly<string | null>;
  difference: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  effective_at: ReadOnly<string | null>;
  effective_day: ReadOnly<string | null>;
  days_apart: ReadOnly<number | null>;
  grounds: ReadOnly<string | null>;
  run_id: ReadOnly<string | null>;
  matched_at: ReadOnly<string | null>;
  stands: ReadOnly<boolean | null>;
}

export interface BooksInternalExternalPlaces {
  kind: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
}

export interface BooksInternalFarNames {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  name: ReadOnly<string | null>;
}

export interface BooksInternalGatewayUsers {
  entity_id: ReadOnly<string | null>;
  gateway_user_id: ReadOnly<string | null>;
  subaccount_id: ReadOnly<string | null>;
}

export interface BooksInternalHashedMoves {
  entity_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  is_sent: ReadOnly<boolean | null>;
  name: ReadOnly<string | null>;
}

export interface BooksInternalLabelledIds {
  kind: ReadOnly<string | null>;
  id: ReadOnly<string | null>;
}

export interface BooksInternalLandedRecords {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  scope: ReadOnly<string | null>;
  record_at: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
  payload: ReadOnly<string | null>;
  request_id: ReadOnly<string | null>;
}

export interface BooksInternalLastCompared {
  entity_id: ReadOnly<string | null>;
  run_id: ReadOnly<string | null>;
  compared_at: ReadOnly<string | null>;
}

export interface BooksInternalLastTies {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  tied_at: ReadOnly<string | null>;
  broke_at: ReadOnly<string | null>;
  first_difference: ReadOnly<string | null>;
  decimals: ReadOnly<number | null>;
  tied_to: ReadOnly<string | null>;
}

export interface BooksInternalLatestRecords {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  scope: ReadOnly<string | null>;
  digest: ReadOnly<Buffer | null>;
  payload: ReadOnly<string | null>;
  record_at: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
  request_id: ReadOnly<string | null>;
}

export interface BooksInternalListRequests {
  entity_id: ReadOnly<string | null>;
  run_id: ReadOnly<string | null>;
  request_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  is_by_id: ReadOnly<boolean | null>;
  rows: ReadOnly<number | null>;
}

export interface BooksInternalListTotals {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  scope: ReadOnly<string | null>;
  total: ReadOnly<number | null>;
  landed: ReadOnly<number | null>;
}

export interface BooksInternalListedEntities {
  entity_id: ReadOnly<string | null>;
}

export interface BooksInternalListedPockets {
  entity_id: ReadOnly<string | null>;
  pocket_id: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  first_listed_at: ReadOnly<string | null>;
  listed_in: ReadOnly<string | null>;
  absent_until: ReadOnly<string | null>;
  named_after: ReadOnly<string | null>;
  named_until: ReadOnly<string | null>;
}

export interface BooksInternalLists {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  scope: ReadOnly<string | null>;
  newest_at: ReadOnly<string | null>;
  covered: ReadOnly<string | null>;
}

export interface BooksInternalLotUses {
  taxpayer: ReadOnly<string | null>;
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  use_id: ReadOnly<string | null>;
  pool: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  kind: ReadOnly<string | null>;
  lot_entity_id: ReadOnly<string | null>;
  lot_id: ReadOnly<string | null>;
  units: ReadOnly<string | null>;
  cost: ReadOnly<string | null>;
}

export interface BooksInternalMaskedAccounts {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  side: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
}

export interface BooksInternalNamedEnds {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  side: ReadOnly<string | null>;
  names_entity: ReadOnly<string | null>;
  names_by: ReadOnly<string | null>;
  elsewhere: ReadOnly<boolean | null>;
}

export interface BooksInternalNotFinal {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
}

export interface BooksInternalOpenLots {
  entity_id: ReadOnly<string | null>;
  lot_id: ReadOnly<string | null>;
}

export interface BooksInternalOpenOrders {
  entity_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  symbol: ReadOnly<string | null>;
  side: ReadOnly<string | null>;
  status: ReadOnly<string | null>;
  price: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  filled_amount: ReadOnly<string | null>;
}

export interface BooksInternalOwnAddresses {
  entity_id: ReadOnly<string | null>;
  pocket_id: ReadOnly<string | null>;
  address: ReadOnly<string | null>;
  network: ReadOnly<string | null>;
}

export interface BooksInternalOwnDays {
  entity_id: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  effective_day: ReadOnly<string | null>;
  debit: ReadOnly<string | null>;
  credit: ReadOnly<string | null>;
  addresses: ReadOnly<number | null>;
  lone: ReadOnly<number | null>;
}

export interface BooksInternalOwnNames {
  entity_id: ReadOnly<string | null>;
  name: ReadOnly<string | null>;
  is_account: ReadOnly<boolean | null>;
}

export interface BooksInternalPairedTotals {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  debit: ReadOnly<string | null>;
  credit: ReadOnly<string | null>;
  addresses: ReadOnly<number | null>;
}

export interface BooksInternalPaymentEnds {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  identifiers: ReadOnly<string[] | null>;
  concept: ReadOnly<string | null>;
  hash: ReadOnly<string | null>;
  side: ReadOnly<string | null>;
  bank_account: ReadOnly<string | null>;
  address: ReadOnly<string | null>;
  is_platform_card: ReadOnly<boolean | null>;
}

export interface BooksInternalPockets {
  entity_id: ReadOnly<string | null>;
  pocket_id: ReadOnly<string | null>;
}

export interface BooksInternalProvedIntervals {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  scope: ReadOnly<string | null>;
  covered: ReadOnly<string | null>;
  run_number: ReadOnly<string | null>;
}

export interface BooksInternalProvedTotals {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  scope: ReadOnly<string | null>;
  total: ReadOnly<number | null>;
  landed: ReadOnly<number | null>;
}

export interface BooksInternalRecordLegs {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  debit: ReadOnly<string | null>;
  credit: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  entry_number: ReadOnly<string | null>;
}

export interface BooksInternalRecordOutcomes {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  rule_version: ReadOnly<number | null>;
  outcome: ReadOnly<string | null>;
  record_at: ReadOnly<string | null>;
  is_latest: ReadOnly<boolean | null>;
}

export interface BooksInternalRecordVersions {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  scope: ReadOnly<string | null>;
  record_at: ReadOnly<string | null>;
  landed_at: ReadOnly<string | null>;
  payload: ReadOnly<string | null>;
  request_id: ReadOnly<string | null>;
  outcome: ReadOnly<string | null>;
  rule_version: ReadOnly<number | null>;
  is_latest: ReadOnly<boolean | null>;
}

export interface BooksInternalReferenceStreams {
  stream: ReadOnly<string | null>;
  is_listed: ReadOnly<boolean | null>;
}

export interface BooksInternalRejectDecisions {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  decision: ReadOnly<string | null>;
  decided_by: ReadOnly<string | null>;
  decision_reason: ReadOnly<string | null>;
  decided_at: ReadOnly<string | null>;
}

export interface BooksInternalReportedAmounts {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  outcome: ReadOnly<string | null>;
  side: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  rule_version: ReadOnly<number | null>;
  record_at: ReadOnly<string | null>;
}

export interface BooksInternalReservedByOrders {
  entity_id: ReadOnly<string | null>;
  order_id: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  units: ReadOnly<string | null>;
}

export interface BooksInternalRunConservation {
  run_id: ReadOnly<string | null>;
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  rule_version: ReadOnly<number | null>;
  landed: ReadOnly<number | null>;
  booked: ReadOnly<number | null>;
  rejected: ReadOnly<number | null>;
  set_aside: ReadOnly<number | null>;
  sums: ReadOnly<string | null>;
}

export interface BooksInternalSealedEntities {
  entity_id: ReadOnly<string | null>;
}

export interface BooksInternalSealedFiles {
  entity_id: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  name: ReadOnly<string | null>;
  part: ReadOnly<number | null>;
  content: ReadOnly<string | null>;
}

export interface BooksInternalSnapshots {
  entity_id: ReadOnly<string | null>;
  run_id: ReadOnly<string | null>;
  request_id: ReadOnly<string | null>;
  product: ReadOnly<string | null>;
  phase: ReadOnly<string | null>;
  taken_at: ReadOnly<string | null>;
}

export interface BooksInternalStandingStatements {
  entity_id: ReadOnly<string | null>;
  account_name: ReadOnly<string | null>;
  statement_number: ReadOnly<number | null>;
  starts_on: ReadOnly<string | null>;
  ends_on: ReadOnly<string | null>;
  closing: ReadOnly<string | null>;
  lines: ReadOnly<number | null>;
}

export interface BooksInternalStandingWaivers {
  entity_id: ReadOnly<string | null>;
  break_id: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  prepared_by: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  approved_at: ReadOnly<string | null>;
}

export interface BooksInternalStatedLots {
  entity_id: ReadOnly<string | null>;
  acquired_on: ReadOnly<string | null>;
  cost_currency: ReadOnly<string | null>;
  is_external: ReadOnly<boolean | null>;
}

export interface BooksInternalStatementReach {
  entity_id: ReadOnly<string | null>;
  account_name: ReadOnly<string | null>;
  statement_number: ReadOnly<number | null>;
  imported_at: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
}

export interface BooksInternalStood {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  effective_at: ReadOnly<string | null>;
  cancelled_at: ReadOnly<string | null>;
  nth: ReadOnly<string | null>;
  times: ReadOnly<string | null>;
  last_entry_id: ReadOnly<string | null>;
  last_effective_at: ReadOnly<string | null>;
  last_cancelled_at: ReadOnly<string | null>;
}

export interface BooksInternalStreams {
  stream: ReadOnly<string | null>;
  product: ReadOnly<string | null>;
  is_per_item: ReadOnly<boolean | null>;
}

export interface BooksInternalSubaccounts {
  main_entity_id: ReadOnly<string | null>;
  entity_id: ReadOnly<string | null>;
  listed_at: ReadOnly<string | null>;
  is_read: ReadOnly<boolean | null>;
}

export interface BooksInternalTotals {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  debit: ReadOnly<string | null>;
  credit: ReadOnly<string | null>;
}

export interface BooksInternalTransactionAddresses {
  entity_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  address_hash: ReadOnly<string | null>;
}

export interface BooksInternalTransferFees {
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  from_entity: ReadOnly<string | null>;
  from_entry_id: ReadOnly<string | null>;
  to_entity: ReadOnly<string | null>;
  to_entry_id: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  grounds: ReadOnly<string | null>;
  stands: ReadOnly<boolean | null>;
  entry_number: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
}

export interface BooksInternalUnapprovedEntries {
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  recorded_at: ReadOnly<string | null>;
}

export interface BooksInternalUncheckedEntities {
  run_id: ReadOnly<string | null>;
  entity_id: ReadOnly<string | null>;
  after_request: ReadOnly<string | null>;
}

export interface BooksInternalUnpairedClearing {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
}

export interface BooksInternalUnvalued {
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  line: ReadOnly<number | null>;
  missing: ReadOnly<string | null>;
}

export interface BooksInternalValueAcceptances {
  entity_id: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  findings_max: ReadOnly<number | null>;
  prepared_by: ReadOnly<string | null>;
  reason: ReadOnly<string | null>;
  approved_at: ReadOnly<string | null>;
  proposal_id: ReadOnly<string | null>;
  approved_by: ReadOnly<string | null>;
}

export interface BooksInternalValueByMonth {
  entity_id: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  subject: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  units: ReadOnly<string | null>;
  exact: ReadOnly<string | null>;
  value: ReadOnly<string | null>;
}

export interface BooksInternalValueLeaves {
  entity_id: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  subject: ReadOnly<string | null>;
  leaf: ReadOnly<Buffer | null>;
}

export interface BooksInternalValueLines {
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  line: ReadOnly<number | null>;
  leg: ReadOnly<number | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  units: ReadOnly<string | null>;
  value: ReadOnly<string | null>;
  exact: ReadOnly<string | null>;
  value_currency: ReadOnly<string | null>;
  rule: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  source: ReadOnly<string | null>;
  path: ReadOnly<string | null>;
  age_seconds: ReadOnly<number | null>;
  fee: ReadOnly<string | null>;
  fee_in_cost: ReadOnly<string | null>;
  fee_in_proceeds: ReadOnly<string | null>;
  fee_expensed: ReadOnly<string | null>;
}

export interface BooksInternalValueMonthly {
  entity_id: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  booked_in: ReadOnly<string | null>;
  effective_in: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  value_currency: ReadOnly<string | null>;
  exact: ReadOnly<string | null>;
  value: ReadOnly<string | null>;
  debit: ReadOnly<string | null>;
  credit: ReadOnly<string | null>;
  unvalued: ReadOnly<string | null>;
  missing: ReadOnly<string | null>;
}

export interface BooksInternalValues {
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  leg: ReadOnly<number | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  units: ReadOnly<string | null>;
  value: ReadOnly<string | null>;
  value_currency: ReadOnly<string | null>;
  rule: ReadOnly<string | null>;
  source: ReadOnly<string | null>;
  path: ReadOnly<string | null>;
  age: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  taxpayer: ReadOnly<string | null>;
}

export interface BooksInternalVersionAmounts {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  outcome: ReadOnly<string | null>;
  side: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  rule_version: ReadOnly<number | null>;
  record_at: ReadOnly<string | null>;
  is_latest: ReadOnly<boolean | null>;
}

export interface BooksInternalVersionLegs {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  record_id: ReadOnly<string | null>;
  version: ReadOnly<number | null>;
  rule_version: ReadOnly<number | null>;
  record_at: ReadOnly<string | null>;
  debit: ReadOnly<string | null>;
  credit: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  amount: ReadOnly<string | null>;
  entry_number: ReadOnly<string | null>;
  is_latest: ReadOnly<boolean | null>;
}

export interface BooksInternalWatermarks {
  entity_id: ReadOnly<string | null>;
  stream: ReadOnly<string | null>;
  scope: ReadOnly<string | null>;
  watermark: ReadOnly<string | null>;
}

export interface DecideApprovals {
  entity_id: string;
  proposal_id: string;
  verdict: string;
  reason: string | null;
  prepared_by: string;
  approved_by: string;
  approved_at: string;
  period: string | null;
  original_period: string | null;
  duties_version: number | null;
  position: GeneratedAlways<string>;
}

export interface DecideBatchCopies {
  entity_id: string;
  year: number;
  batch_number: number;
  copy_id: GeneratedAlways<string>;
  by_name: string;
  at: string;
  position: GeneratedAlways<string>;
}

export interface DecideBatchLines {
  entity_id: string;
  year: number;
  batch_number: number;
  line: number;
  ordinal: number;
  entry_id: string;
  day: string;
  kind: string;
  stream: string;
  record_id: string;
  account: string;
  currency: string;
  counterparty_type: string;
  units: string;
  value: string;
  code: string;
  name: string;
  tax: string;
  dimension1: string;
  dimension2: string;
  position: GeneratedAlways<string>;
}

export interface DecideBatches {
  entity_id: string;
  year: number;
  batch_number: number;
  package: string;
  period: string;
  currency: string;
  timezone: string;
  map_sha256: string;
  settings: string;
  facts: string;
  summary: string | null;
  entries: number;
  lines: number;
  by_name: string;
  at: string;
  position: GeneratedAlways<string>;
}

export interface DecideBudgets {
  entity_id: string;
  version: number;
  ceiling: string;
  by_name: string;
  reason: string;
  at: string;
  proposal_id: string;
  position: GeneratedAlways<string>;
}

export interface DecideChartClasses {
  version: number;
  currency: string;
  class: string;
  position: GeneratedAlways<string>;
}

export interface DecideChartLines {
  version: number;
  line: number;
  account: string;
  class: string;
  currency: string;
  code: string;
  name_en: string;
  name_es: string;
  name_de: string;
  statement: string;
  statement_class: string;
  position: GeneratedAlways<string>;
}

export interface DecideCharts {
  version: number;
  for_entity: string | null;
  chart: string;
  from_month: string;
  by_name: string;
  at: string;
  proposal_entity: string;
  proposal_id: string;
  position: GeneratedAlways<string>;
}

export interface DecideCounterpartyAccounts {
  entity_id: string;
  version: number;
  line: number;
  commitment: string;
  position: GeneratedAlways<string>;
}

export interface DecideCounterpartyFiles {
  version: number;
  file_name: string;
  by_name: string;
  at: string;
  proposal_entity: string | null;
  proposal_id: string | null;
  position: GeneratedAlways<string>;
}

export interface DecideCounterpartyRules {
  version: number;
  line: number;
  class: string | null;
  address: string | null;
  bank_account: string | null;
  operation: string | null;
  counterparty: string;
  counterparty_type: string;
  position: GeneratedAlways<string>;
}

export interface DecideDismissals {
  entity_id: string;
  stream: string;
  record_id: string;
  version: number;
  by_name: string;
  reason: string;
  at: string;
  proposal_id: string | null;
  position: GeneratedAlways<string>;
}

export interface DecideDuties {
  version: number;
  is_one_person: boolean;
  by_name: string;
  reason: string;
  at: string;
  position: GeneratedAlways<string>;
}

export interface DecideExternalLots {
  entity_id: string;
  lot_number: GeneratedAlways<string>;
  currency: string;
  units: string;
  cost: string;
  cost_currency: string;
  acquired_on: string;
  file_name: string;
  file_sha256: string;
  line: number;
  evidence_name: string;
  evidence_sha256: string;
  reason: string;
  by_name: string;
  at: string;
  proposal_id: string | null;
}

export interface DecideLabelFiles {
  version: number;
  file_name: string;
  by_name: string;
  at: string;
  proposal_entity: string;
  proposal_id: string;
  position: GeneratedAlways<string>;
}

export interface DecideLabels {
  version: number;
  kind: string;
  id: string;
  label: string;
  position: GeneratedAlways<string>;
}

export interface DecideLotChoices {
  entity_id: string;
  choice_number: GeneratedAlways<string>;
  stream: string;
  record_id: string;
  currency: string;
  lot_entity_id: string;
  lot_id: string;
  acquired_at: string;
  units: string;
  file_name: string;
  file_sha256: string;
  line: number;
  reason: string;
  by_name: string;
  at: string;
  proposal_id: string;
}

export interface DecideProfiles {
  entity_id: string;
  version: number;
  legal_name: string | null;
  tax_id: string | null;
  taxpayer: string | null;
  owner: string | null;
  currency: string | null;
  timezone: string | null;
  cost_method: string | null;
  by_name: string;
  at: string;
  proposal_entity: string | null;
  proposal_id: string | null;
  position: GeneratedAlways<string>;
  fiscal_year_start: number | null;
  lot_rules: string | null;
  residence: string | null;
}

export interface DecideProposals {
  entity_id: string;
  proposal_id: string;
  action: string;
  content: string;
  reason: string;
  evidence_name: string | null;
  evidence_sha256: string | null;
  prepared_by: string;
  prepared_at: string;
  content_sha256: string | null;
  position: GeneratedAlways<string>;
}

export interface DecideReopenings {
  entity_id: string;
  period: string;
  seal_number: number;
  requests_to: string;
  by_name: string;
  reason: string;
  at: string;
  position: GeneratedAlways<string>;
}

export interface DecideSealApprovals {
  entity_id: string;
  period: string;
  seal_number: number;
  prepared_by: string;
  approved_by: string;
  approved_at: string;
  position: GeneratedAlways<string>;
}

export interface DecideSealClosings {
  entity_id: string;
  period: string;
  seal_number: number;
  subject: string;
  currency: string;
  units: string;
  exact: string | null;
  value: string | null;
}

export interface DecideSealFiles {
  entity_id: string;
  period: string;
  seal_number: number;
  name: string;
  part: number;
  content: string;
}

export interface DecideSealLeaves {
  entity_id: string;
  period: string;
  seal_number: number;
  entry_id: string;
  leaf: Buffer;
}

export interface DecideSealValues {
  entity_id: string;
  period: string;
  seal_number: number;
  subject: string;
  leaf: Buffer;
}

export interface DecideSeals {
  entity_id: string;
  period: string;
  seal_number: number;
  requests_to: string;
  entries: number;
  root: string;
  seal: string;
  prepared_by: string;
  sealed_at: string;
  position: GeneratedAlways<string>;
}

export interface DecideValueAcceptances {
  entity_id: string;
  period: string;
  proposal_id: string;
  findings_max: number;
  by_name: string;
  reason: string;
  at: string;
  position: GeneratedAlways<string>;
}

export interface DecideWaivers {
  entity_id: string;
  waiver_id: GeneratedAlways<string>;
  break_id: string;
  period: string;
  difference: string | null;
  by_name: string;
  reason: string;
  at: string;
  proposal_id: string | null;
}

export interface LandAnswers {
  entity_id: string;
  request_id: string;
  operation: string;
  taken_at: string;
  payload: string;
}

export interface LandAuthorizations {
  entity_id: string;
  delivery_number: string;
  received_at: string;
  transaction_id: string | null;
  user_id: string | null;
  transaction_type: string | null;
  amount: string | null;
  currency: string | null;
  is_authorized: boolean;
  reason: string;
  body: string;
  body_sha256: string;
}

export interface LandBalances {
  entity_id: string;
  request_id: string;
  item_id: string;
  currency: string;
  balance: string | null;
  blocked: string | null;
  total: string | null;
  payload: string;
}

export interface LandCoverage {
  entity_id: string;
  stream: string;
  scope: Generated<string>;
  covered: string;
  newest_at: string | null;
  landed: Generated<number>;
  records_sum: Generated<string>;
  page_seal: Generated<string>;
  leaf_seal: Generated<string>;
}

export interface LandErasedRecords {
  entity_id: string;
  stream: string;
  record_id: string;
  erasure_id: string;
  position: GeneratedAlways<string>;
}

export interface LandErasures {
  entity_id: string;
  erasure_id: string;
  at: string;
  by_name: string;
  reason: string;
  asked_for: string;
  commitment: Buffer | null;
  retention_years: number;
  records_erased: number;
  fields_erased: number;
  kept_by_retention: number;
  kept_by_hold: number;
  first_may_go_at: string | null;
  last_may_go_at: string | null;
  position: GeneratedAlways<string>;
}

export interface LandExternalAccounts {
  entity_id: string;
  account_name: string;
  kind: string;
  currency: string;
  masked: string | null;
  number_marks: string[];
  address: string | null;
  network: string | null;
  by_name: string;
  at: string;
  position: GeneratedAlways<string>;
}

export interface LandExternalLines {
  entity_id: string;
  account_name: string;
  line_number: number;
  statement_number: number;
  file_line: number;
  booked_on: string;
  value_on: string;
  happened_at: string | null;
  amount: string;
  hash: string | null;
  address: string | null;
  reference_marks: string[];
  is_related: boolean;
  payload: string;
  position: GeneratedAlways<string>;
}

export interface LandExternalStatements {
  entity_id: string;
  account_name: string;
  statement_number: number;
  format: string;
  reading: string | null;
  file_name: string;
  file_sha256: string;
  bank_number: string | null;
  starts_on: string;
  ends_on: string;
  opening: string | null;
  closing: string | null;
  lines: number;
  by_name: string;
  at: string;
  position: GeneratedAlways<string>;
}

export interface LandExternalWithdrawals {
  entity_id: string;
  account_name: string;
  statement_number: number;
  reason: string;
  by_name: string;
  at: string;
  position: GeneratedAlways<string>;
}

export interface LandHeldRecords {
  entity_id: string;
  hold_id: string;
  stream: string;
  record_id: string;
  position: GeneratedAlways<string>;
}

export interface LandHoldReleases {
  entity_id: string;
  hold_id: string;
  at: string;
  by_name: string;
  reason: string;
  position: GeneratedAlways<string>;
}

export interface LandHolds {
  entity_id: string;
  hold_id: string;
  at: string;
  by_name: string;
  reason: string;
  commitment: Buffer;
  position: GeneratedAlways<string>;
}

export interface LandInbox {
  entity_id: string;
  stream: string;
  record_id: string;
  version: number;
  request_id: string;
}

export interface LandLeaves {
  entity_id: string;
  stream: string;
  scope: Generated<string>;
  leaf_id: GeneratedAlways<string>;
  walk_id: string;
  run_id: string;
  request_id: string;
  proof: string;
  covered: string;
  list_total: number | null;
  records: number;
  records_sum: string;
  seal: string;
}

export interface LandOfficialFiles {
  entity_id: string;
  file_id: GeneratedAlways<string>;
  source: string;
  name: string;
  sha256: string;
  by_name: string;
  at: string;
  proposal_id: string | null;
}

export interface LandOfficialRates {
  entity_id: string;
  currency: string;
  day: string;
  file_id: string;
  quote: string;
  rate: string;
}

export interface LandPages {
  entity_id: string;
  request_id: string;
  stream: string;
  scope: Generated<string>;
  walk_id: string;
  is_full: boolean;
  oldest_at: string | null;
  list_offset: number | null;
  list_total: number | null;
  cursor_in: string | null;
  cursor_out: string | null;
  brought: number;
  fresh: number;
  brought_sum: string;
  seal: string;
}

export interface LandPeople {
  entity_id: string;
  stream: string;
  record_id: string;
  version: number;
  path: string;
  value: string;
}

export interface LandPeopleKeys {
  entity_id: string;
  key: Buffer;
  position: GeneratedAlways<string>;
}

export interface LandPockets {
  entity_id: string;
  pocket_id: string;
  currency: string;
  first_listed_at: string;
  position: GeneratedAlways<string>;
}

export interface LandRateLists {
  entity_id: string;
  request_id: string;
  entry: number;
  source: string;
  subject: Generated<string>;
  at: string | null;
  payload: string;
  received: number;
  skipped: number;
}

export interface LandRates {
  entity_id: string;
  currency: string;
  at: string;
  request_id: string;
  entry: number;
  rate: string;
}

export interface LandRecords {
  entity_id: string;
  stream: string;
  record_id: string;
  version: number;
  scope: Generated<string>;
  digest: Buffer;
  payload: string;
  record_at: string | null;
  landed_at: string;
  request_id: string;
}

export interface LandRequests {
  entity_id: string;
  request_id: GeneratedAlways<string>;
  run_id: string;
  stream: string;
  scope: Generated<string>;
  method: string;
  target: string;
  status: number;
  gateway_date: string | null;
  gateway_request_id: string | null;
  body_sha256: string;
  rows: number;
  sent_at: string;
}

export interface LandResumeTokens {
  entity_id: string;
  stream: string;
  scope: Generated<string>;
  token: string;
  saved_at: string;
}

export interface LandSnapshots {
  entity_id: string;
  request_id: string;
  run_id: string;
  product: string;
  phase: string;
  taken_at: string;
}

export interface LedgerDaily {
  entity_id: string;
  account: string;
  currency: string;
  effective_day: string;
  recorded_at: string;
  debit: string;
  credit: string;
}

export interface LedgerDailySums {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  effective_day: ReadOnly<string | null>;
  recorded_at: ReadOnly<string | null>;
  debit: ReadOnly<string | null>;
  credit: ReadOnly<string | null>;
}

export interface LedgerEntries {
  entity_id: string;
  entry_id: string;
  effective_at: string;
  recorded_at: string;
  period: string;
  kind: string;
  stream: string;
  record_id: string;
  version: number;
  ordinal: number;
  reverses: string | null;
  rule_version: number;
  description: string;
  original_period: string | null;
  entry_number: Generated<string>;
  undoes: string | null;
}

export interface LedgerOutcomes {
  entity_id: string;
  stream: string;
  record_id: string;
  version: number;
  outcome: string;
  reason: string | null;
  final: boolean;
  rule_version: number;
}

export interface LedgerRestatements {
  entity_id: string;
  stream: string;
  record_id: string;
  restatement_id: GeneratedAlways<string>;
  version: number;
  ordinal: number | null;
  at: string;
  by_name: string | null;
  reason: string | null;
  from_rule: number;
  to_rule: number;
  was_outcome: string;
  was_reason: string | null;
}

export interface LedgerReturns {
  entity_id: string;
  entry_id: string;
  undone_by: string;
  redone_as: string;
  period: string;
  at: string;
  position: GeneratedAlways<string>;
}

export interface LedgerTotalSums {
  entity_id: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  debit: ReadOnly<string | null>;
  credit: ReadOnly<string | null>;
}

export interface LedgerTotals {
  entity_id: string;
  account: string;
  currency: string;
  debit: string;
  credit: string;
}

export interface LedgerTransfers {
  entity_id: string;
  entry_id: string;
  leg: number;
  debit: string;
  credit: string;
  currency: string;
  amount: string;
}

export interface PublicSchemaMigrations {
  version: string;
}

export interface ReconcileBreakEvents {
  entity_id: string;
  break_id: string;
  event_id: GeneratedAlways<string>;
  at: string;
  run_id: string;
  by_name: string | null;
  status: string;
  difference: string | null;
  reason: string;
}

export interface ReconcileBreaks {
  entity_id: string;
  break_id: string;
  check_name: string;
  subject: string;
  account: string | null;
  currency: string | null;
  reported: string | null;
  booked: string | null;
  difference: string | null;
  status: string;
  reason: string;
  reason_parts: string | null;
  opened_at: string;
  resolved_at: string | null;
  run_id: string;
  since: string;
  assigned_to: string | null;
  explanation: string | null;
  explained_by: string | null;
  explained_records: string[] | null;
  resolved_by: string | null;
  tied_run_id: string | null;
  diverged_at: string | null;
  diverged_after: string | null;
  position: GeneratedAlways<string>;
}

export interface ReconcileCandidates {
  entity_id: string;
  break_id: string;
  reading: number;
  rank: number;
  run_id: string;
  kind: string;
  confidence: string;
  sentence: string;
  records: string[];
  proof: string;
  position: GeneratedAlways<string>;
}

export interface ReconcileClearingDays {
  entity_id: string;
  account: string;
  currency: string;
  effective_day: string;
  debit: string;
  credit: string;
  unmatched: number;
}

export interface ReconcileClearingMatches {
  entity_id: string;
  debit_entry_id: string;
  credit_entry_id: string;
  account: string;
  currency: string;
  amount: string;
  debit_stream: string;
  debit_record_id: string;
  debit_at: string;
  credit_stream: string;
  credit_record_id: string;
  credit_at: string;
  grounds: string;
  run_id: string;
  matched_at: string;
  position: GeneratedAlways<string>;
}

export interface ReconcileConfirmationLines {
  entity_id: string;
  confirmation_id: string;
  account: string;
  currency: string;
  line: number | null;
  stated: string | null;
  booked: string;
  difference: string;
  status: string;
  position: GeneratedAlways<string>;
}

export interface ReconcileConfirmationYearLines {
  entity_id: string;
  confirmation_id: string;
  asset: string;
  what: string;
  sub_type: string;
  line: number | null;
  stated_units: string | null;
  booked_units: string;
  stated_value: string | null;
  booked_value: string | null;
  valued: string;
  stated_count: string | null;
  booked_count: string;
  valuation: string | null;
  status: string;
  differing: string[];
  position: GeneratedAlways<string>;
}

export interface ReconcileConfirmations {
  entity_id: string;
  confirmation_id: string;
  as_of: string;
  year: string | null;
  currency: string | null;
  tolerance: string | null;
  file_name: string;
  file_sha256: string;
  evidence_name: string | null;
  evidence_sha256: string | null;
  by_name: string;
  at: string;
  covered_to: string | null;
  lines: number;
  agreed: number;
  differing: number;
  position: GeneratedAlways<string>;
}

export interface ReconcileExternalMatches {
  entity_id: string;
  account_name: string;
  line_number: number;
  entry_id: string;
  kind: string;
  account: string;
  currency: string;
  line_amount: string;
  entry_amount: string;
  fee: string;
  stream: string;
  record_id: string;
  effective_at: string;
  effective_day: string;
  days_apart: number;
  grounds: string;
  run_id: string;
  matched_at: string;
  position: GeneratedAlways<string>;
  is_return: boolean;
}

export interface ReconcileLows {
  entity_id: string;
  account: string;
  currency: string;
  through_day: string;
  debit: string;
  credit: string;
  days_below: number;
  first_below: string | null;
  lowest: string | null;
  lowest_on: string | null;
}

export interface ReconcileOwnDays {
  entity_id: string;
  currency: string;
  effective_day: string;
  debit: string;
  credit: string;
  addresses: number;
  lone: number;
}

export interface ReconcileOwnTransfers {
  from_entity: string;
  from_entry_id: string;
  to_entity: string;
  to_entry_id: string;
  currency: string;
  amount_out: string;
  amount_in: string;
  from_stream: string;
  from_record_id: string;
  from_at: string;
  to_stream: string;
  to_record_id: string;
  to_at: string;
  grounds: string;
  run_id: string;
  matched_at: string;
  position: GeneratedAlways<string>;
}

export interface ReconcilePairedTotals {
  entity_id: string;
  account: string;
  currency: string;
  debit: string;
  credit: string;
  addresses: number;
}

export interface ReconcileSeverities {
  severity: string;
  rank: number;
  value_from: string | null;
  age_from: number | null;
  due_days: number;
}

export interface ReconcileTieOuts {
  entity_id: string;
  run_id: string;
  account: string;
  currency: string;
  as_of: string;
  reported: string | null;
  booked: string;
  difference: string | null;
  status: string;
  reason: string | null;
  reading: Generated<number>;
  position: GeneratedAlways<string>;
}

export interface RunBudgets {
  budget_id: string;
  gateway: string;
  held_until: Generated<string>;
  opened_at: Generated<string>;
  banned_at: Generated<string>;
  last_nonce: Generated<string>;
  clock_ahead: Generated<string>;
  is_known: Generated<boolean>;
}

export interface RunConservation {
  entity_id: string;
  run_id: string;
  reading: number;
  stream: string;
  rule_version: number;
  landed: number;
  booked: number;
  rejected: number;
  set_aside: number;
  sums: string;
  position: GeneratedAlways<string>;
}

export interface RunEntities {
  entity_id: string;
  name: string;
  subaccount_id: string | null;
  gateway_user_id: string | null;
  timezone: string | null;
  currency: string | null;
  first_seen_at: string;
  full_read_at: string | null;
  named_to: string | null;
  position: GeneratedAlways<string>;
  fiscal_year_start: Generated<number>;
  platform_class: string | null;
}

export interface RunFindings {
  entity_id: string;
  run_id: string;
  finding_id: GeneratedAlways<string>;
  severity: string;
  subject: string;
  detail: string;
}

export interface RunHints {
  entity_id: string;
  event: string;
  hinted_at: string;
}

export interface RunLinks {
  position: GeneratedAlways<string>;
  entity_id: string;
  table_name: string;
  part: Generated<string>;
  link_number: number;
  run_id: string;
  columns: string[];
  rows: string;
  last_position: string | null;
  mark: string | null;
  digest: string;
  link: string;
}

export interface RunListening {
  entity_id: string;
  connected_since: string | null;
  seen_at: string;
}

export interface RunListings {
  entity_id: string;
  listing_id: GeneratedAlways<string>;
  run_id: string;
  listed_at: string;
  subaccounts: string[];
}

export interface RunNights {
  entity_id: string;
  run_id: string;
  began_at: string;
  lists_run_id: string;
  reason: string | null;
  position: GeneratedAlways<string>;
}

export interface RunOpenings {
  budget_id: string;
  run_id: string;
  opened_at: string;
}

export interface RunRuns {
  run_id: string;
  job: string;
  started_at: string;
  finished_at: string | null;
  exit_code: number | null;
  requests: Generated<number>;
  pages: Generated<number>;
  pages_fewest: Generated<number>;
  summary: string | null;
  run_number: GeneratedAlways<string>;
  entries_before: Generated<string>;
  requests_before: Generated<string>;
  position: string | null;
}

export interface RunSends {
  budget_id: string;
  send_id: GeneratedAlways<string>;
  account: string | null;
  per_second: number | null;
  remaining: number | null;
  sent_at: string;
  counts_at: string | null;
}

export interface RunTasks {
  entity_id: string;
  run_id: string;
  ended_at: string | null;
  result: string | null;
  failure: string | null;
  requests: Generated<number>;
}

export interface RunVerdicts {
  entity_id: string;
  run_id: string;
  verdict: string;
  position: GeneratedAlways<string>;
}

export interface RunWorkers {
  worker_id: string;
  host: string;
  pid: number;
  schedule: string;
  writes_files: boolean;
  started_at: Generated<string>;
}

export interface RunWriterLock {
  is_lock: boolean | null;
}

export interface ValueFindings {
  entity_id: string;
  entry_id: string;
  finding: number;
  taxpayer: string;
  period: string;
  leg: number | null;
  kind: string;
  severity: string;
  currency: string;
  units: string;
  detail: string;
}

export interface ValueLots {
  entity_id: string;
  lot_id: string;
  taxpayer: string;
  pool: string;
  currency: string;
  entry_id: string | null;
  leg: number | null;
  period: string;
  acquired_at: string;
  units: string;
  cost: string | null;
  origin: string;
  seq: string;
  method: string;
}

export interface ValueMonthly {
  entity_id: string;
  period: string;
  booked_in: string;
  effective_in: string;
  taxpayer: string;
  account: string;
  currency: string;
  value_currency: string;
  units: string;
  exact: string | null;
  value: string | null;
  debit: string | null;
  credit: string | null;
  unvalued: string;
  missing: string;
}

export interface ValueMonthlySums {
  entity_id: ReadOnly<string | null>;
  period: ReadOnly<string | null>;
  booked_in: ReadOnly<string | null>;
  effective_in: ReadOnly<string | null>;
  taxpayer: ReadOnly<string | null>;
  account: ReadOnly<string | null>;
  currency: ReadOnly<string | null>;
  value_currency: ReadOnly<string | null>;
  units: ReadOnly<string | null>;
  exact: ReadOnly<string | null>;
  value: ReadOnly<string | null>;
  debit: ReadOnly<string | null>;
  credit: ReadOnly<string | null>;
  unvalued: ReadOnly<string | null>;
  missing: ReadOnly<string | null>;
}

export interface ValueMonths {
  entity_id: string;
  period: string;
  taxpayer: string;
  entries: number;
  last_at: string;
  counterparties: string;
  fingerprint: string;
}

export interface ValueOpenLots {
  entity_id: string;
  lot_id: string;
  taxpayer: string;
  period: string;
}

export interface ValuePostings {
  entity_id: string;
  entry_id: string;
  line: number;
  taxpayer: string;
  leg: number | null;
  account: string;
  currency: string;
  units: string;
  exact: string | null;
  value: string | null;
  value_currency: string;
  period: string;
  rule: string;
  source: string;
  path: string | null;
  age_seconds: number | null;
  fee_in_cost: string | null;
  fee_in_proceeds: string | null;
  fee_expensed: string | null;
  spread: string | null;
  memo: string | null;
}

export interface ValueSources {
  entity_id: string;
  entry_number: string;
  pair_position: string;
  book_request: string;
  counterparties: string;
  months: number;
}

export interface ValueUnvalued {
  entity_id: ReadOnly<string | null>;
  entry_id: ReadOnly<string | null>;
  line: ReadOnly<number | null>;
  missing: ReadOnly<string | null>;
}

export interface ValueUses {
  entity_id: string;
  use_id: string;
  taxpayer: string;
  pool: string;
  currency: string;
  entry_id: string;
  leg: number;
  period: string;
  used_at: string;
  kind: string;
  lot_entity_id: string | null;
  lot_id: string | null;
  acquired_at: string | null;
  units: string;
  cost: string | null;
  proceeds: string | null;
  fee_in_proceeds: string | null;
  exchanged_for: string | null;
  method: string;
}

/** Every table and view, by schema and name. */
export interface DB {
  'books.address_book': BooksAddressBook;
  'books.asset_networks': BooksAssetNetworks;
  'books.assets': BooksAssets;
  'books.authorization_deliveries': BooksAuthorizationDeliveries;
  'books.authorizations': BooksAuthorizations;
  'books.balances': BooksBalances;
  'books.batch_lines': BooksBatchLines;
  'books.batches': BooksBatches;
  'books.blocked_balances': BooksBlockedBalances;
  'books.break_candidates': BooksBreakCandidates;
  'books.break_events': BooksBreakEvents;
  'books.breaks': BooksBreaks;
  'books.cash_flows': BooksCashFlows;
  'books.chain': BooksChain;
  'books.chart_lines': BooksChartLines;
  'books.chart_of_accounts': BooksChartOfAccounts;
  'books.chart_templates': BooksChartTemplates;
  'books.charts': BooksCharts;
  'books.clearing_matches': BooksClearingMatches;
  'books.confirmation_lines': BooksConfirmationLines;
  'books.confirmation_year_lines': BooksConfirmationYearLines;
  'books.confirmations': BooksConfirmations;
  'books.conservation': BooksConservation;
  'books.consolidated': BooksConsolidated;
  'books.conversion_spreads': BooksConversionSpreads;
  'books.counterparty_rules': BooksCounterpartyRules;
  'books.coverage': BooksCoverage;
  'books.coverage_gaps': BooksCoverageGaps;
  'books.currencies': BooksCurrencies;
  'books.deposit_addresses': BooksDepositAddresses;
  'books.disposals': BooksDisposals;
  'books.disposals_without_lot': BooksDisposalsWithoutLot;
  'books.earn_income': BooksEarnIncome;
  'books.earn_movements': BooksEarnMovements;
  'books.entities': BooksEntities;
  'books.entries': BooksEntries;
  'books.erasures': BooksErasures;
  'books.explanations': BooksExplanations;
  'books.external_accounts': BooksExternalAccounts;
  'books.external_lines': BooksExternalLines;
  'books.external_lots': BooksExternalLots;
  'books.external_statements': BooksExternalStatements;
  'books.fees_by_month': BooksFeesByMonth;
  'books.findings': BooksFindings;
  'books.first_divergence': BooksFirstDivergence;
  'books.holds': BooksHolds;
  'books.labels': BooksLabels;
  'books.loan_orders': BooksLoanOrders;
  'books.lot_choices': BooksLotChoices;
  'books.lots': BooksLots;
  'books.manual_entries': BooksManualEntries;
  'books.movements': BooksMovements;
  'books.newest_tie_outs': BooksNewestTieOuts;
  'books.nights': BooksNights;
  'books.orders': BooksOrders;
  'books.outside': BooksOutside;
  'books.own_transfers': BooksOwnTransfers;
  'books.pnl_by_month': BooksPnlByMonth;
  'books.pocket_references': BooksPocketReferences;
  'books.positions': BooksPositions;
  'books.postings': BooksPostings;
  'books.profiles': BooksProfiles;
  'books.proposals': BooksProposals;
  'books.rates': BooksRates;
  'books.readings': BooksReadings;
  'books.records': BooksRecords;
  'books.reference_lists': BooksReferenceLists;
  'books.rejects': BooksRejects;
  'books.restatements': BooksRestatements;
  'books.runs': BooksRuns;
  'books.seals': BooksSeals;
  'books.severities': BooksSeverities;
  'books.social_pay_orders': BooksSocialPayOrders;
  'books.social_payments': BooksSocialPayments;
  'books.teller_orders': BooksTellerOrders;
  'books.tie_outs': BooksTieOuts;
  'books.trades': BooksTrades;
  'books.trades_by_month': BooksTradesByMonth;
  'books.trading_orders': BooksTradingOrders;
  'books.transfers': BooksTransfers;
  'books.value_findings': BooksValueFindings;
  'books.value_postings': BooksValuePostings;
  'books.waivers': BooksWaivers;
  'books.wallet_transactions': BooksWalletTransactions;
  'books.working_capital': BooksWorkingCapital;
  'books_internal.acquired_lots': BooksInternalAcquiredLots;
  'books_internal.address_versions': BooksInternalAddressVersions;
  'books_internal.answers': BooksInternalAnswers;
  'books_internal.approval_effects': BooksInternalApprovalEffects;
  'books_internal.asset_classes': BooksInternalAssetClasses;
  'books_internal.asset_days': BooksInternalAssetDays;
  'books_internal.asset_lows': BooksInternalAssetLows;
  'books_internal.book_state': BooksInternalBookState;
  'books_internal.booked_amounts': BooksInternalBookedAmounts;
  'books_internal.booked_pairs': BooksInternalBookedPairs;
  'books_internal.break_prices': BooksInternalBreakPrices;
  'books_internal.budgets': BooksInternalBudgets;
  'books_internal.chain_ends': BooksInternalChainEnds;
  'books_internal.chosen_lots': BooksInternalChosenLots;
  'books_internal.clearing_days': BooksInternalClearingDays;
  'books_internal.closed_through': BooksInternalClosedThrough;
  'books_internal.conservation_lines': BooksInternalConservationLines;
  'books_internal.conservation_proof': BooksInternalConservationProof;
  'books_internal.conservation_sums': BooksInternalConservationSums;
  'books_internal.counted_records': BooksInternalCountedRecords;
  'books_internal.daily': BooksInternalDaily;
  'books_internal.duties': BooksInternalDuties;
  'books_internal.entries_on_time': BooksInternalEntriesOnTime;
  'books_internal.entry_leaves': BooksInternalEntryLeaves;
  'books_internal.external_marks': BooksInternalExternalMarks;
  'books_internal.external_numbers': BooksInternalExternalNumbers;
  'books_internal.external_pairs': BooksInternalExternalPairs;
  'books_internal.external_places': BooksInternalExternalPlaces;
  'books_internal.far_names': BooksInternalFarNames;
  'books_internal.gateway_users': BooksInternalGatewayUsers;
  'books_internal.hashed_moves': BooksInternalHashedMoves;
  'books_internal.labelled_ids': BooksInternalLabelledIds;
  'books_internal.landed_records': BooksInternalLandedRecords;
  'books_internal.last_compared': BooksInternalLastCompared;
  'books_internal.last_ties': BooksInternalLastTies;
  'books_internal.latest_records': BooksInternalLatestRecords;
  'books_internal.list_requests': BooksInternalListRequests;
  'books_internal.list_totals': BooksInternalListTotals;
  'books_internal.listed_entities': BooksInternalListedEntities;
  'books_internal.listed_pockets': BooksInternalListedPockets;
  'books_internal.lists': BooksInternalLists;
  'books_internal.lot_uses': BooksInternalLotUses;
  'books_internal.masked_accounts': BooksInternalMaskedAccounts;
  'books_internal.named_ends': BooksInternalNamedEnds;
  'books_internal.not_final': BooksInternalNotFinal;
  'books_internal.open_lots': BooksInternalOpenLots;
  'books_internal.open_orders': BooksInternalOpenOrders;
  'books_internal.own_addresses': BooksInternalOwnAddresses;
  'books_internal.own_days': BooksInternalOwnDays;
  'books_internal.own_names': BooksInternalOwnNames;
  'books_internal.paired_totals': BooksInternalPairedTotals;
  'books_internal.payment_ends': BooksInternalPaymentEnds;
  'books_internal.pockets': BooksInternalPockets;
  'books_internal.proved_intervals': BooksInternalProvedIntervals;
  'books_internal.proved_totals': BooksInternalProvedTotals;
  'books_internal.record_legs': BooksInternalRecordLegs;
  'books_internal.record_outcomes': BooksInternalRecordOutcomes;
  'books_internal.record_versions': BooksInternalRecordVersions;
  'books_internal.reference_streams': BooksInternalReferenceStreams;
  'books_internal.reject_decisions': BooksInternalRejectDecisions;
  'books_internal.reported_amounts': BooksInternalReportedAmounts;
  'books_internal.reserved_by_orders': BooksInternalReservedByOrders;
  'books_internal.run_conservation': BooksInternalRunConservation;
  'books_internal.sealed_entities': BooksInternalSealedEntities;
  'books_internal.sealed_files': BooksInternalSealedFiles;
  'books_internal.snapshots': BooksInternalSnapshots;
  'books_internal.standing_statements': BooksInternalStandingStatements;
  'books_internal.standing_waivers': BooksInternalStandingWaivers;
  'books_internal.stated_lots': BooksInternalStatedLots;
  'books_internal.statement_reach': BooksInternalStatementReach;
  'books_internal.stood': BooksInternalStood;
  'books_internal.streams': BooksInternalStreams;
  'books_internal.subaccounts': BooksInternalSubaccounts;
  'books_internal.totals': BooksInternalTotals;
  'books_internal.transaction_addresses': BooksInternalTransactionAddresses;
  'books_internal.transfer_fees': BooksInternalTransferFees;
  'books_internal.unapproved_entries': BooksInternalUnapprovedEntries;
  'books_internal.unchecked_entities': BooksInternalUncheckedEntities;
  'books_internal.unpaired_clearing': BooksInternalUnpairedClearing;
  'books_internal.unvalued': BooksInternalUnvalued;
  'books_internal.value_acceptances': BooksInternalValueAcceptances;
  'books_internal.value_by_month': BooksInternalValueByMonth;
  'books_internal.value_leaves': BooksInternalValueLeaves;
  'books_internal.value_lines': BooksInternalValueLines;
  'books_internal.value_monthly': BooksInternalValueMonthly;
  'books_internal.values': BooksInternalValues;
  'books_internal.version_amounts': BooksInternalVersionAmounts;
  'books_internal.version_legs': BooksInternalVersionLegs;
  'books_internal.watermarks': BooksInternalWatermarks;
  'decide.approvals': DecideApprovals;
  'decide.batch_copies': DecideBatchCopies;
  'decide.batch_lines': DecideBatchLines;
  'decide.batches': DecideBatches;
  'decide.budgets': DecideBudgets;
  'decide.chart_classes': DecideChartClasses;
  'decide.chart_lines': DecideChartLines;
  'decide.charts': DecideCharts;
  'decide.counterparty_accounts': DecideCounterpartyAccounts;
  'decide.counterparty_files': DecideCounterpartyFiles;
  'decide.counterparty_rules': DecideCounterpartyRules;
  'decide.dismissals': DecideDismissals;
  'decide.duties': DecideDuties;
  'decide.external_lots': DecideExternalLots;
  'decide.label_files': DecideLabelFiles;
  'decide.labels': DecideLabels;
  'decide.lot_choices': DecideLotChoices;
  'decide.profiles': DecideProfiles;
  'decide.proposals': DecideProposals;
  'decide.reopenings': DecideReopenings;
  'decide.seal_approvals': DecideSealApprovals;
  'decide.seal_closings': DecideSealClosings;
  'decide.seal_files': DecideSealFiles;
  'decide.seal_leaves': DecideSealLeaves;
  'decide.seal_values': DecideSealValues;
  'decide.seals': DecideSeals;
  'decide.value_acceptances': DecideValueAcceptances;
  'decide.waivers': DecideWaivers;
  'land.answers': LandAnswers;
  'land.authorizations': LandAuthorizations;
  'land.balances': LandBalances;
  'land.coverage': LandCoverage;
  'land.erased_records': LandErasedRecords;
  'land.erasures': LandErasures;
  'land.external_accounts': LandExternalAccounts;
  'land.external_lines': LandExternalLines;
  'land.external_statements': LandExternalStatements;
  'land.external_withdrawals': LandExternalWithdrawals;
  'land.held_records': LandHeldRecords;
  'land.hold_releases': LandHoldReleases;
  'land.holds': LandHolds;
  'land.inbox': LandInbox;
  'land.leaves': LandLeaves;
  'land.official_files': LandOfficialFiles;
  'land.official_rates': LandOfficialRates;
  'land.pages': LandPages;
  'land.people': LandPeople;
  'land.people_keys': LandPeopleKeys;
  'land.pockets': LandPockets;
  'land.rate_lists': LandRateLists;
  'land.rates': LandRates;
  'land.records': LandRecords;
  'land.requests': LandRequests;
  'land.resume_tokens': LandResumeTokens;
  'land.snapshots': LandSnapshots;
  'ledger.daily': LedgerDaily;
  'ledger.daily_sums': LedgerDailySums;
  'ledger.entries': LedgerEntries;
  'ledger.outcomes': LedgerOutcomes;
  'ledger.restatements': LedgerRestatements;
  'ledger.returns': LedgerReturns;
  'ledger.total_sums': LedgerTotalSums;
  'ledger.totals': LedgerTotals;
  'ledger.transfers': LedgerTransfers;
  'public.schema_migrations': PublicSchemaMigrations;
  'reconcile.break_events': ReconcileBreakEvents;
  'reconcile.breaks': ReconcileBreaks;
  'reconcile.candidates': ReconcileCandidates;
  'reconcile.clearing_days': ReconcileClearingDays;
  'reconcile.clearing_matches': ReconcileClearingMatches;
  'reconcile.confirmation_lines': ReconcileConfirmationLines;
  'reconcile.confirmation_year_lines': ReconcileConfirmationYearLines;
  'reconcile.confirmations': ReconcileConfirmations;
  'reconcile.external_matches': ReconcileExternalMatches;
  'reconcile.lows': ReconcileLows;
  'reconcile.own_days': ReconcileOwnDays;
  'reconcile.own_transfers': ReconcileOwnTransfers;
  'reconcile.paired_totals': ReconcilePairedTotals;
  'reconcile.severities': ReconcileSeverities;
  'reconcile.tie_outs': ReconcileTieOuts;
  'run.budgets': RunBudgets;
  'run.conservation': RunConservation;
  'run.entities': RunEntities;
  'run.findings': RunFindings;
  'run.hints': RunHints;
  'run.links': RunLinks;
  'run.listening': RunListening;
  'run.listings': RunListings;
  'run.nights': RunNights;
  'run.openings': RunOpenings;
  'run.runs': RunRuns;
  'run.sends': RunSends;
  'run.tasks': RunTasks;
  'run.verdicts': RunVerdicts;
  'run.workers': RunWorkers;
  'run.writer_lock': RunWriterLock;
  'value.findings': ValueFindings;
  'value.lots': ValueLots;
  'value.monthly': ValueMonthly;
  'value.monthly_sums': ValueMonthlySums;
  'value.months': ValueMonths;
  'value.open_lots': ValueOpenLots;
  'value.postings': ValuePostings;
  'value.sources': ValueSources;
  'value.unvalued': ValueUnvalued;
  'value.uses': ValueUses;
}
