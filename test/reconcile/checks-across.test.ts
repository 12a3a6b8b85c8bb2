// Across entities: a transfer that one entity sent and another received is paired and stored; a missing side is a break.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { WireRecord } from '../../src/base/streams.ts';
import { loadSql } from '../../src/database/sql.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import { peopleKey } from '../../src/privacy/people-key.ts';
import { reconcileAcross } from '../../src/reconcile/reconcile.ts';
import { withReasons } from '../export/page/reasons.ts';
import { instantAt, openStage, type Stage, transfer } from '../land/stage.ts';

const DAY = 86_400;
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await stage.rows(
    `insert into run.entities (entity_id, name, subaccount_id, first_seen_at) values ('sub', 'sub', 'sub', '${instantAt(0)}')`,
  );
});
afterAll(() => stage.close());
beforeEach(async () => {
  await stage.rows(`truncate land.records, land.inbox, land.people, land.coverage, land.pages, land.leaves, land.snapshots,
    land.balances, land.pockets, ledger.outcomes, ledger.entries, ledger.transfers, ledger.daily, ledger.totals, reconcile.own_transfers,
    reconcile.own_days, reconcile.paired_totals, reconcile.breaks, reconcile.break_events, reconcile.tie_outs cascade`);
  for (const [entity, pocket] of [
    ['main', 'P1'],
    ['sub', 'Q1'],
  ])
    await stage.rows(
      `with asked as (
        insert into land.requests (entity_id, run_id, stream, method, target, status, body_sha256, rows, sent_at)
        values ($1, $2, 'pockets', 'GET', '/', 200, '', 1, '${instantAt(0)}') returning entity_id, request_id
      ), listed as (
        insert into land.pockets values ($1, $3, 'EUR', '${instantAt(0)}')
      )
      insert into land.snapshots select entity_id, request_id, $2, 'pocket', 'after', '${instantAt(0)}' from asked`,
      [entity, stage.run.id, pocket],
    );
});

const side = (pocketId: string, amount = '5') => ({ class: 'pocket', pocketId, amount, currency: 'EUR' });
const email = (amount = '5') => ({ class: 'email', email: 'a@example.com', amount, currency: 'EUR' });

/** Lands and books the records of an entity, proved by default to the day after tomorrow. */
const landAndBook = async (entity: string, rows: readonly WireRecord[], covered = 2 * DAY) => {
  const key = await peopleKey(stage.db, entity);
  const covers = { from: null, to: instantAt(covered), proof: 'cursor' } as const;
  await stage.land([{ rows, covers }], { entity, key, stream: 'wallet-transactions' });
  await normalize(stage.db, { entity, timezone: 'UTC', currency: 'EUR' });
};
const across = async () => {
  stage = await stage.nextRun();
  await reconcileAcross(stage.db, stage.run, { transitMs: DAY * 1_000, entities: ['main', 'sub'] });
};
const pairs = () =>
  stage.rows(
    `select from_entity, from_record_id as sent, to_record_id as came, trim_scale(amount_out) as amount, grounds, stands
     from books.own_transfers order by matched_at, from_record_id`,
  );
const pair = (sent: string, came: string, rest = {}) => ({
  from_entity: 'main',
  sent,
  came,
  amount: '5',
  grounds: 'pocket',
  stands: true,
  ...rest,
});
const found = async () => withReasons(await stage.check('own_transfers'));

test("transfers to the other's pocket, and by social pay, are paired once and stay paired", async () => {
  await landAndBook('main', [
    transfer('w1', side('p1'), side('q1')),
    transfer('w2', side('p1', '7'), email('7')),
  ]);
  await landAndBook('sub', [
    transfer('v1', side('p1'), side('q1')),
    transfer('v2', email('7'), side('q1', '7')),
  ]);
  await across();
  await across();
  expect(await pairs()).toEqual([
    pair('w1', 'v1'),
    pair('w2', 'v2', { amount: '7', grounds: 'amount and time' }),
  ]);
  expect(await stage.rows('select distinct status from books.breaks')).toEqual([]);
});

