// A fixture for the nightly's folders: a night's export, and what each folder is if it is written without regard to an earlier one.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Database } from '../../../src/database/connection.ts';
import { sqlPaths } from '../../../src/database/database.ts';
import { exportReports, refreshMonths } from '../../../src/export/export.ts';
import { fileOf } from '../../../src/export/reports/report.ts';
import { derive } from '../../../src/valuation/valuation.ts';
import { newFolder } from '../../room.ts';
import { reportTexts } from '../report-texts.ts';
import { filesIn } from '../world.ts';

export const BOOKS = { timezone: 'Europe/Madrid', currency: 'EUR' };

/** The files of reports. */
const REPORTS = sqlPaths('reports').map(fileOf);

type Settings = Readonly<Record<string, unknown>>;

type Night = {
  readonly monthsMax?: number;
  /** Receives each folder that was removed, or left because somebody changed it. */
  readonly retired?: Record<string, boolean>;
  readonly run?: string;
  readonly isDraft?: boolean;
};

/** A deposit of 10 EUR that took effect at an instant. */
export const deposit = (entity: string, instant: string): string => `
  with entry as (
    insert into ledger.entries (entity_id, entry_id, effective_at, recorded_at, period, kind, stream, record_id, version, ordinal, rule_version, description)
    select '${entity}', (lpad(to_hex((extract(epoch from instant) * 1000)::bigint), 12, '0') || '80008000000000000001')::uuid, instant, '2026-11-20',
      to_char(instant at time zone 'Europe/Madrid', 'YYYY-MM'), 'movement', 'movements', instant::text, 1, 1, 1, 'deposit'
    from (select timestamptz '${instant}' as instant) as moment
    returning entity_id, entry_id
  )
  insert into ledger.transfers (entity_id, entry_id, leg, debit, credit, currency, amount)
  select entity_id, entry_id, 1, 'assets:trading', 'equity:external:platform', 'EUR', 10 from entry`;

/** What shows the newest reading, whatever the month. */
const OF_THE_READING = ['coverage.csv', 'tie_outs.csv', 'report.html', 'report.json', 'manifest.json'];

/** The folders of some books, which are opened later, in a home of their own. */
export const refreshStand = (books: () => Database, entities: readonly string[]) => {
  const home = newFolder();

  /** A night's export: the months that it wrote, with the number of their files that it took over. */
  const refresh = async (settings: Settings = BOOKS, night: Night = {}): Promise<Record<string, number>> => {
    const { monthsMax = 1200, retired = {}, run = randomUUID(), isDraft = false } = night;
    const { db, pool } = books();
    await derive(db, BOOKS);
    await pool.query(
      `insert into run.runs (run_id, job, started_at) values ('${run}', 'nightly', '2026-11-03T02:00:00Z') on conflict (run_id) do nothing`,
    );
    const written: Record<string, number> = {};
    await refreshMonths(
      { db, pool, home, ...BOOKS, monthsMax, settings, run, isDraft, entities },
      {
        opened: () => {},
        refreshed: (folder) => {
          if (folder.written > 0) written[folder.name] = folder.unchanged;
        },
        retired: ({ name, isRemoved }) => {
          retired[name] = isRemoved;
        },
      },
    );
    if (!isDraft) await pool.query(`update run.runs set finished_at = started_at where run_id = '${run}'`);
    return written;
  };

  /** What a month is if it is written without regard to any earlier export. */
  const forced = async (period: string, settings: Settings): Promise<Record<string, string>> => {
    const outDir = join(newFolder(), period);
    await exportReports({ pool: books().pool, period, outDir, ...BOOKS, settings });
    return filesIn(outDir);
  };

  /** The reports of a month that do not show the newest reading. */
  const reports = async (period: string): Promise<Record<string, string>> => {
    const names = REPORTS.filter((name) => !OF_THE_READING.includes(name));
    const texts = await reportTexts(books().pool, { period, timezone: BOOKS.timezone }, names);
    return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
  };

  /** Expects a folder that was written to be as a forced export, and any other to have the same reports. */
  const expectForced = async (
    month: string,
    written: Record<string, number>,
    settings: Settings = BOOKS,
  ): Promise<void> => {
    const is = filesIn(join(home, 'exports', month));
    const must = month in written ? await forced(month, settings) : await reports(month);
    const others = month in written ? [] : OF_THE_READING;
    expect(Object.keys(is)).toEqual([...Object.keys(must), ...others].sort());
    for (const [name, text] of Object.entries(must)) expect(is[name], `${month}/${name}`).toBe(text);
  };

  return { home, refresh, expectForced };
};
