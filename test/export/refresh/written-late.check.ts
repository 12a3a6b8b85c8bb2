// A transaction that ends late: its rows have earlier numbers than rows that were read before it ended. A draft and a valuation beside
// the reading of a long night meet such transactions, and what they note must not hide the rows from the end of the night.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { numbersWritten } from '../../../src/database/database.ts';
import { derive } from '../../../src/valuation/valuation.ts';
import { freshDatabase, type TestDatabase } from '../../database.ts';
import { BOOKS, deposit, refreshStand } from './stand.ts';

const [OCTOBER, NOVEMBER] = ['2026-10', '2026-11'] as const;

let books: TestDatabase;
let stand: ReturnType<typeof refreshStand>;

beforeEach(async () => {
  books = await freshDatabase();
  stand = refreshStand(() => books, ['main', 'other']);
  onTestFinished(() => books.close());
  await books.pool.query(`
    insert into run.entities (entity_id, name, timezone, currency, first_seen_at)
    select id, id, 'Europe/Madrid', 'EUR', '2026-09-01' from unnest(array['main', 'other']) as id;
    insert into run.runs (run_id, job, started_at) values (gen_random_uuid(), 'nightly', '2026-11-03T02:00:00Z');
    ${deposit('main', '2026-10-05T10:00:00Z')}; ${deposit('other', '2026-11-05T10:00:00Z')}`);
  await stand.refresh();
});

/** A record that no rule has booked, as a page brings it. */
const record = (entity: string, instant: string): string => `
  with request as (
    insert into land.requests (entity_id, run_id, stream, method, target, status, body_sha256, rows, sent_at)
    select '${entity}', run_id, 'trades', 'GET', '/', 200, '', 1, started_at from run.runs limit 1 returning request_id
  )
  insert into land.records (entity_id, stream, record_id, version, digest, payload, record_at, landed_at, request_id)
  select '${entity}', 'trades', '${instant}', 1, '\\x00', '{"createdAt":"${instant}"}', '${instant}', '2026-11-20', request_id from request`;

/** A pair in clearing, of entries that no book has. */
const pair = (entity: string, instant: string): string => `
  insert into reconcile.clearing_matches (entity_id, debit_entry_id, credit_entry_id, account, currency, amount, debit_stream, debit_record_id,
    debit_at, credit_stream, credit_record_id, credit_at, grounds, run_id, matched_at)
  select '${entity}', gen_random_uuid(), gen_random_uuid(), 'assets:clearing:trading', 'EUR', 7, 'movements', 'a', '${instant}', 'movements', 'b',
    '${instant}', 'amount and time', run_id, started_at from run.runs limit 1`;

/** Writes `early` first and `late` whole, then runs `work`, and ends the transaction of `early` while it runs, or after it. */
const beside = async (early: string, late: string, work: () => Promise<unknown>): Promise<void> => {
  const writer = await books.pool.connect();
  await writer.query(`begin; ${early}`);
  await books.pool.query(late);
  const working = work();
  await Promise.race([working, pause(300)]);
  await writer.query('commit');
  writer.release();
  await working;
};

test.each([
  ['entries', deposit],
  ['records', record],
  ['pairs', pair],
])('the end of a night shows %s that a draft could not see', async (_, row) => {
  const run = randomUUID();
  const draft = () => stand.refresh(BOOKS, { run, isDraft: true });
  await beside(row('main', '2026-10-14T10:00:00Z'), row('other', '2026-11-14T10:00:00Z'), draft);
  const written = await stand.refresh(BOOKS, { run });
  expect(Object.keys(written).sort()).toEqual([OCTOBER, NOVEMBER]);
  for (const month of [OCTOBER, NOVEMBER]) await stand.expectForced(month, written);
});

test('an entry that a valuation could not see is valued by the next one', async () => {
  const value = () => derive(books.db, BOOKS);
  await beside(deposit('main', '2026-10-14T10:00:00Z'), deposit('other', '2026-11-14T10:00:00Z'), value);
  await value();
  const { rows } = await books.pool.query(
    'select entity_id, effective_at from ledger.entries e where not exists (select from value.postings v where v.entry_id = e.entry_id)',
  );
  expect(rows).toEqual([]);
});

test('a session that keeps its transaction open is named as the cause', async () => {
  const writer = await books.pool.connect();
  await writer.query(`begin; ${deposit('main', '2026-10-14T10:00:00Z')}`);
  const numbers = await numbersWritten(books.db, 50).catch((error: Error) => error.message);
  await writer.query('rollback');
  writer.release();
  expect(numbers).toContain('keeps its transaction open');
});
