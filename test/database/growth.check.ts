// What a quiet night and the reports of a month read, over two histories of different length with the same month and the same new
// records: no statement may read more because more lies behind it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSql, sqlPaths } from '../../src/database/sql.ts';
import type { TestDatabase } from '../database.ts';
import { exampleValues, PERIOD } from './example-values.ts';
import { blocksOf, booksOf, LONG, type PlanNode, planOf, SHORT, type Size, workOf } from './growing-books.ts';
import { GROWING } from './growth-exceptions.ts';

/** The blocks that a statement may read more: an index is a level deeper, and an index of block ranges reads at least one of 128. */
const MORE_BLOCKS = 150;
const GROWTH_MAX = 1.3;
/** What is expected to grow reads at least so much more, close to the limit or not. */
const GROWTH_MIN = 1.1;
/** What looks up each of the forty entries of the month, four blocks deep, and little else: as it may, or not, by the statistics of the day. */
const FEW_BLOCKS = 200;

/** The statements of a night, beside the checks. */
const NIGHTLY = [
  'breaks/blocked.sql',
  'export/conservation.sql',
  'export/conservation_sums.sql',
  'export/control_totals.sql',
  'export/counts.sql',
  'export/news.sql',
  'export/states.sql',
  'proofs/conservation_since.sql',
  'reconcile/claims.sql',
  'reconcile/clearing_days.sql',
  'reconcile/lows.sql',
  'reconcile/transfer_days.sql',
  'references/assets_due.sql',
  'references/named.sql',
  'references/orders.sql',
  'status/clean_nights.sql',
  'status/late_nights.sql',
  'status/listed_entities.sql',
  'status/lists_due.sql',
  'status/metric_breaks.sql',
  'status/metric_nights.sql',
  'status/metric_open.sql',
  'status/metric_records.sql',
  'status/metric_requests.sql',
  'status/metric_runs.sql',
  'status/month_notes.sql',
  'status/open_items.sql',
  'status/verdicts.sql',
  'valuation/changed_months.sql',
  'valuation/days_without_rates.sql',
  'valuation/grown.sql',
  'valuation/sources.sql',
];
const CHECKS = sqlPaths('checks');
const PATHS = [...CHECKS, ...NIGHTLY, ...sqlPaths('reports'), ...sqlPaths('page')];

let [short, long]: TestDatabase[] = [];
beforeAll(async () => {
  short = await booksOf(SHORT);
  long = await booksOf(LONG);
});
afterAll(async () => {
  await short?.close();
  await long?.close();
});

type Reading = { readonly blocks: number; readonly byTable: ReadonlyMap<string, number> };

/** What a statement reads of the books of one entity, as a night runs it. */
const readingOf = async (books: TestDatabase | undefined, size: Size, path: string): Promise<Reading> => {
  const run = `00000000-0000-4000-8000-${`${size.nights}`.padStart(12, '0')}`;
  const chosen = { ...PERIOD, ...newsOf(size), entity: 'e1', entities: '{e1}', run };
  const { text, values } = loadSql(path, exampleValues(path, chosen));
  const statement = CHECKS.includes(path)
    ? `select found.* from unnest('{e1}'::text[]) as wanted (entity_id) cross join lateral (
        select * from (${text}\n) as whole where whole.entity_id = wanted.entity_id offset 0) as found`
    : text;
  const plan = await planOf(books, statement, values);
  return { blocks: blocksOf(plan), byTable: tablesIn(plan) };
};

/** What the night before had seen: all but what the last one landed. */
const newsOf = ({ entries }: Size) => {
  const request = '9223372036854775806';
  return { entry: `${entries}`, entry_number: `${entries}`, request, since: request };
};

const tablesIn = (node: PlanNode, tables = new Map<string, number>()): Map<string, number> => {
  const table = node['Relation Name'];
  if (table) tables.set(table, (tables.get(table) ?? 0) + blocksOf(node));
  for (const inner of node.Plans ?? []) tablesIn(inner, tables);
  return tables;
};

type Readings = { readonly before: Reading; readonly after: Reading };

