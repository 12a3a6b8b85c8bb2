// The nightly export: the folder of each month in which something changed that it shows.
import { nowMs } from '../src/base/time.ts';
import { figureSettings } from '../src/config/config.ts';
import { refreshMonths } from '../src/export/export.ts';
import { bookedEntities } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';

/**
 * Writes the home's exports/<month> folders, or exports/<month>-<entity> where entities cannot share files; as drafts, what the
 * end of the run will not change.
 */
export const exportMonths = async (work: Work, { isDraft = false } = {}): Promise<void> => {
  const { config, pool, run, tell } = work;
  const { home, timezone, currency } = config;
  const entities = await bookedEntities(work);
  const settings = figureSettings(config);
  const months = { timezone, currency, monthsMax: config.exportMonths };
  let since = nowMs();
  await refreshMonths(
    { pool, home, ...months, settings, run: run.id, isDraft, entities },
    {
      refreshed: ({ name, dir, written, unchanged }) => {
        const tookMs = nowMs() - since;
        since = nowMs();
        const event = isDraft ? 'drafted' : 'exported';
        if (written > 0) tell({ event, period: name, files: written + unchanged, written, dir, tookMs });
      },
      retired: ({ name, dir, isRemoved }) =>
        tell({ event: isRemoved ? 'export removed' : 'export stays', period: name, dir }),
    },
  );
};
