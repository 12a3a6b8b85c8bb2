// The nightly's folders: each kind of change writes the months that show it, and what is not written again has the bytes that a
// forced export has.
import { randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PLACE } from '../../../src/base/path-beside.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { filesIn, makeWorld } from '../world.ts';
import { BOOKS, refreshStand } from './stand.ts';

const MONTHS = ['2026-09', '2026-10', '2026-11'];

let books: TestDatabase;
const { home, refresh, expectForced } = refreshStand(() => books, ['Zeta', 'main']);

beforeAll(async () => {
  books = await freshDatabase();
  await makeWorld(books);
  await books.pool.query(`
    insert into land.requests (entity_id, run_id, stream, method, target, status, body_sha256, rows, sent_at)
    select 'main', run_id, 'rates', 'GET', '/', 200, '', 0, started_at from run.runs where exit_code = 1;
    insert into land.rate_lists (entity_id, request_id, entry, source, at, payload, received, skipped)
    select entity_id, request_id, 1, 'rates', '2026-09-10', '{}', 1, 0 from land.requests;
    insert into land.snapshots (entity_id, request_id, run_id, product, phase, taken_at)
    select entity_id, request_id, run_id, 'pocket', 'after', '2026-10-01' from land.requests limit 1;
    alter table land.requests alter request_id restart with 100;
    insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id)
    select 'main', 'wallet-transactions', 'w2', version, '\\x00', '{"destination":{"address":"0xabc"}}', '2026-10-26T11:00:00Z', '2026-10-31', 1
    from generate_series(1, 2) as version`);
  expect(Object.keys(await refresh()).sort()).toEqual(MONTHS);
});
afterAll(() => books.close());

const REQUEST = `
  insert into land.requests (entity_id, run_id, stream, method, target, status, body_sha256, rows, sent_at)
  select 'main', run_id, 'x', 'GET', '/', 200, '', 0, started_at from run.runs where exit_code = 1`;

const newRate = (instant: string): string => `
  with asked as (${REQUEST} returning entity_id, request_id), list as (
    insert into land.rate_lists (entity_id, request_id, entry, source, at, payload, received, skipped)
    select entity_id, request_id, 1, 'rates', '${instant}', '{}', 2, 0 from asked returning entity_id, request_id
  )
  insert into land.rates (entity_id, currency, at, request_id, entry, rate)
  select entity_id, currency, '${instant}', request_id, 1, rate from list, (values ('EUR', 0.9), ('BTC', 0.0009)) as r (currency, rate)`;

const newRecord = (stream: string, instant: string, payload: string): string => `
  with asked as (${REQUEST} returning request_id)
  insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id)
  select 'main', '${stream}', 'record of ${instant}', 1, '\\x00', '${payload}', '${instant}', '2026-11-03', request_id from asked`;

/** A version of a trade that no rule has decided. */
const newTrade = (version: number, createdAt: string): string =>
  newRecord('trades', createdAt, JSON.stringify({ createdAt }))
    .replace(`record of ${createdAt}`, 'a trade')
    .replace(', 1,', `, ${version},`);

const newBookEntry = (address: string): string =>
  newRecord('address-book', '2026-11-01T12:00:00Z', JSON.stringify({ address })).replace(
    'record of',
    address,
  );

const newEntry = (id: string, instant: string, period: string): string => `
  insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal, rule_version, description)
  values ('main', '${id}', '${instant}', '2026-11-03', '${period}', 'movement', 'movements', 'entry of ${instant}', 1, 1, 1, 'deposit');
  insert into ledger.transfers (entity_id, entry_id, leg, debit, credit, currency, amount) values
    ('main', '${id}', 1, 'assets:trading', 'assets:clearing:trading', 'EUR', 1);
  truncate ledger.daily, ledger.totals;
  insert into ledger.daily select * from ledger.daily_sums;
  insert into ledger.totals select * from ledger.total_sums`;

const approved = (id: string, action: string): string => `
  insert into decide.proposals (entity_id, proposal_id, action, content, reason, prepared_by, prepared_at)
  values ('main', '${id}', '${action}', '{}', 'r', 'Ada', '2026-11-03');
  insert into decide.approvals (entity_id, proposal_id, verdict, prepared_by, approved_by, approved_at)
  values ('main', '${id}', 'approved', 'Ada', 'Grace', '2026-11-03')`;

