// The times at which rates are requested: every local midnight, and never more than the 24 hours apart for which a rate is valid.
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { landRates, wantedTimes } from '../../src/land/rates.ts';
import { openRun } from '../../src/run/job-run.ts';
import { booked, books, buy, derived, heldElsewhere, withBooks } from '../valuation/month-stand.ts';
import { receipt } from './stage.ts';

withBooks();

const HOUR = 3_600_000;

const hoursBetween = (times: readonly string[]): number[] =>
  times.slice(1).map((instant, nth) => (Date.parse(instant) - Date.parse(times[nth] ?? '')) / HOUR);

const wantedIn = async (timezone: string, from: string, until: string): Promise<string[]> => {
  await booked({ day: from, name: 'first' }, buy('1', '1'));
  const times = await wantedTimes(books.db, {
    currency: 'EUR',
    timezone,
    nowMs: Date.parse(until),
    run: randomUUID(),
  });
  return times.map((instant) => new Date(instant).toISOString());
};

test.each([
  'UTC',
  'Europe/Madrid',
  'America/New_York',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Asia/Beirut',
])('over a year in %s, no moment is more than 24 hours after the time before it', async (timezone) => {
  const times = await wantedIn(timezone, '2025-01-10', '2026-01-10T12:00:00Z');
  expect(times.length).toBeGreaterThan(365);
  expect(Math.max(...hoursBetween(times))).toBeLessThanOrEqual(24);
});

test.each([
  [
    'of 25 hours has the time before its last hour',
    '2026-10-25',
    ['2026-10-25T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
  ],
  ['of 23 hours has its end alone', '2026-03-29', ['2026-03-29T22:00:00.000Z']],
])('a day %s', async (_, day, ends) => {
  const times = await wantedIn('Europe/Madrid', day, `${ends.at(-1)?.slice(0, 10)}T23:30:00Z`);
  expect(times.filter((instant) => instant.startsWith(day))).toEqual(ends);
});

/** What later runs ask for, after one whose rates of each day were these. */
const wantedAfter = async (rates: readonly string[]): Promise<number[]> => {
  const counts: number[] = [];
  for (const EUR of [...rates, '']) {
    const run = await openRun(books.db, 'test');
    const moment = {
      currency: 'EUR',
      timezone: 'UTC',
      nowMs: Date.parse('2026-03-02T01:00:00Z'),
      run: run.id,
    };
    const times = await wantedTimes(books.db, moment);
    counts.push(times.length);
    if (EUR === '') return counts;
    const entries = times.map(() => ({ fiat: { EUR } }));
    await landRates({ db: books.db, run, entity: 'main' }, receipt('/v1/currency/rate'), { times, entries });
    expect(await wantedTimes(books.db, moment), 'a run asks once').toEqual([]);
  }
  return counts;
};

test.each([
  ['is asked for again by the next run', ['0', '0.9'], [2, 2, 0]],
  ['is asked for by three runs at most', ['0', '-1', 'x'], [2, 2, 2, 0]],
])('a day with a rate that cannot be used %s', async (_, rates, counts) => {
  await booked({ day: '2026-03-02', name: 'first' }, buy('1', '1'));
  expect(await wantedAfter(rates)).toEqual(counts);
});

test('the cost of a stated lot in another currency has the rate of the day of its acquisition, before the books begin', async () => {
  await booked({ day: '2026-03-02', name: 'first' }, buy('1', '1'));
  await heldElsewhere('11000', 'USD');
  const run = await openRun(books.db, 'test');
  const moment = {
    currency: 'EUR',
    timezone: 'America/New_York',
    nowMs: Date.parse('2026-03-02T12:00:00Z'),
    run: run.id,
  };
  const times = await wantedTimes(books.db, moment);
  const instants = times.map((instant) => new Date(instant).toISOString());
  expect(instants).toEqual([
    '2026-01-03T00:00:00.000Z',
    '2026-03-01T05:00:00.000Z',
    '2026-03-02T05:00:00.000Z',
  ]);
  expect(await wantedTimes(books.db, { ...moment, currency: 'USD' }), 'in its own currency').toHaveLength(2);
  const entries = times.map(() => ({ fiat: { EUR: '0.5' } }));
  await landRates({ db: books.db, run, entity: 'main' }, receipt('/v1/currency/rate'), { times, entries });
  await derived();
  const { rows } = await books.pool.query("select cost::text from value.lots where lot_id like 'external/%'");
  expect(rows).toEqual([{ cost: '5500' }]);
});
