// The plans of reports, checks, exports, the page and the cookbook at size: one entity and one month among many are found by an
// index, never by reading a big table from end to end.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSql, sqlPaths } from '../../src/database/sql.ts';
import { checksOf, narrowedTo } from '../../src/reconcile/checks.ts';
import { historyOf } from '../bench/history-sql.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { exampleValues, PERIOD } from './example-values.ts';
import { ACCEPTED } from './plan-exceptions.ts';

const ENTRIES = 30_000;
const ENTITIES = 20;

/** The tables that grow with what is booked. */
const BIG = ['records', 'outcomes', 'entries', 'transfers', 'daily', 'postings', 'uses', 'tie_outs', 'rates'];

const FOLDERS = ['reports', 'checks', 'export', 'page', 'cookbook'];
/** Files about one batch or run. */
const OTHERS = /^export\/(batch|value_|sealed_part|run|news|lake_)/;

const LAST_RUN = '00000000-0000-4000-8000-000000000031';
let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(historyOf({ entries: ENTRIES, entities: ENTITIES }));
  await books.pool.query('vacuum analyze');
});
afterAll(() => books.close());

const CHOSEN = { ...PERIOD, entity: 'e1', entities: '{e1}', run: LAST_RUN };

type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
};

const scansIn = (node: PlanNode): string[] => [
  ...(node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []),
  ...(node.Plans ?? []).flatMap(scansIn),
];

/** The big tables that a statement reads from end to end. */
const readWhole = async (text: string, values: readonly unknown[]): Promise<string[]> => {
  const client = await books.pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query(`explain (format json) ${text}`, [...values]);
    const [{ Plan }] = JSON.parse(rows[0]['QUERY PLAN']) as [{ Plan: PlanNode }];
    return [...new Set(scansIn(Plan))].filter((name) => BIG.includes(name)).sort();
  } finally {
    await client.query('rollback');
    client.release();
  }
};

const paths = FOLDERS.flatMap(sqlPaths).filter((path) => !OTHERS.test(path));

/** Those that it is not accepted to read so. */
const readTooMuch = async (path: string, chosen: Readonly<Record<string, string>>): Promise<string[]> => {
  const { text, values } = loadSql(path, exampleValues(path, chosen));
  const accepted = ACCEPTED[path]?.tables ?? [];
  return (await readWhole(text, values)).filter((name) => !accepted.includes(name));
};

test.each(paths)('%s', async (path) => {
  expect(await readTooMuch(path, CHOSEN)).toEqual([]);
});

test.each(paths.filter((path) => /^(reports|page)\//.test(path)))(
  '%s of every entity, as a night writes it',
  async (path) => {
    expect(await readTooMuch(path, { ...CHOSEN, entity: '' })).toEqual([]);
  },
);

/** The blocks that a statement touches. */
const blocksOf = async (text: string, values: readonly unknown[]): Promise<number> => {
  const { rows } = await books.pool.query(`explain (analyze, buffers, format json) ${text}`, [...values]);
  const [{ Plan }] = JSON.parse(rows[0]['QUERY PLAN']) as [{ Plan: Record<string, number> }];
  return (Plan['Shared Hit Blocks'] ?? 0) + (Plan['Shared Read Blocks'] ?? 0);
};

test.each(checksOf('break', 'finding', 'note', 'counted').filter(({ isAcross }) => !isAcross))(
  'check $name: one entity after the other, it touches about what it touches for all at once',
  async ({ path }) => {
    const { text, values } = loadSql(path, { run: LAST_RUN });
    const { rows } = await books.pool.query('select array_agg(entity_id) as entities from run.entities');
    const narrowed = narrowedTo(rows[0].entities, { text, values });
    const [whole, apart] = [await blocksOf(text, values), await blocksOf(narrowed.text, narrowed.values)];
    const ownRecords = ENTRIES / ENTITIES; // a block for each of an entity, where the whole check finds by one empty list that it need not read them
    expect(apart).toBeLessThan(4 * whole + ownRecords * ENTITIES);
  },
);

test('a statement that reads a big table from end to end is found', async () => {
  expect(await readWhole('select sum(amount) from ledger.transfers where amount > $1', ['1'])).toEqual([
    'transfers',
  ]);
  expect(
    await readWhole('select * from books.entries where entity_id = $1 and entry_id = $2', [
      'e1',
      '00000000-0000-8000-8000-000000000000',
    ]),
  ).toEqual([]);
});

test('each exception names a file that is here', () => {
  expect(Object.keys(ACCEPTED).filter((path) => !paths.includes(path))).toEqual([]);
});
