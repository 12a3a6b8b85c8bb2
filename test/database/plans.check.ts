// The plans of reports, checks, exports, the page and the cookbook at size: one entity and one month among many are found by an
// index, never by reading a big table from end to end.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSql, readSql, sqlPaths } from '../../src/database/sql.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';
import { ACCEPTED } from './plan-exceptions.ts';

const ENTRIES = 20_000;
const ENTITIES = 20;

/** The tables that grow with what is booked. */
const BIG = ['records', 'outcomes', 'entries', 'transfers', 'daily', 'postings', 'uses', 'tie_outs', 'rates'];

const FOLDERS = ['reports', 'checks', 'export', 'page', 'cookbook'];
/** Files about one batch or run, and the proofs of `verify`, which read all there is. */
const OTHERS = /^export\/(proof_|batch|value_|sealed_part|run|news|lake_)/;

const LAST_RUN = '00000000-0000-4000-8000-000000000031';
const PERIOD = {
  from: '2026-06-01T00:00:00Z',
  to: '2026-07-01T00:00:00Z',
  first: '2026-06',
  last: '2026-06',
  period: '2026-06',
};

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  const history = readFileSync(new URL('../bench/history.sql', import.meta.url), 'utf8');
  await books.pool.query(
    history.replaceAll('{entries}', `${ENTRIES}`).replaceAll('{entities}', `${ENTITIES}`),
  );
  await books.pool.query('vacuum analyze');
});
afterAll(() => books.close());

/** The values of the psql example of a file, with one entity and one month among many. */
const valuesOf = (path: string): Record<string, string> => {
  const { text, parameters } = readSql(path);
  const [line = ''] = /^-- {3}psql .*/m.exec(text) ?? [];
  const example = [...line.matchAll(/ -v (\w+)=(?:'([^']*)'|(\S*))/g)].map(
    ([, name = '', quoted, bare]) => [name, quoted ?? bare ?? ''] as const,
  );
  const chosen = { ...PERIOD, entity: 'e1', entities: '{e1}', run: LAST_RUN };
  const values = { ...Object.fromEntries(example), ...chosen };
  return Object.fromEntries(Object.entries(values).filter(([name]) => parameters.includes(name)));
};

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
    await client.query('set local cursor_tuple_fraction = 1');
    const { rows } = await client.query(`explain (format json) ${text}`, [...values]);
    const [{ Plan }] = JSON.parse(rows[0]['QUERY PLAN']) as [{ Plan: PlanNode }];
    return [...new Set(scansIn(Plan))].filter((name) => BIG.includes(name)).sort();
  } finally {
    await client.query('rollback');
    client.release();
  }
};

const paths = FOLDERS.flatMap(sqlPaths).filter((path) => !OTHERS.test(path));

test.each(paths)('%s', async (path) => {
  const { text, values } = loadSql(path, valuesOf(path));
  const accepted = ACCEPTED[path]?.tables ?? [];
  expect((await readWhole(text, values)).filter((name) => !accepted.includes(name))).toEqual([]);
});

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
