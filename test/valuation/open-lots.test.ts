// Open lots at the end of any period: they are the holdings of that time, in units and at cost, in euro and in dollars, however
// the lots were used since.
import { describe, expect, test } from 'vitest';
import { attoOf, attoText, roundToCents, sum } from '../../src/base/money.ts';
import { post } from '../../src/ledger/entries.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { reportRows } from '../export/reports/report-rows.ts';
import { cellOf, expectWithinHalfACent, negated, type Row, summed } from '../export/reports/ties.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  close,
  derived,
  heldElsewhere,
  reversed,
  sell,
  withBooks,
} from './month-stand.ts';
import { lived, rated } from './three-months.ts';

withBooks();

const read = (report: string, to: string) =>
  reportRows(books.pool, report, { from: '2026-01-01T00:00:00Z', to });

const rounded = (sums: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(sums).map(([key, text]) => [key, attoText(roundToCents(attoOf(text)))]));

/** What is left of all lots at an instant, from every lot and use since the beginning. */
const allSums = (end: string): string => `
  with change as (
    select entity_id, entry_id, acquired_at as at, taxpayer, currency, units, cost from value.lots where pool <> 'external'
    union all
    select entity_id, entry_id, used_at, taxpayer, currency, -units, case when lot_id is not null then -cost else 0 end
    from value.uses where pool <> 'external'
  )
  select c.taxpayer, c.currency, sum(c.units) as units, case when bool_and(c.cost is not null) then sum(c.cost) end as cost
  from change c join books.entries e using (entity_id, entry_id)
  where books_internal.posting_date(e.entity_id, e.original_period, 'posted_at', e.effective_at, e.posted_at) < '${end}'
  group by 1, 2 order by 1, 2`;

/** The lots that are read for what is open are all of which something is left, and no figure of them differs. */
const expectOnlyUsedUpLeftOut = async (end: string): Promise<void> => {
  const sums = `select * from books_internal.lot_sums('${end}') order by taxpayer, currency`;
  expect((await books.pool.query(sums)).rows).toEqual((await books.pool.query(allSums(end))).rows);
  const [all, open] = [false, true].map((onlyOpen) =>
    books.pool.query(
      `select * from books_internal.lots_among('${end}', 'effective_at', ${onlyOpen}) where units_left <> 0 order by lot_id, entity_id`,
    ),
  );
  expect((await open)?.rows).toEqual((await all)?.rows);
};

const ENDS = ['2026-01-15T00:00:00Z', '2026-02-01T00:00:00Z', '2026-02-20T12:00:00Z', '2026-05-01T00:00:00Z'];

describe.each(['EUR', 'USD'])('in %s', (currency) => {
  test.each([
    ['fifo', null],
    ['average', null],
    ['hifo', 'wallets-from:2026-02-01'],
    ['average', 'wallets-from:2026-02-01'],
  ])('%s, %s: lots at an end are the holdings at that end', async (method, rules) => {
    await books.pool.query(`update run.entities set currency = $1`, [currency]);
    await books.pool.query(
      `insert into decide.profiles (entity_id, version, owner, cost_method, lot_rules, by_name, at) values ('main', 1, 'own', $1, $2, 'Ada', now())`,
      [method, rules],
    );
    await rated();
    await post(books.db, lived());
    await derive(books.db, { timezone: 'UTC', currency });
    const seen: number[] = [];
    for (const end of ENDS) {
      await expectOnlyUsedUpLeftOut(end);
      const holdings = (await read('valuation', end)).filter((row) => row.currency !== currency);
      const lots = (await read('open_lots', end)).filter((row) => row.pool !== 'external');
      expect(summed(lots, ['asset'], cellOf('units'))).toEqual(
        summed(holdings, ['currency'], cellOf('units')),
      );
      const whole = holdings.filter((row) => row.cost !== null);
      expect(whole.length).toBeGreaterThan(1);
      const assets = whole.map((row) => row.currency);
      const valued = lots.filter((row) => assets.includes(row.asset ?? ''));
      const carried = (row: Row) => sum([cellOf('cost')(row), negated('rounding_value')(row)]);
      expect(rounded(summed(valued, ['asset'], cellOf('cost')))).toEqual(
        summed(whole, ['currency'], carried),
      );
      expectWithinHalfACent(
        summed(lots, ['asset'], cellOf('market_value')),
        summed(holdings, ['currency'], cellOf('market_value')),
      );
      seen.push(lots.length);
    }
    expect(new Set(seen).size).toBeGreaterThan(1);
    expect(seen.at(-1)).toBeGreaterThan(5);
  });
});