const newReading = (asOf: string, status: string, difference: string): string => `
  with night as (
    insert into run.runs (run_id, job, started_at) values (gen_random_uuid(), 'nightly', '2026-11-04T02:00:00Z') returning run_id
  )
  insert into reconcile.tie_outs (entity_id, run_id, account, currency, as_of, reported, booked, difference, status, reason)
  select 'main', run_id, 'assets:trading', 'EUR', '${asOf}', 3921.160001::numeric + ${difference}, 3921.160001, ${difference}, '${status}', 'r' from night`;

/** A deposit into a pocket that no list has had yet. */
const PENDING = `${newRecord(
  'wallet-transactions',
  '2026-10-20T00:00:00Z',
  JSON.stringify({
    origin: { class: 'bank', amount: '5', currency: 'EUR' },
    destination: { class: 'pocket', pocketId: 'p9', amount: '5', currency: 'EUR' },
  }),
)};
  insert into ledger.outcomes (entity_id, stream, record_id, version, outcome, reason, final, rule_version)
  select entity_id, stream, record_id, version, 'set-aside', 'not-final', false, 1 from land.records where payload like '%"p9"%'`;

const [SEPTEMBER, OCTOBER, NOVEMBER] = MONTHS as [string, string, string];

/** Each change, and the months that must be written again. */
const CHANGES: readonly (readonly [what: string, sql: string, months: readonly string[]])[] = [
  [
    'an entry of November',
    newEntry('01a1d47e-4d80-8000-8000-0000000000aa', '2026-11-13T10:00:00Z', '2026-11'),
    [NOVEMBER],
  ],
  [
    'an entry that a reading was compared without',
    newEntry('01a0f454-e700-8000-8000-0000000000aa', '2026-09-30T22:00:00Z', '2026-10'),
    MONTHS,
  ],
  [
    'an entry of September',
    newEntry('01a0a482-5500-8000-8000-0000000000aa', '2026-09-15T10:00:00Z', '2026-09'),
    MONTHS,
  ],
  ['a record of October', newRecord('movements', '2026-10-10T00:00:00Z', '{}'), [OCTOBER, NOVEMBER]],
  ['a trade of October that is not booked', newTrade(1, '2026-10-12T00:00:00Z'), [OCTOBER, NOVEMBER]],
  ['a later version of it, which is of November', newTrade(2, '2026-11-12T00:00:00Z'), [OCTOBER, NOVEMBER]],
  ['an entry of the address book to which nothing was sent', newBookEntry('0xdef'), []],
  ['one with the address of a withdrawal of October', newBookEntry('0xABC'), [OCTOBER, NOVEMBER]],
  ['a deposit of October that is not final', PENDING, [OCTOBER, NOVEMBER]],
  [
    'its pocket, which is listed only now',
    `insert into land.pockets (entity_id, pocket_id, currency, first_listed_at) values ('main', 'p9', 'EUR', '2026-11-03')`,
    MONTHS,
  ],
  ['a rate of the end of October', newRate('2026-10-31T23:00:00Z'), [OCTOBER, NOVEMBER]],
  ['a rate of November', newRate('2026-11-02T00:00:00Z'), [NOVEMBER]],
  [
    'a rule for counterparties',
    `insert into decide.counterparty_files (version, file_name, by_name, at) values (1, 'f', 'Ada', '2026-11-03');
    insert into decide.counterparty_rules (version, line, class, counterparty, counterparty_type) values (1, 1, 'blockchain', 'Exchange', 'third-party')`,
    MONTHS,
  ],
  [
    'a profile',
    `insert into decide.profiles (entity_id, version, legal_name, by_name, at) values ('main', 1, 'Main Ltd', 'Ada', '2026-11-03')`,
    MONTHS,
  ],
  ['another name of an entity', `update run.entities set name = 'a branch' where entity_id = 'Zeta'`, MONTHS],
  [
    'a proposal that nobody has answered',
    `insert into decide.proposals (entity_id, proposal_id, action, content, reason, prepared_by, prepared_at)
    values ('main', 'p1', 'adjust', '{}', 'r', 'Ada', '2026-11-03')`,
    [],
  ],
  [
    'a waiver',
    `${approved('w1', 'waive')};
    insert into decide.waivers (entity_id, break_id, period, difference, by_name, reason, at, proposal_id)
    values ('main', 'b5', '2026-10', 0.05, 'Ada', 'small', '2026-11-03', 'w1')`,
    MONTHS,
  ],
  [
    "a break's status",
    `update reconcile.breaks set status = 'assigned', assigned_to = 'Ada' where break_id = 'b4'`,
    MONTHS,
  ],
  [
    'a break that began in November',
    `insert into reconcile.breaks (entity_id, break_id, check_name, subject, account, currency, reported, booked, difference, status, reason, opened_at, since, run_id, diverged_after)
    select 'main', 'b9', 'trading_tie_out', 'x', 'assets:trading', 'BTC', 1, 2, -1, 'open', 'r', '2026-11-03', '2026-11-03', run_id, '2026-11-02T02:00:00Z' from run.runs where exit_code = 1`,
    MONTHS,
  ],
  ['another severity', `update reconcile.severities set due_days = 31 where severity = 'low'`, MONTHS],
  [
    'a dismissal',
    `${approved('d1', 'dismiss')};
    insert into decide.dismissals (entity_id, stream, record_id, version, by_name, reason, at, proposal_id) values ('main', 'trades', 't2', 1, 'Ada', 'r', '2026-11-03', 'd1')`,
    MONTHS,
  ],
  [
    'an erasure',
    `insert into land.erasures (entity_id, erasure_id, at, by_name, reason, asked_for, retention_years, records_erased, fields_erased, kept_by_retention, kept_by_hold)
    values ('main', 'e1', '2026-11-03', 'Ada', 'r', 'expired', 6, 1, 1, 0, 0)`,
    MONTHS,
  ],
  [
    'a bank statement',
    `with account as (
      insert into land.external_accounts (entity_id, account_name, kind, currency, number_marks, by_name, at)
      values ('main', 'Main', 'bank', 'EUR', '{}', 'Ada', '2026-11-03') returning entity_id, account_name
    ), statement as (
      insert into land.external_statements (entity_id, account_name, statement_number, format, file_name, file_sha256, starts_on, ends_on,
        opening, closing, lines, by_name, at)
      select entity_id, account_name, 1, 'csv', 'f', repeat('0', 64), '2026-09-01', '2026-10-20', 0, 5, 1, 'Ada', '2026-11-03' from account
      returning entity_id, account_name, statement_number
    )
    insert into land.external_lines (entity_id, account_name, line_number, statement_number, file_line, booked_on, value_on, amount,
      reference_marks, is_related, payload)
    select entity_id, account_name, 1, statement_number, 2, '2026-09-05', '2026-09-05', 5, '{}', true, '{}' from statement`,
    MONTHS,
  ],
  [
    'a bank statement withdrawn',
    `insert into land.external_withdrawals (entity_id, account_name, statement_number, reason, by_name, at)
    values ('main', 'Main', 1, 'r', 'Ada', '2026-11-03')`,
    MONTHS,
  ],
  [
    'one person for both',
    `insert into decide.duties (version, is_one_person, by_name, reason, at) values (1, true, 'Ada', 'r', '2026-11-03')`,
    MONTHS,
  ],
  [
    'coverage of October',
    `update land.coverage set covered = '{[-infinity,2026-11-02T02:00:02Z)}' where stream = 'trades'`,
    [OCTOBER, NOVEMBER],
  ],
  [
    'the watermark',
    `update land.coverage set covered = covered + '{[2026-11-02T02:00:00Z,2026-11-04T02:00:00Z)}'`,
    [NOVEMBER],
  ],
  [
    'a comparison of a later run with a difference',
    newReading('2026-11-03T02:00:00Z', 'break', '-5'),
    MONTHS,
  ],
  [
    'a pair in clearing',
    `insert into reconcile.clearing_matches (entity_id, debit_entry_id, credit_entry_id, account, currency, amount, debit_stream, debit_record_id, debit_at, credit_stream, credit_record_id, credit_at, grounds, run_id, matched_at)
    select 'main', '01a0f454-e700-8000-8000-000000000003', '01a19430-f980-8000-8000-000000000008', 'assets:clearing:trading', 'EUR', 7, 'movements', 'a', '2026-09-30T22:00:00Z', 'movements', 'b', '2026-10-31T23:00:00Z', 'amount and time', run_id, '2026-11-03' from run.runs where exit_code = 1`,
    [OCTOBER, NOVEMBER],
  ],
  [
    'a transfer between entities',
    `insert into reconcile.own_transfers (from_entity, from_entry_id, to_entity, to_entry_id, currency, amount_out, amount_in, from_stream, from_record_id, from_at, to_stream, to_record_id, to_at, grounds, run_id, matched_at)
    select 'main', '01a177dd-ff80-8000-8000-000000000006', 'Zeta', '01a19430-f97f-8000-8000-000000000009', 'ETH', 1, 1, 'wallet-transactions', 'w2', '2026-10-26T11:00:00Z', 'movements', 'whale', '2026-10-31T22:59:59Z', 'user', run_id, '2026-11-03' from run.runs where exit_code = 1`,
    [OCTOBER, NOVEMBER],
  ],
];

