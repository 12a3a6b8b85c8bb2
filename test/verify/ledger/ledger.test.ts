// verify ledger, without other programs: each proof passes on sound books, and names the first fault.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '../../../src/verify/ledger/ledger.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';

let books: TestDatabase;
beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(WHOLE);
});
afterAll(() => books.close());

/** The first millisecond of October 2026, when all of these entries take effect. */
const id = (n: number) => `01a0f4c2-c400-8000-8000-00000000000${n}`;

/** Three records: one booked, one booked and corrected, one rejected; and a manual entry. */
const WHOLE = `
  insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id)
  select 'main', 'trades', id, version, '\\x00', '{}', now(), now(), 1
  from (values ('t1', 1), ('t2', 1), ('t2', 2), ('t3', 1)) as r (id, version);
  insert into ledger.outcomes (entity_id, stream, record_id, version, outcome, reason, final, rule_version) values
    ('main', 'trades', 't1', 1, 'booked', null, true, 1), ('main', 'trades', 't2', 1, 'booked', null, true, 1),
    ('main', 'trades', 't2', 2, 'booked', null, true, 1), ('main', 'trades', 't3', 1, 'rejected', 'side', true, 1);
  insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal,
    reverses, rule_version, description) values
    ('main', '${id(1)}', '2026-10-01', '2026-10-02', '2026-10', 'trade', 'trades', 't1', 1, 1, null, 1, ''),
    ('main', '${id(2)}', '2026-10-01', '2026-10-02', '2026-10', 'trade', 'trades', 't2', 1, 1, null, 1, ''),
    ('main', '${id(3)}', '2026-10-01', '2026-10-02', '2026-10', 'reversal', 'trades', 't2', 2, 2, '${id(2)}', 1, ''),
    ('main', '${id(4)}', '2026-10-01', '2026-10-02', '2026-10', 'trade', 'trades', 't2', 2, 3, null, 1, ''),
    ('main', '${id(5)}', '2026-10-01', '2026-10-02', '2026-10', 'manual', 'manual', 'm', 1, 1, null, 1, '');
  insert into ledger.transfers (entity_id, entry_id, leg, debit, credit, currency, amount) values
    ('main', '${id(1)}', 1, 'assets:trading', 'equity:conversion', 'BTC', 1),
    ('main', '${id(2)}', 1, 'assets:trading', 'equity:conversion', 'BTC', 2.50),
    ('main', '${id(3)}', 1, 'equity:conversion', 'assets:trading', 'BTC', 2.5),
    ('main', '${id(4)}', 1, 'assets:trading', 'equity:conversion', 'BTC', 2),
    ('main', '${id(5)}', 1, 'assets:trading', 'equity:opening', 'EUR', 5);
  insert into decide.proposals (entity_id, proposal_id, action, content, reason, prepared_by, prepared_at) values
    ('main', 'm', 'open', '{"effective_at":"2026-10-01T00:00:00Z","description":"","legs":[["assets:trading","equity:opening","EUR","5"]]}',
      'why', 'Ada', '2026-10-01');
  insert into decide.approvals (entity_id, proposal_id, verdict, prepared_by, approved_by, approved_at, period) values
    ('main', 'm', 'approved', 'Ada', 'Grace', '2026-10-02', '2026-10');
  insert into ledger.daily select * from ledger.daily_sums;
  insert into ledger.totals select * from ledger.total_sums;`;

const verified = () => verifyLedger({ pool: books.pool, timezone: 'UTC', programs: [] });

/** The faults after a statement that no role of ours may run. */
const broken = async (statement: string): Promise<Record<string, string | null>> => {
  const other = await freshDatabase();
  try {
    await other.pool.query(WHOLE);
    await other.pool.query(statement);
    const { holds, proofs } = await verifyLedger({ pool: other.pool, timezone: 'UTC', programs: [] });
    expect(holds).toBe(false);
    return Object.fromEntries(
      proofs.filter(({ faults }) => faults !== '0').map((proof) => [proof.proof, proof.first]),
    );
  } finally {
    await other.close();
  }
};

