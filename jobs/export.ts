// The nightly export: the folder of each month in which something changed that it shows.
import { together } from '../src/base/together.ts';
import { figureSettings } from '../src/config/config.ts';
import { type BrokenRule, refreshMonths } from '../src/export/export.ts';
import { bookedEntities, linkValues, reportAll } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';

/** Once nothing of the books changes in this run any more: writes the files, and links the values beside that. */
export const exportSettled = async (work: Work): Promise<void> =>
  void (await together([exportMonths(work), linkValues(work.db, work.run.id)]));

/**
 * Writes the home's exports/<month> folders, or exports/<month>-<entity> where entities cannot share files; as drafts, what the
 * end of the run will not change. `opened` is called once the moment of the books that they show is fixed.
 */
export const exportMonths = async (
  work: Work,
  { isDraft = false, opened = () => {} } = {},
): Promise<void> => {
  const { config, db, pool, run, tell } = work;
  const { home, timezone, currency } = config;
  const entities = await bookedEntities(work);
  const settings = figureSettings(config);
  const months = { timezone, currency, monthsMax: config.exportMonths };
  const findings: RuleFinding[] = [];
  await refreshMonths(
    { db, pool, home, ...months, settings, run: run.id, isDraft, entities },
    {
      opened,
      refreshed: ({ name, dir, written, unchanged, brokenRules, tookMs }) => {
        findings.push(...brokenRules.map((rule) => findingOf(name, rule)));
        const event = isDraft ? 'drafted' : 'exported';
        const files = written + unchanged;
        if (written > 0) tell({ event, period: name, files, written, dir, duration_ms: tookMs });
      },
      retired: ({ name, dir, isRemoved }) =>
        tell({ event: isRemoved ? 'export removed' : 'export stays', period: name, dir }),
    },
  );
  if (!isDraft) await reportAll(work.db, run, findings);
};

type RuleFinding = { readonly entity: string; readonly subject: string; readonly detail: string };

const findingOf = (
  period: string,
  { entity, report, compared, differing, first }: BrokenRule,
): RuleFinding => ({
  entity,
  subject: 'reports',
  detail:
    `${period}: "${compared}" of ${report}.csv does not hold (rows: ${differing}, the first: ${first}), see checks.csv: ` +
    'npx tieout verify ledger names what was altered',
});
