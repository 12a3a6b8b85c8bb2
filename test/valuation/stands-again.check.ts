// A record that is cancelled and stands again from before its cancellation: values and lots are those of a record that was never cancelled,
// whichever months are closed meanwhile, and after these are reopened.
import { beforeEach, describe, expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { verifyLedger } from '../../src/verify/ledger/ledger.ts';
import { instantAt } from '../land/stage.ts';
import { landedMonths } from './landed-months.ts';

const { books, night, sealed, reopened } = landedMonths();
const DAY = 86_400;

const emptied = async () => {
  await books.rows(`truncate land.records, land.people, land.inbox, land.coverage, land.requests, ledger.entries, ledger.transfers,
    ledger.daily, ledger.totals, ledger.outcomes cascade`);
  await books.rows('truncate decide.reopenings, decide.seals, ledger.returns cascade');
  const [tables] = await books.rows(
    "select string_agg(schemaname || '.' || tablename, ', ') as all from pg_tables where schemaname = 'value'",
  );
  await books.rows(`truncate ${tables?.all} cascade`);
};
beforeEach(emptied);

const movement = (id: string, day: number, ends: WireRecord): WireRecord => ({
  id,
  date: instantAt(0),
  status: 'completed',
  completedAt: instantAt(day * DAY),
  ...ends,
});
const bought = (id: string, day: number, amount: string, paid: string): WireRecord =>
  movement(id, day, {
    origin: { class: 'card', amount: paid, currency: 'EUR' },
    destination: { class: 'pocket', pocketId: 'p1', amount, currency: 'BTC' },
  });
const sent = (id: string, day: number, amount: string): WireRecord =>
  movement(id, day, {
    origin: { class: 'pocket', pocketId: 'p1', amount, currency: 'BTC' },
    destination: { class: 'blockchain', amount, currency: 'BTC', address: 'x' },
  });

const faults = async () => {
  const { proofs } = await verifyLedger({ pool: books.stage().pool, timezone: 'UTC', programs: [] });
  const sentences = proofs.flatMap(({ proof, first }) => (first ? [`${proof}: ${first}`] : []));
  return sentences.filter((text) => !text.includes('seal'));
};

const RECORDS = {
  bought: bought('r', 2, '2', '20000'),
  sent: sent('r', 5, '0.5'),
};
type Name = keyof typeof RECORDS;

/** The lots, the gains and the balances at the end of each month. */
const figures = async () => [
  await books.rows(
    'select units, units_left, cost_left, acquired_at from books.lots where units_left <> 0 order by acquired_at',
  ),
  await books.rows('select sum(units) as units, sum(cost) as cost from books.disposals'),
  await books.rows(`select distinct exchanged_at
    from books_internal.conversion_sides('2026-03-01', '2026-07-01', 'posted_at', '') where record_id = 'r'`),
  ...(await Promise.all(
    ['2026-04-01', '2026-05-01', '2026-06-01'].map((day) =>
      books.rows(
        `select account, currency, balance from books.balances_at('${day}') order by account, currency`,
      ),
    ),
  )),
];

const rest = [bought('b', 70, '3', '60000'), sent('c', 75, '1.5')];

/** What the same records give that are never cancelled, worked out once. */
const known = new Map<Name, unknown>();
const neverCancelled = async (name: Name) => {
  if (!known.has(name)) {
    await night(bought('a', 1, '1', '10000'), RECORDS[name], ...rest);
    known.set(name, await figures());
    await emptied();
  }
  return known.get(name);
};

const MONTHS = ['2026-03', '2026-04'];
const upTo = (many: number) => MONTHS.slice(0, many);
const CASES = [0, 1, 2].flatMap((before) =>
  [0, 1, 2].filter((after) => after >= before).map((after) => ({ before, after })),
);

describe.each(['bought', 'sent'] as const)('units that are %s', (name) => {
  test.each(CASES)(
    'closed months when it is cancelled: $before, when it stands again: $after, and after each is reopened',
    async ({ before, after }) => {
      const expected = await neverCancelled(name);
      const record = RECORDS[name];
      await night(bought('a', 1, '1', '10000'), record);
      for (const month of upTo(before)) await sealed(month);
      await night({ ...record, status: 'canceled', canceledAt: instantAt(35 * DAY) });
      for (const month of upTo(after).slice(before)) await sealed(month);
      await night(record);
      await night(...rest);
      expect([await faults(), await figures()]).toEqual([[], expected]);
      for (const month of upTo(after).toReversed()) {
        await reopened(month);
        expect([await faults(), await figures()]).toEqual([[], expected]);
      }
    },
  );
});