test('sound books pass, each proof with the number of its items', async () => {
  const { holds, proofs, programs } = await verified();
  expect([holds, programs]).toEqual([true, []]);
  expect(proofs.map(({ proof, checked, faults, first }) => [proof, checked, faults, first])).toEqual([
    ['entries balance', '5', '0', null],
    ['transfers have their entry', '5', '0', null],
    ['reversals are equal and opposite', '1', '0', null],
    ['landed = booked + rejected + set aside', '4', '0', null],
    ['manual entries are what was approved', '1', '0', null],
    ['other decisions are what was approved', '0', '0', null],
    ['breaks are as their last steps left them', '0', '0', null],
    ['records marked as erased are those of an erasure', '0', '0', null],
    ['the daily summary is the sum of its postings', '4', '0', null],
    ['the totals are the sums of the daily summary', '4', '0', null],
    ['balances are the sum of postings', '4', '0', null],
    // unvalued books have no values, and nothing to prove
    ['entries in value balance, and conversion is zero', '0', '0', null],
    ['accounts in value are rounded once', '0', '0', null],
    ['the monthly summary of values is the sum of its lines', '0', '0', null],
    ['the list of open lots names what lots and uses leave', '0', '0', null],
    ['gains are proceeds less cost', '0', '0', null],
    ['lots hold what the books hold', '0', '0', null],
    ['lots in transit are what was sent and has not arrived', '0', '0', null],
  ]);
});

/** The faults of an account whose postings, days and total differ. */
const summary = (
  row: string,
  postings: string,
  stored: string,
  balance: readonly [sum: string, says: string],
) => ({
  'the daily summary is the sum of its postings': `main ${row} on 2026-10-01, recorded at 2026-10-02 00:00:00+00: the postings ${postings}, the summary has ${stored}`,
  ...unlike(row, [balance[0], balance[1], balance[1]]),
});

/** The fault of a balance: what the postings sum to, the balance, balances_at, and balances_at before the newest entry. */
const unlike = (
  row: string,
  [sum, balance, balanceAt, before = '0']: readonly [
    sum: string,
    balance: string,
    balanceAt: string,
    before?: string,
  ],
) => ({
  'balances are the sum of postings':
    `main ${row}: the postings sum to ${sum}, the balance is ${balance}, balances_at gives ${balanceAt}; ` +
    `before the newest entry to 0, and balances_at gives ${before}`,
});

/** The fault of a total. */
const total = (row: string, days: string, stored: string) => ({
  'the totals are the sums of the daily summary': `main ${row}: the daily summary ${days}, the total has ${stored}`,
});

/** A reversal of the manual entry that nobody approved. */
const FORGED = `
  insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal,
    reverses, rule_version, description)
  values ('main', '${id(6)}', '2026-10-01', '2026-10-02', '2026-10', 'reversal', 'manual', 'm', 1, 2, '${id(5)}', 1, '');
  insert into ledger.transfers values ('main', '${id(6)}', 1, 'equity:opening', 'assets:trading', 'EUR', 5);
  truncate ledger.daily, ledger.totals;
  insert into ledger.daily select * from ledger.daily_sums;
  insert into ledger.totals select * from ledger.total_sums;`;
/** An entry of no record, and its reversal a month later: in between, the account has 5 EUR more. */
const PASSING = `
  insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal,
    reverses, rule_version, description)
  select 'main', entry_id, at, '2026-12-02', to_char(at, 'YYYY-MM'), kind, 'trades', 't9', ordinal, ordinal, reverses, 1, ''
  from (
    select (left(books_internal.first_entry_id(at)::text, 13) || '-8aaa-8aaa-aaaaaaaaaaaa')::uuid as entry_id, *
    from (values ('2026-10-20'::timestamptz, 'trade', 1, null::uuid), ('2026-11-20', 'reversal', 2,
      (left(books_internal.first_entry_id('2026-10-20')::text, 13) || '-8aaa-8aaa-aaaaaaaaaaaa')::uuid)) as e (at, kind, ordinal, reverses)
  ) as e;
  insert into ledger.transfers
  select entity_id, entry_id, 1, case ordinal when 1 then 'assets:trading' else 'equity:opening' end,
    case ordinal when 1 then 'equity:opening' else 'assets:trading' end, 'EUR', 5
  from ledger.entries where record_id = 't9';
  truncate ledger.daily, ledger.totals;
  insert into ledger.daily select * from ledger.daily_sums;
  insert into ledger.totals select * from ledger.total_sums;`;
const forgedReturn = (late: number, undone: number, redone: number) => `${FORGED}
  insert into ledger.returns values ('main', '${id(late)}', '${id(undone)}', '${id(redone)}', '2026-10', now())`;
const FREE = 'alter table ledger.transfers drop constraint transfers_entity_id_entry_id_fkey;';

