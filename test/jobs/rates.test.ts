// A rate that is neither null nor a positive number is a mistake of the gateway, and a finding if the books have its currency.
import { expect, test } from 'vitest';
import { noPricesRead, readRates } from '../../jobs/rates.ts';
import type { ReadGateway } from '../../src/gateway/client.ts';
import { CONTRACT } from '../../src/gateway/contract/contract.ts';
import { openRun } from '../../src/run/job-run.ts';
import type { Work } from '../../src/run/work.ts';
import { receipt } from '../land/stage.ts';
import { BOOKS, booked, books, buy, withBooks } from '../valuation/month-stand.ts';

withBooks();

/** What a run finds whose gateway answers each day with these rates, and the chart of BTC with these rows. */
const foundWith = async (rates: Readonly<Record<string, unknown>>, rows: readonly unknown[] = []) => {
  const run = await openRun(books.db, 'nightly');
  await booked({ day: '2026-03-02', name: 'first' }, buy('1', '1'));
  const call = async (operation: unknown, { query }: { readonly query: { readonly time?: string } }) => {
    const entries = (query.time ?? '').split(',').map(() => ({ fiat: { EUR: '0.9' }, crypto: rates }));
    const page = operation === CONTRACT.currency.rates ? { entries } : { rows };
    return { page, receipt: receipt('/v1/currency/rate') };
  };
  const gateway = { nowMs: () => Date.parse('2026-03-02T13:00:00Z'), call } as unknown as ReadGateway;
  const work = { db: books.db, run, config: BOOKS, tell: () => {} } as unknown as Work;
  await readRates(work, gateway, { entity: 'main', prices: noPricesRead() });
  return (
    await books.pool.query(
      `select subject, severity, detail from run.findings where run_id = '${run.id}' order by subject`,
    )
  ).rows;
};

const MIDNIGHT = '2026-03-02T00:00:00.000Z';

test.each([
  ['0', '"0"'],
  ['-1.5', '"-1.5"'],
  ['soon', '"soon"'],
  [{ last: '1' }, '{"last":"1"}'],
  ['9'.repeat(50), `"${'9'.repeat(39)}…`],
])('the rate %j of a currency in the books is a finding', async (rate, shown) => {
  const [found, ...others] = await foundWith({ BTC: rate });
  expect(others).toEqual([]);
  expect(found).toMatchObject({ subject: 'rates', severity: 'finding' });
  expect(found.detail).toContain(
    'cannot be used, so some items may have no value: ask the platform for the right ones (BTC at ',
  );
  expect(found.detail).toContain(`BTC at ${MIDNIGHT}: ${shown}`);
});

test('null is none, and neither is a wrong rate of a currency that the books do not have', async () => {
  const rows = [[String(Date.parse(MIDNIGHT)), null, '0.9']];
  expect(await foundWith({ BTC: null, DOGE: '0' }, rows)).toEqual([]);
});

test('a wrong rate in a price chart is a finding; the right one beside it is not', async () => {
  const rows = [[String(Date.parse(MIDNIGHT)), '0', '0.9']];
  expect(await foundWith({ BTC: '0.00001' }, rows)).toEqual([
    {
      subject: 'chart',
      severity: 'finding',
      detail: `the gateway sent 1 rate that cannot be used, so some items may have no value: ask the platform for the right ones (BTC at ${MIDNIGHT}: "0")`,
    },
  ]);
});
