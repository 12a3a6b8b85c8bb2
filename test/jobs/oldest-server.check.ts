// The oldest PostgreSQL that we support gives the same books, checks and closed month as the embedded one.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownRows } from '../../src/base/csv-file.ts';
import { UsageError } from '../../src/base/errors.ts';
import { migrate } from '../../src/database/migrate.ts';
import { close, faultsIn } from '../close/month.ts';
import { freshDatabase, QUICK, type TestDatabase } from '../database.ts';
import { hasOldest, oldestDatabase } from '../oldest-server.ts';
import { startOldest } from '../oldest-start.ts';
import { newFolder } from '../room.ts';
import { openStage, type Stage } from './stage.ts';

/** The results of a night, a check and a close that do not depend on the hour of the run. */
const LEFT: Readonly<Record<string, string>> = {
  balances: 'select * from books.balances',
  tie_outs:
    'select entity_id, account, currency, as_of, reported, booked, difference, status from books.tie_outs',
  breaks: `select entity_id, check_name, subject, account, currency, reported, booked, difference, status, reason from books.breaks`,
  findings: 'select entity_id, severity, subject, detail from books.findings',
  rejects: 'select entity_id, stream, record_id, reason from books.rejects',
  disposals: 'select taxpayer, currency, entry_id, lot_id, units, proceeds, cost, gain from books.disposals',
};

const UNTIL = '2026-10-03T00:00:00Z';
const INSTANT = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00)/g;

/** The world ends at an instant: anything later is the clock of the run. */
const withoutClock = (text: string): string =>
  text.replaceAll(INSTANT, (instant) => (instant.replace(' ', 'T') > UNTIL ? '<now>' : instant));

const textsOf = async (stage: Stage, sql: string): Promise<string[]> =>
  (await stage.rows(`select t::text as line from (${sql}) t`))
    .map(({ line = '' }) => withoutClock(line))
    .sort();

const OF_THE_RUN = /^(recorded_at|days_to_record|landed_at|run_id)$/;

/** The reports of a month, without the columns with the time of a run. */
const reportsOf = (stage: Stage, month: string): Record<string, string[]> => {
  const dir = join(stage.home, 'exports', month);
  const names = readdirSync(dir).filter((name) => name.endsWith('.csv'));
  return Object.fromEntries(
    names.map((name) => {
      const rows = ownRows(readFileSync(join(dir, name), 'utf8'));
      const isLeftOut = (rows[0] ?? []).map((column) => OF_THE_RUN.test(column));
      return [
        name,
        rows.map((row) => withoutClock(row.filter((_, position) => !isLeftOut[position]).join('|'))),
      ];
    }),
  );
};

const play = async (newDatabase: () => Promise<TestDatabase>) => {
  const ends: (() => Promise<void>)[] = [];
  const stage = await openStage({ until: UNTIL }, (end) => ends.push(end), newDatabase);
  try {
    const night = await stage.nightWithFiles();
    const { closed } = await close(stage, '2026-09');
    const left: Record<string, string[]> = {};
    for (const [name, sql] of Object.entries(LEFT)) left[name] = await textsOf(stage, sql);
    return {
      server: (await stage.rows('show server_version_num'))[0]?.server_version_num ?? '',
      night: [night.exitCode, night.summary],
      closed: closed.map(({ sealed, obstacles }) => [sealed !== null, obstacles]),
      faults: await faultsIn(stage),
      left,
      reports: { ...reportsOf(stage, '2026-09'), october: reportsOf(stage, '2026-10') },
    };
  } finally {
    for (const end of ends) await end();
  }
};

const title = `PostgreSQL 15 gives the same figures${hasOldest() ? '' : ' (skipped: no postgresql-15 here)'}`;

test.skipIf(!hasOldest())(title, { timeout: 300_000 }, async () => {
  const oldest = await play(oldestDatabase);
  const ours = await play(freshDatabase);
  expect([oldest.server.slice(0, 2), ours.server.slice(0, 2)]).toEqual(['15', '18']);
  expect(oldest.closed).toEqual([
    [true, []],
    [true, []],
  ]);
  expect(oldest.left.balances?.length).toBeGreaterThan(20);
  expect(Object.keys(oldest.reports).length).toBeGreaterThan(10);
  expect({ ...oldest, server: '' }).toEqual({ ...ours, server: '' });
});

test.skipIf(!hasOldest())('every view works on the oldest server', { timeout: 120_000 }, async () => {
  const { pool, close: end } = await oldestDatabase();
  try {
    const { rows } = await pool.query(
      "select schemaname || '.' || viewname as viewname from pg_views where schemaname in ('books', 'books_internal') order by 1",
    );
    expect(rows.length).toBeGreaterThan(20);
    for (const { viewname } of rows) await pool.query(`select * from ${viewname} limit 1`);
    const { rows: small } = await pool.query(
      "select power(10::numeric, -17) as power, ('1e-' || 17)::numeric as text",
    );
    expect(small).toEqual([{ power: expect.stringMatching(/^0\.0*$/), text: '0.00000000000000001' }]);
  } finally {
    await end();
  }
});

test.skipIf(!hasOldest())(
  'partitions on the oldest server are a mistake of usage',
  { timeout: 120_000 },
  async () => {
    const { url, end } = await startOldest(newFolder(), QUICK);
    try {
      const migrating = migrate(url, { partitions: 4 });
      await expect(migrating).rejects.toThrow(UsageError);
      await expect(migrating).rejects.toThrow('--partitions needs PostgreSQL 17 or newer');
    } finally {
      await end();
    }
  },
);
