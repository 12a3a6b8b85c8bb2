// Every conversion of two months of two entities, in euros and in dollars: its units and its value are those of the trial balance, and
// what the price hides is what the values of each entry say.
import { beforeAll, describe, expect, test } from 'vitest';
import { attoOf, attoText, roundToCents, subtract, sum } from '../../../src/base/money.ts';
import type { Stage } from '../../jobs/stage.ts';
import {
  cellOf,
  expectWithinHalfACent,
  negated,
  type Read,
  type Row,
  readerOf,
  SPANS,
  summed,
  worldsByCurrency,
} from './ties.ts';

/** Both sides of each conversion, as the account has them: debit positive. */
const sidesOf = (rows: readonly Row[]) =>
  rows.flatMap((row) => [
    {
      ...row,
      currency: row.sold_currency ?? '',
      units: cellOf('sold_units')(row),
      booked: row.sold_currency ? cellOf('value')(row) : '0',
    },
    {
      ...row,
      currency: row.bought_currency ?? '',
      units: negated('bought_units')(row),
      booked: row.bought_currency ? negated('value')(row) : '0',
    },
  ]);

const cents = (text: string | null | undefined): string | null =>
  text ? attoText(roundToCents(attoOf(text))) : null;

describe.each(Object.entries(worldsByCurrency()))('in %s', (currency, world) => {
  let stage: Stage;
  let read: Read;
  beforeAll(async () => {
    stage = await world();
    read = readerOf(stage);
  });

  describe.each(Object.entries(SPANS))('%s', (_name, span) => {
    const BY = ['entity_id', 'currency'];

    test('units and value are the changes of equity:conversion', async () => {
      const sides = sidesOf(await read('conversions', span));
      const account = (await read('trial_balance', span)).filter(
        (row) => row.account === 'equity:conversion',
      );
      const changeOf = (end: string) => (row: Row) =>
        sum([cellOf(`debit${end}`)(row), negated(`credit${end}`)(row), cellOf(`prior_period${end}`)(row)]);
      expect(sides.length).toBeGreaterThan(20);
      expect(summed(sides, BY, cellOf('units'))).toEqual(summed(account, BY, changeOf('')));
      expectWithinHalfACent(summed(sides, BY, cellOf('booked')), summed(account, BY, changeOf('_value')), 3);
    });

    test('each line is an entry of the journal with that account, and each such entry is a line', async () => {
      const rows = await read('conversions', span);
      const journal = (await read('journal', span)).filter((row) => row.account === 'equity:conversion');
      const entries = (all: readonly Row[]) => [...new Set(all.map((row) => row.entry_id))].sort();
      expect(rows.map((row) => row.entry_id).sort()).toEqual(entries(journal));
    });
  });

  test('the spread at market is the one that the values of the entry state, and the same fees', async () => {
    const span = SPANS['the year'];
    const rows = (await read('conversions', span)).filter(({ kind }) => kind === 'wallet-transaction');
    const stored = new Map(
      (
        await stage.rows(`select entity_id || ' ' || entry_id as key, max(spread)::text as spread, count(*)::text as lines from books.value_postings
          where kind = 'wallet-transaction' group by 1`)
      ).map((row) => [row.key, row]),
    );
    const keyOf = (row: Row) => `${row.entity_id} ${row.entry_id}`;
    const valued = rows.filter((row) => stored.has(keyOf(row))); // a corrected entry has no values
    expect(valued.length).toBeGreaterThan(15);
    for (const row of valued)
      expect([row.record_id, cents(row.spread_value)]).toEqual([
        row.record_id,
        cents(stored.get(keyOf(row))?.spread),
      ]);
    const fees = new Map<string, Row[]>();
    for (const fee of await read('fees', span)) fees.set(keyOf(fee), [...(fees.get(keyOf(fee)) ?? []), fee]);
    const names = ['in_cost', 'in_proceeds', 'expensed'];
    expect(rows.filter((row) => names.some((name) => row[name])).length).toBeGreaterThan(2);
    for (const row of rows)
      for (const name of names)
        expect([row.record_id, name, cellOf(name)(row)]).toEqual([
          row.record_id,
          name,
          sum((fees.get(keyOf(row)) ?? []).map(cellOf(name))),
        ]);
  });

  test('the spread by the rate of the record is that of books.conversion_spreads, in money', async () => {
    const rows = (await read('conversions', SPANS['the year'])).filter((row) => row.own_spread_value);
    const spreads = new Map(
      (await stage.rows('select * from books.conversion_spreads where spread is not null')).map((row) => [
        `${row.entity_id} ${row.record_id}`,
        row,
      ]),
    );
    const standing = rows.filter((row) => spreads.has(`${row.entity_id} ${row.record_id}`));
    expect(standing.length).toBeGreaterThan(5);
    for (const row of standing) {
      const spread = spreads.get(`${row.entity_id} ${row.record_id}`);
      expect(row.own_spread_percent).toBe(spread?.spread_percent);
      if (row.bought_currency === currency) expect(cents(row.own_spread_value)).toBe(cents(spread?.spread));
    }
  });

  test('a figure is empty only where a price is named as missing', async () => {
    const rows = (await read('conversions', SPANS['the year'])).filter((row) => row.symbol);
    for (const row of rows) {
      expect([row.record_id, row.spread_value === null]).toEqual([row.record_id, row.unpriced !== null]);
      if (row.spread_value)
        expect(subtract(row.sold_value ?? '', row.bought_value ?? '')).toBe(row.spread_value);
      expect([row.record_id, row.own_rate === null]).toEqual([row.record_id, row.own_rate_missing !== null]);
    }
    expect(rows.filter((row) => row.spread_value).length).toBeGreaterThan(20);
  });
});
