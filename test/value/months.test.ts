// Months: what a night derives again, what a closed month keeps, and what a reversal that comes later takes back.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyLedger } from '../../src/export/export.ts';
import type { Draft, Leg } from '../../src/ledger/entry.ts';
import { entryOf, post, reversalOf } from '../../src/ledger/ledger.ts';
import { derive, forgetValues } from '../../src/value/value.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

const BOOKS = { timezone: 'UTC', currency: 'EUR' };

let books: TestDatabase;
beforeEach(async () => {
  books = await freshDatabase();
  await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    values ('main', 'main', 'UTC', 'EUR', '2026-01-01')`);
});
afterEach(() => books.close());

const leg = (text: string): Leg => {
  const [debit = '', , credit = '', amount = '', currency = ''] = text.split(' ');
  return { debit, credit, currency, amount };
};

const buy = (units: string, euro: string) => [
  `assets:trading <- equity:conversion ${units} BTC`,
  `equity:conversion <- assets:trading ${euro} EUR`,
];
const sell = (units: string, euro: string) => [
  `equity:conversion <- assets:trading ${units} BTC`,
  `assets:trading <- equity:conversion ${euro} EUR`,
];

type At = {
  readonly day: string;
  readonly period?: string;
  readonly name: string;
  readonly entity?: string;
  readonly hour?: string;
};

const made = ({ day, period, name, entity = 'main', hour = '12' }: At, legs: readonly string[]) => {
  const draft: Draft = {
    kind: 'trade',
    effectiveAt: `${day}T${hour}:00:00.000Z`,
    description: name,
    legs: legs.map(leg),
  };
  const own = day.slice(0, 7);
  const place = { period: period ?? own, belongsTo: period === undefined || period < own ? null : own };
  const named = {
    entity,
    stream: 'trades',
    recordId: name,
    version: 1,
    ruleVersion: 1,
    recordedAt: draft.effectiveAt,
  };
  return entryOf(draft, { ...named, ...place, ordinal: 1 });
};

const booked = async (at: At, legs: readonly string[]) => {
  const entry = made(at, legs);
  await post(books.db, [entry]);
  return entry;
};

const reversed = async (entry: ReturnType<typeof made>, day: string, period = day.slice(0, 7)) => {
  const at = `${day}T12:00:00.000Z`;
  const belongsTo = period === day.slice(0, 7) ? null : day.slice(0, 7);
  await post(books.db, [reversalOf(entry, at, { ...entry, ordinal: 2, recordedAt: at, period, belongsTo })]);
};

const close = (period: string) =>
  books.pool.query(
    `insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
     values ('main', $1, 1, 0, 0, repeat('0', 64), '{}', 'Ada', now())`,
    [period],
  );

const derived = async () => (await derive(books.db, BOOKS))[0];
const disposals = async () =>
  (
    await books.pool.query(`select d.period, concat_ws(' ', units, 'of', split_part(coalesce(l.description, 'nothing'), '/', 1), proceeds, cost, gain) as told
      from books.disposals d left join books.entries l on l.entry_id::text = split_part(d.lot_id, '/', 1) order by d.period, disposed_at, disposal_id`)
  ).rows.map(({ period, told }) => `${period}: ${told}`);
const table = async () => {
  const tables = ['postings', 'lots', 'uses', 'findings', 'months'];
  const all = await Promise.all(
    tables.map((it) => books.pool.query(`select * from value.${it} order by 1, 2, 3`)),
  );
  return all.map(({ rows }) => rows);
};
const proved = async () => {
  const { proofs } = await verifyLedger({ pool: books.pool, timezone: 'UTC', programs: [] });
  return proofs
    .filter(({ proof, faults }) => /value|gains|lots/.test(proof) && faults !== '0')
    .map(({ first }) => first);
};

test('a late entry of an open month has its month and those after it derived again, as from nothing', async () => {
  await booked({ day: '2026-01-10', name: 'first' }, buy('1', '40000'));
  await booked({ day: '2026-02-10', name: 'sold' }, sell('1', '50000'));
  expect(await derived()).toMatchObject({ from: '2026-01', entries: 2 });
  expect(await derived()).toMatchObject({ from: null, entries: 0 });
  await booked({ day: '2026-03-10', name: 'more' }, buy('3', '90000'));
  expect(await derived()).toMatchObject({ from: '2026-03', entries: 1 });
  expect(await disposals()).toEqual(['2026-02: 1 of first 50000 40000 10000']);
  await booked({ day: '2026-01-05', name: 'earlier' }, buy('1', '20000'));
  expect(await derived()).toMatchObject({ from: '2026-01', entries: 4 });
  expect(await disposals()).toEqual(['2026-02: 1 of earlier 50000 20000 30000']);
  await booked({ day: '2026-03-12', name: 'half' }, sell('1.5', '60000'));
  await derived();
  const before = await table();
  await forgetValues(books.db, BOOKS);
  expect(await derived()).toMatchObject({ entries: 5 });
  expect(await table()).toEqual(before);
  expect(await proved()).toEqual([]);
});

test('a closed month keeps the lots of its disposals; what comes late is used in the month in which it counts', async () => {
  await booked({ day: '2026-01-10', name: 'first' }, buy('1', '40000'));
  await booked({ day: '2026-01-20', name: 'second' }, buy('1', '45000'));
  await booked({ day: '2026-01-25', name: 'sold' }, sell('1', '50000'));
  await derived();
  await close('2026-01');
  await booked({ day: '2026-01-05', period: '2026-02', name: 'earlier' }, buy('1', '20000'));
  await booked({ day: '2026-02-10', name: 'sold more' }, sell('1.5', '90000'));
  expect(await derived()).toMatchObject({ from: '2026-02', entries: 2 });
  expect(await disposals()).toEqual([
    '2026-01: 1 of first 50000 40000 10000',
    '2026-02: 1 of earlier 60000 20000 40000',
    '2026-02: 0.5 of second 30000 22500 7500',
  ]);
  const before = await table();
  await forgetValues(books.db, BOOKS);
  await derived();
  expect(await table()).toEqual(before);
  expect(await proved()).toEqual([]);
});

test('the method of a closed month is that of all that follow', async () => {
  await booked({ day: '2026-01-10', name: 'first' }, buy('1', '40000'));
  await derived();
  await books.pool.query("update value.lots set method = 'average'"); // as if it had been set then
  await booked({ day: '2026-02-10', name: 'second' }, buy('1', '60000'));
  await booked({ day: '2026-02-20', name: 'sold' }, sell('1', '70000'));
  await close('2026-01');
  await derived();
  expect(await disposals()).toEqual(['2026-02: 1 of first 70000 50000 20000']);
  const { rows } = await books.pool.query(
    'select units_left, cost_left, method from books.lots where units_left > 0',
  );
  expect(rows).toEqual([{ units_left: '1', cost_left: '50000', method: 'average' }]);
  expect(await proved()).toEqual([]);
});

test('an entry and its correction at the same instant leave no trace in value', async () => {
  const wrong = await booked({ day: '2026-01-10', name: 'wrong' }, buy('1', '40000'));
  await reversed(wrong, '2026-01-10');
  expect(await derived()).toMatchObject({ entries: 0 });
  expect((await table()).slice(0, 4)).toEqual([[], [], [], []]);
});

test('a purchase that is undone later takes its lot back; a sale that is undone gives its lots back', async () => {
  const bought = await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  await booked({ day: '2026-01-12', name: 'other' }, buy('1', '42000'));
  const sold = await booked({ day: '2026-01-20', name: 'sold' }, sell('0.5', '25000'));
  await derived();
  await close('2026-01');
  await reversed(sold, '2026-01-20', '2026-02');
  await derived();
  expect(await disposals()).toEqual([
    '2026-01: 0.5 of bought 25000 20000 5000',
    '2026-02: -0.5 of bought -25000 -20000 -5000',
  ]);
  expect(await proved()).toEqual([]);
  await reversed(bought, '2026-01-10', '2026-02');
  await derived();
  const { rows } = await books.pool.query(
    'select units_left, cost_left from books.lots where units_left > 0',
  );
  expect(rows).toEqual([{ units_left: '1', cost_left: '42000' }]);
  const gains = await books.pool.query(
    "select sum(value) as sum from books.value_postings where account like 'income:gains:%'",
  );
  expect(gains.rows).toEqual([{ sum: '0' }]);
  expect(await proved()).toEqual([]);
});

test('a purchase that is undone after it was sold leaves another lot in its place, at its own cost', async () => {
  const bought = await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  await booked({ day: '2026-01-12', name: 'other' }, buy('1', '42000'));
  await booked({ day: '2026-01-20', name: 'sold' }, sell('1', '50000'));
  await derived();
  await close('2026-01');
  await reversed(bought, '2026-01-10', '2026-02');
  await derived();
  expect(await disposals()).toEqual([
    '2026-01: 1 of bought 50000 40000 10000',
    '2026-02: 1 of other 40000 42000 -2000',
  ]);
  expect(await proved()).toEqual([]);
});

test('rates that come later value what had none, in open months only', async () => {
  const gift = ['assets:pocket:a <- equity:external:platform 2 USD'];
  await booked({ day: '2026-01-13', name: 'closed' }, gift);
  await booked({ day: '2026-02-13', name: 'open' }, gift);
  await derived();
  await close('2026-01');
  await books.pool.query(`
    with file as (
      insert into land.official_files (entity_id, source, name, sha256, by_name, at)
      values ('main', 'ecb', 'f', repeat('0', 64), 'Ada', now()) returning file_id
    )
    insert into land.official_rates (entity_id, currency, day, file_id, quote, rate)
    select 'main', 'USD', day, file_id, 'EUR', 1.25 from file, (values ('2026-01-12'::date), ('2026-02-12')) as it (day)`);
  expect(await derived()).toMatchObject({ from: '2026-02' });
  const { rows } = await books.pool.query(
    'select period, value, rule, source, path, age::text from books.values where units > 0 order by period',
  );
  expect(rows).toEqual([
    { period: '2026-01', value: null, rule: 'rate', source: '', path: null, age: null },
    {
      period: '2026-02',
      value: '1.6',
      rule: 'rate',
      source: 'ecb 2026-02-12',
      path: 'direct',
      age: '21:00:00',
    },
  ]);
  const findings = await books.pool.query(
    "select period, kind from books.value_findings where severity = 'finding'",
  );
  expect(findings.rows).toEqual([{ period: '2026-01', kind: 'no-rate' }]);
  expect(await proved()).toEqual([]);
});

test('what was corrected at its own instant in a closed month leaves no trace in a rebuild either', async () => {
  const wrong = await booked({ day: '2026-01-10', name: 'wrong' }, buy('1', '40000'));
  await reversed(wrong, '2026-01-10');
  await booked({ day: '2026-01-11', name: 'right' }, buy('2', '90000'));
  await booked({ day: '2026-02-10', name: 'sold' }, sell('1', '50000'));
  await derived();
  await close('2026-01');
  const before = await table();
  await forgetValues(books.db, BOOKS);
  await derived();
  expect(await disposals()).toEqual(['2026-02: 1 of right 50000 45000 5000']);
  expect(await table()).toEqual(before);
  expect(await proved()).toEqual([]);
});

test('what an open entity books in a month that another of its taxpayer closed is valued again every night', async () => {
  await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    values ('sub', 'sub', 'UTC', 'EUR', '2026-01-01')`);
  await books.pool.query(`insert into decide.profiles (entity_id, version, taxpayer, owner, cost_method, by_name, at)
    select e, 1, 'T', 'own', 'fifo', 'Ada', now() from unnest(array['main', 'sub']) e`);
  await booked({ day: '2026-01-20', name: 'first' }, buy('1', '40000'));
  await derived();
  await close('2026-01');
  await booked({ day: '2026-01-10', name: 'earlier', entity: 'sub' }, buy('1', '20000'));
  const undone = await booked({ day: '2026-01-05', name: 'undone', entity: 'sub' }, buy('1', '10000'));
  await reversed(undone, '2026-01-06');
  expect(await derived()).toMatchObject({ from: '2026-02', entries: 1 });
  await booked({ day: '2026-02-10', name: 'sold' }, sell('1', '50000'));
  expect(await derived()).toMatchObject({ from: '2026-02', entries: 2 });
  expect(await disposals()).toEqual(['2026-02: 1 of earlier 50000 20000 30000']);
  expect(await proved()).toEqual([]);
  const before = await table();
  await forgetValues(books.db, BOOKS);
  await derived();
  expect(await table()).toEqual(before);
});

