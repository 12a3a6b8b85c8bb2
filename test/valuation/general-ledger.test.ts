// The general ledger has the accounts of the trial balance, each from its opening to its closing, whatever cents leave of a value.
import { expect, test } from 'vitest';
import { groupBy } from '../../src/base/group.ts';
import { reportRows } from '../export/reports/report-rows.ts';
import type { Row } from '../export/reports/ties.ts';
import { booked, books, buy, derived, sell, withBooks } from './month-stand.ts';

withBooks();

const JANUARY = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
const read = (report: string) => reportRows(books.pool, report, JANUARY);
const nameOf = ({ account, currency }: Row) => `${account} ${currency}`;

test.each([
  ['below a cent', '1000.006', []],
  ['of a cent', '1000.03', ['assets:cost-differences BTC']],
])('an account whose lines are values %s', async (_, cost, differences) => {
  await booked({ day: '2025-11-02', name: 'bought' }, buy('1', '1000'));
  await booked({ day: '2025-12-02', name: 'bought again' }, buy('1', cost));
  await booked({ day: '2026-01-05', name: 'sold' }, sell('1', '1500'));
  await derived();
  const ledger = await read('general_ledger');
  const accounts = groupBy(ledger, nameOf);
  expect([...accounts.keys()].filter((name) => name.startsWith('assets:cost-differences'))).toEqual(
    differences,
  );
  for (const [name, rows] of accounts)
    expect([name, rows[0]?.line, rows.at(-1)?.line]).toEqual([name, 'opening', 'closing']);
  expect([...accounts.keys()].sort()).toEqual((await read('trial_balance')).map(nameOf).sort());
});
