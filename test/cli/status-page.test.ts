// The screen of status: its verdict, and its line for gaps.
import { expect, onTestFinished, test, vi } from 'vitest';
import { statusText } from '../../src/cli/status-page.ts';
import { statusOf } from '../../src/run/status.ts';
import { freshDatabase } from '../database.ts';

test.for([
  ['{}', '1 gap: nothing of main trades is proved yet'],
  ['{[2026-03-03,2026-03-04)}', '1 gap: main trades from its beginning to 2026-03-03T00:00:00.000Z'],
  [
    '{(,2026-03-02),[2026-03-03,2026-03-04)}',
    '1 gap: main trades 2026-03-02T00:00:00.000Z to 2026-03-03T00:00:00.000Z',
  ],
] as const)('a list proved for %s has the line "%s"', async ([covered, line]) => {
  const books = await freshDatabase();
  onTestFinished(() => books.close());
  await books.pool.query(
    "insert into land.coverage (entity_id, stream, scope, covered) values ('main', 'trades', '', $1)",
    [covered],
  );
  const text = statusText({ ...(await statusOf(books)), unfinished: [], breakRows: [] });
  expect(text.split('\n')).toContain(line);
});

test('a note names its entity and what it is about, or counts the entities that have it', async () => {
  const books = await freshDatabase();
  onTestFinished(() => books.close());
  const found = (entity_id: string, subject: string, detail: string) => ({
    entity_id,
    severity: 'note',
    subject,
    detail,
    run_id: '',
  });
  const findings = [
    found('main', 'blocked EUR', '5 EUR is blocked'),
    found('s1', 'loan-orders', 'not offered to this entity: loan-orders answers 404'),
    ...['main', 's1'].map((entity) => found(entity, 'earn-wallets', 'earn-wallets answers 404')),
  ];
  const status = { ...(await statusOf(books)), findings, unfinished: [], breakRows: [] };
  const lines = statusText(status as Parameters<typeof statusText>[0]).split('\n');
  expect(lines.filter((line) => line.includes('note: '))).toEqual([
    'note: main: blocked EUR: 5 EUR is blocked',
    'note: s1: not offered to this entity: loan-orders answers 404',
    '2 × note: earn-wallets answers 404',
  ]);
});

test.for([
  ['all of its lists, from their beginning', '{[-infinity,2026-03-02)}', '2026-03-02 00:00'],
  ['all of its lists, one only from a later time', '{[2026-03-01,2026-03-02)}', ''],
  ['all of its lists, of one nothing', '{}', ''],
  ['all of its lists but one', null, ''],
] as const)('an entity of which is proved: %s', async ([, trades, expected]) => {
  const books = await freshDatabase();
  onTestFinished(() => books.close());
  await books.pool.query(
    `insert into run.entities (entity_id, name, first_seen_at) values ('main', 'main', now())`,
  );
  await books.pool.query(
    `insert into land.coverage (entity_id, stream, scope, covered)
     select 'main', stream, '', covered::tstzmultirange from (values
       ('movements', '{[-infinity,2026-03-03),[2026-03-04,2026-03-05)}'), ('wallet-transactions', '{[-infinity,2026-03-03)}'),
       ('trades', $1)) as list (stream, covered) where covered is not null`,
    [trades],
  );
  const nights = [{ entity_id: 'main', clean_at: null }];
  const status = { ...(await statusOf(books)), clean_nights: nights, unfinished: [], breakRows: [] };
  const lines = statusText(status as Parameters<typeof statusText>[0]).split('\n');
  expect(lines.find((line) => line.startsWith('main '))?.trim()).toBe(
    `main    never             ${expected}`.trim(),
  );
});

test.for([
  [0, null, /^Clean: nothing needs attention$/],
  [2, 'failed: why', /^Failed: the last run \(nightly\): why$/],
  [64, 'failed: a setting', /^Failed: the last run \(nightly\): a setting$/],
  [143, 'interrupted', /^Failed: the last run \(nightly\): interrupted$/],
  [null, null, /^Not ended: the last run \(nightly\), which is at work or was killed$/],
] as const)('a last run that ended with %s has its verdict', async ([exitCode, summary, verdict]) => {
  const books = await freshDatabase();
  onTestFinished(() => books.close());
  await books.pool.query(
    "insert into run.runs (run_id, job, started_at, exit_code, summary) values (gen_random_uuid(), 'nightly', now(), $1, $2)",
    [exitCode, summary],
  );
  const text = statusText({ ...(await statusOf(books)), unfinished: [], breakRows: [] });
  expect(text.split('\n')[0]).toMatch(verdict);
});

test('a file of a person that was refused is no failure, and hides neither one nor what needs attention', async () => {
  const books = await freshDatabase();
  onTestFinished(() => books.close());
  const verdictAfter = async (job: string, exitCode: number) => {
    await books.pool.query(
      "insert into run.runs (run_id, job, started_at, exit_code, summary) values (gen_random_uuid(), $1, now(), $2, 'failed: why')",
      [job, exitCode],
    );
    return statusText({ ...(await statusOf(books)), unfinished: [], breakRows: [] }).split('\n')[0];
  };
  await verdictAfter('nightly', 0);
  expect(await verdictAfter('import', 64)).toBe('Clean: nothing needs attention');
  expect(await verdictAfter('import', 2)).toBe('Failed: the last run (import): why');
  await verdictAfter('nightly', 2);
  expect(await verdictAfter('lots', 64)).toBe('Failed: the last run that read the gateway (nightly): why');
});

