// The analyst may read everything documented: every view, every function and every file of ours, over small books.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Session } from '../../../src/database/client.ts';
import { openSession } from '../../../src/database/connection.ts';
import { bindSql, readSql, sqlPaths } from '../../../src/database/sql.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { makePageWorld } from '../../export/page/page-world.ts';
import { addressesOf } from './logins.ts';

let books: TestDatabase;
let analyst: Session;

beforeAll(async () => {
  books = await freshDatabase();
  await makePageWorld(books);
  analyst = await openSession((await addressesOf(books.url)).analyst);
});
afterAll(async () => {
  await analyst?.end();
  await books?.close();
});

const MONTH = "'2026-10-01', '2026-11-01'";
const PRICED = "'main', 'BTC', 'EUR', '2026-11-01'";

/** Every function of books and books_internal, with a possible call. */
const CALLS: Readonly<Record<string, string>> = {
  at_own_rate: "at_own_rate(1, 'BTC', 50000, 'EUR', 51000, 'BTC', 'EUR')",
  accounts_tied_as: "accounts_tied_as('assets:trading')",
  address_key: "address_key('0xABC')",
  amount_of: "amount_of('-1.5e3')",
  balances_at: "balances_at('2026-11-01')",
  balances_known_at: "balances_known_at('2026-11-01', '2026-10-31T12:00:00Z')",
  breaks_at: "breaks_at('2026-11-01', '')",
  breaks_within: `breaks_within(${MONTH}, '')`,
  cents: 'cents(0.005)',
  chain_address: "chain_address('0xabc')",
  changes_since: "changes_since('2026-10-31T12:00:00Z')",
  chart_version: "chart_version('main', '2026-10')",
  chart_of_accounts_at: "chart_of_accounts_at('2026-11-01')",
  closing_balances: "closing_balances('2026-11-01')",
  closing_balances_of: "closing_balances_of('2026-11-01', '')",
  consolidated_lines: `consolidated_lines(${MONTH}, 'posted_at', '')`,
  consolidated_trial_balance: `consolidated_trial_balance(${MONTH})`,
  amounts_in: `amounts_in('main', 'movements', 'm1', '{"movementType":"deposit","currency":"EUR","amount":"1"}', null)`,
  conservation_sums_within: `conservation_sums_within(${MONTH})`,
  conservation_within: `conservation_within(${MONTH})`,
  counted_within: `counted_within(${MONTH})`,
  conversion_sides: `conversion_sides(${MONTH}, 'posted_at', '')`,
  conversions: `conversions(${MONTH}, 'posted_at', '')`,
  dac8_events: `dac8_events(${MONTH}, 'posted_at', '')`,
  dac8_group: "dac8_group('income:rewards')",
  coverage_by: 'coverage_by(1)',
  expected_lists: 'expected_lists(1)',
  tie_outs_by: 'tie_outs_by(1)',
  last_entry_by: 'last_entry_by(1)',
  counterparts: "counterparts('main', '01a177dd-ff80-8000-8000-000000000006')",
  days_between: `days_between(${MONTH})`,
  days_to_pair: "days_to_pair('main')",
  declared_owner: "declared_owner('main', '0xabc', 'ethereum', null, 'ETH', '2026-10-01')",
  disposals_within: `disposals_within(${MONTH}, 'posted_at')`,
  due_at: "due_at('2026-10-01', 100000)",
  earn_amounts_of: `earn_amounts_of('{"amount":{"value":"2"},"netAmount":"1.5"}')`,
  entries_before: "entries_before('2026-10-05T01:02:03.0005Z', '')",
  entry_numbers: `entry_numbers(${MONTH}, '')`,
  entry_debits: `entry_debits(${MONTH}, 'posted_at')`,
  entries_within: `entries_within(${MONTH}, 'posted_at')`,
  external_side: "external_side('main', '{01a177dd-ff80-8000-8000-000000000006}', 'ETH')",
  fee_entered: "fee_entered('main', gen_random_uuid(), 'BTC')",
  fill_price: `fill_price(${PRICED}, null)`,
  newest_price: `newest_price(${PRICED})`,
  fiscal_year_day: "fiscal_year_day('2026-11-01', 'UTC', 4)",
  fiscal_year_of: "fiscal_year_of('2026-11', 4)",
  fiscal_year_start: "fiscal_year_start('2026-11-01', 'UTC', 4)",
  local_start: "local_start('2026-11-01', 'America/Havana')",
  first_entry_id: "first_entry_id('2026-10-01')",
  has_concluded: "has_concluded(2, 'failed: why')",
  has_concluded_for: "has_concluded_for('main', '00000000-0000-4000-8000-000000000001')",
  instant_of: "instant_of('2026-10-01T00:00:00Z')",
  is_chosen: "is_chosen('main', 'main,Zeta')",
  is_e_money_token: "is_e_money_token('USDC')",
  is_fiat: "is_fiat('EUR')",
  is_listed: "is_listed('main', 'pocket', 'p1')",
  is_of_year: "is_of_year('income:rewards')",
  is_reversed: "is_reversed('main', '01a177dd-ff80-8000-8000-000000000006')",
  clearing_changes: "clearing_changes('main', 'assets:clearing:trading', 'EUR', '-infinity')",
  transfer_changes: "transfer_changes('main', 'EUR', 0, '-infinity')",
  transfer_fees_of: "transfer_fees_of('main', gen_random_uuid())",
  transfers_of: "transfers_of('main', gen_random_uuid())",
  gain_sums: `gain_sums(${MONTH})`,
  leg_counts: `leg_counts(${MONTH}, 'posted_at')`,
  legs_within: `legs_within(${MONTH}, 'posted_at')`,
  lot_sums: "lot_sums('2026-11-01')",
  report_sides: `report_sides(${MONTH}, '')`,
  value_sums: `value_sums(${MONTH})`,
  late_within: `late_within(${MONTH}, 'posted_at')`,
  legs_on_time: `legs_on_time(${MONTH})`,
  lone_clearing_moves: "lone_clearing_moves('main')",
  external_days: "external_days('bank')",
  external_reconciliation: "external_reconciliation('2026-11-01')",
  external_items: "external_items('main')",
  lone_outside_moves: `lone_outside_moves('main', ${MONTH})`,
  months_ended: "months_ended('2026-11-01')",
  reversed_on: "reversed_on('main', '2026-10-26')",
  lots_left_at: "lots_left_at('2026-11-01')",
  lots_among: "lots_among('2026-11-01', 'posted_at', true)",
  lows_in_short: 'lows_in_short(true)',
  valued_holdings: `valued_holdings(${MONTH}, 'posted_at', '')`,
  prices_used: `prices_used(${MONTH}, 'posted_at', '')`,
  market_rates: "market_rates('2026-11-01')",
  masked: "masked('{}')",
  is_holding: "is_holding('assets:trading')",
  roll_forward_type: "roll_forward_type('income:rewards', 1, false, false)",
  account_postings: `account_postings('main', 'assets:trading', 'EUR', ${MONTH})`,
  named_by_book: "named_by_book('main', 0)",
  postings_since_cutoff: `postings_since_cutoff(${MONTH})`,
  clearing_sums: "clearing_sums('main', '01a177dd-ff80-8000-8000-000000000006', '2026-11-01')",
  postings_of_day: "postings_of_day('2026-11-01', 'infinity')",
  period_postings: `period_postings(${MONTH}, 'posted_at')`,
  on_time_within: `on_time_within(${MONTH})`,
  open_external_lines: "open_external_lines('main')",
  open_payments: "open_payments('main')",
  outside_moves: `outside_moves('main', ${MONTH})`,
  record_side: "record_side('main', 'trades', 't1', 'ETH', '2026-11-01', 'posted_at')",
  own_pairs: "own_pairs('2026-11-01', 'posted_at', '')",
  own_sides: "own_sides('2026-11-01', 'posted_at', '')",
  is_restated: "is_restated('main', '2026-09', 'posted_at')",
  posting_date: "posting_date('main', '2026-09', 'posted_at', '2026-09-30', '2026-10-01')",
  rate_of: `rate_of('{"value":"2"}')`,
  price_digits: "price_digits('0.5')",
  prices_between: `prices_between(${MONTH})`,
  ratio: 'ratio(1, 3)',
  rate_price: "rate_price('BTC', 'EUR', '2026-11-01')",
  payments_between: `payments_between('main', 'bank', 'EUR', ${MONTH})`,
  severity_of: 'severity_of(100000, 3)',
  sides: "sides('trades', 'assets:trading', 'equity:conversion')",
  social_payments_since: "social_payments_since('2026-11-01')",
  tied_account: "tied_account('assets:trading-bots')",
  totals_carried: "totals_carried('2026-11-01', '2026-10-01', 'posted_at')",
  totals_at: "totals_at('2026-11-01')",
  stands_for: "stands_for('main', '01a177dd-ff80-8000-8000-000000000006')",
  totals_counted: "totals_counted('2026-11-01', '2026-10')",
  totals_known_at: "totals_known_at('2026-11-01', 'infinity')",
  unpaired_sides: "unpaired_sides('2026-11-01', 'posted_at')",
  unvalued_months: "unvalued_months('2026-11-01')",
  transit_at: "transit_at('2026-11-01', '')",
  value_lines_within: `value_lines_within(${MONTH}, 'posted_at')`,
  period_value_lines: `period_value_lines(${MONTH}, 'posted_at')`,
  price_of: "price_of('main', 'BTC', 'EUR', '2026-11-01')",
  unchecked_since: "unchecked_since('00000000-0000-4000-8000-000000000001')",
  unseen_since: "unseen_since('00000000-0000-4000-8000-000000000001', '{nightly}')",
  value_of: "value_of('main', 'BTC', 1, 'EUR', '2026-11-01')",
  value_totals: `value_totals(${MONTH}, 'posted_at')`,
  with_reversals: "with_reversals('main', '01a177dd-ff80-8000-8000-000000000006')",
};

