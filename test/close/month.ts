// A month that is closed in a test: a small world around its cut-off, read by real nights, with queries on it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeMonths } from '../../src/actions/close.ts';
import type { Closed } from '../../src/close/close.ts';
import type { As } from '../../src/run/entry.ts';
import { type Work, withRun } from '../../src/run/work.ts';
import { verifySeals } from '../../src/verify/seals/seals.ts';
import { reportTexts } from '../export/report-texts.ts';
import { firstNight, type History, openStageAfter, openStageAfterNight, type Stage } from '../jobs/stage.ts';

export const SEPTEMBER = {
  period: '2026-09',
  from: '2026-09-01T00:00:00.000Z',
  to: '2026-10-01T00:00:00.000Z',
};

/** A world that ends on 3 October. */
export const AUTUMN = { until: '2026-10-03T00:00:00Z' };

export const as = async <T>(
  stage: Stage,
  job: (work: Work) => Promise<T>,
  role: As = 'loader',
): Promise<T> => {
  const made: T[] = [];
  await withRun(stage.settings(), 'test', {
    tell: () => {},
    as: role,
    work: async (work) => {
      made.push(await job(work));
      return { exitCode: 0, requests: 0, pages: 0, fewest: 0, summary: '' };
    },
  });
  return made[0] as T;
};

/** On what terms the tests close a month. */
export const TERMS = {
  by: 'Ada',
  budget: '0',
  early: null,
  timezone: 'UTC',
  currency: 'EUR',
  settings: {},
} as const;

export const close = (
  stage: Stage,
  period: string,
  more: { by?: string; budget?: string; only?: string } = {},
) =>
  as(stage, (work) =>
    closeMonths(work, {
      ...TERMS,
      period,
      ...more,
    }),
  );

export const faultsIn = async (stage: Stage, roots: string[] = []): Promise<string[]> =>
  (await verifySeals(stage.database, roots)).flatMap(({ first }) => first ?? []);

/** A column of an exported trial balance, by entity, account and currency, without zeros. */
export const balancesIn = (dir: string, name: string): Record<string, string> =>
  balancesOf(readFileSync(join(dir, 'trial_balance.csv'), 'utf8'), name);

const balancesOf = (report: string, name: string): Record<string, string> => {
  const [head = '', ...lines] = report.trim().split('\n');
  const columns = head.split(',');
  const position = columns.indexOf(name);
  const keys = ['entity_id', 'account', 'currency'].map((key) => columns.indexOf(key));
  return Object.fromEntries(
    lines
      .map((line) => line.split(','))
      .filter((cells) => cells[position] !== '0')
      .map((cells) => [keys.map((key) => cells[key]).join(' '), cells[position] ?? '']),
  );
};

/** The same of a period, read for it. */
export const trialBalance = async (
  { database }: Stage,
  period: string,
  name: string,
): Promise<Record<string, string>> => {
  const [report = ''] = await reportTexts(database.pool, { period }, ['trial_balance.csv']);
  return balancesOf(report, name);
};

/** A world that ends on 3 October, read once, with September closed by Ada. */
export const SEPTEMBER_CLOSED: History<readonly Closed[]> = {
  name: 'September closed',
  options: AUTUMN,
  play: async (stage) => (await close(stage, '2026-09')).closed,
  after: firstNight(AUTUMN),
};

export const septemberClosed = async (
  finished?: (end: () => Promise<void>) => void,
): Promise<{ stage: Stage; closed: readonly Closed[] }> => {
  const { stage, outcome } = await openStageAfter(SEPTEMBER_CLOSED, finished);
  return { stage, closed: outcome };
};

/** Main and another entity of the same taxpayer, which share their lots, with September closed. */
export const openShared = async () => {
  const stage = await openStageAfterNight(AUTUMN);
  await stage.rows(`insert into decide.profiles (entity_id, version, taxpayer, owner, cost_method, by_name, at)
    select entity_id, 1, 'T', 'own', 'fifo', 'Ada', now() from run.entities`);
  await stage.night();
  await close(stage, '2026-09');
  const [row] = await stage.rows("select entity_id from run.entities where entity_id <> 'main'");
  return { stage, other: String(row?.entity_id) };
};