test('a late record pairs with a waiting one, and a reversal frees the other side for its next version', async () => {
  await landAndBook('main', [transfer('w1', side('p1'), side('q1'))]);
  await landAndBook('sub', []);
  await across();
  await landAndBook('sub', [transfer('v1', side('p1'), side('q1'))]);
  await across();
  await landAndBook('sub', [transfer('v1', side('p1', '6'), side('q1', '6'))]);
  await across();
  expect(await pairs()).toEqual([pair('w1', 'v1', { stands: false })]);
  await landAndBook('main', [transfer('w1', side('p1', '6'), side('q1', '6'))]);
  await across();
  expect(await pairs()).toEqual([pair('w1', 'v1', { stands: false }), pair('w1', 'v1', { amount: '6' })]);
});

test('payments that have no counterpart in another entity are not read to be paired', async () => {
  const read = async () => {
    const days = (await stage.rows('select distinct effective_day::text as day from ledger.daily')).flatMap(
      ({ day }) => ['main', 'sub'].map((entity) => ({ entity, day: String(day) })),
    );
    const { text, values } = loadSql('reconcile/transfer_moves.sql', {
      entities: days.map(({ entity }) => entity),
      currencies: days.map(() => 'EUR'),
      days: days.map(({ day }) => day),
    });
    return (await stage.rows(text, values)).map(({ record_id }) => record_id).sort();
  };
  await landAndBook('main', [
    transfer('w1', side('p1', '7'), email('7')),
    transfer('w2', email('7'), side('p1', '7')),
    transfer('w3', side('p1', '8'), email('8')),
  ]);
  await landAndBook('sub', [transfer('v1', email('9'), side('q1', '9'))]);
  expect(await read()).toEqual([]);
  await landAndBook('sub', [transfer('v2', email('8'), side('q1', '8'))]);
  expect(await read()).toEqual(['v2', 'w3']);
});

describe('sides that were cancelled', () => {
  const sent = (hours: number, rest = {}) => transfer('w1', side('p1'), side('q1'), timed(hours, rest));
  const received = (hours: number, rest = {}) => transfer('v1', side('p1'), side('q1'), timed(hours, rest));
  const timed = (hours: number, rest: object) => ({ completedAt: instantAt(hours * 3_600), ...rest });
  const cancelled = (days: number) => ({ status: 'canceled', canceledAt: instantAt(days * DAY) });

  test('pair with each other, whichever nights saw them stand, and are no break', async () => {
    await landAndBook('main', [sent(1)]);
    await landAndBook('main', [sent(1, cancelled(30))], 40 * DAY);
    await across();
    await landAndBook('sub', [received(2)], 40 * DAY);
    await across();
    expect(await pairs()).toEqual([]);
    await landAndBook('sub', [received(2, cancelled(31))], 40 * DAY);
    await across();
    await across();
    expect(await pairs()).toEqual([pair('w1', 'v1', { stands: false })]);
    expect(
      await stage.rows(
        "select distinct counterparty, rule from books.outside where kind <> 'reversal' order by 1",
      ),
    ).toEqual([
      { counterparty: 'main', rule: 'own transfer: pocket' },
      { counterparty: 'sub', rule: 'own transfer: pocket' },
    ]);
    expect(await found()).toEqual([]);
    expect(await stage.rows("select status from books.breaks where status <> 'resolved'")).toEqual([]);
  });

  test('do not pair if one was cancelled before the other was there', async () => {
    await landAndBook('main', [sent(1), sent(1, cancelled(1))], 40 * DAY);
    await landAndBook('sub', [received(48), received(48, cancelled(31))], 40 * DAY);
    await across();
    expect(await pairs()).toEqual([]);
  });
});

