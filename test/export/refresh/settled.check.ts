// Months whose closing balances tie: what happens after the readings that they rest on writes none of their closing files again.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { deposit, refreshStand } from './stand.ts';

const [SEPTEMBER, OCTOBER, NOVEMBER] = ['2026-09', '2026-10', '2026-11'] as const;
const MONTHS = [SEPTEMBER, OCTOBER, NOVEMBER];

let books: TestDatabase;
const { home, refresh, expectForced } = refreshStand(() => books, ['main']);

/** A deposit of the account, and the summaries with it. */
const depositSummed = (instant: string): string => `
  ${deposit('main', instant)};
  truncate ledger.daily, ledger.totals;
  insert into ledger.daily select * from ledger.daily_sums;
  insert into ledger.totals select * from ledger.total_sums`;

/** A comparison of the account with what the gateway reported. */
const reading = (
  asOf: string,
  reported: number,
  booked: number,
  status = reported === booked ? 'tied' : 'break',
): string => `
  with night as (
    insert into run.runs (run_id, job, started_at) values (gen_random_uuid(), 'nightly', '${asOf}') returning run_id
  )
  insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, reported, booked, difference, status, reason)
  select 'main', run_id, 'assets:trading', 'EUR', '${asOf}', ${reported}, ${booked}, ${reported - booked},
    '${status}', 'r' from night`;

beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(`
    insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('main', 'main', 'Europe/Madrid', 'EUR', '2026-09-01');
    insert into land.coverage (entity_id, stream, scope, covered) values ('main', 'movements', '', '{[-infinity,2026-11-20)}');
    ${['2026-09-10T10:00:00Z', '2026-10-10T10:00:00Z', '2026-11-10T10:00:00Z'].map(depositSummed).join(';')};
    ${reading('2026-10-02T02:00:00.5Z', 10, 10, 'pending')};
    ${reading('2026-11-02T02:00:00Z', 20, 20, 'pending')};
    ${reading('2026-11-20T02:00:00Z', 30, 30, 'pending')}`);
  expect(await refresh()).toEqual({ [SEPTEMBER]: 0, [OCTOBER]: 0, [NOVEMBER]: 0 });
});
afterAll(() => books.close());

/** The files that show closing balances, and which of them lie on disk. */
const CLOSING = ['breaks.csv', 'checks.csv', 'closing_balances.csv', 'reconciliation.csv'];
const onDisk = (month: string): string =>
  CLOSING.map((name) => statSync(join(home, 'exports', month, name)).ino).join(' ');

/** The months that a night writes after a change, and those of them whose closing files it writes too. */
const nightAfter = async (change: string): Promise<{ written: string[]; closing: string[] }> => {
  const before = new Map(MONTHS.map((month) => [month, onDisk(month)]));
  await books.pool.query(change);
  const written = await refresh();
  for (const month of MONTHS) await expectForced(month, written);
  const closing = MONTHS.filter((month) => onDisk(month) !== before.get(month));
  return { written: Object.keys(written).sort(), closing };
};

test('the night after writes nothing again', async () => {
  expect(await refresh()).toEqual({});
});

test('a reading without a difference after those of records that were pending, which tie today', async () => {
  expect(await nightAfter(reading('2026-11-20T12:00:00Z', 30, 30))).toEqual({
    written: MONTHS,
    closing: [NOVEMBER],
  });
});

test('an entry that took effect after the readings of earlier months', async () => {
  expect(await nightAfter(depositSummed('2026-11-05T10:00:00Z'))).toEqual({
    written: [NOVEMBER],
    closing: [NOVEMBER],
  });
});

test('a later comparison with a difference: every folder shows it, no earlier closing rests on it', async () => {
  expect(await nightAfter(reading('2026-11-21T02:00:00Z', 35, 40))).toEqual({
    written: MONTHS,
    closing: [NOVEMBER],
  });
});

test('its break, which began after these readings, and its end', async () => {
  const begun = `insert into reconcile.breaks (entity_id, break_id, check_name, subject, account, currency, reported, booked, difference, status, reason, opened_at, since, run_id, diverged_after)
    select 'main', 'b1', 'trading_tie_out', 'x', 'assets:trading', 'EUR', 35, 40, -5, 'open', 'r', '2026-11-21', '2026-11-21', run_id, '2026-11-02T02:00:00Z' from run.runs limit 1`;
  expect(await nightAfter(begun)).toEqual({ written: [NOVEMBER], closing: [NOVEMBER] });
  const end = `update reconcile.breaks set status = 'resolved', resolved_at = '2026-11-22', resolved_by = 'Ada'`;
  expect(await nightAfter(end)).toEqual({ written: [NOVEMBER], closing: [NOVEMBER] });
});

test('an account that is read for the first time is in the closing of every month', async () => {
  const change = reading('2026-11-22T02:00:00Z', 0, 0).replace('assets:trading', 'assets:earn');
  expect(await nightAfter(change)).toEqual({ written: MONTHS, closing: MONTHS });
});

test('an entry a quarter of a second before the reading that the closing of September rests on', async () => {
  expect(await nightAfter(depositSummed('2026-10-02T02:00:00.25Z'))).toEqual({
    written: MONTHS,
    closing: MONTHS,
  });
});
