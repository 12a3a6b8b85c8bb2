// Entities of one taxpayer that close a month one after the other: what is late for another one is valued in a later month, and each
// month still closes with its own cents and keeps them.
import { beforeEach, expect, test } from 'vitest';
import { derive } from '../../src/valuation/valuation.ts';
import { reportRows } from '../export/reports/report-rows.ts';
import { BOOKS, booked, books, close, derivedAgain, proved, withBooks } from './month-stand.ts';

withBooks();

beforeEach(() =>
  books.pool.query(`
    insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('a', 'a', 'UTC', 'EUR', '2026-01-01');
    insert into decide.profiles (entity_id, version, taxpayer, owner, by_name, at)
    select entity, 1, 'T', 'own', 'Ada', now() from (values ('main'), ('a')) as own (entity)`),
);

const JANUARY = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', entity: 'a' };

const read = (report: string) => reportRows(books.pool, report, JANUARY);

/** The fees of January, and what of its reports does not agree. */
const january = async () => {
  const fees = (await read('trial_balance')).filter(({ account }) => account === 'expenses:fees:trading');
  const differing = (await read('checks')).filter(({ verdict }) => verdict !== 'holds');
  return { fees: fees.map(({ closing_value }) => closing_value), differing };
};

/** A fee of less than a cent. */
const feeOn = (day: string, period?: string) =>
  booked({ day, name: `fee of ${day}`, entity: 'a', ...(period && { period }) }, [
    'expenses:fees:trading <- assets:trading 0.004 EUR',
  ]);

const valued = async () => {
  await derive(books.db, BOOKS);
  expect(await proved()).toEqual([]);
  await derivedAgain();
};

test('a closed month keeps its values when an earlier entry of it comes late', async () => {
  await booked({ day: '2026-01-05', name: 'of main' }, ['assets:trading <- equity:external:bank 1 EUR']);
  await derive(books.db, BOOKS);
  await close('2026-01');
  await feeOn('2026-01-20');
  await valued();
  expect(await january()).toEqual({ fees: ['0.00'], differing: [] });
  await close('2026-01', 'a');
  await feeOn('2026-01-10', '2026-02');
  await valued();
  expect(await january()).toEqual({ fees: ['0.00'], differing: [] });
});

test('a month agrees with itself although another entity has closed two months more', async () => {
  await booked({ day: '2026-02-05', name: 'of main' }, ['assets:trading <- equity:external:bank 1 EUR']);
  await feeOn('2026-02-06');
  await derive(books.db, BOOKS);
  await close('2026-02');
  await feeOn('2026-01-20');
  await valued();
  expect(await january()).toEqual({ fees: ['0.01'], differing: [] });
});
