// Prices used and value findings over three months, in euro and in dollars: each line of value is in one row, each market rate
// gives its value, and what has no value adds up to what the trial balance leaves open.
import { describe, expect, test } from 'vitest';
import { attoOf, attoText, compare, converted, subtract, sum } from '../../src/base/money.ts';
import { post } from '../../src/ledger/entries.ts';
import { derive } from '../../src/valuation/valuation.ts';
import { reportRows } from '../export/reports/report-rows.ts';
import { cellOf, negated, type Row, summed } from '../export/reports/ties.ts';
import { books, withBooks } from './month-stand.ts';
import { lived, rated } from './three-months.ts';

const JANUARY = '2026-01-01T00:00:00Z';
const ENDS = ['2026-01-15T00:00:00Z', '2026-02-01T00:00:00Z', '2026-05-01T00:00:00Z'];

const read = (report: string, to: string, from = JANUARY) => reportRows(books.pool, report, { from, to });

const change = (row: Row) => sum([cellOf('debit_value')(row), negated('credit_value')(row)]);
const grown = (row: Row) => sum([cellOf('closing_value')(row), negated('opening_value')(row)]);

/** No rate is left after the tenth day of February, so later values are missing. */
const withoutRates = (code: string) =>
  books.pool.query(
    `delete from land.official_rates where currency = '${code}' and day between '2026-02-10' and '2026-02-20'`,
  );

describe.each(['EUR', 'USD'])('in %s', (currency) => {
  withBooks(async () => {
    await books.pool.query(`update run.entities set currency = $1`, [currency]);
    await rated();
    for (const code of ['GEM', 'ETH', 'USD']) await withoutRates(code);
    await post(books.db, lived());
    await derive(books.db, { timezone: 'UTC', currency });
  });

  test.each(ENDS)('up to %s all lines of value are in it, and sum to the trial balance', async (end) => {
    const prices = await read('prices_used', end);
    const [counted] = await books.pool
      .query(
        `select count(*)::text as lines, count(*) filter (where value is null)::text as unvalued
         from books.value_postings where posted_at < $1`,
        [end],
      )
      .then(({ rows }) => rows);
    expect(sum(prices.map(cellOf('lines')))).toBe(counted.lines);
    expect(sum(prices.map(cellOf('unvalued')))).toBe(counted.unvalued);
    expect(summed(prices, ['currency'], change)).toEqual(
      summed(await read('trial_balance', end), ['currency'], grown),
    );
  });

  test('the parts of a period are those of the whole', async () => {
    const [first = '', , last = ''] = ENDS;
    const whole = summed(await read('prices_used', last), ['currency', 'rule', 'source'], cellOf('lines'));
    const parts = [...(await read('prices_used', first)), ...(await read('prices_used', last, first))];
    expect(summed(parts, ['currency', 'rule', 'source'], cellOf('lines'))).toEqual(whole);
  });

  test('each market rate gives its value, and is that of its file', async () => {
    const rates = (await read('prices_used', ENDS[2] ?? '')).filter(
      ({ rule, source }) => rule === 'rate' && source !== null,
    );
    expect(rates.length).toBeGreaterThan(40);
    const imported = await books.pool.query<{ currency: string; record_id: string; rate: string }>(
      `select currency, record_id, rate::text from books.rates union all select distinct quote, record_id, '1' from books.rates`,
    );
    const file = new Map(imported.rows.map((row) => [`${row.record_id} ${row.currency}`, row.rate]));
    for (const row of rates) {
      const [quoted, reporting] = [row.rate_currency, currency].map((code) =>
        file.get(`${row.source} ${code}`),
      );
      const price = converted(attoOf('1'), quoted ?? '0', reporting ?? '0');
      expect([row.source, row.source_type, attoOf(row.rate ?? '')]).toEqual([row.source, 'official', price]);
      expect(compare(row.age_seconds_max ?? '', '86400')).toBeLessThanOrEqual(0);
      if (row.rate_currency !== row.currency) continue;
      const value = attoText(converted(attoOf(row.units ?? ''), quoted ?? '0', reporting ?? '0'));
      const off = subtract(value, row.value_at_rate ?? '').replace('-', '');
      expect([row.source, compare(off, '0.000000000000001')]).toEqual([row.source, -1]);
    }
  });

  test('what has no value adds up to what the trial balance leaves open, each with what to do', async () => {
    for (const end of ENDS) {
      const findings = await read('value_findings', end);
      const balance = await read('trial_balance', end);
      for (const name of ['unvalued', 'missing_value'])
        expect(summed(findings, ['entity_id'], cellOf(name))).toEqual(
          summed(balance, ['entity_id'], cellOf(name)),
        );
      expect(findings.filter(({ remedy, detail }) => !remedy || !detail)).toEqual([]);
    }
    const kinds = (await read('value_findings', ENDS[2] ?? '')).map(({ kind }) => kind);
    expect([...new Set(kinds)].sort()).toEqual(expect.arrayContaining(['no-lot', 'no-rate']));
  });
});
