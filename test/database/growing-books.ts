// Two histories of different length with the same month and the same new records, to see what grows with what lies behind.
import { settleLows } from '../../src/reconcile/lows.ts';
import { historyOf } from '../bench/history-sql.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

/** The longer history has five times as many entries, days and nights. Few a day, so that a month is little beside either. */
export const [SHORT, LONG] = [1, 5].map((times) => ({
  entries: 6_000 * times,
  days: 1_500 * times,
  nights: 100 * times,
})) as [Size, Size];
export type Size = {
  readonly entries: number;
  readonly days: number;
  readonly nights: number;
  readonly entities?: number;
};

const ENTITIES = 3;
/** The records that the last night landed. */
const NEW_RECORDS = 20;

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
  update run.runs r set exit_code = 0, entries_before = (select max(entry_number) - ${NEW_RECORDS} from ledger.entries),
    requests_before = (select min(request_id) - 1 from land.requests q where q.run_id = r.run_id and q.stream = 'trading-balances');
  insert into run.nights (entity_id, run_id, began_at, lists_run_id, reason) select entity_id, run_id, started_at, run_id, 'read' from run.runs cross join run.entities;
  insert into run.verdicts (entity_id, run_id, verdict) select entity_id, run_id, 'clean' from run.runs cross join run.entities;
  update land.records set request_id = (select max(requests_before) + 1 from run.runs)
  where record_id in (select record_id from land.records order by record_at desc limit ${NEW_RECORDS});
  insert into reconcile.clearing_days
  select entity_id, account, currency, effective_day, sum(debit), sum(credit), 0 from ledger.daily
  where account like 'assets:clearing:%' group by 1, 2, 3, 4;
  insert into reconcile.paired_totals
  select entity_id, account, currency, debit, credit, 0 from ledger.totals where account like 'assets:clearing:%'`;

export const booksOf = async (size: Size): Promise<TestDatabase> => {
  const books = await freshDatabase();
  const { entities = ENTITIES } = size;
  await books.pool.query(historyOf({ ...size, entities }));
  await books.pool.query(NIGHTS);
  await settleLows(
    books.db,
    Array.from({ length: entities }, (_, index) => `e${index}`),
  );
  await books.pool.query('vacuum analyze');
  return books;
};

/** A node of EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON). Rows are an average of the loops. */
export type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Plan Rows': number;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Shared Hit Blocks': number;
  readonly 'Shared Read Blocks': number;
  readonly Plans?: readonly PlanNode[];
};

export const planOf = async (
  books: TestDatabase | undefined,
  text: string,
  values: readonly unknown[],
): Promise<PlanNode> => {
  const { rows } = (await books?.pool.query(`explain (analyze, buffers, timing off, format json) ${text}`, [
    ...values,
  ])) ?? { rows: [] };
  const [{ Plan: plan }] = JSON.parse(rows[0]['QUERY PLAN']) as [{ Plan: PlanNode }];
  return plan;
};

export const blocksOf = (node: PlanNode): number => node['Shared Hit Blocks'] + node['Shared Read Blocks'];

/** Rows that the nodes of a plan returned or dropped, each time that they ran. */
const rowsHandled = (node: PlanNode): number => {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Join Filter': unjoined = 0 } = node;
  const own = (node['Actual Rows'] + filtered + unjoined) * node['Actual Loops'];
  return (node.Plans ?? []).reduce((sum, inner) => sum + rowsHandled(inner), own);
};

/** What a plan reads and handles. */
export const workOf = (plan: PlanNode): number => blocksOf(plan) + rowsHandled(plan);
