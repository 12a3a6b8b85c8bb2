// Taxpayers whose entities move: each takes its lots along.
import { expect, test } from 'vitest';
import { obstaclesTo } from '../../src/close/readiness.ts';
import { derive } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  close,
  derivedAgain,
  disposals,
  heldElsewhere,
  paired,
  proved,
  sell,
  withBooks,
} from './month-stand.ts';

withBooks();

const ENTITIES = ['a', 'b', 'c', 'd'];

type Lots = { readonly method: string; readonly rules: string | null };

const assigned = (
  version: number,
  taxpayerOf: Readonly<Record<string, string>>,
  { method, rules }: Lots = { method: 'fifo', rules: null },
) =>
  books.pool.query(
    `insert into decide.profiles (entity_id, version, taxpayer, owner, cost_method, lot_rules, by_name, at)
     select e, $1, t, 'own', $4, $5, 'Ada', now() from unnest($2::text[], $3::text[]) as input (e, t)`,
    [version, Object.keys(taxpayerOf), Object.values(taxpayerOf), method, rules],
  );

const withoutEntries = () =>
  books.pool.query(
    `insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
     select e, e, 'UTC', 'EUR', '2026-01-01' from unnest($1::text[]) e`,
    [ENTITIES],
  );

const withEntities = async () => {
  await withoutEntries();
  for (const [nth, entity] of ENTITIES.entries()) {
    await booked({ day: `2026-01-0${nth + 1}`, name: `${entity} buys`, entity }, buy('2', `${nth + 1}0000`));
    await booked({ day: `2026-02-0${nth + 1}`, name: `${entity} sells`, entity }, sell('1', '50000'));
  }
};

test('entities that two taxpayers exchange are valued as from nothing, again and again', async () => {
  await withEntities();
  const [one, other] = [
    { a: 'S', b: 'S', c: 'T', d: 'T' },
    { a: 'T', b: 'S', c: 'S', d: 'T' },
  ];
  for (let version = 1; version <= 6; version += 1) {
    await assigned(version, version % 2 ? one : other);
    const derived = await derive(books.db, BOOKS);
    expect(derived).toMatchObject([
      { taxpayer: 'S', entries: 4 },
      { taxpayer: 'T', entries: 4 },
      { taxpayer: 'main', entries: 0 },
    ]);
    const costs = version % 2 ? ['15000', '15000', '5000', '5000'] : ['10000', '10000', '5000', '5000'];
    expect((await disposals()).map((line) => line.split(' ').at(-2)).sort()).toEqual(costs);
  }
  expect(await proved()).toEqual([]);
  for (const entity of ENTITIES)
    await booked({ day: '2026-03-01', name: `${entity} sells more`, entity }, sell('0.5', '50000'));
  expect(await derive(books.db, BOOKS)).toMatchObject([{ entries: 2 }, { entries: 2 }, { entries: 0 }]); // from the lots that are listed
  expect((await disposals()).filter((line) => / of nothing /.test(line))).toEqual([]);
  expect(await proved()).toEqual([]);
  await derivedAgain();
});

test.each([null, 'wallets-from:2026-01-01'])(
  'a transfer between two entities brings the lots that were sent, not externally held ones: %s',
  async (rules) => {
    await withoutEntries();
    await assigned(1, { main: 'T', a: 'T' }, { method: 'fifo', rules });
    await heldElsewhere('1000');
    await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
    await paired(
      await booked({ day: '2026-01-11', name: 'sent' }, ['equity:external:person <- assets:trading 0.5 BTC']),
      await booked({ day: '2026-01-12', name: 'received', entity: 'a' }, [
        'assets:trading <- equity:external:person 0.5 BTC',
      ]),
    );
    await booked({ day: '2026-01-20', name: 'sold', entity: 'a' }, sell('0.5', '20000'));
    await derive(books.db, BOOKS);
    const [sold] = await disposals();
    expect(sold).toMatch(/^2026-01: 0\.5 of \w+ 20000 20000 0$/);
    expect(await proved()).toEqual([]);
    await derivedAgain();
  },
);

/** To whom the entities a, b, c and d belong, night by night: they move alone, together, back, and to new taxpayers. */
const NIGHTS = ['SSTT', 'STTT', 'STST', 'TSTS', 'UUTS', 'UUUU', 'STUV', 'VSTU', 'SSTT'];

/** A purchase, a sale and, but for every fourth night, a transfer to another entity. */
const traded = async (night: number): Promise<void> => {
  const [day, entity] = [`2026-03-${10 + night}`, ENTITIES[night % 4] ?? ''];
  const target = ENTITIES[(night + 1 + (night % 4)) % 4] ?? '';
  await booked({ day, name: `buys ${night}`, entity }, buy('0.3', '6000'));
  await booked({ day, hour: '13', name: `sells ${night}`, entity }, sell('0.1', '5000'));
  if (target === entity) return;
  const out = ['equity:external:person <- assets:trading 0.05 BTC'];
  const into = ['assets:trading <- equity:external:person 0.05 BTC'];
  await paired(
    await booked({ day, hour: '14', name: `out ${night}`, entity }, out),
    await booked({ day, hour: '15', name: `in ${night}`, entity: target }, into),
  );
};

