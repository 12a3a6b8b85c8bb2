// The rows of the report page: those of the files beside it, counted and summed by statements of their own.
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { subtract, sum } from '../../../src/base/money.ts';
import { loadSql, readSql, sqlPaths } from '../../../src/database/sql.ts';
import { exportReports } from '../../../src/export/export.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { filesIn, october } from '../world.ts';
import { makePageWorld, SCRIPT } from './page-world.ts';

const PERIOD = { from: '2026-09-30T22:00:00Z', to: '2026-10-31T23:00:00Z', timezone: 'Europe/Madrid' };

let books: TestDatabase;
let files: Record<string, string>;
beforeAll(async () => {
  books = await freshDatabase();
  await makePageWorld(books);
  files = filesIn((await exportReports(october(books.pool))).dir);
});
afterAll(() => books.close());

const readCsv = (text = ''): Record<string, string>[] => parse(text, { columns: true });

const rows = async (file: string, values: Record<string, string>) =>
  (await books.pool.query(loadSql(`page/${file}.sql`, values))).rows as Record<string, string | null>[];

describe('rows of the page equal those of the files beside it', () => {
  test('every statement reads only views', () => {
    for (const path of sqlPaths('page'))
      expect(readSql(path).text.match(/\b(?:run|land|ledger|decide|reconcile)\.\w+/g), path).toBe(null);
  });

  test('page/breaks.sql: every row of breaks.csv', async () => {
    const found = await rows('breaks', { ...pick(['from', 'to']), entity: '' });
    expect(found.map((it) => it.break_id).sort()).toEqual(
      readCsv(files['breaks.csv'])
        .map((it) => it.break_id)
        .sort(),
    );
    expect([...new Set(found.map((it) => it.standing))]).toEqual(['open', 'resolved', 'waived']);
  });

  test('page/ties.sql and page/closing.sql: tie_outs.csv and closing_balances.csv, counted', async () => {
    const count = (found: readonly { readonly accounts?: unknown }[]) =>
      found.reduce((all, { accounts }) => all + Number(accounts), 0);
    expect(count(await rows('ties', { entity: '', last_run: '' }))).toBe(
      readCsv(files['tie_outs.csv']).length,
    );
    const closing = await rows('closing', { ...pick(['to']), entity: '' });
    expect(count(closing)).toBe(readCsv(files['closing_balances.csv']).length);
  });

  test('page/moves.sql: every currency sums to zero, and holdings close as in the trial balance', async () => {
    const found = await rows('moves', { ...PERIOD, unit: 'day', entity: '' });
    const closing = readCsv(files['trial_balance.csv']);
    for (const currency of new Set(found.map((it) => it.currency))) {
      const own = found.filter((it) => it.currency === currency);
      const moved = own.map(({ debit, credit }) => subtract(debit ?? '', credit ?? ''));
      expect(sum(moved)).toBe('0');
      const balance = sum(moved.filter((_, i) => own[i]?.line === 'held'));
      const owned = closing.filter(
        (it) => it.currency === currency && /^(?:assets|liabilities):/.test(it.account ?? ''),
      );
      expect(balance).toBe(sum(owned.map((it) => it.closing ?? '')));
    }
    const back = (await rows('moves', { ...PERIOD, unit: 'month', entity: 'main' })).find(
      ({ currency, line }) => currency === 'ETH' && line === 'equity:external:blockchain',
    );
    expect([back?.debit, back?.credit]).toEqual(['0', '0']); // sent and reversed
  });

  test('page/coverage.sql: only what the period lacks of each stream', async () => {
    const found = await rows('coverage', { ...pick(['from', 'to']), entity: '', last_run: '' });
    expect(found.map((it) => [it.entity_id, it.stream, it.what, it.missing_from, it.missing_to])).toEqual([
      [SCRIPT, 'movements', 'gap', '2026-10-10T00:00:00.000Z', '2026-10-12T00:00:00.000Z'],
      ['Zeta', 'movements', null, null, null],
      ['Zeta', 'wallet-transactions', null, null, null],
      ['main', 'earn-movements', null, null, null],
      ['main', 'movements', null, null, null],
      ['main', 'trades', 'gap', '2026-10-30T00:00:00.000Z', '2026-10-30T12:00:00.000Z'],
      ['main', 'wallet-transactions', null, null, null],
    ]);
    const before = await rows('coverage', {
      from: '2026-11-01T00:00:00Z',
      to: '2027-01-01T00:00:00Z',
      entity: 'Zeta',
      last_run: '',
    });
    const notRead = ['not read', '2026-11-02T02:00:04.000Z'];
    expect(before.map((it) => [it.what, it.missing_from])).toEqual([notRead, notRead]);
  });

  test('page/days.sql: an hour more when daylight saving ends; page/entities.sql and page/rejects.sql: each once', async () => {
    const days = await rows('days', { ...PERIOD, step: '1 day' });
    expect(days).toHaveLength(31);
    expect(days[24]).toEqual({
      day: '2026-10-25',
      starts_at: '2026-10-24T22:00:00.000Z',
      ends_at: '2026-10-25T23:00:00.000Z',
    });
    const quarter = { ...PERIOD, from: '2026-10-04T22:00:00Z', to: '2026-12-19T23:00:00Z' };
    const months = await rows('days', { ...quarter, step: '1 month' });
    expect(months.map((month) => month.day)).toEqual(['2026-10-01', '2026-11-01', '2026-12-01']);
    expect([months[0]?.starts_at, months[2]?.ends_at]).toEqual([
      '2026-10-04T22:00:00.000Z',
      '2026-12-19T23:00:00.000Z',
    ]);
    const placed = await rows('moves', { ...quarter, unit: 'month', entity: '' });
    expect(new Set(placed.map((it) => it.day))).toEqual(new Set([null, '2026-10-01', '2026-11-01']));
    expect((await rows('entities', { entity: '' })).map((it) => it.entity_id)).toEqual([
      SCRIPT,
      'Zeta',
      'main',
    ]);
    const rejects = await rows('rejects', { entity: '' });
    expect(rejects.reduce((all, row) => all + Number(row.rejects), 0)).toBe(
      readCsv(files['rejects.csv']).length,
    );
  });
});

const pick = (names: readonly (keyof typeof PERIOD)[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, PERIOD[name]]));
