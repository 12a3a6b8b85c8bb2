// What has no price or no cost: a word on the page, and never a zero.
import { afterAll, expect, test } from 'vitest';
import { nightly } from '../../../jobs/nightly.ts';
import { exportReports } from '../../../src/export/export.ts';
import { type Overview, overviewOf, totalOf } from '../../../src/export/page/figures.ts';
import { paidOf } from '../../../src/export/page/paid.ts';
import { withRun } from '../../../src/run/work.ts';
import { AUTUMN } from '../../close/month.ts';
import { freshDatabase } from '../../database.ts';
import { openStage } from '../../jobs/stage.ts';

import { filesIn, october } from '../world.ts';
import { makePageWorld } from './page-world.ts';

const assetOf = (
  currency: string,
  figures: { cost: string; unvalued: string; unrealised: string | null },
) => ({
  what: 'asset',
  moment: 'closing',
  value_currency: 'EUR',
  currency,
  units: '1',
  market: null,
  ...figures,
});

test('a cost of which nothing is known is none, and a known part of it is a sum', () => {
  const values = [
    assetOf('A', { cost: '0', unvalued: '2', unrealised: null }),
    assetOf('B', { cost: '5', unvalued: '1', unrealised: null }),
    assetOf('C', { cost: '0', unvalued: '0', unrealised: '0' }),
  ];
  const { assets } = overviewOf({ values, months: [], fee_values: [], counterparties: [] }, 'EUR');
  expect(assets.closing.map(({ name, cost }) => [name, cost])).toEqual([
    ['A', null],
    ['B', '5'],
    ['C', '0'],
  ]);
});

test('a currency without a price has no bar of exposure', async () => {
  const books = await freshDatabase();
  await makePageWorld(books);
  const page = filesIn((await exportReports(october(books.pool))).dir)['report.html'] ?? '';
  await books.close();
  const section = page.match(/<section id="exposure".*?<\/section>/s)?.[0] ?? '';
  const rows = [...section.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) => row);
  const unpriced = rows.filter((row) => row.includes('not known')).map(nameOf);
  expect(unpriced.length).toBeGreaterThan(0);
  expect(rows.filter((row) => unpriced.includes(nameOf(row)))).toHaveLength(unpriced.length);
});

const nameOf = (row: string): string =>
  row
    .replace(/<[^>]*>/g, ' ')
    .trim()
    .split(/\s/)[0] ?? '';

const figuresOf = (parts: Partial<Parameters<typeof overviewOf>[0]>): Overview =>
  overviewOf({ values: [], months: [], fee_values: [], counterparties: [], ...parts }, 'EUR');

const feeOf = (figures: { fee: string; in_cost: string; fees: string; unvalued: string }) => ({
  value_currency: 'EUR',
  in_proceeds: '0',
  expensed: '0',
  volume: '0',
  ...figures,
});

test('a sum is not known if nothing in it is, and zero if there is nothing to sum', () => {
  const [none, some] = [
    feeOf({ fee: 'trading', in_cost: '0', fees: '2', unvalued: '2' }),
    feeOf({ fee: 'network', in_cost: '3', fees: '2', unvalued: '1' }),
  ];
  expect(paidOf(figuresOf({ fee_values: [none] }).fees)).toEqual({ total: null, trading: null });
  expect(paidOf(figuresOf({ fee_values: [none, some] }).fees)).toEqual({ total: '3', trading: null });
  expect(paidOf(figuresOf({}).fees)).toEqual({ total: '0', trading: '0' });
  const unknown = assetOf('A', { cost: '0', unvalued: '2', unrealised: null });
  const known = assetOf('B', { cost: '5', unvalued: '0', unrealised: '0' });
  const costOf = (...values: (typeof unknown)[]) => totalOf(figuresOf({ values }).assets.closing, 'cost');
  expect([costOf(unknown), costOf(unknown, known), costOf()]).toEqual([null, '5', '0']);
});

test('books in a currency without a rate show no amount of it, and count what has no value', async () => {
  const stage = await openStage(AUTUMN, afterAll);
  const settings = { ...stage.settings(), currency: 'XOF' };
  await withRun(settings, 'nightly', {
    tell: () => {},
    work: (work) => nightly(work, settings, { isFull: false, writesFiles: false }),
  });
  const files = filesIn((await exportReports({ ...october(stage.database.pool), ...settings })).dir);
  const page = files['report.html'] ?? '';
  const heads = page.match(/<dl class="heads">.*?<\/dl>/s)?.[0] ?? '';
  expect(heads.match(/<b><span class="none">not known<\/span><\/b>/g)).toHaveLength(5);
  expect(heads).toContain('<dt>Rewards</dt><dd><b><span class="n">0.00</span></b>'); // there were none
  for (const id of ['allocation', 'performance', 'paid', 'parties']) {
    const section = page.match(new RegExp(`<section id="${id}".*?</section>`, 's'))?.[0] ?? '';
    expect(section.match(/<tr.*?<\/tr>/gs)?.filter((row) => row.includes('not known')) ?? [], id).not.toEqual(
      [],
    );
  }
  const { totals, months } = JSON.parse(files['report.json'] ?? '');
  const { market, cost, unrealised } = totals.closing;
  expect([market, cost, unrealised, totals.volume, totals.fees_paid, totals.steps.gains]).toEqual(
    Array.from({ length: 6 }, () => null),
  );
  for (const month of months) expect(month).toMatchObject({ realised: null, cost: null, market: null });
  const [heading = '', ...owed] = (files['working_capital.csv'] ?? '').trim().split('\n');
  expect(owed.length).toBeGreaterThan(0);
  const nth = heading.split(',').indexOf('unvalued');
  for (const row of owed) expect(Number(row.split(',')[nth])).toBeGreaterThan(0);
});
