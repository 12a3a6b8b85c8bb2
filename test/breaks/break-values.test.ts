// The values of breaks: equal to the plain definition, and each currency priced once for all breaks that share its price.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { landRates } from '../database/landed-rates.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

const RUN = '00000000-0000-4000-8000-000000000001';
const CUT = ['2026-03-05', '2026-03-15'] as const;

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(`
    insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values
      ('main', 'main', 'UTC', 'EUR', '2026-01-01'), ('sub', 'sub', 'UTC', 'USD', '2026-01-01'), ('bare', 'bare', 'UTC', null, '2026-01-01');
    insert into run.runs (run_id, job, started_at) values ('${RUN}', 'nightly', '2026-03-25');
    insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, booked, status)
      values ('main', '${RUN}', 'assets:trading', 'EUR', '2026-03-25', 0, 'uncovered')`);
  await landRates(books, '2026-03-01', { EUR: '0.8', BTC: '0.01', ETH: '0.1', ADA: '2', SOL: '0.02' });
  await landRates(books, '2026-03-20', { EUR: '0.8', BTC: '0.005', ETH: '0.1', ADA: '3', SOL: '0.03' });
});
afterAll(() => books.close());
beforeEach(() => books.pool.query('truncate reconcile.breaks cascade; truncate decide.waivers'));

type Add = {
  readonly entity?: string;
  readonly resolvedAt?: string;
  readonly explanation?: string;
};

/** Adds a break with a difference such as "-2 BTC"; a part may be missing. */
const add = (id: string, [units, currency]: readonly (string | null)[], options: Add = {}) => {
  const { entity = 'main', resolvedAt = null, explanation = null } = options;
  const status = resolvedAt ? 'resolved' : explanation ? 'explained' : 'open';
  return books.pool.query(
    `insert into reconcile.breaks (entity_id, break_id, check_name, subject, account, currency, difference, status, reason, opened_at,
       since, run_id, resolved_at, explanation, explained_by)
     values ($1, $2, 'trading_tie_out', $2, 'assets:trading', $3, $4, $5, 'why', '2026-03-02', '2026-03-02', $6, $7, $8, $8)`,
    [entity, id, currency, units, status, RUN, resolvedAt, explanation],
  );
};

const addAll = async () => {
  await add('open', ['-2', 'BTC']);
  await add('explained', ['1', 'BTC'], { explanation: 'a gift' });
  await add('waived', ['3', 'ETH']);
  await add('resolved early', ['2', 'BTC'], { resolvedAt: '2026-03-10' });
  await add('resolved late', ['2', 'BTC'], { resolvedAt: '2026-03-22' });
  await add('before any rate', ['2', 'BTC'], { resolvedAt: '2026-02-01' });
  await add('of 18 decimals', ['0.000000000000000007', 'ADA']);
  await add('in money', ['5.10', 'EUR']);
  await add('no price', ['4', 'NOPE']);
  await add('no currency', ['4', null]);
  await add('no difference', [null, 'BTC']);
  await add('of the subaccount', ['2', 'BTC'], { entity: 'sub' });
  await add('without a reporting currency', ['2', 'BTC'], { entity: 'bare' });
  await books.pool.query(`insert into decide.waivers (entity_id, break_id, period, difference, by_name, reason, at)
    values ('main', 'waived', '2026-03', 3, 'Ada', 'small', '2026-03-04')`);
};

const pairsOf = async (query: string, values: readonly string[] = []) => {
  const { rows } = await books.pool.query(query, [...values]);
  return Object.fromEntries(rows.map(({ break_id, value }) => [break_id, value]));
};

describe('the value of a break', () => {
  beforeEach(addAll);

  test('is of the newest price while the break stands, and of the instant at which it was resolved', async () => {
    const values = await pairsOf('select break_id, value from books.breaks');
    expect(values).toEqual({
      open: '320',
      explained: '160',
      waived: '24',
      'resolved early': '160',
      'resolved late': '320',
      'before any rate': null,
      'of 18 decimals': '0.000000000000000002',
      'in money': '5.1',
      'no price': null,
      'no currency': null,
      'no difference': null,
      'of the subaccount': '400',
      'without a reporting currency': null,
    });
    expect(await pairsOf("select break_id, value from books.breaks where status = 'waived'")).toEqual({
      waived: '24',
    });
    const plain = await pairsOf(`
      select b.break_id, books_internal.value_of(b.entity_id, b.currency, b.difference, n.currency, coalesce(b.resolved_at, 'infinity')) as value
      from reconcile.breaks b left join run.entities n using (entity_id)`);
    expect(values).toEqual(plain);
  });

  test('in a period is of its end, or of the instant in it at which the break was resolved', async () => {
    const values = await pairsOf("select break_id, value from books_internal.breaks_within($1, $2, '')", CUT);
    expect(values).toMatchObject({ open: '160', 'resolved early': '160', 'of the subaccount': '200' });
    const plain = await pairsOf(
      `select w.break_id, books_internal.value_of(b.entity_id, b.currency, w.difference, n.currency, least(b.resolved_at, $2)) as value
       from books_internal.breaks_within($1, $2, '') w join reconcile.breaks b using (entity_id, break_id)
       left join books.entities n using (entity_id)`,
      CUT,
    );
    expect(values).toEqual(plain);
  });
});