test.each(CHANGES)('%s', async (_, sql, months) => {
  await books.pool.query(sql);
  const written = await refresh();
  expect(Object.keys(written).sort()).toEqual(months); // two at once, whichever is first
  const [first = ''] = months;
  for (const month of MONTHS)
    if (month === first || !months.includes(month)) await expectForced(month, written);
});

test('a night without changes writes nothing', async () => {
  expect(await refresh()).toEqual({});
  for (const month of MONTHS) await expectForced(month, {});
});

/** What lies in the folder of all exports. */
const folders = (): string[] => readdirSync(join(home, 'exports')).sort();

test('a draft changes no folder in sight; the end of the run takes it over, and shows what was booked since', async () => {
  const [run, dir] = [randomUUID(), join(home, 'exports', NOVEMBER)];
  const [before, names] = [filesIn(dir), folders()];
  await books.pool.query(newEntry('01a1d47e-5168-8000-8000-0000000000aa', '2026-11-13T10:00:01Z', '2026-11'));
  expect(Object.keys(await refresh(BOOKS, { run, isDraft: true }))).toEqual([NOVEMBER]);
  expect([filesIn(dir), folders()]).toEqual([before, [`.${NOVEMBER}.draft`, ...names]]);
  const written = await refresh(BOOKS, { run });
  expect(written[NOVEMBER]).toBeGreaterThan(20);
  await expectForced(NOVEMBER, written);
  expect(folders()).toEqual(names);
  await books.pool.query(newEntry('01a1d47e-5550-8000-8000-0000000000aa', '2026-11-13T10:00:02Z', '2026-11'));
  expect(await refresh(BOOKS, { run: randomUUID(), isDraft: true })).toEqual({ [NOVEMBER]: 0 });
  await books.pool.query(newEntry('01a1d47e-5938-8000-8000-0000000000aa', '2026-11-13T10:00:03Z', '2026-11'));
  const all = { [SEPTEMBER]: 0, [OCTOBER]: 0, [NOVEMBER]: 0 }; // the run of that draft never ended
  expect(await refresh(BOOKS, { run: randomUUID(), isDraft: true })).toEqual(all);
  const last = await refresh();
  expect(Object.keys(last).sort()).toEqual(MONTHS);
  await expectForced(NOVEMBER, last);
});

