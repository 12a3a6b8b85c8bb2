// What a night reads of the days of accounts: only what is new, and yet the same answer as from all of them, whatever is posted late.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSql } from '../../src/database/sql.ts';
import { settleLows } from '../../src/reconcile/lows.ts';
import { storePairedTotals } from '../../src/reconcile/paired-totals.ts';
import { type Random, randomOf } from '../../src/sandbox/random.ts';
import { freshDatabase, type TestDatabase } from '../database.ts';

const NIGHTS = 60;
const ACCOUNTS = [
  'assets:trading',
  'assets:trading-bots',
  'assets:pocket:p1',
  'assets:clearing:trading',
  'equity:external:person',
  'equity:external:blockchain',
] as const;

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
});
afterAll(() => books.close());

const rowsOf = async <R>(text: string, values: readonly unknown[] = []): Promise<R[]> =>
  (await books.pool.query(text, [...values])).rows as R[];

/** A few postings of a night: most of the last days, some late by up to a year, and nothing at all on some nights. */
const postings = (random: Random, night: number) =>
  Array.from({ length: random.below(7) }, () => {
    const late = random.below(12) === 0 ? 40 + random.below(360) : random.below(4);
    const amount = `${1 + random.below(9)}.5`;
    const [debit, credit] = random.below(2) === 1 ? [amount, '0'] : ['0', amount];
    const day = new Date(Date.UTC(2026, 0, 1 + night * 7 - late)).toISOString().slice(0, 10);
    return {
      entity_id: random.pick(['main', 'sub']),
      account: random.pick(ACCOUNTS),
      currency: random.pick(['EUR', 'BTC']),
      day,
      debit,
      credit,
    };
  });

const post = async (random: Random, night: number): Promise<void> => {
  await rowsOf(
    `with posted as (
      select entity_id, account, currency, day, sum(debit) as debit, sum(credit) as credit
      from json_to_recordset($1) as p (entity_id text, account text, currency text, day date, debit numeric, credit numeric) group by 1, 2, 3, 4
    ), total as (
      insert into ledger.totals as t select entity_id, account, currency, sum(debit), sum(credit) from posted group by 1, 2, 3
      on conflict (entity_id, account, currency) do update set debit = t.debit + excluded.debit, credit = t.credit + excluded.credit
    )
    insert into ledger.daily select entity_id, account, currency, day, timestamptz '2026-01-01' + $2 * interval '7 days', debit, credit from posted`,
    [JSON.stringify(postings(random, night)), night],
  );
};

/** Every day of every asset account, from the first. */
const LOWS = `
  with moved as (
    select entity_id, books_internal.tied_account(account) as account, currency, effective_day, sum(debit - credit) as amount
    from ledger.daily where account like 'assets:%' and account not like 'assets:clearing:%' group by 1, 2, 3, 4
  ), running as (
    select *, sum(amount) over (partition by entity_id, account, currency order by effective_day) as balance from moved
  )
  select entity_id, account, currency, count(*) as days_below, min(effective_day) as first_below, min(balance) as lowest,
    (array_agg(effective_day order by balance, effective_day))[1] as lowest_on
  from running where balance < 0 group by 1, 2, 3 order by 1, 2, 3`;

test('the days below zero, settled month by month', async () => {
  const random = randomOf('lows');
  for (let night = 0; night < NIGHTS; night += 1) {
    await post(random, night);
    const lows = 'select * from books_internal.asset_lows where days_below > 0 order by 1, 2, 3';
    expect({ night, lows: await rowsOf(lows) }).toEqual({ night, lows: await rowsOf(LOWS) });
    await settleLows(books.db, ['main', 'sub']);
  }
  expect(await rowsOf('select from reconcile.lows where days_below > 0')).not.toEqual([]);
  const { rows } = await books.pool.query(
    'select max(through_day) - min(through_day) as apart from reconcile.lows',
  );
  expect(rows[0].apart).not.toBeNull();
});

type Day = { currency: string; day: string; debit: string; credit: string };
type Totalled = { total_debit: string | null; total_credit: string | null };

