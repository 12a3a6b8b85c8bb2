// A fixture for months: entries by day and period, closed months, and their values.
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { loadSql, sqlPaths } from '../../src/database/sql.ts';
import { inSnapshot, rowsOf } from '../../src/export/reports/snapshot.ts';
import { post, standing } from '../../src/ledger/entries.ts';
import type { Draft, Leg } from '../../src/ledger/entry.ts';
import { entryOf, reversalOf } from '../../src/ledger/posting.ts';
import { undoCancellation } from '../../src/ledger/standing-again.ts';
import { derive, forgetValues } from '../../src/valuation/valuation.ts';
import { empty, freshDatabase, type TestDatabase } from '../database.ts';

export const BOOKS = { timezone: 'UTC', currency: 'EUR' };

/** The books of a file's tests. */
export let books: TestDatabase;

/** Each test finds nothing in them but one entity, and what `prepare` writes. */
export const withBooks = (prepare = async (): Promise<void> => {}): void => {
  beforeAll(async () => {
    books = await freshDatabase();
  });
  beforeEach(async () => {
    await empty(books);
    await books.pool.query(`insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
      values ('main', 'main', 'UTC', 'EUR', '2026-01-01')`);
    await prepare();
  });
  afterAll(() => books.close());
};

/** Two entities of one taxpayer; a bitcoin is worth 50,000 on every day. */
export const twoEntities = async (): Promise<void> => {
  await books.pool.query(
    `insert into run.entities (entity_id, name, timezone, currency, first_seen_at) values ('a', 'a', 'UTC', 'EUR', '2026-01-01')`,
  );
  await taxed(['main', 'a'], { taxpayer: 'T' });
  await officialRates('2026-03-31');
};

const leg = (text: string): Leg => {
  const [debit = '', , credit = '', amount = '', currency = ''] = text.split(' ');
  return { debit, credit, currency, amount };
};

export const buy = (units: string, euro: string) => [
  `assets:trading <- equity:conversion ${units} BTC`,
  `equity:conversion <- assets:trading ${euro} EUR`,
];
export const sell = (units: string, euro: string) => [
  `equity:conversion <- assets:trading ${units} BTC`,
  `assets:trading <- equity:conversion ${euro} EUR`,
];

type At = {
  readonly day: string;
  readonly period?: string;
  readonly name: string;
  readonly entity?: string;
  readonly hour?: string;
  readonly ordinal?: number;
};

export const made = (
  { day, period, name, entity = 'main', hour = '12', ordinal = 1 }: At,
  legs: readonly string[],
) => {
  const draft: Draft = {
    kind: 'trade',
    effectiveAt: `${day}T${hour}:00:00.000Z`,
    description: name,
    legs: legs.map(leg),
  };
  const own = day.slice(0, 7);
  const place = { period: period ?? own, originalPeriod: period === undefined || period < own ? null : own };
  const identity = {
    entity,
    stream: 'trades',
    recordId: name,
    version: 1,
    ruleVersion: 1,
    recordedAt: draft.effectiveAt,
  };
  return entryOf(draft, { ...identity, ...place, ordinal });
};

/** Posts an entry after the last of its record, as booking does: what undoes a cancellation comes before it. */
export const booked = async (moment: Omit<At, 'ordinal'>, legs: readonly string[]) => {
  const entry = made(moment, legs);
  const { entity, stream, recordId } = entry;
  const stands = (await standing(books.db, { entity, stream, recordIds: [recordId] })).get(recordId);
  const last = stands?.last.ordinal ?? 0;
  const posting = (effectiveAt: string, step: number) => {
    const { day, period, ...rest } = { ...moment, day: effectiveAt.slice(0, 10) };
    const isLate = period !== undefined && period > day.slice(0, 7);
    return made({ ...rest, day, ...(isLate && { period }), ordinal: last + step }, []);
  };
  const before = undoCancellation(stands, entry.effectiveAt, posting);
  const next = made({ ...moment, ordinal: last + before.length + 1 }, legs);
  await post(books.db, [...before, next]);
  return next;
};