test('a draft that was altered is not taken over', async () => {
  const journal = join(home, 'exports', `.${NOVEMBER}.draft`, 'journal.csv');
  await books.pool.query(newEntry('01a1d47e-5d20-8000-8000-0000000000aa', '2026-11-13T10:00:04Z', '2026-11'));
  const run = randomUUID();
  await refresh(BOOKS, { run, isDraft: true });
  writeFileSync(journal, '');
  const written = await refresh(BOOKS, { run });
  expect(written).toEqual({ [NOVEMBER]: 0 });
  await expectForced(NOVEMBER, written);
});

test('what a killed night left beside a draft is removed, also if no later one writes that draft', async () => {
  const names = folders();
  mkdirSync(join(home, 'exports', `..${MONTHS[0]}.draft.partial-${PLACE}-${2 ** 22 + 1}-0badcafe`));
  await refresh();
  expect(folders()).toEqual(names);
});

test('records of orders that wait to be booked write nothing again', async () => {
  await books.pool.query(newRecord('trading-orders', '2026-10-10T00:00:00Z', '{}'));
  await books.pool.query(
    `insert into land.inbox (entity_id, stream, record_id, version, request_id) select entity_id, stream, record_id, version, request_id from land.records where stream = 'trading-orders'`,
  );
  expect(await refresh()).toEqual({});
});