describe('named', () => {
  test.each([
    [
      'an entry without legs',
      `delete from ledger.transfers where entry_id = '${id(5)}'`,
      {
        'entries balance': `entry ${id(5)} of main has no leg`,
        'manual entries are what was approved': `entry ${id(5)} of main differs from the approved proposal`,
        ...summary('assets:trading EUR', 'debit 0 and credit 0', '5 and 0', ['0', '5']),
      },
    ],
    [
      'a leg without entry',
      `${FREE} delete from ledger.entries where entry_id = '${id(5)}'`,
      {
        'transfers have their entry': `leg 1 of entry ${id(5)} of main has no entry`,
        'manual entries are what was approved': 'proposal m of main was approved, and is not booked',
        ...summary('assets:trading EUR', 'debit 0 and credit 0', '5 and 0', ['0', '5']),
      },
    ],
    [
      'a reversal that is off by 1e-18',
      `update ledger.transfers set amount = 2.500000000000000001 where entry_id = '${id(3)}'`,
      {
        'reversals are equal and opposite': `reversal ${id(3)} of main is not equal and opposite to ${id(2)}`,
        ...summary('assets:trading BTC', 'debit 5.5 and credit 2.500000000000000001', '5.5 and 2.5', [
          '2.999999999999999999',
          '3',
        ]),
      },
    ],
    [
      'a reversal of nothing',
      `update ledger.entries set reverses = '${id(9)}' where entry_id = '${id(3)}'`,
      {
        'reversals are equal and opposite': `reversal ${id(3)} of main names ${id(9)}, which does not exist`,
      },
    ],
    [
      'an id that another time begins',
      `update ledger.entries set effective_at = '2026-10-01T00:00:00.001Z' where entry_id = '${id(3)}'`,
      { 'entries balance': `entry ${id(3)} of main has an id of another time` },
    ],
    [
      'a row of the summary that is off by 1e-18',
      `update ledger.daily set debit = debit + 1e-18 where (account, currency) = ('assets:trading', 'BTC')`,
      {
        ...summary('assets:trading BTC', 'debit 5.5 and credit 2.5', '5.500000000000000001 and 2.5', [
          '3',
          '3',
        ]),
        ...total('assets:trading BTC', 'debits 5.500000000000000001 and credits 2.5', '5.5 and 2.5'),
        ...unlike('assets:trading BTC', ['3', '3', '3', '-0.000000000000000001']),
      },
    ],
    [
      'a posting without its row in the summary',
      `delete from ledger.daily where (account, currency) = ('assets:trading', 'EUR')`,
      {
        ...summary('assets:trading EUR', 'debit 5 and credit 0', 'nothing', ['5', '0']),
        ...total('assets:trading EUR', 'debits 0 and credits 0', '5 and 0'),
        ...unlike('assets:trading EUR', ['5', '5', '5', '5']),
      },
    ],
    [
      'a row of the summary without postings',
      `insert into ledger.daily values ('main', 'assets:earn', 'EUR', '2026-10-01', '2026-10-02', 7, 0)`,
      {
        ...summary('assets:earn EUR', 'debit 0 and credit 0', '7 and 0', ['0', '7']),
        ...total('assets:earn EUR', 'debits 7 and credits 0', 'nothing'),
        ...unlike('assets:earn EUR', ['0', '0', '0', '-7']),
      },
    ],
    [
      'a total that is off by 1e-18',
      `update ledger.totals set debit = debit + 1e-18 where (account, currency) = ('assets:trading', 'BTC')`,
      {
        ...total('assets:trading BTC', 'debits 5.5 and credits 2.5', '5.500000000000000001 and 2.5'),
        ...unlike('assets:trading BTC', [
          '3',
          '3.000000000000000001',
          '3.000000000000000001',
          '0.000000000000000001',
        ]),
      },
    ],
    [
      'a total with a debit and a credit too many',
      `update ledger.totals set debit = debit + 1, credit = credit + 1 where (account, currency) = ('assets:trading', 'BTC')`,
      total('assets:trading BTC', 'debits 5.5 and credits 2.5', '6.5 and 3.5'),
    ],
    [
      'an account without its total',
      `delete from ledger.totals where (account, currency) = ('assets:trading', 'EUR')`,
      {
        ...total('assets:trading EUR', 'debits 5 and credits 0', 'nothing'),
        ...unlike('assets:trading EUR', ['5', '0', '0', '-5']),
      },
    ],
    [
      'a row of the summary of values without lines',
      `insert into value.monthly values ('main', '2026-10', '2026-10', '2026-10', 'main', 'assets:earn', 'EUR', 'EUR', 7, 7, 7, 7, null, 0, 0)`,
      {
        'the monthly summary of values is the sum of its lines':
          'assets:earn EUR of main in 2026-10: the lines sum to 0 and none in value, the summary has 7 and 7',
      },
    ],
    [
      'a lot that is listed as open and is not there',
      `insert into value.open_lots values ('main', 'a lot', 'main', '2026-10')`,
      { 'the list of open lots names what lots and uses leave': 'a lot of main is listed and not open' },
    ],
    [
      'a record that nothing was decided upon',
      `delete from ledger.outcomes where record_id = 't3'`,
      {
        'landed = booked + rejected + set aside':
          'trades t3 of main is not decided upon: a night that was stopped leaves this to the next one, or to npx tieout normalize',
      },
    ],
    [
      'a record said to be booked',
      `update ledger.outcomes set outcome = 'booked', reason = null where record_id = 't3'`,
      { 'landed = booked + rejected + set aside': 'trades t3 of main is booked, but has no entry in force' },
    ],
    [
      'an entry of a rejected record',
      `update ledger.outcomes set outcome = 'rejected', reason = 'x' where record_id = 't1'`,
      {
        'landed = booked + rejected + set aside':
          'trades t1 of main is not booked, but has an entry in force',
      },
    ],
    [
      'an entry of a record that never landed',
      `update ledger.entries set record_id = 't9' where entry_id = '${id(1)}'; delete from land.records where record_id = 't1'`,
      { 'landed = booked + rejected + set aside': 'trades t9 of main has an entry, and never landed' },
    ],
    [
      'an entry that never landed and is reversed in the next month: the sums are those of before',
      PASSING,
      { 'landed = booked + rejected + set aside': 'trades t9 of main has an entry, and never landed' },
    ],
    [
      'a manual entry that nobody approved',
      'delete from decide.approvals',
      { 'manual entries are what was approved': `entry ${id(5)} of main is booked without an approval` },
    ],
    [
      'a reversal that nobody approved',
      FORGED,
      { 'manual entries are what was approved': `entry ${id(6)} of main is booked without an approval` },
    ],
    [
      'one that passes for the return of the entry that it reverses',
      forgedReturn(5, 6, 5),
      {
        'manual entries are what was approved': `entry ${id(6)} of main does not undo ${id(5)}, which a reopening posts again in its month`,
      },
    ],
    [
      'one that passes for the return of another record',
      forgedReturn(1, 6, 1),
      {
        'manual entries are what was approved': `entry ${id(6)} of main does not undo ${id(1)}, which a reopening posts again in its month`,
      },
    ],
    [
      'a return of what is not there',
      forgedReturn(5, 6, 9),
      {
        'manual entries are what was approved': `entry ${id(6)} of main is booked without an approval`,
      },
    ],
    [
      'a proposal whose time cannot be read',
      `update decide.proposals set content = replace(content, '2026-10-01T', 'soon ')`,
      {
        'manual entries are what was approved':
          'the content of proposal m of main was altered and cannot be read: invalid input syntax for type timestamp with time zone: "soon 00:00:00Z"',
      },
    ],
    [
      'a decision whose number cannot be read',
      `insert into decide.proposals (entity_id, proposal_id, action, content, reason, prepared_by, prepared_at)
         values ('main', 'b', 'budget', '{"base":"0","ceiling":"much"}', 'why', 'Ada', '2026-10-01');
       insert into decide.approvals (entity_id, proposal_id, verdict, prepared_by, approved_by, approved_at)
         values ('main', 'b', 'approved', 'Ada', 'Grace', '2026-10-02')`,
      {
        'other decisions are what was approved':
          'the content of proposal b of main was altered and cannot be read: invalid input syntax for type numeric: "much"',
      },
    ],
    [
      'a manual entry of another amount',
      `update decide.proposals set content = replace(content, '"5"', '"5.000000000000000001"')`,
      { 'manual entries are what was approved': `entry ${id(5)} of main differs from the approved proposal` },
    ],
    [
      'a manual entry at another time',
      `update decide.proposals set content = replace(content, '2026-10-01T', '2026-10-03T')`,
      { 'manual entries are what was approved': `entry ${id(5)} of main differs from the approved proposal` },
    ],
  ])('%s', async (_what, statement, first) => {
    expect(await broken(statement)).toEqual(first);
  });
});