export const reversed = async (entry: ReturnType<typeof made>, day: string, period = day.slice(0, 7)) => {
  const instant = `${day}T12:00:00.000Z`;
  const originalPeriod = period === day.slice(0, 7) ? null : day.slice(0, 7);
  await post(books.db, [
    reversalOf(entry, instant, {
      ...entry,
      ordinal: entry.ordinal + 1,
      recordedAt: instant,
      period,
      originalPeriod,
    }),
  ]);
};

/** Pairs two entries as a transfer between own entities, of two amounts if only one of them books a fee. */
export const paired = (
  from: Pick<ReturnType<typeof made>, 'id' | 'entity'>,
  to: Pick<ReturnType<typeof made>, 'id' | 'entity'>,
  [sent, arrived]: readonly [string, string] = ['0.01', '0.01'],
) =>
  books.pool.query(
    `with paired as (
       insert into run.runs (run_id, job, started_at) values (gen_random_uuid(), 'test', now()) returning run_id
     )
     insert into reconcile.own_transfers (from_entity, from_entry_id, to_entity, to_entry_id, currency, amount_out, amount_in,
       from_stream, from_record_id, from_at, to_stream, to_record_id, to_at, grounds, run_id, matched_at)
     select s.entity_id, s.entry_id, r.entity_id, r.entry_id, 'BTC', $5, $6, s.stream, s.record_id, s.effective_at,
       r.stream, r.record_id, r.effective_at, 'hash', run_id, now()
     from paired
     join ledger.entries s on (s.entity_id, s.entry_id) = ($3, $1::uuid)
     join ledger.entries r on (r.entity_id, r.entry_id) = ($4, $2::uuid) on conflict do nothing`,
    [from.id, to.id, from.entity, to.entity, sent, arrived],
  );

/** What a person enters as the fee of a transfer, of which `about` is one record. */
export const chargedBy = async (
  about: ReturnType<typeof made>,
  day: string,
  units: string,
): Promise<ReturnType<typeof made>> => {
  const { entity, stream, recordId } = about;
  const legs = [leg(`expenses:fees:network <- equity:external:person ${units} BTC`)];
  const draft: Draft = { kind: 'manual', effectiveAt: `${day}T12:00:00.000Z`, description: 'fee', legs };
  const [month, recordedAt] = [day.slice(0, 7), draft.effectiveAt];
  const place = { version: 1, ruleVersion: 1, recordedAt, period: month, originalPeriod: null, ordinal: 1 };
  const entry = entryOf(draft, { entity, stream: 'manual', recordId: `fee-${day}`, ...place });
  await books.pool.query(
    `insert into decide.proposals (entity_id, proposal_id, action, content, reason, prepared_by, prepared_at)
     values ($1, $2, 'adjust', jsonb_build_object('action', 'adjust', 'stream', $3::text, 'record_id', $4::text), 'r', 'Ada', now())`,
    [entity, entry.recordId, stream, recordId],
  );
  await post(books.db, [entry]);
  return entry;
};

/** A lot of an external wallet, acquired on 2 January 2026. */
export const heldElsewhere = (cost: string, currency = 'EUR', entity = 'main') =>
  books.pool.query(
    `insert into decide.external_lots (entity_id, currency, units, cost, cost_currency, acquired_on, file_name, file_sha256, line,
      evidence_name, evidence_sha256, reason, by_name, at)
    values ($3, 'BTC', 1, $1, $2, '2026-01-02', 'f', repeat('0', 64), 1, 'e', repeat('0', 64), 'r', 'Ada', now())`,
    [cost, currency, entity],
  );

/** The official rates of each day of a year's beginning, until a day: a bitcoin is worth 50,000. */
export const officialRates = (until: string) =>
  books.pool.query(
    `with file as (
      insert into land.official_files (entity_id, source, name, sha256, by_name, at) values ('main', 'ecb', 'f', repeat('0', 64), 'Ada', now())
      returning file_id
    )
    insert into land.official_rates (entity_id, currency, day, file_id, quote, rate)
    select 'main', coin.currency, day::date, file_id, 'EUR', coin.rate
    from file, (values ('USD', 1.1), ('BTC', 0.00002)) as coin (currency, rate),
      generate_series(timestamp '2025-12-30', $1::timestamp, interval '1 day') as day`,
    [until],
  );