test.each([
  { method: 'fifo', rules: null },
  { method: 'hifo', rules: 'wallets-from:2026-03-01' },
])('wherever entities move, every night is valued as from nothing: $method, $rules', async (lots) => {
  await withEntities();
  for (const [night, names] of NIGHTS.entries()) {
    await assigned(
      night + 1,
      Object.fromEntries(ENTITIES.map((entity, nth) => [entity, names[nth] ?? ''])),
      lots,
    );
    await traded(night);
    await derive(books.db, BOOKS);
    expect(await proved()).toEqual([]);
    await derivedAgain();
  }
});

test('an entry of a closed month that was valued in an open one is valued there again when an entity moves', async () => {
  await withoutEntries();
  await assigned(1, { main: 'T', a: 'T', b: 'S', c: 'S' });
  await booked({ day: '2026-01-20', name: 'main buys' }, buy('1', '40000'));
  await booked({ day: '2026-02-03', name: 'b buys', entity: 'b' }, buy('1', '30000'));
  await booked({ day: '2026-02-04', name: 'c buys', entity: 'c' }, buy('1', '31000'));
  await derive(books.db, BOOKS);
  await close('2026-01');
  await booked({ day: '2026-01-10', name: 'a bought earlier', entity: 'a' }, buy('1', '20000'));
  await booked({ day: '2026-02-10', name: 'main sells' }, sell('1', '50000'));
  await derive(books.db, BOOKS);
  const sold = ['2026-02: 1 of a bought earlier 50000 20000 30000'];
  expect(await disposals()).toEqual(sold);
  await assigned(2, { main: 'T', a: 'T', b: 'T', c: 'S' });
  await derive(books.db, BOOKS);
  expect(await disposals()).toEqual(sold);
  expect(await proved()).toEqual([]);
  await derivedAgain();
});

test('work ahead leaves an entity that moved to the time when all months are valued', async () => {
  await withoutEntries();
  await assigned(1, { a: 'Z', b: 'Z', c: 'T' });
  await booked({ day: '2026-01-03', name: 'c buys', entity: 'c' }, buy('1', '30000'));
  await booked({ day: '2026-03-03', name: 'a buys', entity: 'a' }, buy('2', '40000'));
  await booked({ day: '2026-03-04', name: 'b buys', entity: 'b' }, buy('2', '60000'));
  await booked({ day: '2026-03-05', name: 'b sells', entity: 'b' }, sell('1', '50000'));
  await derive(books.db, BOOKS);
  await assigned(2, { a: 'T', b: 'Z', c: 'T' });
  expect(await derive(books.db, BOOKS, { before: '2026-03' })).toEqual([]);
  await derive(books.db, BOOKS);
  await booked({ day: '2026-04-05', name: 'a sells', entity: 'a' }, sell('3', '90000'));
  await derive(books.db, BOOKS);
  expect((await disposals()).filter((line) => / of nothing /.test(line))).toEqual([]);
  expect(await proved()).toEqual([]);
  await derivedAgain();
});

test.each([
  ['to another taxpayer', { a: 'S', b: 'S', c: 'T' }, { a: 'T', b: 'S', c: 'T' }],
  ['to another name, with all others', { a: 'S', b: 'S', c: 'S' }, { a: 'T', b: 'T', c: 'T' }],
])('an entity takes its externally held lots along: %s', async (_, one, other) => {
  await withoutEntries();
  await assigned(1, one);
  await heldElsewhere('5000', 'EUR', 'a');
  for (const entity of ['a', 'b', 'c'])
    await booked({ day: '2026-01-20', name: `${entity} buys`, entity }, buy('1', '40000'));
  await derive(books.db, BOOKS);
  const listed = async () =>
    (
      await books.pool.query(
        `select l.taxpayer, o.taxpayer as listed from value.lots l left join value.open_lots o using (entity_id, lot_id) where l.pool = 'external'`,
      )
    ).rows;
  expect(await listed()).toEqual([{ taxpayer: 'S', listed: 'S' }]);
  await assigned(2, other);
  await derive(books.db, BOOKS);
  expect(await listed()).toEqual([{ taxpayer: 'T', listed: 'T' }]);
  expect(await proved()).toEqual([]);
  await derivedAgain();
});

test('lots that were altered keep every entity of the taxpayer open', async () => {
  await withEntities();
  await assigned(1, { a: 'S', b: 'S', c: 'T', d: 'T' });
  await derive(books.db, BOOKS);
  const february = { period: '2026-02', from: '2026-02-01T00:00:00Z', to: '2026-03-01T00:00:00Z' };
  const obstaclesOf = async (entity: string) => {
    const session = await books.pool.connect();
    try {
      const month = { entity, ...february, currency: 'EUR', unknown_limit: '' };
      return (await obstaclesTo(session, month)).filter(({ need }) => need === 'reports');
    } finally {
      session.release();
    }
  };
  for (const entity of ENTITIES) expect(await obstaclesOf(entity)).toEqual([]);
  await books.pool.query("update value.lots set units = units + 1 where entity_id = 'b'");
  for (const entity of ['a', 'b'])
    expect((await obstaclesOf(entity))[0]).toMatchObject({ subject: 'open_lots' });
  for (const entity of ['c', 'd']) expect(await obstaclesOf(entity)).toEqual([]);
});

test('an entry without its lines of value is named by verify ledger', async () => {
  await withEntities();
  await derive(books.db, BOOKS);
  await books.pool.query(`
    delete from value.postings where (entity_id, entry_id) = (
      select entity_id, entry_id from ledger.entries where entity_id = 'a' and description = 'a sells')`);
  expect(await proved()).toContainEqual(expect.stringMatching(/^entry \S+ of a has no line of value$/));
});
