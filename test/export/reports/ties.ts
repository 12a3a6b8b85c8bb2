// The reports of a stage, read as rows, and their figures summed by some of their columns.

import { afterAll, beforeAll, expect } from 'vitest';
import { nightly } from '../../../jobs/nightly.ts';
import { compare, subtract, sum } from '../../../src/base/money.ts';
import type { Cell } from '../../../src/database/database.ts';
import { withRun } from '../../../src/run/work.ts';
import { AUTUMN, SEPTEMBER, SEPTEMBER_CLOSED } from '../../close/month.ts';
import { type History, openStage, openStageAfter, type Stage } from '../../jobs/stage.ts';
import { reportRows } from './report-rows.ts';

export type Row = Record<string, Cell>;
type Span = { readonly from: string; readonly to: string };
export type Read = (report: string, span: Span) => Promise<Row[]>;

export const SPANS = {
  'the closed September': SEPTEMBER,
  'October, with what came late': { from: '2026-10-01T00:00:00Z', to: '2026-11-01T00:00:00Z' },
  'three days of both': { from: '2026-09-29T12:00:00Z', to: '2026-10-02T12:00:00Z' },
  'the year': { from: '2026-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' },
} as const satisfies Record<string, Span>;

/** Two entities over two months; the first month was closed before ten of its records arrived. */
const twoMonths = async (finished: (end: () => Promise<void>) => void): Promise<Stage> => {
  const { stage } = await openStageAfter(TWO_MONTHS, finished);
  await goOn(stage); // the world beside the clone began anew, and a file may read another night
  return stage;
};

const goOn = async (stage: Stage): Promise<void> => {
  await stage.backdate('2026-09-29T10:00:00Z', 10);
  await stage.advance(3);
};

const TWO_MONTHS: History<void> = {
  name: 'two months',
  options: AUTUMN,
  play: async (stage) => {
    await goOn(stage);
    await stage.fullNight();
  },
  after: SEPTEMBER_CLOSED,
};

/** The same world in dollars. Nothing is closed, so nothing is late. */
const twoMonthsInDollars = async (finished: (end: () => Promise<void>) => void): Promise<Stage> => {
  const stage = await openStage(AUTUMN, finished);
  const settings = { ...stage.settings(), currency: 'USD' };
  await withRun(settings, 'nightly', {
    tell: () => {},
    work: (work) => nightly(work, settings, { isFull: false, writesFiles: false }),
  });
  return stage;
};

/** Takes what ends a world; all of them end after the tests of the file. */
const afterTheFile = (): ((end: () => Promise<void>) => void) => {
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return (end) => void ends.push(end);
};

/** What a file needs beside that world, and how long both may take. */
type Opening = { readonly prepare?: (stage: Stage) => Promise<void>; readonly limitMs?: number };

/** That world, opened before the tests of the file. */
export const openTwoMonths = ({
  prepare = async () => {},
  limitMs = 60_000,
}: Opening = {}): { readonly stage: () => Stage; readonly read: Read } => {
  const finished = afterTheFile();
  let opened: Stage | undefined;
  beforeAll(async () => {
    opened = await twoMonths(finished);
    await prepare(opened);
  }, limitMs);
  const stage = (): Stage => {
    if (!opened) throw new Error('the world opens before the first test of the file');
    return opened;
  };
  return { stage, read: (report, span) => readerOf(stage())(report, span) };
};

/** The same world by reporting currency, opened when it is called. */
export const worldsByCurrency = () => {
  const finished = afterTheFile();
  return { EUR: () => twoMonths(finished), USD: () => twoMonthsInDollars(finished) } as const;
};

export const readerOf =
  ({ database }: Stage): Read =>
  (report, span) =>
    reportRows(database.pool, report, span);

/** Figures summed by some columns, without zeros. */
export const summed = (
  rows: readonly Row[],
  by: readonly string[],
  figure: (row: Row) => string,
): Record<string, string> => {
  const parts = new Map<string, string[]>();
  for (const row of rows) {
    const key = by.map((name) => row[name]).join(' ');
    parts.set(key, [...(parts.get(key) ?? []), figure(row)]);
  }
  const sums = [...parts].map(([key, all]) => [key, sum(all)] as const);
  return Object.fromEntries(sums.filter(([, total]) => total !== '0').sort(([a], [b]) => (a < b ? -1 : 1)));
};

export const cellOf =
  (name: string) =>
  (row: Row): string =>
    row[name] ?? '0';

export const negated =
  (name: string) =>
  (row: Row): string => {
    const text = row[name] ?? '0';
    return text.startsWith('-') ? text.slice(1) : text === '0' ? text : `-${text}`;
  };

/** The rules of checks.csv that do not hold, each with its report. */
export const broken = async (read: Read, span: Span): Promise<string[]> =>
  (await read('checks', span))
    .filter(({ verdict }) => verdict !== 'holds')
    .map(({ report, compared }) => `${report}: ${compared}`);

/** Exact sums beside the same sums as figures, each of them rounded once to the cent. */
export const expectWithinHalfACent = (
  exact: Record<string, string>,
  rounded: Record<string, string>,
  figures = 1,
): void => {
  const keys = [...new Set([...Object.keys(exact), ...Object.keys(rounded)])];
  const apart = (key: string) => subtract(exact[key] ?? '0', rounded[key] ?? '0').replace('-', '');
  const most = sum([...Array.from({ length: figures }, () => '0.005'), '0.000000000000001']);
  expect(keys.filter((key) => compare(apart(key), most) > 0)).toEqual([]);
};
