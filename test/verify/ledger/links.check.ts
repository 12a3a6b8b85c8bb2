// Links: every row behind a figure is chained when a run ends, and verify ledger names a change to any of them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/database/connection.ts';
import { proveLinks } from '../../../src/verify/ledger/links.ts';
import { septemberClosed } from '../../close/month.ts';
import type { Stage } from '../../jobs/stage.ts';

let stage: Stage;
let one: ReturnType<typeof openDatabase>; // queried in sequence, so it uses one connection
beforeAll(async () => {
  ({ stage } = await septemberClosed(afterAll));
  one = openDatabase(stage.database.url);
});
afterAll(() => one?.close());

/** The first fault after a statement of the owner, whom no right limits. */
const after = async (statement: string): Promise<string | null> => {
  await one.pool.query('begin');
  try {
    await one.pool.query(`set local session_replication_role = replica; ${statement}`);
    return (await proveLinks(one.db)).first;
  } finally {
    await one.pool.query('rollback');
  }
};

test('unaltered books pass', async () => {
  const proof = await proveLinks(one.db);
  expect(proof).toMatchObject({ faults: '0', first: null });
  expect(Number(proof.checked)).toBeGreaterThan(40);
  const { rows } = await one.pool.query('select count(*) as links from run.links');
  expect(proof.checked).toBe(rows[0].links);
});

test('what is not compared while a run is open is said', async () => {
  const { rows } = await one.pool.query(`insert into run.runs (run_id, job, started_at)
    values (gen_random_uuid(), 'nightly', now()) returning run_id, run_number`);
  const { proof } = await proveLinks(one.db);
  expect(proof).toBe(
    `rows are as the runs linked them, but for what run ${rows[0].run_number} may change until it ends`,
  );
  await one.pool.query('delete from run.runs where run_id = $1', [rows[0].run_id]);
});

const LAST = 'where ctid = (select max(ctid) from';

describe('named', () => {
  test.each([
    ['a balance as read', 'update land.balances set total = total + 1', /^land\.balances of \S+: /],
    ['its request', "update land.requests set target = '/'", /^land\.requests of \S+: of \d+ rows/],
    ['a rate', `update land.rates set rate = rate * 2 ${LAST} land.rates)`, /^land\.rates of \S+: of/],
    [
      'an answer',
      `delete from land.answers ${LAST} land.answers)`,
      /^land\.answers of \S+: \d+ rows are linked/,
    ],
    ['what a run proved', 'update run.conservation set booked = booked + 1', /^run\.conservation of \S+: /],
    [
      'the end of a run',
      "update run.runs set exit_code = 0, summary = ''",
      /^run\.runs: .*altered \(linked by/,
    ],
    [
      'the preparer of a seal',
      "update decide.seals set prepared_by = 'Eve'",
      /^decide\.seals of \S+: the row/,
    ],
    [
      'the same, with a function in public that would hide it',
      `create function public.convert_to(text, text) returns bytea language sql
         as $$ select pg_catalog.convert_to(replace($1, 'Eve', ''), 'UTF8'::name) $$;
       update decide.seals set prepared_by = 'Eve' || prepared_by`,
      /^decide\.seals of \S+: the row/,
    ],
    [
      'an approval that nobody gave',
      `insert into decide.seal_approvals select entity_id, period, seal_number, prepared_by, 'Eve', now() from decide.seals`,
      /^decide\.seal_approvals of \S+: \d+ of its rows were written outside any run/,
    ],
    [
      'a waiver',
      `insert into decide.waivers (entity_id, break_id, period, by_name, reason, at)
        values ('main', 'b', '2026-09', 'Eve', 'because', now())`,
      /^decide\.waivers.*: \d+ of its rows were written outside any run/,
    ],
    [
      'a run that nobody made',
      `insert into run.runs (run_id, job, started_at, finished_at, exit_code, summary)
        values (gen_random_uuid(), 'nightly', now(), now(), 0, 'nightly: 0 open breaks')`,
      /^run \d+ of .* ended, but its links are missing/,
    ],
    [
      'a rate at the lowest place, where no link begins',
      `insert into land.rates select entity_id, currency, at, -9223372036854775808, entry, rate * 2 from land.rates limit 1`,
      /^land\.rates: 1 of its rows have a place that no run gives/,
    ],
    [
      'a waiver there',
      `insert into decide.waivers (entity_id, waiver_id, break_id, period, by_name, reason, at) overriding system value
        values ('main', -9223372036854775808, 'b', '2026-09', 'Eve', 'because', now())`,
      /^decide\.waivers: 1 of its rows have/,
    ],
    ['a tie-out', "update reconcile.tie_outs set reason = 'because'", /^reconcile\.tie_outs of \S+: /],
    ['a value', 'update value.postings set value = value + 1', /^value\.postings of \S+: of \d+ rows/],
    ['a link', "update run.links set rows = 1, link = repeat('0', 64)", /: link \d+ was altered/],
    [
      'the newest links of a table',
      `delete from run.links where table_name = 'land.balances'`,
      /^(land\.balances|run\.links)/,
    ],
    [
      'the newest links of all tables and what they cover',
      `delete from run.links where run_id = (select run_id from run.runs where position = (select max(position) from run.runs));
       delete from decide.seals`,
      /written outside any run|its links are missing/,
    ],
  ])('%s', async (_, statement, says) => {
    expect(await after(statement)).toMatch(says);
  });
});
