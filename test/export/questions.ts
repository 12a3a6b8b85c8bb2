// The queries of the cookbook, and the books for them: the small world with values for its fees, and an order.
import type { TestDatabase } from '../database.ts';
import { makeWorld } from './world.ts';

/** The values of the world's fees: in a cost, expensed, without a value, and reversed. */
const FEES = `
  insert into value.postings (entity_id, entry_id, line, taxpayer, account, currency, units, exact, value, value_currency, period,
    rule, source, fee_in_cost, fee_expensed) values
    ('main', '01a170ad-c9c0-8000-8000-000000000004', 9, 'main', 'expenses:fees:trading', 'BTC', 1e-18, 0, 0, 'EUR', '2026-10', 'rate',
      '', 0.004, null),
    ('main', '01a170ad-c9c0-8000-8000-000000000004', 10, 'main', 'expenses:fees:trading', 'EUR', 0.4, 0, 0, 'EUR', '2026-10', 'rate',
      '', 0.4, null),
    ('main', '01a170ad-c9c0-8000-8000-000000000004', 11, 'main', 'expenses:fees:trading', 'EUR', 0.444, 0.444, 0.44, 'EUR', '2026-10',
      'rate', '', null, 0.444),
    ('main', '01a170ad-c9c0-8000-8000-000000000004', 12, 'main', 'expenses:fees:trading', 'SOL', 1, null, null, 'EUR', '2026-10', 'rate',
      '', null, null),
    ('main', '01a177dd-ff80-8000-8000-000000000006', 3, 'main', 'expenses:fees:network', 'ETH', 0.001, 2, 2, 'EUR', '2026-10', 'rate',
      '', null, 2),
    ('main', '01a177dd-ff80-8000-8000-000000000007', 3, 'main', 'expenses:fees:network', 'ETH', -0.001, -2, -2, 'EUR', '2026-10', 'rate',
      '', null, -2)`;

/** The record of the world's purchase by card: it carries the market rate. */
const CARD = `
  insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id) values
    ('main', 'wallet-transactions', '-card 1', 1, '\\x00', '{"completedAt":"2026-10-26T10:00:00.000Z","destination":{"amount":"0.02",'
      '"class":"pocket","currency":"ETH","rate":{"pair":{"base":"ETH","quote":"EUR"},"value":"2400"}},"id":"-card 1"}',
      '2026-10-26T10:00:00Z', '2026-10-31T02:00:05Z', 1)`;

/** The order of the world's trade, which fills it in part. */
const ORDER = `
  insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id) values
    ('main', 'trading-orders', 'o1', 1, '\\x00', '{"cost":"6172.85","createdAt":"2026-10-03T00:00:00.000Z","filledAmount":"0.123456789012345678",'
      '"id":"o1","orderAmount":"0.5","side":"buy","status":"cancelled","symbol":"BTC/EUR"}', null, '2026-10-31T02:00:05Z', 1)`;

/** A social-pay order that nobody has claimed yet; no record of the world has paid it. */
const SOCIAL_PAY = `
  update run.entities set gateway_user_id = 'user 1' where entity_id = 'main';
  insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id) values
    ('main', 'social-pay-orders', 'order 1', 1, '\\x00', '{"orderId":"order 1","userId":"user 1","type":"email",'
      '"amount":"12.50","currency":"EUR","pocketId":"p1","status":"waiting-funds",'
      '"createdAt":"2026-10-30T10:00:00.000Z","expiryDate":"2026-11-06T10:00:00.000Z"}',
      '2026-10-30T10:00:00Z', '2026-10-31T02:00:05Z', 1)`;

/** The amounts of 48 digits, with 30 digits less: a decimal of 38 digits holds them. */
export const SMALLER = `
  update land.records set payload = replace(payload, '123456789012345678901234567890.', '') where payload like '%12345678901234567890%';
  update ledger.transfers set amount = amount - trunc(amount) where amount > 1e20;
  update ledger.daily set debit = debit - trunc(debit), credit = credit - trunc(credit) where greatest(debit, credit) > 1e20;
  truncate ledger.totals;
  insert into ledger.totals select * from ledger.total_sums;
  update reconcile.tie_outs set booked = booked - trunc(booked) where abs(booked) > 1e20`;

/** Fills books with that world. */
export const makeQuestioned = async (books: TestDatabase): Promise<void> => {
  await makeWorld(books);
  await books.pool.query(FEES);
  await books.pool.query(CARD);
  await books.pool.query(ORDER);
  await books.pool.query(SOCIAL_PAY);
};

const october = { from: '2026-09-30T22:00:00Z', to: '2026-10-31T23:00:00Z' };
/** Every file of the cookbook, with values for its variables that give rows. */
export const QUESTIONS: Record<string, Record<string, string>> = {
  'cookbook/balance_as_known.sql': { as_of: '2026-11-01T00:00:00Z', known_at: '2026-10-31T02:00:10Z' },
  'cookbook/biggest_movements.sql': { ...october, most: '1' },
  'cookbook/break_ages.sql': { as_of: '2026-11-02T00:00:00Z' },
  'cookbook/card_purchases.sql': october,
  'cookbook/consolidated.sql': {},
  'cookbook/conversion_spreads.sql': october,
  'cookbook/explained.sql': {},
  'cookbook/fees_by_month.sql': { timezone: 'Europe/Madrid' },
  'cookbook/fees_in_money.sql': { timezone: 'Europe/Madrid' },
  'cookbook/in_transit.sql': { as_of: '2026-11-02T00:00:00Z' },
  'cookbook/orders.sql': october,
  'cookbook/record_history.sql': { entity: 'main', stream: 'trades', record: 't1' },
  'cookbook/social_payments_open.sql': {},
  'cookbook/trade_volume.sql': { timezone: 'Europe/Madrid' },
};
