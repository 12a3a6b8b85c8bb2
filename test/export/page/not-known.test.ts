// What has no price or no cost: a word on the page, and never a zero.
import { expect, test } from 'vitest';
import { exportReports } from '../../../src/export/export.ts';
import { overviewOf } from '../../../src/export/page/figures.ts';
import { freshDatabase } from '../../database.ts';
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
