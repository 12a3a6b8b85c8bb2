// Closed months: the effect of late records, for one entity or two of a taxpayer, in a rebuild or after a reopening.
import { expect, test } from 'vitest';
import { derive, forgetValues } from '../../src/valuation/valuation.ts';
import {
  BOOKS,
  booked,
  books,
  buy,
  close,
  derived,
  derivedAgain,
  disposals,
  proved,
  reversed,
  sell,
  taxed,
  withBooks,
} from './month-stand.ts';

withBooks();

test('a correction at its own instant in a closed month leaves no trace in a rebuild either', async () => {
  const wrong = await booked({ day: '2026-01-10', name: 'wrong' }, buy('1', '40000'));
  await reversed(wrong, '2026-01-10');
  await booked({ day: '2026-01-11', name: 'right' }, buy('2', '90000'));
  await booked({ day: '2026-02-10', name: 'sold' }, sell('1', '50000'));
  await derived();
  await close('2026-01');
  await derivedAgain();
  expect(await disposals()).toEqual(['2026-02: 1 of right 50000 45000 5000']);
  expect(await proved()).toEqual([]);
});

test('entries of an open entity in a month that another entity of its taxpayer closed are valued again every night', async () => {
  await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    values ('sub', 'sub', 'UTC', 'EUR', '2026-01-01')`);
  await taxed(['main', 'sub'], { taxpayer: 'T' });
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
  await derivedAgain();
});

test('an entity whose entries all come after the closed months of a taxpayer joins it with its lots', async () => {
  await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    values ('sub', 'sub', 'UTC', 'EUR', '2026-01-01')`);
  await booked({ day: '2026-01-20', name: 'first' }, buy('1', '40000'));
  await booked({ day: '2026-02-05', name: 'own', entity: 'sub' }, buy('1', '20000'));
  await derived();
  await close('2026-01');
  await taxed(['sub'], { taxpayer: 'main' });
  await booked({ day: '2026-02-10', name: 'sold', entity: 'sub' }, sell('1.5', '60000'));
  await derive(books.db, BOOKS);
  expect(await disposals()).toEqual([
    '2026-02: 1 of first 40000 40000 0',
    '2026-02: 0.5 of own 20000 10000 10000',
  ]);
  expect(await proved()).toEqual([]);
  await derivedAgain();
});

test('a reopened month is derived with what arrived since', async () => {
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
  const { rows } = await books.pool.query('select value from books_internal.values where units > 0');
  expect(rows).toEqual([{ value: '1.6' }, { value: '1.6' }]);
});

test('a rate of the last local hours of a month, which are in the next month in UTC, causes a new derivation of that month', async () => {
  const books_ = { timezone: 'America/New_York', currency: 'EUR' };
  await books.pool.query("update run.entities set timezone = 'America/New_York'");
  const legs = ['assets:pocket:a <- equity:external:platform 2 USDC'];
  await booked({ day: '2026-02-01', name: 'gift', period: '2026-01', hour: '02' }, legs);
  await derive(books.db, books_);
  const client = await books.pool.connect();
  await client.query('set session_replication_role = replica'); // its request does not matter
  await client.query(`insert into land.rate_lists (entity_id, request_id, entry, source, subject, at, payload, received, skipped)
    values ('main', 1, 0, 'rates', '', '2026-02-01T00:30Z', '{}', 2, 0)`);
  await client.query(`insert into land.rates (entity_id, request_id, entry, currency, at, rate)
    values ('main', 1, 0, 'USDC', '2026-02-01T00:30Z', 1), ('main', 1, 0, 'EUR', '2026-02-01T00:30Z', 0.9)`);
  await client.query('reset session_replication_role');
  client.release();
  expect(await derive(books.db, books_)).toMatchObject([{ from: '2026-01', entries: 1 }]);
  const { rows } = await books.pool.query('select value from books_internal.values where units > 0');
  expect(rows).toEqual([{ value: '1.8' }]);
});

test('the reversal of an unvalued entry is unvalued too, with a finding', async () => {
  const short = await booked({ day: '2026-01-10', name: 'short' }, sell('1', '50000'));
  await reversed(short, '2026-01-20');
  await derived();
  expect(await proved()).toEqual([]);
  const { rows } = await books.pool.query('select kind, detail from books.value_findings order by kind');
  expect(rows).toEqual([
    { kind: 'no-cost', detail: 'trades short reverses an entry without a value' },
    { kind: 'no-lot', detail: '1 BTC in trades short have no cost: no lot is left to cover them' },
  ]);
});

test('a transfer that one of our entities receives before the other sends it still arrives with its lots', async () => {
  await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    values ('sub', 'sub', 'UTC', 'EUR', '2026-01-01')`);
  await taxed(['main', 'sub'], { taxpayer: 'T' });
  await booked({ day: '2026-01-10', name: 'bought' }, buy('1', '40000'));
  const got = await booked({ day: '2026-01-11', name: 'got', entity: 'sub', hour: '11' }, [
    'assets:trading <- equity:external:person 1 BTC',
  ]);
  const sent = await booked({ day: '2026-01-11', name: 'sent', hour: '12' }, [
    'equity:external:person <- assets:trading 1 BTC',
  ]);
  const client = await books.pool.connect();
  await client.query('set session_replication_role = replica'); // its run does not matter
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