/** Entities of one owner, and how their values count. */
export const taxed = (
  entities: readonly string[],
  { taxpayer = null as string | null, method = 'fifo', rules = '' } = {},
) =>
  books.pool.query(
    `insert into decide.profiles (entity_id, version, taxpayer, owner, cost_method, lot_rules, by_name, at)
     select entity, 1, $2, 'own', $3, nullif($4, ''), 'Ada', now() from unnest($1::text[]) as entity`,
    [entities, taxpayer, method, rules],
  );

export const close = (period: string, entity = 'main') =>
  books.pool.query(
    `insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
     values ($2, $1, 1, 0, 0, repeat('0', 64), '{}', 'Ada', now())`,
    [period, entity],
  );

/** Closes a month of both entities of `twoEntities`. */
export const closeBoth = async (period: string): Promise<void> => {
  for (const entity of ['main', 'a']) await close(period, entity);
};

export const derived = async () => (await derive(books.db, BOOKS))[0];
export const disposals = async () =>
  (
    await books.pool.query(`select d.period, concat_ws(' ', units, 'of', split_part(coalesce(l.description, 'nothing'), '/', 1), proceeds, cost, gain) as told
      from books.disposals d left join books.entries l on l.entry_id::text = split_part(d.lot_id, '/', 1) order by d.period, disposed_at, disposal_id`)
  ).rows.map(({ period, told: line }) => `${period}: ${line}`);
export const table = async () => {
  const tables = ['postings', 'lots', 'uses', 'findings', 'months'];
  const all = await Promise.all(
    tables.map((table) => books.pool.query(`select * from value.${table} order by 1, 2, 3`)),
  );
  return all.map(({ rows }) => rows);
};
/** Drops all values and derives them again, which must give the same rows. Returns the work of the derivation. */
export const derivedAgain = async () => {
  const before = await table();
  await forgetValues(books.db, BOOKS);
  const again = await derived();
  expect(await table()).toEqual(before);
  return again;
};

/**
 * Values the books, and proves that a rebuild gives the same values. Returns the units and the cost that are left on the platform and off it,
 * and the units that no lot covered.
 */
export const left = async (): Promise<string[]> => {
  await derive(books.db, BOOKS);
  expect(await proved()).toEqual([]);
  await derivedAgain();
  const { rows } = await books.pool.query(
    `select concat_ws(' ', place, trim_scale(sum(units_left)), trim_scale(sum(cost_left))) as lot
    from (select *, case when pool in ('in-transit', 'external') then pool else 'here' end as place from books.lots) as l
    where units_left > 0 group by place order by 1`,
  );
  const { rows: withoutLot } = await books.pool.query(
    "select concat_ws(' ', pool, trim_scale(sum(units))) as units from books.disposals_without_lot group by pool having sum(units) <> 0",
  );
  return [...rows.map(({ lot }) => lot), ...withoutLot.map(({ units }) => `without a lot: ${units}`)];
};

/** The gains so far. */
export const gains = async (): Promise<string | null> => {
  const { rows } = await books.pool.query(
    'select trim_scale(sum(gain))::text as gain from books.disposals where gain <> 0',
  );
  return rows[0]?.gain;
};

/** The first fault of each proof of values, and of what was decided about them, that does not hold. */
export const proved = () =>
  inSnapshot(books.pool, async (snapshot) => {
    const firsts: string[] = [];
    for (const path of sqlPaths('proofs').filter((name) => /value|gains|lots|decisions\./.test(name))) {
      const [row] = await rowsOf(snapshot, loadSql(path));
      if (row?.faults !== '0') firsts.push(row?.first ?? path);
    }
    return firsts;
  });