test('a month that is opened again is derived from what has come since', async () => {
  await booked({ day: '2026-01-13', name: 'gift' }, ['assets:pocket:a <- equity:external:platform 2 USD']);
  await booked({ day: '2026-02-13', name: 'more' }, ['assets:pocket:a <- equity:external:platform 2 USD']);
  await derived();
  await close('2026-01');
  await books.pool.query(`
    with file as (
      insert into land.official_files (entity_id, source, name, sha256, by_name, at)
      values ('main', 'ecb', 'f', repeat('0', 64), 'Ada', now()) returning file_id
    )
    insert into land.official_rates (entity_id, currency, day, file_id, quote, rate)
    select 'main', 'USD', day, file_id, 'EUR', 1.25 from file, (values ('2026-01-12'::date), ('2026-02-12')) as it (day)`);
  expect(await derived()).toMatchObject({ from: '2026-02' });
  await forgetValues(books.db, BOOKS);
  await derived();
  await books.pool.query('delete from decide.seals');
  expect(await derived()).toMatchObject({ from: '2026-01', entries: 2 });
  const { rows } = await books.pool.query('select value from books.values where units > 0');
  expect(rows).toEqual([{ value: '1.6' }, { value: '1.6' }]);
});

test('a rate of the last hours of a month, which are of the next in UTC, has that month derived again', async () => {
  const books_ = { timezone: 'America/New_York', currency: 'EUR' };
  await books.pool.query("update run.entities set timezone = 'America/New_York'");
  const legs = ['assets:pocket:a <- equity:external:platform 2 USDC'];
  await booked({ day: '2026-02-01', name: 'gift', period: '2026-01', hour: '02' }, legs);
  await derive(books.db, books_);
  const client = await books.pool.connect();
  await client.query('set session_replication_role = replica'); // its request is not of interest
  await client.query(`insert into land.rate_lists (entity_id, request_id, entry, source, subject, at, payload, told, skipped)
    values ('main', 1, 0, 'rates', '', '2026-02-01T00:30Z', '{}', 2, 0)`);
  await client.query(`insert into land.rates (entity_id, request_id, entry, currency, at, rate)
    values ('main', 1, 0, 'USDC', '2026-02-01T00:30Z', 1), ('main', 1, 0, 'EUR', '2026-02-01T00:30Z', 0.9)`);
  await client.query('reset session_replication_role');
  client.release();
  expect(await derive(books.db, books_)).toMatchObject([{ from: '2026-01', entries: 1 }]);
  const { rows } = await books.pool.query('select value from books.values where units > 0');
  expect(rows).toEqual([{ value: '1.8' }]);
});

