// The yearly check: what was bought and sold ties to the roll-forward, what left for wallets to the counterparties.
import { expect, test } from 'vitest';
import { attoOf, attoText, roundToCents, subtract, sum } from '../../../src/base/money.ts';
import { confirmYear } from '../../../src/reconcile/confirm.ts';
import { isFiat } from '../../../src/sandbox/world/coins.ts';
import { as } from '../../close/month.ts';
import { cellOf, openTwoMonths, type Row, SPANS, summed } from './ties.ts';

const { stage, read } = openTwoMonths();

const BY_ASSET = ['entity_id', 'currency'];

test('bought and swapped in ties to traded in of the roll-forward', async () => {
  const { 'the year': span } = SPANS;
  const events = (await read('dac8_check', span)).map(
    (row): Row => ({ ...row, currency: row.asset ?? null }),
  );
  const traded = (await read('asset_roll_forward', span)).filter((row) => !isFiat(row.currency ?? ''));
  const eventsOf = (...what: string[]) => events.filter((row) => what.includes(row.what ?? ''));
  expect(summed(eventsOf('bought', 'swapped in'), BY_ASSET, cellOf('units'))).toEqual(
    summed(traded, BY_ASSET, cellOf('traded_in')),
  );
  expect(summed(eventsOf('sold', 'swapped out'), BY_ASSET, cellOf('units'))).toEqual(
    summed(traded, BY_ASSET, cellOf('traded_out')),
  );
  expect([...new Set(eventsOf('bought', 'sold').map(({ year }) => year))]).toEqual(['2026']);
  const toWallets =
    await stage().rows(`select o.entity_id, o.currency, sum(o.amount)::text as units from books.outside o
    left join books.address_book b on (b.entity_id, 'address book: ' || b.record_id) = (o.entity_id, o.rule)
    where o.account = 'equity:external:blockchain' and o.amount > 0 and b.wallet_type is distinct from 'exchange' group by 1, 2`);
  const sent = summed(eventsOf('sent to wallets'), BY_ASSET, cellOf('units'));
  expect(sent).toEqual(summed(toWallets as Row[], BY_ASSET, cellOf('units')));
  expect(sent).not.toEqual({});
  const kinds = eventsOf('transferred in', 'transferred out').map(({ sub_type: kind }) => kind);
  expect([...new Set(kinds)].sort()).toEqual(['another provider', 'loan', 'other', 'unknown']);
  expect(events.filter(({ valuation }) => !valuation)).toEqual([]);
});

test('each type of exchange has the units and the exact value of conversions.csv, pair by pair', async () => {
  const { 'the year': span } = SPANS;
  const events = (await read('dac8_check', span)).map(
    (row): Row => ({ ...row, currency: row.asset ?? null }),
  );
  const pairs = (await read('conversions', span)).filter((row) => row.sold_currency && row.bought_currency);
  expect(pairs.length).toBeGreaterThan(50);
  const sideOf = (own: 'sold' | 'bought', against: 'sold' | 'bought', isMoney: boolean) =>
    pairs
      .filter(
        (row) =>
          !isFiat(row[`${own}_currency`] ?? '') && isFiat(row[`${against}_currency`] ?? '') === isMoney,
      )
      .map(
        (row): Row => ({
          ...row,
          currency: row[`${own}_currency`] ?? null,
          units: row[`${own}_units`] ?? null,
          gross_value: row.value ?? null,
        }),
      );
  for (const [what, rows] of [
    ['bought', sideOf('bought', 'sold', true)],
    ['sold', sideOf('sold', 'bought', true)],
    ['swapped in', sideOf('bought', 'sold', false)],
    ['swapped out', sideOf('sold', 'bought', false)],
  ] as const) {
    const shown = events.filter((row) => row.what === what);
    const units = summed(rows, BY_ASSET, cellOf('units'));
    expect(Object.keys(units).length, what).toBeGreaterThan(0);
    expect(units, what).toEqual(summed(shown, BY_ASSET, cellOf('units')));
    const exact = summed(rows, BY_ASSET, cellOf('gross_value'));
    const values = Object.fromEntries(
      Object.entries(exact).map(([key, value]) => [key, attoText(roundToCents(attoOf(value)))]),
    );
    expect(values, what).toEqual(summed(shown, BY_ASSET, cellOf('gross_value')));
  }
});

const COLUMNS = ['asset', 'what', 'sub_type', 'units', 'gross_value', 'value_currency', 'count'];

/** The rows of the main account as the platform would state them, some of them changed. */
const stated = (rows: readonly Row[], change: (row: Row, index: number) => Row[] = (row) => [row]): string =>
  [COLUMNS, ...rows.flatMap(change).map((row) => COLUMNS.map((column) => row[column] ?? ''))]
    .map((cells) => cells.join(','))
    .join('\n');

const confirmed = (text: string) =>
  as(stage(), ({ db }) =>
    confirmYear(db, {
      entity: 'main',
      year: '2026',
      from: SPANS['the year'].from,
      asOf: SPANS['the year'].to,
      tolerance: '0',
      by: 'Ana Ruiz',
      at: '2027-02-01T00:00:00Z',
      evidence: null,
      statement: { name: 'yearly.csv', bytes: Buffer.from(text) },
    }),
  );

const differences = ({ lines }: Awaited<ReturnType<typeof confirmed>>): string[] =>
  lines.flatMap(({ asset, what, sub_type: type, status, differing }) =>
    status === 'agrees' ? [] : [[asset, what, type, status, ...differing].filter(Boolean).join(' ')],
  );

test("the platform's figures of the year: equal ones agree, and each of five planted differences is found, and nothing else", async () => {
  const rows = (await read('dac8_check', SPANS['the year'])).filter(
    (row) => row.entity_id === 'main' && row.gross_value !== null,
  );
  expect(rows.length).toBeGreaterThan(20);
  const all = (await read('dac8_check', SPANS['the year'])).filter((row) => row.entity_id === 'main');
  const unvalued = all.length - rows.length;
  expect(differences(await confirmed(stated(rows)))).toHaveLength(unvalued); // what has no value cannot be stated
  const [units, money, count, missing] = [2, 5, 8, 11];
  const planted = (row: Row, index: number): Row[] => {
    if (index === units) return [{ ...row, units: sum([row.units ?? '', '0.000000000000000001']) }];
    if (index === money) return [{ ...row, gross_value: subtract(row.gross_value ?? '', '0.01') }];
    if (index === count) return [{ ...row, count: sum([row.count ?? '', '1']) }];
    return index === missing ? [] : [row];
  };
  const name = (index: number, difference: string) =>
    [rows[index]?.asset, rows[index]?.what, rows[index]?.sub_type, difference].filter(Boolean).join(' ');
  const extra = `\n${rows[0]?.asset},transferred in,airdrop,1,1,EUR,1`;
  const found = differences(await confirmed(stated(rows, planted) + extra));
  expect(found.slice(0, 4)).toEqual([
    name(units, 'differs units'),
    name(money, 'differs money'),
    name(count, 'differs count'),
    `${rows[0]?.asset} reward airdrop not-in-books`,
  ]);
  expect(found).toContain(name(missing, 'not-in-file'));
  expect(found).toHaveLength(5 + unvalued);
});