const shown = async (to: string) =>
  (await read('open_lots', to)).map((row) =>
    [row.acquired_on, row.units, row.cost, row.held_days, row.is_over_a_year, row.origin, row.pool].join(' '),
  );

test('a past month shows its lots as they were, whatever used, reversed or joined them since', async () => {
  await booked({ day: '2025-01-31', name: 'old' }, buy('1', '10000'));
  await booked({ day: '2026-01-10', name: 'new' }, buy('2', '60000'));
  await derived();
  await close('2026-01');
  const before = await shown('2026-02-01T00:00:00Z');
  const sold = await booked({ day: '2026-02-10', name: 'sold' }, sell('1.5', '50000'));
  await booked({ day: '2026-01-20', name: 'late', period: '2026-02' }, buy('1', '1'));
  await reversed(sold, '2026-03-05');
  await derived();
  expect(before).toEqual(['2025-01-31 1 10000 365 f exchange held', '2026-01-10 2 60000 21 f exchange held']);
  expect(await shown('2026-02-01T00:00:00Z')).toEqual(before);
  expect(await shown('2026-02-02T00:00:00Z')).toEqual([
    '2025-01-31 1 10000 366 t exchange held', // the day after the same day of the next year
    '2026-01-10 2 60000 22 f exchange held',
    '2026-01-20 1 1 12 f exchange held',
  ]);
  expect(await shown('2026-03-01T00:00:00Z')).toEqual([
    '2026-01-10 1.5 45000 49 f exchange held',
    '2026-01-20 1 1 39 f exchange held',
  ]);
  expect((await shown('2026-04-01T00:00:00Z')).map((line) => line.split(' ')[1])).toEqual(['1', '2', '1']);
});

test('disposals without a lot and externally held lots are lines of their own', async () => {
  await books.pool.query(`insert into decide.external_lots (entity_id, currency, units, cost, cost_currency, acquired_on, file_name,
      file_sha256, line, evidence_name, evidence_sha256, reason, by_name, at)
    values ('main', 'BTC', 2, 5000, 'EUR', '2026-01-05', 'f', repeat('0', 64), 1, 'e', repeat('0', 64), 'r', 'Ada', now())`);
  await booked({ day: '2026-01-03', name: 'short' }, sell('0.5', '20000'));
  await derive(books.db, BOOKS);
  expect(await shown('2026-01-04T00:00:00Z')).toEqual([' -0.5    without-lot held']);
  expect(await shown('2026-02-01T00:00:00Z')).toEqual([
    '2026-01-05 2 5000 26 f imported external',
    ' -0.5    without-lot held',
  ]);
});

test('over all time the lots of an entity of which no list is proved yet have no days held', async () => {
  await heldElsewhere('5');
  await derived();
  const [lot] = await reportRows(books.pool, 'open_lots', { from: '-infinity', to: 'infinity' });
  expect([lot?.cost, lot?.as_of, lot?.held_days]).toEqual(['5', 'infinity', null]);
});

test('days held are those of the books, in the view as in the report', async () => {
  await booked({ day: '2026-01-02', name: 'bought' }, buy('1', '20000'));
  await booked({ day: '2026-01-05', name: 'sold' }, sell('1', '21000'));
  await derive(books.db, BOOKS);
  await books.pool.query("update run.entities set timezone = 'Europe/Madrid'");
  await books.pool.query("update value.uses set acquired_at = '2026-01-02T23:30:00Z'"); // the 3rd in Madrid
  const { rows } = await books.pool.query("select held_days from books.disposals where currency = 'BTC'");
  const [reported] = await read('realised_gains', '2026-02-01T00:00:00Z');
  expect([rows, reported?.held_days]).toEqual([[{ held_days: 2 }], '2']);
});
