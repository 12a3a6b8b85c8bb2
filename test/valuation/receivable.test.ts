// Withheld tax: the tax office owes it, so no report includes it in the holdings. And the counterparty
// of a disposal.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportReports } from '../../src/export/export.ts';
import { reportRows } from '../export/reports/report-rows.ts';
import type { Row } from '../export/reports/ties.ts';
import { newFolder } from '../room.ts';
import { booked, books, buy, derived, proved, sell, withBooks } from './month-stand.ts';

const SPAN = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' };
const read = (report: string) => reportRows(books.pool, report, SPAN);
const only = async (report: string, where: Row): Promise<Row> => {
  const rows = (await read(report)).filter((row) =>
    Object.entries(where).every(([name, cell]) => row[name] === cell),
  );
  expect(rows.length).toBe(1);
  return rows[0] as Row;
};

withBooks(async () => {
  await booked({ day: '2026-01-02', name: 'bought' }, buy('4', '4000'));
  await booked({ day: '2026-01-03', name: 'into Earn' }, ['assets:earn <- assets:trading 2 BTC']);
  await booked({ day: '2026-01-04', name: 'reward' }, [
    'assets:earn <- income:rewards 0.81 ETH',
    'assets:tax-withheld <- income:rewards 0.19 ETH',
  ]);
  await booked({ day: '2026-01-05', name: 'withheld on leaving' }, [
    'assets:tax-withheld <- assets:earn 0.5 BTC',
  ]);
  await booked({ day: '2026-01-06', name: 'sold' }, sell('0.25', '500'));
  await booked({ day: '2026-01-07', name: 'sent' }, ['equity:external:person <- assets:trading 0.125 BTC']);
  await derived();
});

test('withheld tax is a receivable: it is in neither units, cost nor market value of the holdings', async () => {
  expect(await only('holdings', { currency: 'BTC' })).toMatchObject({
    trading: '1.625',
    earn: '1.5',
    in_transit: '0',
    units: '3.125',
    tax_withheld: '0.5',
  });
  expect(await only('valuation', { currency: 'BTC' })).toMatchObject({ units: '3.125' });
  const roll = await only('asset_roll_forward', { currency: 'BTC' });
  expect(roll).toMatchObject({
    traded_in: '4',
    traded_out: '0.25',
    rewards: '0',
    out: '0.625',
    closing: '3.125',
  });
  expect(await only('holdings', { currency: 'ETH' })).toMatchObject({ units: '0.81', tax_withheld: '0.19' });
  const rewarded = { rewards: '0.81', closing: '0.81' };
  expect(await only('asset_roll_forward', { currency: 'ETH' })).toMatchObject(rewarded);
  const accounts = (await read('trial_balance')).filter(
    ({ account, currency }) =>
      currency === 'BTC' && /^assets:(trading|earn|cost-differences)$/.test(account ?? ''),
  );
  const { cost } = await only('valuation', { currency: 'BTC' });
  const carried = accounts.reduce((sum, row) => sum + BigInt((row.closing_value ?? '').replace('.', '')), 0n);
  expect([cost, roll.closing_value].map((it) => BigInt((it ?? '').replace('.', '')))).toEqual([
    carried,
    carried,
  ]);
  expect(await only('trial_balance', { account: 'assets:tax-withheld', currency: 'BTC' })).toMatchObject({
    closing: '0.5',
    statement: 'balance sheet',
    statement_class: 'receivables',
  });
  expect(await proved()).toEqual([]);
});

const written = async (settings: Readonly<Record<string, unknown>>) => {
  const outDir = join(newFolder(), 'out');
  const ask = { pool: books.pool, period: '2026-01', timezone: 'UTC', currency: 'EUR', settings };
  const { manifest } = await exportReports({ ...ask, outDir });
  return { manifest, page: readFileSync(join(outDir, 'report.html'), 'utf8') };
};

test('the page shows it apart, on a line of its own', async () => {
  const { page } = await written({});
  expect(page).toContain('From 0 to 3.125 BTC');
  expect(page).toMatch(/<dt>Withholding tax<\/dt><dd>.*?-0.*?5/);
});

test('every command that the page prints has --demo on the books of the demo, and none elsewhere', async () => {
  const commands = (page: string) => [...page.matchAll(/npx tieout [^<]*/g)].map(([command]) => command);
  const [own, demo] = [await written({}), await written({ isDemo: true })];
  expect(own.page.match(/\btieout (query|breaks|verify|confirm|counterparties)/g)?.length).toBe(
    commands(own.page).length,
  );
  expect(commands(own.page).filter((it) => it.includes('--demo'))).toEqual([]);
  expect(own.manifest.is_demo).toBeUndefined();
  expect(commands(demo.page)).toEqual(commands(own.page).map((it) => `${it} --demo`));
  expect(commands(demo.page).length).toBeGreaterThan(3);
  expect(demo.manifest.is_demo).toBe(true);
});

test('a disposal names its counterparty: the platform for an exchange, the receiver for an outgoing transfer', async () => {
  const sides = async () =>
    (await read('realised_gains')).map((row) => [row.exchanged_for, row.counterparty, row.counterparty_type]);
  expect(await sides()).toEqual([
    ['withheld', 'the platform', 'platform'],
    ['500 EUR', 'the platform', 'platform'],
    ['external', null, 'unknown'],
  ]);
  await books.pool.query(`insert into decide.counterparty_files (version, file_name, by_name, at)
    values (1, 'c.csv', 'Ada', '2026-01-01')`);
  await books.pool.query(`insert into decide.counterparty_rules (version, line, class, counterparty, counterparty_type)
    values (1, 2, 'person', 'Grace Ltd', 'third-party')`);
  expect((await sides())[2]).toEqual(['external', 'Grace Ltd', 'third-party']);
});