/** Parameter values for any file of ours: October of the small world, and one record of it. */
const VALUES: Readonly<Record<string, string>> = {
  from: '2026-09-30T22:00:00Z',
  to: '2026-10-31T23:00:00Z',
  as_of: '2026-11-01T00:00:00Z',
  known_at: '2026-10-31T12:00:00Z',
  by: 'posted_at',
  period: '2026-10',
  timezone: 'Europe/Madrid',
  step: '1 day',
  unit: 'day',
  most: '5',
  entity: 'main',
  stream: 'trades',
  record: 't1',
  run: '00000000-0000-4000-8000-000000000001',
};

/** The refused queries, by name: all are tried, so that one failure does not hide another. */
const refusals = async (queries: readonly (readonly [string, string, unknown[]?])[]): Promise<string[]> => {
  const refused: string[] = [];
  for (const [name, text, values = []] of queries)
    await analyst.query(text, values).catch((error: Error) => refused.push(`${name}: ${error.message}`));
  return refused;
};

const namesOf = async (sql: string): Promise<string[]> =>
  (await books.pool.query(sql)).rows.map(({ name }) => String(name));

/** The schema of each function. */
const schemasOf = async (): Promise<Map<string, string>> => {
  const { rows } = await books.pool.query(
    "select proname::text as name, nspname::text as schema from pg_proc p join pg_namespace n on n.oid = pronamespace where nspname ~ '^books'",
  );
  return new Map(rows.map(({ name, schema }) => [name, schema]));
};

