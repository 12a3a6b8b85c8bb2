// What a quiet night and the reports of a month read, over two histories of different length with the same month and the same new
// records: no statement may read more because more lies behind it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSql, sqlPaths } from '../../src/database/sql.ts';
import { settleLows } from '../../src/reconcile/lows.ts';
import { historyOf } from '../bench/history-sql.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { exampleValues, PERIOD } from './example-values.ts';
import { GROWING } from './growth-exceptions.ts';

/** The longer history has five times as many entries, days and nights. Few a day, so that a month is little beside either. */
const [SHORT, LONG] = [1, 5].map((times) => ({
  entries: 6_000 * times,
  days: 1_500 * times,
  nights: 100 * times,
})) as [Size, Size];
type Size = { readonly entries: number; readonly days: number; readonly nights: number };

const ENTITIES = 3;
/** The records that the last night landed. */
const NEW_RECORDS = 20;
/** The blocks that a statement may read more: an index is a level deeper, and an index of block ranges reads at least one of 128. */
const MORE_BLOCKS = 150;
const GROWTH_MAX = 1.3;

/** The statements of a night, beside the checks. */
const NIGHTLY = [
  'breaks/blocked.sql',
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
  'status/lists_due.sql',
  'status/month_notes.sql',
  'status/verdicts.sql',
  'valuation/changed_months.sql',
  'valuation/days_without_rates.sql',
  'valuation/sources.sql',
];
const CHECKS = sqlPaths('checks');
const PATHS = [...CHECKS, ...NIGHTLY, ...sqlPaths('reports'), ...sqlPaths('page')];

/** The nights' readings of the balances, and how far the nights before paired the days of clearing. */
const NIGHTS = `
  select setval(pg_get_serial_sequence('land.requests', 'request_id'), (select max(request_id) from land.records));
  insert into land.requests (entity_id, run_id, stream, method, target, status, body_sha256, rows, sent_at)
  select entity_id, run_id, list, 'GET', phase, 200, '', 3, started_at
  from run.runs cross join run.entities
  cross join (values (1, 'trading-balances', 'before'), (2, 'trading-orders', '/orders'), (3, 'trading-balances', 'after')) as p (nth, list, phase)
  order by run_number, nth, entity_id;
  insert into land.snapshots (entity_id, request_id, run_id, product, phase, taken_at)
  select entity_id, request_id, run_id, 'trading', target, sent_at from land.requests where stream = 'trading-balances';
  insert into land.balances (entity_id, request_id, item_id, currency, balance, blocked, total, payload)
  select s.entity_id, s.request_id, lower(b.currency), b.currency, b.balance - 1, 1, b.balance, '{}'
  from land.snapshots s join books.balances b on b.entity_id = s.entity_id and b.account = 'assets:trading';
  update run.runs r set requests_before = (select min(request_id) - 1 from land.requests q where q.run_id = r.run_id and q.stream = 'trading-balances');
  insert into run.nights (entity_id, run_id, began_at, lists_run_id, reason) select entity_id, run_id, started_at, run_id, 'read' from run.runs cross join run.entities;
  update land.records set request_id = (select max(requests_before) + 1 from run.runs)
  where record_id in (select record_id from land.records order by record_at desc limit ${NEW_RECORDS});
  insert into reconcile.clearing_days
  select entity_id, account, currency, effective_day, sum(debit), sum(credit), 0 from ledger.daily
  where account like 'assets:clearing:%' group by 1, 2, 3, 4;
  insert into reconcile.paired_totals
  select entity_id, account, currency, debit, credit, 0 from ledger.totals where account like 'assets:clearing:%'`;

const booksOf = async (size: Size): Promise<TestDatabase> => {
  const books = await freshDatabase();
  await books.pool.query(historyOf({ ...size, entities: ENTITIES }));
  await books.pool.query(NIGHTS);
  await settleLows(books.db, ['e0', 'e1', 'e2']);
  await books.pool.query('vacuum analyze');
  return books;
};

let [short, long]: TestDatabase[] = [];
beforeAll(async () => {
  short = await booksOf(SHORT);
  long = await booksOf(LONG);
});
afterAll(async () => {
  await short?.close();
  await long?.close();
});

type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
};

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
  const { rows } = (await books?.pool.query(
    `explain (analyze, buffers, timing off, format json) ${statement}`,
    [...values],
  )) ?? { rows: [] };
  const [{ Plan: plan }] = JSON.parse(rows[0]['QUERY PLAN']) as [{ Plan: PlanNode }];
  return { blocks: blocksOf(plan), byTable: tablesIn(plan) };
};

/** What the night before had seen: all but what the last one landed. */
const newsOf = ({ entries }: Size) => {
  const request = '9223372036854775806';
  return { entry: `${entries}`, entry_number: `${entries}`, request, since: request };
};

const blocksOf = (node: PlanNode): number => node['Shared Hit Blocks'] + node['Shared Read Blocks'];

const tablesIn = (node: PlanNode, tables = new Map<string, number>()): Map<string, number> => {
  const table = node['Relation Name'];
  if (table) tables.set(table, (tables.get(table) ?? 0) + blocksOf(node));
  for (const inner of node.Plans ?? []) tablesIn(inner, tables);
  return tables;
};

const isGrown = (before: number, after: number): boolean => after > before * GROWTH_MAX + MORE_BLOCKS;

/** The growth of a statement in words: the table that grew most, and both figures; null if it did not grow. */
const growthOf = async (path: string): Promise<string | null> => {
  await readingOf(long, LONG, path); // hint bits and caches
  const before = await readingOf(short, SHORT, path);
  const after = await readingOf(long, LONG, path);
  if (!isGrown(before.blocks, after.blocks)) return null;
  const [table = 'a function', blocks = after.blocks] =
    [...after.byTable].sort(
      (a, b) => b[1] - (before.byTable.get(b[0]) ?? 0) - (a[1] - (before.byTable.get(a[0]) ?? 0)),
    )[0] ?? [];
  return `sql/${path} reads ${before.blocks} blocks of the short history and ${after.blocks} of the long one; most of ${table}: ${before.byTable.get(table) ?? 0} and ${blocks}`;
};

test.each(PATHS)('%s', async (path) => {
  const growth = await growthOf(path);
  if (path in GROWING) expect(growth, `sql/${path} no longer grows: remove its exception`).not.toBeNull();
  else expect(growth).toBeNull();
});

test('a statement that reads the whole history is found', async () => {
  const [before, after] = [
    await readingOf(short, SHORT, 'export/proof_daily.sql'),
    await readingOf(long, LONG, 'export/proof_daily.sql'),
  ];
  expect(isGrown(before.blocks, after.blocks)).toBe(true);
});

test('each exception names a statement that is here', () => {
  expect(Object.keys(GROWING).filter((path) => !PATHS.includes(path))).toEqual([]);
});
