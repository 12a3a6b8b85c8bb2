// A record of a closed month that is cancelled or corrected late: once a reopening has returned the reversal, the lots are what the
// books hold.
import { expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { verifyLedger } from '../../src/verify/ledger/ledger.ts';
import { instantAt } from '../land/stage.ts';
import { landedMonths } from './landed-months.ts';

const { books, night, sealed, reopened } = landedMonths();
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

test.each([
  ['cancelled', deposit('late', '2', { status: 'cancelled', canceledAt: instantAt(10 * DAY) }), '1'],
  ['corrected', deposit('late', '3'), '4'],
])('a deposit that is %s late, in a month that is then reopened', async (_, changed, balance) => {
  await night(deposit('late', '2'), deposit('other', '1', { completedAt: instantAt(5 * DAY) }));
  await sealed('2026-03');
  await night(changed);
  expect(await reopened('2026-03')).toBeGreaterThan(0);
  expect(await books.rows("select detail from books.value_findings where kind = 'not-understood'")).toEqual(
    [],
  );
  expect(await books.balances()).toMatchObject({ 'assets:pocket:p1 BTC': balance });
  const { proofs } = await verifyLedger({ pool: books.stage().pool, timezone: 'UTC', programs: [] });
  const ofValues = proofs.filter(({ proof }) => /value|gains|lots/.test(proof));
  expect(ofValues.flatMap(({ first }) => first ?? [])).toEqual([]);
});

test.each([
  ['next', 5, 40, ['2026-04']],
  ['last', 40, 5, ['2026-03']],
])(
  'a deposit that is corrected to a day of the %s month, once both are closed and reopened',
  async (_, was, is, month) => {
    const other = deposit('other', '1', { completedAt: instantAt(45 * DAY) });
    await night(deposit('late', '2', { completedAt: instantAt(was * DAY) }), other);
    await sealed('2026-03');
    await sealed('2026-04');
    await night(deposit('late', '2', { completedAt: instantAt(is * DAY) }));
    for (const period of ['2026-04', '2026-03']) {
      await reopened(period);
      const { proofs } = await verifyLedger({ pool: books.stage().pool, timezone: 'UTC', programs: [] });
      expect(
        proofs.flatMap(({ proof, first }) => (/value|gains|lots|manual/.test(proof) ? (first ?? []) : [])),
      ).toEqual([]);
    }
    const lots = await books.rows(
      "select to_char(acquired_at, 'YYYY-MM') as month from books.lots where units = '2'",
    );
    expect(lots.map((lot) => lot.month)).toEqual(month);
  },
);
