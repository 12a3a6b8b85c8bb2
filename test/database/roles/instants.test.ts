// Who decides does not choose the instant: a person's row bears the database's time, and a step on a break that of the run at work.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '../../database.ts';

let books: TestDatabase;

const RUNS = [1, 2, 3].map((nth) => `00000000-0000-4000-8000-00000000000${nth}`) as [string, string, string];
const [OLD, KILLED, AT_WORK] = RUNS;

beforeAll(async () => {
  books = await freshDatabase();
  await books.pool.query(`
    insert into run.runs (run_id, job, started_at, finished_at)
    values ('${OLD}', 'nightly', '2026-01-01', '2026-01-02'), ('${KILLED}', 'nightly', '2026-02-01', null), ('${AT_WORK}', 'breaks', '2026-03-01', null);
    insert into decide.proposals (entity_id, proposal_id, action, content, reason, prepared_by, prepared_at)
    values ('main', 'p1', 'waive', '{}', 'so', 'Ada', '2026-10-01');
    insert into decide.seals (entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
    select 'main', period, 1, 0, 0, repeat('a', 64), '{}', 'Ada', '2026-10-03' from unnest('{2026-08,2026-09}'::text[]) as period;
    insert into land.holds (entity_id, hold_id, at, by_name, reason, commitment) values ('main', 'h1', '2026-10-01', 'Ada', 'so', '\\x00');
    insert into reconcile.breaks (entity_id, break_id, check_name, subject, status, reason, opened_at, run_id, since)
    values ('main', 'b1', 'c', 's', 'open', 'r', '2026-01-01', '${OLD}', '2026-01-01')`);
});
afterAll(() => books.close());

/** Adds a row as a role, and takes it back. */
const add = async (role: string, insert: string): Promise<void> => {
  const session = await books.pool.connect();
  try {
    await session.query('begin');
    await session.query(`set local role tieout_${role}`);
    await session.query(insert);
  } finally {
    await session.query('rollback');
    session.release();
  }
};

const DECISIONS: readonly (readonly [string, string, (instant: string) => string])[] = [
  [
    'decide.proposals',
    'preparer',
    (instant) => `(entity_id, proposal_id, action, content, content_sha256, reason, prepared_by, prepared_at)
      select 'main', 'p2', 'waive', content, encode(sha256(content::bytea), 'hex'), 'so', 'Ada', ${instant}
      from (values ('{"action":"waive"}')) as proposed (content)`,
  ],
  [
    'decide.approvals',
    'approver',
    (instant) => `(entity_id, proposal_id, verdict, prepared_by, approved_by, approved_at)
      values ('main', 'p1', 'approved', 'Ada', 'Grace', ${instant})`,
  ],
  [
    'decide.seals',
    'preparer',
    (instant) => `(entity_id, period, seal_number, requests_to, entries, root, seal, prepared_by, sealed_at)
      values ('main', '2026-10', 1, 0, 0, repeat('a', 64), '{}', 'Ada', ${instant})`,
  ],
  [
    'decide.seal_approvals',
    'approver',
    (instant) => `(entity_id, period, seal_number, prepared_by, approved_by, approved_at)
      values ('main', '2026-09', 1, 'Ada', 'Grace', ${instant})`,
  ],
  [
    'decide.reopenings',
    'approver',
    (instant) => `(entity_id, period, seal_number, requests_to, by_name, reason, at)
      values ('main', '2026-09', 1, 0, 'Grace', 'so', ${instant})`,
  ],
  [
    'decide.duties',
    'approver',
    (instant) => `(version, is_one_person, by_name, reason, at) values (1, true, 'Grace', 'so', ${instant})`,
  ],
  [
    'land.erasures',
    'approver',
    (
      instant,
    ) => `(entity_id, erasure_id, at, by_name, reason, asked_for, retention_years, records_erased, fields_erased, kept_by_retention, kept_by_hold)
      values ('main', 'e1', ${instant}, 'Grace', 'so', 'expired', 6, 1, 1, 0, 0)`,
  ],
  [
    'land.holds',
    'approver',
    (instant) =>
      `(entity_id, hold_id, at, by_name, reason, commitment) values ('main', 'h2', ${instant}, 'Grace', 'so', '\\x00')`,
  ],
  [
    'land.hold_releases',
    'approver',
    (instant) => `(entity_id, hold_id, at, by_name, reason) values ('main', 'h1', ${instant}, 'Grace', 'so')`,
  ],
];

describe.each(DECISIONS)('%s of the %s', (table, role, row) => {
  test('bears the time of the database', async () => {
    await expect(add(role, `insert into ${table} ${row('clock_timestamp()')}`)).resolves.toBeUndefined();
  });

  test.each(["'2020-01-01'", "now() - interval '1 microsecond'", "clock_timestamp() + interval '1 day'"])(
    'and not %s',
    async (instant) => {
      await expect(add(role, `insert into ${table} ${row(instant)}`)).rejects.toThrow('row-level security');
    },
  );
});

test('only the last closed month is reopened, as of the last request', async () => {
  const reopening = (period: string, requests: number) =>
    add(
      'approver',
      `insert into decide.reopenings (entity_id, period, seal_number, requests_to, by_name, reason, at)
        values ('main', '${period}', 1, ${requests}, 'Grace', 'so', clock_timestamp())`,
    );
  await expect(reopening('2026-09', 0)).resolves.toBeUndefined();
  await expect(reopening('2026-09', 1)).rejects.toThrow('row-level security');
  await expect(reopening('2026-08', 0)).rejects.toThrow('row-level security');
});

describe.each([
  ['preparer', 'explained'],
  ['approver', 'waived'],
])('a step of the %s on a break', (role, status) => {
  const step = (run: string, instant: string, by = "'Ada'", to = status) =>
    add(
      role,
      `insert into reconcile.break_events (entity_id, break_id, at, run_id, by_name, status, reason)
        values ('main', 'b1', '${instant}', '${run}', ${by}, '${to}', 'so')`,
    );

  test('belongs to the run at work', async () => {
    await expect(step(AT_WORK, '2026-03-01')).resolves.toBeUndefined();
  });

  test.each([
    ['an old run', OLD, '2026-01-01'],
    ['a run that was killed', KILLED, '2026-02-01'],
    ['another time', AT_WORK, '2026-02-01'],
  ])('and not to %s', async (_what, run, instant) => {
    await expect(step(run, instant)).rejects.toThrow('row-level security');
  });

  test('has a name, and is no step of a run', async () => {
    await expect(step(AT_WORK, '2026-03-01', 'null')).rejects.toThrow('row-level security');
    await expect(step(AT_WORK, '2026-03-01', "'Ada'", 'open')).rejects.toThrow('row-level security');
  });
});

test('nobody steps on a break once the last run has ended', async () => {
  await books.pool.query(`update run.runs set finished_at = now() where run_id = '${AT_WORK}'`);
  for (const [run, instant] of [
    [AT_WORK, '2026-03-01'],
    [KILLED, '2026-02-01'],
  ])
    await expect(
      add(
        'preparer',
        `insert into reconcile.break_events (entity_id, break_id, at, run_id, by_name, status, reason)
          values ('main', 'b1', '${instant}', '${run}', 'Ada', 'explained', 'so')`,
      ),
    ).rejects.toThrow('row-level security');
});