const SUMMED = 'sum(debit) as debit, sum(credit) as credit from ledger.daily';
const CLEARING = `
  select s.* from (
    select account, currency, effective_day::text as day, ${SUMMED} where entity_id = 'main' and account like 'assets:clearing:%' group by 1, 2, 3
  ) as s
  left join reconcile.clearing_days k on (k.entity_id, k.account, k.currency, k.effective_day::text) = ('main', s.account, s.currency, s.day)
  where k.unmatched is null or k.unmatched > 0 or (k.debit, k.credit) <> (s.debit, s.credit) order by 1, 2, 3`;

const withoutTotals = <D extends Totalled>(days: readonly D[], keyOf: (day: D) => string) =>
  days
    .map(({ total_debit: _debit, total_credit: _credit, ...day }) => day)
    .sort((a, b) => (keyOf(a as unknown as D) < keyOf(b as unknown as D) ? -1 : 1));

test('the days of clearing to pair', async () => {
  const random = randomOf('clearing');
  const { text, values } = loadSql('reconcile/clearing_days.sql', { entity: 'main' });
  for (let night = 0; night < NIGHTS; night += 1) {
    await post(random, NIGHTS + night);
    const days = await rowsOf<Day & Totalled & { account: string }>(text, values);
    const found = withoutTotals(days, ({ account, currency, day }) => `${account} ${currency} ${day}`);
    expect({ night, found }).toEqual({ night, found: await rowsOf(CLEARING) });
    for (const { account, currency, day, debit, credit } of days)
      await rowsOf(
        `insert into reconcile.clearing_days values ('main', $1, $2, $3, $4, $5, $6)
        on conflict (entity_id, account, currency, effective_day)
        do update set debit = excluded.debit, credit = excluded.credit, unmatched = excluded.unmatched`,
        [account, currency, day, debit, credit, random.below(6) === 0 ? 1 : 0],
      );
    await storePairedTotals(books.db, days, ({ account }) => ({ entity: 'main', account }));
  }
  expect(await rowsOf(text, values)).toHaveLength((await rowsOf(CLEARING)).length);
});

const TRANSFERS = `
  with summed as (
    select entity_id, currency, effective_day as day, ${SUMMED} where account like 'equity:external:%' group by 1, 2, 3
  ), changed as (
    select s.* from summed s
    left join reconcile.own_days k on (k.entity_id, k.currency, k.effective_day) = (s.entity_id, s.currency, s.day)
    where k.lone is null or k.lone > 0 or (k.debit, k.credit) <> (s.debit, s.credit)
  ), near as (
    select distinct currency, day + apart as day from changed cross join generate_series(-8, 8) as apart
  )
  select entity_id, currency, day::text, debit, credit, 0 as addresses from summed join near using (currency, day) order by 1, 2, 3`;

test('the days of transfers to pair, with those near them', async () => {
  const random = randomOf('transfers');
  const { text, values } = loadSql('reconcile/transfer_days.sql', { days_apart: '8' });
  for (let night = 0; night < NIGHTS; night += 1) {
    await post(random, 2 * NIGHTS + night);
    type TransferDay = Day & Totalled & { entity_id: string; total_addresses: number | null };
    const days = await rowsOf<TransferDay>(text, values);
    const found = withoutTotals(
      days,
      ({ entity_id, currency, day }) => `${entity_id} ${currency} ${day}`,
    ).map(({ total_addresses: _addresses, ...day }) => day);
    expect({ night, found }).toEqual({ night, found: await rowsOf(TRANSFERS) });
    for (const { entity_id, currency, day, debit, credit } of days)
      await rowsOf(
        `insert into reconcile.own_days values ($1, $2, $3, $4, $5, 0, $6)
        on conflict (entity_id, currency, effective_day)
        do update set debit = excluded.debit, credit = excluded.credit, lone = excluded.lone`,
        [entity_id, currency, day, debit, credit, random.below(9) === 0 ? 1 : 0],
      );
    await storePairedTotals(books.db, days, (day) => ({ entity: day.entity_id, account: 'equity:external' }));
  }
});
