// What a close, a cover and a night's result say of value findings: a lot that was named and is not left has a value, so nothing may call
// it an item without one.
import { expect, test } from 'vitest';
import { concludeRun } from '../../jobs/run-result.ts';
import { loadSql, readRows } from '../../src/database/database.ts';
import { cautionsQuery, cautionText } from '../../src/export/reports/cautions.ts';
import { inSnapshot, rowsOf } from '../../src/export/reports/snapshot.ts';
import type { Work } from '../../src/run/work.ts';
import { choose, method } from '../valuation/choices.ts';
import { booked, books, buy, derived, sell, withBooks } from '../valuation/month-stand.ts';

withBooks(async () => {
  await method('specific');
});

const FROM = '2026-01-01T00:00:00.000Z';
const TO = '2026-02-01T00:00:00.000Z';

/** A disposal whose named lot an earlier one takes, of which no value is missing. */
const namedAndTaken = async (): Promise<void> => {
  const lot = `${(await booked({ day: '2026-01-02', name: 'named' }, buy('1', '10000'))).id}/1`;
  await booked({ day: '2026-01-03', name: 'other' }, buy('2', '30000'));
  await booked({ day: '2026-01-10', name: 'sold' }, sell('1', '20000'));
  await derived();
  await choose(`trades,sold,BTC,${lot},1`);
  await booked({ day: '2026-01-04', name: 'earlier' }, sell('1', '20000'));
  await derived();
};

test('a named lot that is not left is a value finding for a close, and not an item without a value', async () => {
  await namedAndTaken();
  const rows = await readRows<{ subject: string; detail: string }>(
    books.db,
    loadSql('close/values.sql', { entity: 'main', period: '2026-01', to: TO }),
  );
  expect(rows.map(({ subject }) => subject)).toEqual(['1 value finding']);
  expect(rows[0]?.detail).toMatch(
    /^chosen-lot: do what value_findings\.csv says about each .*lots choose.* accept 2026-01 --limit 1 /,
  );
  expect(rows[0]?.detail).not.toMatch(/no value|without a value|missing/);
});

test('so it is on the cover of an export, and in the result of a night', async () => {
  await namedAndTaken();
  const span = { from: FROM, to: TO, timezone: 'UTC', entity: '' };
  const cautions = await inSnapshot(books.pool, (snapshot) => rowsOf(snapshot, cautionsQuery(span)));
  expect(cautions.map(cautionText)).toEqual(['2026-01 of main: 1 value finding (chosen-lot), not accepted']);
  const { rows } = await books.pool.query<{ run_id: string }>(
    "insert into run.runs (run_id, job, started_at) values (gen_random_uuid(), 'nightly', now()) returning run_id",
  );
  const work = { db: books.db, run: { id: rows[0]?.run_id } } as unknown as Work;
  const { summary } = await concludeRun(work, { entities: ['main'], failures: new Map(), requests: 0 });
  expect(summary).toContain(', 0 findings, 1 value finding, 0 requests ');
});
