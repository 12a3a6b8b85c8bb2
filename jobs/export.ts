// The nightly export: the files of each month with new entries, and of the last month, whose tie-outs change.
import { join } from 'node:path';
import { FailedError } from '../src/base/errors.ts';
import { figureSettings } from '../src/config/config.ts';
import { exportReports, monthsTouched, OTHER_COLUMNS } from '../src/export/export.ts';
import { bookedEntities, timedStep } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';

/**
 * Writes the home's exports/<month> folders. Entries count as new if they were booked after the last finished night
 * began.
 */
export const exportMonths = async (work: Work): Promise<void> => {
  const { config, pool } = work;
  const all = await monthsTouched(pool, config.timezone);
  const touched = await monthsTouched(pool, config.timezone, await bookedBefore(work));
  for (const period of new Set([...touched, ...all.slice(-1)])) {
    try {
      await exportMonth(work, { period });
    } catch (error) {
      if (!(error instanceof FailedError && error.cause === OTHER_COLUMNS)) throw error;
      for (const entity of await bookedEntities(work)) await exportMonth(work, { period, entity });
    }
  }
};

/** Writes an entity that cannot share files with the others into its own folder: exports/2026-10-main. */
const exportMonth = async (
  { config, pool, tell }: Work,
  { period, entity }: { readonly period: string; readonly entity?: string },
): Promise<void> => {
  const { timezone, currency } = config;
  const name = entity === undefined ? period : `${period}-${entity}`;
  const entities = entity === undefined ? {} : { entities: [entity] };
  const outDir = join(config.home, 'exports', name);
  const options = { pool, period, outDir, timezone, currency, ...entities, settings: figureSettings(config) };
  await timedStep(tell, { event: 'exported', period: name, dir: outDir }, async () => {
    const { files } = await exportReports(options);
    return { files: files.length };
  });
};

/** The number of entries booked before the last finished night began. */
const bookedBefore = async ({ db }: Work): Promise<string> => {
  const row = await db
    .selectFrom('run.runs')
    .select('entries_before')
    .where('job', '=', 'nightly')
    .where('exit_code', 'in', [0, 1])
    .orderBy('run_number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.entries_before ?? '0';
};