test('every view', async () => {
  const views = await namesOf(
    "select schemaname || '.' || viewname as name from pg_views where schemaname in ('books', 'books_internal') order by 1",
  );
  expect(views.length).toBeGreaterThan(60);
  expect(await refusals(views.map((view) => [view, `select * from ${view}`]))).toEqual([]);
});

test('every function is called', async () => {
  const schemas = await schemasOf();
  expect(Object.keys(CALLS).sort()).toEqual([...schemas.keys()].sort());
  const queries = Object.entries(CALLS).map(
    ([name, call]) => [name, `select * from ${schemas.get(name)}.${call}`] as const,
  );
  expect(await refusals(queries)).toEqual([]);
});

test.each(['reports', 'cookbook', 'page', 'checks'])('every file of sql/%s', async (folder) => {
  const queries = sqlPaths(folder).map((path) => {
    const file = readSql(path);
    const parameters = Object.fromEntries(file.parameters.map((name) => [name, VALUES[name] ?? '']));
    const { text, values } = bindSql(file, parameters);
    return [path, text, values] as const;
  });
  expect(queries.length).toBeGreaterThan(5);
  expect(await refusals(queries)).toEqual([]);
});

test('the analyst reads the same rows as the owner', async () => {
  const schemas = await schemasOf();
  for (const [name, call] of Object.entries(CALLS)) {
    const sql = `select it::text as it from ${schemas.get(name)}.${call} it order by 1`;
    const owner = await books.pool.query(sql);
    expect((await analyst.query(sql)).rows, call).toEqual(owner.rows);
  }
});