test('a newer reading with the same result writes the month that is running, and only what shows the reading', async () => {
  await books.pool.query(newReading('2026-11-04T02:00:00Z', 'break', '-5'));
  const written = await refresh();
  expect(written).toEqual({ [NOVEMBER]: 30 });
  await expectForced(NOVEMBER, written);
});

test('a folder that was deleted is written again, and so is one with a file of other bytes', async () => {
  const [dir, journal] = [join(home, 'exports', OCTOBER), join(home, 'exports', OCTOBER, 'journal.csv')];
  const bytes = readFileSync(journal);
  rmSync(dir, { recursive: true });
  expect(await refresh()).toEqual({ [OCTOBER]: 0 });
  expect(readFileSync(journal)).toEqual(bytes);
  writeFileSync(journal, bytes.toString('utf8').replace('main', 'niam'));
  expect(await refresh()).toEqual({ [OCTOBER]: 0 });
  utimesSync(journal, 1, 1);
  expect(await refresh()).toEqual({ [OCTOBER]: 0 });
  expect(readFileSync(journal)).toEqual(bytes);
});

test('other settings and other books write everything', async () => {
  const other = { ...BOOKS, transitHours: 25 };
  const written = await refresh(other);
  expect(written).toEqual({ [SEPTEMBER]: 0, [OCTOBER]: 0, [NOVEMBER]: 0 });
  await expectForced(OCTOBER, written, other);
  await books.pool.query(
    'delete from run.runs where run_id not in (select run_id from reconcile.tie_outs union select run_id from reconcile.breaks)',
  );
  expect(Object.keys(await refresh(other)).sort()).toEqual(MONTHS);
  writeFileSync(join(home, 'exports.json'), '{"form":1');
  expect(Object.keys(await refresh(other)).sort()).toEqual(MONTHS);
});

test('folders that a night wrote before it failed are removed too, unless somebody changed them', async () => {
  await refresh();
  const [annotated, hindered] = [join(home, 'exports', SEPTEMBER), join(home, 'exports', NOVEMBER)];
  rmSync(join(home, 'exports.json'));
  writeFileSync(join(hindered, 'notes.txt'), 'ours');
  await expect(refresh()).rejects.toThrow('contains files that no export wrote (notes.txt)');
  rmSync(join(hindered, 'notes.txt'));
  writeFileSync(join(annotated, 'journal.csv'), 'ours');
  const exported = join(home, 'exports', `${OCTOBER}-excel-es`); // by a person
  cpSync(join(home, 'exports', OCTOBER), exported, { recursive: true });
  const retired: Record<string, boolean> = {};
  await refresh(BOOKS, { monthsMax: 1, retired });
  expect(retired).toEqual({ [SEPTEMBER]: false, [OCTOBER]: true });
  expect(existsSync(exported)).toBe(true);
  rmSync(exported, { recursive: true });
  rmSync(annotated, { recursive: true });
  expect(await refresh()).toEqual({ [SEPTEMBER]: 0, [OCTOBER]: 0 });
});

test('folders before the newest months are removed, unless somebody changed them, and written again when they may be', async () => {
  await refresh();
  const [annotated, untouched] = [join(home, 'exports', SEPTEMBER), join(home, 'exports', OCTOBER)];
  writeFileSync(join(annotated, 'notes.txt'), 'ours');
  const retired: Record<string, boolean> = {};
  expect(await refresh(BOOKS, { monthsMax: 1, retired })).toEqual({});
  expect(retired).toEqual({ [SEPTEMBER]: false, [OCTOBER]: true });
  expect([existsSync(join(annotated, 'journal.csv')), existsSync(untouched)]).toEqual([true, false]);
  expect(readdirSync(join(home, 'exports')).sort()).toEqual([SEPTEMBER, NOVEMBER]);
  rmSync(join(annotated, 'notes.txt'));
  expect(await refresh()).toEqual({ [SEPTEMBER]: 0, [OCTOBER]: 0 });
  await expectForced(OCTOBER, { [OCTOBER]: 0 });
});