const CALLS = `select coalesce(sum(calls), 0)::int as calls from pg_stat_xact_user_functions where funcname = any($1)`;

/** How often a statement calls functions, as the server counts the calls. */
const callsOf = async (functions: readonly string[], statement: string, settings = ''): Promise<number> => {
  const session = await books.pool.connect();
  const calls = async (): Promise<number> => (await session.query(CALLS, [functions])).rows[0].calls;
  try {
    await session.query(`begin; set local track_functions = 'all'; ${settings}`);
    const before = await calls(); // those of earlier transactions of the session that the server has not passed on
    await session.query(statement);
    return (await calls()) - before;
  } finally {
    await session.query('rollback');
    session.release();
  }
};

const pricesAsked = (statement: string, settings = '') => callsOf(['price_of'], statement, settings);

describe('a thousand breaks of four currencies', () => {
  beforeEach(() =>
    books.pool.query(`
      insert into reconcile.breaks (entity_id, break_id, check_name, subject, account, currency, difference, status, reason, opened_at, since, run_id)
      select (array['main', 'sub'])[1 + nth % 2], nth, 'trading_tie_out', nth, 'assets:trading', (array['BTC', 'ETH', 'ADA', 'SOL'])[1 + nth % 4],
        1, 'open', 'why', '2026-03-02', '2026-03-02', '${RUN}'
      from generate_series(1, 1000) as nth`),
  ); // main has BTC and ADA, sub the others

  test.each([
    ['by any join', ''],
    ['by nested loops', 'set local enable_hashjoin = off; set local enable_mergejoin = off'],
  ])('take four prices, %s', async (_, settings) => {
    expect(await pricesAsked('select sum(value) from books.breaks', settings)).toBe(4);
    expect(await pricesAsked("select * from books.breaks where status = 'open'", settings)).toBe(4);
    const within = `select sum(value) from books_internal.breaks_within('${CUT[0]}', '${CUT[1]}', '')`;
    expect(await pricesAsked(within, settings)).toBe(4);
  });

  test('take those of one entity for its breaks, and none for a statement without a value', async () => {
    expect(await pricesAsked("select sum(value) from books.breaks where entity_id = 'main'")).toBe(2);
    expect(await pricesAsked('select count(*) from books.breaks')).toBe(0);
    expect(await pricesAsked("select break_id, age_days from books.breaks where status = 'open'")).toBe(0);
  });

  test('that are resolved take none for the open ones, and four in the period of their night', async () => {
    await books.pool.query("update reconcile.breaks set status = 'resolved', resolved_at = '2026-03-10'");
    expect(await pricesAsked("select sum(value) from books.breaks where status = 'open'")).toBe(0);
    const within = `select sum(value) from books_internal.breaks_within('${CUT[0]}', '${CUT[1]}', '')`;
    expect(await pricesAsked(within)).toBe(4);
  });

  test('that two runs resolved take eight prices, one for each currency and run, and one if one is read', async () => {
    await books.pool.query(
      "update reconcile.breaks set status = 'resolved', resolved_at = date '2026-03-10' + break_id::int / 4 % 2 * 14",
    );
    await books.pool.query('analyze reconcile.breaks');
    expect(await pricesAsked('select sum(value) from books.breaks')).toBe(8);
    expect(await pricesAsked("select value from books.breaks where break_id = '7'")).toBe(1);
    expect(await pricesAsked("select severity, due_at from books.breaks where status = 'open'")).toBe(0);
  });

  test('are graded by the statement itself, without a call for each', async () => {
    const grades = ['severity_of', 'due_at'];
    expect(await callsOf(grades, 'select max(severity), max(due_at) from books.breaks')).toBe(0);
    const within = `select max(severity), max(due_at) from books_internal.breaks_within('${CUT[0]}', '${CUT[1]}', '')`;
    expect(await callsOf(grades, within)).toBe(0);
  });
});
