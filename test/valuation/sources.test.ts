// Sources: a night counts only the months that may have changed, and knows the same as one that counts everything.
import { expect, test } from 'vitest';
import { randomOf } from '../../src/sandbox/sandbox.ts';
import { readSources } from '../../src/valuation/sources.ts';
import { forgetSources } from '../../src/valuation/writing.ts';
import { booked, books, buy, derived, type made, paired, reversed, sell, withBooks } from './month-stand.ts';

withBooks();

const countedMonths = async () => {
  const { months } = await readSources(books.db);
  return months.toSorted((a, b) => (a.period < b.period ? -1 : 1));
};

/** The same from nothing; what was counted before stays. */
const countedAnew = async () => {
  const before = await books.db.selectFrom('value.sources').selectAll().execute();
  await forgetSources(books.db);
  const all = await countedMonths();
  if (before.length > 0) await books.db.insertInto('value.sources').values(before).execute();
  return all;
};

const LEGS = [
  buy('1', '20000'),
  sell('0.1', '3000'),
  ['equity:external:blockchain <- assets:trading 0.01 BTC'],
  ['assets:trading <- equity:external:person 0.02 BTC'],
  ['assets:trading <- equity:external:platform 500 EUR'],
];

type Entry = ReturnType<typeof made>;

test('what is counted night by night is what would be counted from nothing', async () => {
  const random = randomOf('sources');
  const open: Entry[] = [];
  const steps = [
    async (name: string) => {
      const day = `2026-0${1 + random.below(4)}-1${random.below(9)}`;
      open.push(await booked({ day, name }, random.pick(LEGS)));
    },
    async () => {
      const [entry] = open.splice(random.below(open.length), 1);
      if (entry) await reversed(entry, `2026-0${4 + random.below(2)}-20`);
    },
    async (name: string) =>
      void open.push(await booked({ day: '2026-01-05', period: '2026-03', name }, random.pick(LEGS))),
    async () => {
      const [from, to] = [random.pick(open), random.pick(open)];
      if (from && to && from !== to) await paired(from, to);
    },
    async () =>
      void (await books.pool.query(
        `insert into decide.profiles (entity_id, version, legal_name, by_name, at)
         select 'main', count(*) + 1, 'Name ' || count(*), 'Ada', now() from decide.profiles`,
      )),
  ];
  for (let step = 0; step < 40; step += 1) {
    await (step < 6 ? steps[0] : random.pick(steps))?.(`entry ${step}`);
    expect(await countedMonths(), `step ${step}`).toEqual(await countedAnew());
    if (random.chance(60)) await derived();
  }
  expect(await derived()).toBeDefined();
  expect(await derived()).toMatchObject({ from: null, entries: 0 });
});

test('a rate after the last entry derives nothing again, and one before it does', async () => {
  await booked({ day: '2026-01-10', name: 'first' }, LEGS[3] ?? []);
  await derived();
  const rate = async (request: number, instant: string) => {
    await books.pool.query(
      `with asked as (
         insert into run.runs (run_id, job, started_at) values (gen_random_uuid(), 'test', now()) returning run_id
       ), request as (
         insert into land.requests (entity_id, request_id, run_id, stream, method, target, status, body_sha256, rows, sent_at)
         overriding system value
         select 'main', $1, run_id, 'rates', 'GET', '/', 200, '', 0, now() from asked
       ), list as (
         insert into land.rate_lists (entity_id, request_id, entry, source, at, payload, received, skipped)
         values ('main', $1, 1, 'rates', $2, '{}', 1, 0)
       )
       insert into land.rates (entity_id, currency, at, request_id, entry, rate) values ('main', 'BTC', $2, $1, 1, 0.00002)`,
      [request, instant],
    );
    return (await derived())?.from;
  };
  expect(await rate(1, '2026-01-10T12:00:01Z')).toBe(null);
  expect(await rate(2, '2026-01-10T12:00:00Z')).toBe('2026-01');
});

test('a month whose stored state is gone is counted and derived again', async () => {
  await booked({ day: '2026-01-10', name: 'first' }, buy('1', '20000'));
  await booked({ day: '2026-02-10', name: 'second' }, buy('1', '20000'));
  await derived();
  await books.pool.query("delete from value.months where period = '2026-02'");
  expect(await derived()).toMatchObject({ from: '2026-02', entries: 1 });
});