test('what takes back an entry without a value has none either, and says so', async () => {
  const short = await booked({ day: '2026-01-10', name: 'short' }, sell('1', '50000'));
  await reversed(short, '2026-01-20');
  await derived();
  expect(await proved()).toEqual([]);
  const { rows } = await books.pool.query('select kind, detail from books.value_findings order by kind');
  expect(rows).toEqual([
    { kind: 'no-cost', detail: 'trades short takes back an entry that has no value' },
    { kind: 'no-lot', detail: '1 BTC left with trades short, and no lot is left that they could be of' },
  ]);
});

test('what one of ours received before another is told to have sent it comes with its lots all the same', async () => {
  await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    values ('sub', 'sub', 'UTC', 'EUR', '2026-01-01')`);
  await books.pool.query(`insert into decide.profiles (entity_id, version, taxpayer, owner, cost_method, by_name, at)
    select e, 1, 'T', 'own', 'fifo', 'Ada', now() from unnest(array['main', 'sub']) e`);
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  const got = await booked({ day: '2026-01-11', name: 'got', entity: 'sub', hour: '11' }, [
    'assets:trading <- equity:external:person 1 BTC',
  ]);
  const sent = await booked({ day: '2026-01-11', name: 'sent', hour: '12' }, [
    'equity:external:person <- assets:trading 1 BTC',
  ]);
  const client = await books.pool.connect();
  await client.query('set session_replication_role = replica'); // its run is not of interest
  await client.query(
    `insert into reconcile.own_transfers (from_entity, from_entry_id, to_entity, to_entry_id, currency, amount_out, amount_in,
       grounds, from_stream, from_record_id, from_at, to_stream, to_record_id, to_at, run_id, matched_at)
     values ('main', $1, 'sub', $2, 'BTC', 1, 1, 'pocket', 'trades', 'sent', '2026-01-11T12:00Z', 'trades', 'got',
       '2026-01-11T11:00Z', gen_random_uuid(), now())`,
    [sent.id, got.id],
  );
  await client.query('reset session_replication_role');
  client.release();
  await booked({ day: '2026-01-20', name: 'sold', entity: 'sub' }, sell('1', '50000'));
  await derived();
  expect(await disposals()).toEqual(['2026-01: 1 of got 50000 40000 10000']);
  expect(await proved()).toEqual([]);
});
