// Taxpayers whose entities move: each takes its lots along.
import { expect, test } from 'vitest';
import { derive } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  derivedAgain,
  disposals,
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

const withEntities = async () => {
  await books.pool.query(
    `insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
     select e, e, 'UTC', 'EUR', '2026-01-01' from unnest($1::text[]) e`,
    [ENTITIES],
  );
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