describe('own_transfers', () => {
  test.each([
    ['main', 'sub', 'to', 'out', 'booked'],
    ['sub', 'main', 'out of', 'in', 'booked'],
    ['main', 'sub', 'to', 'out', 'never booked'],
  ])(
    'names the record of the other side if it was cancelled there and %s still has it (%s, %s, %s, %s)',
    async (here, there, way, kind, before) => {
      const [record, other] = [
        { main: 'w1', sub: 'v1' },
        { main: 'v1', sub: 'w1' },
      ].map((ids) => ids[here as 'main']);
      const cancelled = { status: 'canceled', canceledAt: instantAt(DAY) };
      const moved = (id: string | undefined, rest = {}) => transfer(`${id}`, side('p1'), side('q1'), rest);
      const others = (rest = {}) => [moved('x1', { date: instantAt(5 * DAY), ...rest }), moved(other, rest)];
      await landAndBook(here, [moved(record)], 9 * DAY);
      if (before === 'booked') await landAndBook(there, others(), 9 * DAY);
      await landAndBook(there, others(cancelled), 9 * DAY);
      await across();
      const records = [`wallet-transactions ${record}`, `wallet-transactions ${other}`];
      expect(await found()).toMatchObject([
        {
          entity_id: here,
          subject: records[0],
          reason: `5 EUR went ${way} ${there}, where its record is cancelled: the record here names its pocket and stands, and ${records[1]} does not`,
          reason_parts: { kind: `own_transfers.${kind}.cancelled`, records, entity: there },
        },
      ]);
    },
  );

  test('names no cancelled record of another amount, another entity, or of long ago', async () => {
    const cancelled = { status: 'canceled', canceledAt: instantAt(9 * DAY) };
    const others = (rest: WireRecord = {}) => [
      transfer('v1', side('p1', '6'), side('q1', '6'), rest),
      transfer('v2', side('elsewhere'), side('q1'), rest),
      transfer('v3', side('p1'), side('q1'), {
        ...rest,
        date: instantAt(8 * DAY),
        completedAt: instantAt(8 * DAY),
      }),
      transfer('v4', side('q1'), side('p1'), rest),
    ];
    await landAndBook('main', [transfer('w1', side('p1'), side('q1'))], 9 * DAY);
    await landAndBook('sub', others(cancelled), 9 * DAY);
    await across();
    expect(await found()).toMatchObject([
      { subject: 'wallet-transactions w1', reason_parts: { kind: 'own_transfers.out' } },
    ]);
  });

  const lone = (entity_id: string, subject: string, [booked, reason, entity]: [string, string, string]) => ({
    entity_id,
    subject,
    account: null,
    currency: 'EUR',
    reported: '0',
    booked,
    difference: booked.startsWith('-') ? booked.slice(1) : `-${booked}`,
    reason,
    since: '2026-03-01T10:00:00.000Z', // the record's time: when the two sides diverged
    reason_parts: {
      kind: booked.startsWith('-') ? 'own_transfers.in' : 'own_transfers.out',
      records: [subject],
      amount: booked.replace('-', ''),
      currency: 'EUR',
      entity,
    },
  });

  test('finds a record that names the other entity, which lacks it, from either side', async () => {
    await landAndBook('main', [transfer('w1', side('p1'), side('q1'))]);
    await landAndBook('sub', [transfer('v9', side('p1', '8'), side('q1', '8'))]);
    await across();
    expect(await found()).toEqual([
      lone('main', 'wallet-transactions w1', [
        '5',
        '5 EUR went to sub, whose books lack it: the record names its pocket, and no record there matches',
        'sub',
      ]),
      lone('sub', 'wallet-transactions v9', [
        '-8',
        '8 EUR went out of main, whose books lack it: the record names its pocket, and no record there matches',
        'main',
      ]),
    ]);
    const breaks = () => stage.rows('select entity_id, check_name, status from books.breaks order by 1');
    const open = { check_name: 'own_transfers', status: 'open' };
    expect(await breaks()).toEqual([
      { entity_id: 'main', ...open },
      { entity_id: 'sub', ...open },
    ]);
    await landAndBook('sub', [transfer('v1', side('p1'), side('q1'))]);
    await across();
    expect((await breaks()).map(({ status }) => status)).toEqual(['resolved', 'open']);
  });

  test.each([
    ['another amount', '6', 0, '6 EUR at 2026-03-01T10:00:00.000Z', '5 EUR at 2026-03-01T10:00:00.000Z'],
    ['another time', '5', 8 * DAY, '5 EUR at 2026-03-09T10:00:00.000Z', '5 EUR at 2026-03-01T10:00:00.000Z'],
  ])(
    'says what the same record of the other entity is, if it has %s',
    async (_, amount, late, there, here) => {
      const date = instantAt(late);
      await landAndBook('main', [transfer('w1', side('p1'), side('q1'))], 20 * DAY);
      const other = transfer('w1', side('p1', amount), side('q1', amount), { date, completedAt: date });
      await landAndBook('sub', [other], 20 * DAY);
      await across();
      expect(await found()).toMatchObject([
        {
          entity_id: 'main',
          reason: `5 EUR went to sub, where the same record says otherwise: ${there}; the record here names its pocket`,
          reason_parts: { kind: 'own_transfers.out' },
        },
        {
          entity_id: 'sub',
          reason: `${amount} EUR went out of main, where the same record says otherwise: ${here}; the record here names its pocket`,
          reason_parts: { kind: 'own_transfers.in' },
        },
      ]);
    },
  );

  test('finds nothing until both are read a day further, nor for people outside, nor for the other entity alone', async () => {
    await landAndBook('main', [
      transfer('w1', side('p1'), side('q1')),
      transfer('w2', side('p1'), side('elsewhere')),
    ]);
    await across();
    expect(await found()).toEqual([]); // nothing of the other was read
    await landAndBook('sub', [], DAY - 1);
    await across();
    expect(await found()).toEqual([]);
    await landAndBook('sub', [], DAY);
    await across();
    expect(await found()).toMatchObject([{ subject: 'wallet-transactions w1' }]);
  });
});