/** The least of three readings: the first fills the caches of the catalogue, and databases that are made beside it may empty them again. */
const leastOf = async (read: () => Promise<Reading>): Promise<Reading> => {
  const [first, ...others] = [await read(), await read(), await read()];
  return others.reduce((least, other) => (other.blocks < least.blocks ? other : least), first);
};

/** What a statement reads of the short history and of the long one. */
const readingsOf = async (path: string): Promise<Readings> => ({
  before: await leastOf(() => readingOf(short, SHORT, path)),
  after: await leastOf(() => readingOf(long, LONG, path)),
});

/** The growth of a statement in words: the table that grew most, and both figures; null if it did not grow. */
const growthOf = (path: string, { before, after }: Readings): string | null => {
  if (after.blocks <= Math.max(before.blocks * GROWTH_MAX + MORE_BLOCKS, FEW_BLOCKS)) return null;
  const [table = 'a function', blocks = after.blocks] =
    [...after.byTable].sort(
      (a, b) => b[1] - (before.byTable.get(b[0]) ?? 0) - (a[1] - (before.byTable.get(a[0]) ?? 0)),
    )[0] ?? [];
  return `sql/${path} reads ${before.blocks} blocks of the short history and ${after.blocks} of the long one; most of ${table}: ${before.byTable.get(table) ?? 0} and ${blocks}`;
};

test.each(PATHS)('%s', async (path) => {
  const readings = await readingsOf(path);
  if (path in GROWING)
    expect(readings.after.blocks, `sql/${path} no longer grows: remove its exception`).toBeGreaterThan(
      readings.before.blocks * GROWTH_MIN,
    );
  else expect(growthOf(path, readings)).toBeNull();
});

/** A month before all nights of both histories. */
const EARLY = {
  from: '2025-07-01T00:00:00Z',
  to: '2025-08-01T00:00:00Z',
  first: '2025-07',
  last: '2025-07',
  period: '2025-07',
};
/** A month costs at most in proportion to the nights since: a loop over rows in memory touches no block, so rows count too. */
const LINEAR = LONG.nights / SHORT.nights;

test.each([...sqlPaths('reports'), ...sqlPaths('page')])(
  '%s does not compare each night with each',
  async (path) => {
    const work = async (books: TestDatabase | undefined) => {
      const { text, values } = loadSql(path, exampleValues(path, { ...EARLY, entity: 'e1' }));
      return workOf(await planOf(books, text, values));
    };
    const [before, after] = [await work(short), await work(long)];
    expect(after).toBeLessThan(before * LINEAR * GROWTH_MAX + MORE_BLOCKS);
  },
);

/** A person's questions of the views, about one month of an entity. */
const ASKED = [
  "select * from books.entries where entity_id = 'e1' and period = '2026-06'",
  "select * from books.postings where entity_id = 'e1' and period = '2026-06'",
];

test.each(ASKED)('%s', async (text) => {
  const [before, after] = [blocksOf(await planOf(short, text, [])), blocksOf(await planOf(long, text, []))];
  expect(after).toBeLessThan(before * GROWTH_MAX + MORE_BLOCKS);
});

test('the newest price of a currency looks up the other side of few of its rates', async () => {
  const prices = `select newest.* from unnest('{ETH}'::text[]) as currency
    cross join lateral books_internal.newest_price('e1', currency, 'EUR', 'infinity') as newest`;
  expect(blocksOf(await planOf(long, prices, []))).toBeLessThan(LONG.days / 4); // which have a rate each
});

test('the values of accounts in whole months are read from their summary, as is what lines without a value leave open', async () => {
  const values = await planOf(long, 'select * from books_internal.value_totals($1, $2, $3)', [
    PERIOD.from,
    PERIOD.to,
    'posted_at',
  ]);
  const read = tablesIn(values);
  expect(read.get('monthly')).toBeGreaterThan(0);
  expect(read.get('postings') ?? 0).toBe(0);
});

test('a statement that reads the whole history is found', async () => {
  expect(growthOf('proofs/daily.sql', await readingsOf('proofs/daily.sql'))).toContain('of the long one');
});

test('each exception names a statement that is here', () => {
  expect(Object.keys(GROWING).filter((path) => !PATHS.includes(path))).toEqual([]);
});
