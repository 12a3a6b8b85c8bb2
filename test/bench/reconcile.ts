// A night's reconcile over histories of three sizes, with equally many entities and new records: its cost may grow
// with what is new, not with what is old.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/root.ts';
import { isoOf, msOf } from '../../src/base/time.ts';
import { inSession, openDatabase } from '../../src/database/connection.ts';
import { reconcile, reportChecks } from '../../src/reconcile/reconcile.ts';
import { openRun } from '../../src/run/job-run.ts';
import { onServer } from '../own-server.ts';
import { took } from './clock.ts';
import type { Figure } from './figure.ts';

const HISTORIES = [100_000, 1_000_000, 10_000_000]; // postings

/** Of ten records, eight have three legs and two have one; each leg has two postings. */
const POSTINGS_PER_RECORD = 5.2;
const ENTITIES = 1_000;
const NEW_RECORDS = 10_000;
const GROWTH_MAX = 3;

const PATIENCE = { pendingMs: 7 * 86_400_000, transitMs: 86_400_000 };
const YEARS_US = 3 * 365 * 86_400_000_000;
const DAY_US = 80_000_000_000;

/** Builds each history in a server of its own, and reconciles two nights in a row. */
export const reconciling = async (): Promise<Figure[]> => {
  const figures: Figure[] = [];
  let least = Number.POSITIVE_INFINITY;
  for (const postings of HISTORIES) {
    const { first, second } = await nightsOver(postings);
    least = Math.min(least, second);
    figures.push({
      what: `reconcile after ${NEW_RECORDS} new records in ${ENTITIES} entities, over ${postings} postings`,
      figure: `${second.toFixed(1)} s, ${((1_000 * second) / ENTITIES).toFixed(1)} ms an entity, ${(second / least).toFixed(2)} times the smallest (the first night, which pairs all of history: ${first.toFixed(1)} s)`,
      limit: `at most ${GROWTH_MAX} times for a hundred times the history`,
      isKept: second <= GROWTH_MAX * least,
    });
  }
  return figures;
};

const nightsOver = (postings: number): Promise<{ first: number; second: number }> =>
  onServer(async (url) => {
    const records = Math.round(postings / POSTINGS_PER_RECORD / 10) * 10;
    await add(url, { first: 0, records, from: '2023-10-01T00:00:00Z', spanUs: YEARS_US });
    const first = await night(url, '2026-10-01T02:00:00Z');
    const more = { first: records, records: NEW_RECORDS, spanUs: DAY_US };
    await add(url, { ...more, from: '2026-10-01T02:00:00Z' });
    return { first, second: await night(url, '2026-10-02T02:00:00Z') };
  });

type Added = {
  readonly first: number;
  readonly records: number;
  readonly from: string;
  readonly spanUs: number;
};

const add = (url: string, { first, records, from, spanUs }: Added): Promise<void> =>
  inSession(url, 'bench', async (session) => {
    const recorded = isoOf(msOf(from) + spanUs / 1_000);
    await session.query("set synchronous_commit = off; set work_mem = '128MB'");
    await session.query(
      filled('reconcile.sql', {
        first,
        entries: records,
        entities: ENTITIES,
        from,
        span_us: spanUs,
        recorded,
      }),
    );
    await session.query('vacuum analyze ledger.entries, ledger.transfers, ledger.daily, ledger.totals');
  });

/** One reading of every entity's balances, and its reconcile; returns the seconds of the latter. */
const night = async (url: string, taken: string): Promise<number> => {
  const database = openDatabase(url, { name: 'bench' });
  try {
    const run = await openRun(database.db, 'bench');
    await database.pool.query(filled('reading.sql', { run: run.id, taken }));
    return await took(async () => {
      for (let nth = 0; nth < ENTITIES; nth += 1) {
        const outcome = await reconcile(database.db, run, { entity: `e${nth}`, patience: PATIENCE });
        if (Object.keys(outcome).join() !== 'tied') throw new Error(`e${nth}: ${JSON.stringify(outcome)}`);
      }
      await reportChecks(database.db, run, {
        entities: Array.from({ length: ENTITIES }, (_, nth) => `e${nth}`),
      });
    });
  } finally {
    await database.close();
  }
};

/** A file of this folder with each {name} replaced. */
const filled = (file: string, values: Readonly<Record<string, string | number>>): string =>
  readFileSync(join(packageRoot, 'test/bench', file), 'utf8').replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(values[name]),
  );