test('consolidated: all entities per currency, and the transfers between them', async () => {
  await landAndBook('main', [
    transfer('w1', side('p1'), side('q1')),
    transfer('w2', side('p1', '2'), email('2')),
  ]);
  await landAndBook('sub', [transfer('v1', side('p1'), side('q1'))]);
  await across();
  const tie = (entity: string, [reported, booked]: [string | null, string], account = 'assets:trading') =>
    stage.rows(
      `insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, reported, booked, difference, status)
       values ($1, $2, $5, 'EUR', '${instantAt(60)}', $3, $4, $3::numeric - $4, 'tied')`,
      [entity, stage.run.id, reported, booked, account],
    );
  await tie('main', ['10', '10']);
  await tie('main', [null, '3'], 'assets:earn');
  const [half] = await stage.rows('select entities, booked, not_compared from books.consolidated');
  expect(half).toEqual({ entities: '1', booked: '10', not_compared: '8' }); // 5 are of sub, of which nothing was compared yet
  stage = await stage.nextRun();
  await tie('sub', ['4', '5']);
  const [row] = await stage.rows('select * from books.consolidated');
  expect(row).toMatchObject({
    currency: 'EUR',
    entities: '2',
    reported: '14',
    booked: '15',
    difference: '-1',
    not_compared: '3',
    own_transfers: '1',
    own_out: '5',
    own_in: '5',
    person_outside: '2',
  });
  await stage.rows(
    `insert into decide.profiles (entity_id, version, owner, by_name, at) values ('sub', 1, 'client', 'Ada', '${instantAt(0)}')`,
  );
  const [own] = await stage.rows('select * from books.consolidated');
  expect(own).toMatchObject({
    entities: '1',
    reported: '10',
    booked: '10',
    own_transfers: '0',
    person_outside: '7',
  });
  await stage.rows('truncate decide.profiles');
});