test.for([
  ['nightly', 2, 'failed: no answer', /^Failed: the last run that read the gateway \(nightly\): no answer$/],
  ['extract', 143, 'interrupted', /^Failed: the last run that read the gateway \(extract\): interrupted$/],
  ['nightly', null, null, /^Not ended: the last run that read the gateway \(nightly\), which was killed$/],
  ['nightly', 0, null, /^Clean: nothing needs attention$/],
] as const)(
  'a %s that ended with %s is not hidden by the offline runs after it',
  async ([job, exitCode, summary, verdict]) => {
    const books = await freshDatabase();
    onTestFinished(() => books.close());
    const add = (values: readonly unknown[]) =>
      books.pool.query(
        'insert into run.runs (run_id, job, started_at, exit_code, summary) values (gen_random_uuid(), $1, now(), $2, $3)',
        [...values],
      );
    await add([job, exitCode, summary]);
    for (let later = 0; later < 6; later += 1) await add(['approve', 0, 'done']); // more than status lists
    const text = statusText({ ...(await statusOf(books)), unfinished: [], breakRows: [] });
    expect(text.split('\n')[0]).toMatch(verdict);
    expect(text.includes('npx tieout nightly')).toBe(exitCode !== 0);
  },
);

test('books of which nothing was compared are not called clean', async () => {
  const books = await freshDatabase();
  onTestFinished(() => books.close());
  await books.pool.query(
    `insert into run.entities (entity_id, name, first_seen_at) values ('main', 'main', now()), ('sub', 'sub', now())`,
  );
  await books.pool.query(
    "insert into run.runs (run_id, job, started_at, exit_code) values (gen_random_uuid(), 'normalize', now(), 0)",
  );
  const verdict = async () =>
    statusText({ ...(await statusOf(books)), unfinished: [], breakRows: [] }).split('\n')[0];
  expect(await verdict()).toBe('Clean: nothing needs attention'); // nothing is booked
  await books.pool.query(
    "insert into ledger.totals (entity_id, account, currency, debit, credit) values ('sub', 'assets:trading', 'EUR', 7, 2)",
  );
  expect(await verdict()).toBe('Not compared yet: the books of 1 entity; run npx tieout nightly');
});

test('ages are measured by the clock of the database, not by that of this host', async () => {
  const books = await freshDatabase();
  onTestFinished(() => books.close());
  await books.pool.query(
    "insert into run.runs (run_id, job, started_at, exit_code) values (gen_random_uuid(), 'nightly', now() - interval '3 hours', 0)",
  );
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 });
  onTestFinished(() => void vi.useRealTimers());
  const text = statusText({ ...(await statusOf(books)), unfinished: [], breakRows: [] });
  expect(text).toContain('last run: nightly, 3 hours ago, exit 0');
});

test('a reopened month has its line until it, or a later one, is closed again', async () => {
  const books = await freshDatabase();
  onTestFinished(() => books.close());
  const status = await statusOf(books);
  const month = (entity_id: string, period: string, state: string) => ({ entity_id, period, status: state });
  const periods = [
    month('a', '2026-08', 'closed'),
    month('a', '2026-09', 'reopened'),
    month('b', '2026-09', 'reopened'),
    month('b', '2026-09', 'closed'),
    month('c', '2026-08', 'reopened'),
    month('c', '2026-08', 'reopened'),
  ];
  const then = {
    entity_id: 'b',
    severity: 'note',
    subject: 'reopened',
    detail: '2026-09 is not closed again',
  };
  const findings = [then] as (typeof status)['findings'];
  const lines = statusText({ ...status, periods, findings, unfinished: [], breakRows: [] }).split('\n');
  expect(lines.filter((line) => line.includes(then.detail))).toEqual([]);
  expect(lines).toContain('closed: a to 2026-08, b to 2026-09');
  expect(lines).toContain('reopened, and not closed again: a 2026-09, c 2026-08');
});

test('a break that a person resolved has a line until a comparison ties', async () => {
  const books = await freshDatabase();
  onTestFinished(() => books.close());
  const none = { ...(await statusOf(books)), unfinished: [], breakRows: [] };
  expect(statusText(none)).not.toContain('resolved by a person');
  const unconfirmed = [{ break_id: '48e4bb31a1aa', entity_id: 'main', resolved_by: 'Ada' }];
  expect(statusText({ ...none, unconfirmed }).split('\n')).toContain(
    'resolved by a person, and no comparison has tied since: 1, the first 48e4bb31a1aa by Ada (npx tieout reconcile)',
  );
});

test('one record that is not booked yet is a record', async () => {
  const books = await freshDatabase();
  onTestFinished(() => books.close());
  const unfinished = [{ entity_id: 'a', undecided: 1, is_unpaired: false, values_from: null }];
  const text = statusText({ ...(await statusOf(books)), unfinished, breakRows: [] });
  expect(text).toContain('unfinished: a, 1 record to book, own transfers paired');
});
