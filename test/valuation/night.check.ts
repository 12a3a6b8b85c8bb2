// Values of a whole world: a night derives them, every proof passes and can fail, and a rebuild gives the same.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rebuild } from '../../src/actions/rebuild.ts';
import { withRun } from '../../src/run/work.ts';
import { verifyLedger } from '../../src/verify/ledger/ledger.ts';
import { openStage, type Stage } from '../jobs/stage.ts';

let stage: Stage;
const ends: (() => Promise<void>)[] = [];
beforeAll(async () => {
  stage = await openStage({ days: 12, perDay: 60 }, (end) => void ends.push(end));
});
afterAll(async () => {
  for (const end of ends) await end();
});

const VALUE_PROOFS = /in value|gains|lots/;
const proofs = async () => {
  const { proofs: all } = await verifyLedger({ pool: stage.database.pool, timezone: 'UTC', programs: [] });
  return all.filter(({ proof }) => VALUE_PROOFS.test(proof));
};

const failing = async () => (await proofs()).filter(({ faults }) => faults !== '0').map(({ proof }) => proof);
const count = async (from: string) => (await stage.rows(`select count(*) as n from ${from}`))[0]?.n;

test('a night values every entry, by every rule, and each proof holds', async () => {
  const { exitCode, summary } = await stage.night();
  expect([exitCode, summary]).toEqual([0, expect.stringContaining(' 0 findings,')]);
  const results = await proofs();
  expect(results.map(({ faults, first }) => [faults, first])).toEqual(results.map(() => ['0', null]));
  const few = results.filter(({ checked }) => Number(checked) <= 10).map(({ proof }) => proof);
  expect(few).toEqual(['lots in transit are what was sent and has not arrived']); // its entities send each other little
  expect(await count('books.value_postings where value is null')).toBe('0');
  expect(await count("books.value_findings where severity <> 'note'")).toBe('0');
  const rules = await stage.rows('select distinct rule from books_internal.values order by rule');
  expect(rules.map(({ rule }) => rule)).toEqual([
    'carried',
    'converted-amount',
    'cost-euro',
    'lot-cost',
    'own-cost',
    'rate',
    'reporting-currency',
  ]);
  const ages = await stage.rows(`
    select path, max(age) <= interval '24:00:00' and min(age) >= interval '0' as is_young, bool_and(source ~ '^(rates|chart) ') as is_named
    from books_internal.values where rule = 'rate' group by path order by path`);
  expect(ages).toEqual(['direct', 'through USD'].map((path) => ({ path, is_young: true, is_named: true })));
});

test('each fee is in exactly one column, and only the expensed part is an expense', async () => {
  const [fees] = await stage.rows(`
    select count(*) filter (where num_nonnulls(fee_in_cost, fee_in_proceeds, fee_expensed) <> 1) as twice,
      sum(exact) - sum(fee_expensed) as counted_otherwise, sum(fee_in_cost) > 0 and sum(fee_in_proceeds) > 0 and sum(fee_expensed) > 0 as all_kinds
    from books.value_postings where account like 'expenses:fees:%'`);
  expect(fees).toMatchObject({ twice: '0', all_kinds: true });
  expect(Number(fees?.counted_otherwise)).toBe(0);
});

test('the spread of a conversion is reported but not posted', async () => {
  const [spread] = await stage.rows(`
    select count(*) as conversions, count(*) filter (where spread > 0) > count(*) / 2 as mostly_worse, min(memo) as memo
    from books.value_postings where spread is not null`);
  expect(spread).toMatchObject({
    mostly_worse: true,
    memo: expect.stringMatching(/^spread -?[\d.]+ EUR against (rates|chart) /),
  });
});

test('a second night derives nothing again; one more day derives the changed month, as from scratch', async () => {
  const before = await stage.rows('select xmin::text as x from value.postings order by 1 desc limit 1');
  await stage.night();
  expect(await stage.rows('select xmin::text as x from value.postings order by 1 desc limit 1')).toEqual(
    before,
  );
  await stage.advance(1);
  await stage.night();
  expect(await failing()).toEqual([]);
  let isEqual = false;
  const work = async (task: Parameters<typeof rebuild>[0]) => {
    const made = await rebuild(task);
    isEqual = made.isEqual;
    return made.result;
  };
  await withRun(stage.settings(), 'rebuild', { tell: () => {}, work, as: 'owner' });
  expect([isEqual, await failing()]).toEqual([true, []]);
});

test.each([
  [
    'one cent more',
    "update value.postings set value = value + 0.01 where line = 1 and account like 'assets:pocket:%'",
    2,
  ],
  [
    'a gain that nothing gave',
    "update value.postings set exact = exact + 1e-18 where account like 'income:gains:%'",
    1,
  ],
  ['a lot of one unit less', 'update value.lots set units = units - 1e-18 where cost > 1', 1],
  ['a cost forgotten', 'update value.lots set cost = cost - 1e-18 where cost > 1', 1],
  ['a value lost', "update value.postings set value = null where account like 'equity:external:%'", 1],
])('%s is seen', async (_what, sql, least) => {
  await stage.rows(
    'begin; create table public.kept_p as table value.postings; create table public.kept_l as table value.lots; commit',
  );
  await stage.rows(sql);
  expect((await failing()).length).toBeGreaterThanOrEqual(least);
  await stage.rows(`
    begin; truncate value.postings, value.lots; insert into value.postings table public.kept_p; insert into value.lots table public.kept_l;
    drop table public.kept_p, public.kept_l; commit`);
  expect(await failing()).toEqual([]);
});
