// A record of a closed month that is cancelled or corrected late: once a reopening has returned the reversal, the lots are what the
// books hold.
import { beforeEach, expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { returnLate } from '../../src/ledger/ledger.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { verifyLedger } from '../../src/verify/ledger/ledger.ts';
import { instantAt } from '../land/stage.ts';
import { openBooks } from '../normalize/books.ts';

const books = openBooks();
const VALUES = { timezone: 'UTC', currency: 'EUR' };
const DAY = 86_400;

const deposit = (id: string, amount: string, rest: WireRecord = {}): WireRecord => ({
  id,
  date: instantAt(0),
  status: 'completed',
  completedAt: instantAt(60),
  origin: { class: 'card', amount: '40000', currency: 'EUR' },
  destination: { class: 'pocket', pocketId: 'p1', amount, currency: 'BTC' },
  ...rest,
});

beforeEach(() => books.rows('truncate decide.reopenings, decide.seals, ledger.returns cascade'));

const night = async (...rows: readonly WireRecord[]) => {
  await books.tell('wallet-transactions', ...rows);
  await books.book();
  await derive(books.stage().db, VALUES);
};

test.each([
  ['cancelled', deposit('late', '2', { status: 'cancelled', canceledAt: instantAt(10 * DAY) }), '1'],
  ['corrected', deposit('late', '3'), '4'],
])('a deposit that is %s late, in a month that is then reopened', async (_, changed, balance) => {
  await night(deposit('late', '2'), deposit('other', '1', { completedAt: instantAt(5 * DAY) }));
  await books.rows(`insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
    select 'main', '2026-03', 1, max(request_id), 0, repeat('0', 64), '{}', 'Ada', now() from land.requests`);
  await night(changed);
  await books.rows(`insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at)
    select 'main', '2026-03', 1, max(request_id), 'Grace', 'r', now() from land.requests`);
  const { db } = books.stage();
  expect(await returnLate(db, { entity: 'main', whose: 'records' })).toBeGreaterThan(0);
  await derive(db, VALUES);
  expect(await books.rows("select detail from books.value_findings where kind = 'not-understood'")).toEqual(
    [],
  );
  expect(await books.balances()).toMatchObject({ 'assets:pocket:p1 BTC': balance });
  const { proofs } = await verifyLedger({ pool: books.stage().pool, timezone: 'UTC', programs: [] });
  const ofValues = proofs.filter(({ proof }) => /value|gains|lots/.test(proof));
  expect(ofValues.flatMap(({ first }) => first ?? [])).toEqual([]);
});
