// Export, every night: the files of each month that got something new, and of the last one, whose tie-outs moved.
import { join } from 'node:path';
import { exportReports, monthsTouched } from '../src/export/export.ts';
import type { Work } from './work.ts';

/** Writes the home's exports/<month>. Entries are new since the last night that came to its end. */
export const exportMonths = async (work: Work): Promise<void> => {
  const { config, pool } = work;
  const all = await monthsTouched(pool, config.timezone);
  const touched = await monthsTouched(pool, config.timezone, await lastNight(work));
  for (const period of new Set([...touched, ...all.slice(-1)])) {
    const outDir = join(config.home, 'exports', period);
    const { files } = await exportReports({
      pool,
      period,
      outDir,
      timezone: config.timezone,
      currency: config.currency,
    });
    work.tell({ event: 'exported', period, files: files.length, dir: outDir });
  }
};

const lastNight = async ({ db }: Work): Promise<string> => {
  const row = await db
    .selectFrom('run.runs')
    .select('started_at')
    .where('job', '=', 'nightly')
    .where('exit_code', 'in', [0, 1])
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.started_at ?? '-infinity';
};
