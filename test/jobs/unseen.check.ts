// What a run landed and booked without coming to its end is new to the next one: no check passes over it, and no price is missing.
import { expect, test } from 'vitest';
import { extractOnly, nightly, normalizeOnly, reconcileOnly } from '../../jobs/nightly.ts';
import type { Result, Work } from '../../src/run/work.ts';
import { withRun } from '../../src/run/work.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { unfinished } from '../../src/valuation/valuation.ts';
import { openStage, openStageAfter, type Stage } from './stage.ts';

const run = (stage: Stage, job: string, work: (work: Work) => Promise<Result>): Promise<Result> =>
  withRun(stage.settings(), job, { tell: () => {}, work });

const NOTES = `select f.subject, f.detail from run.findings f join run.runs r using (run_id)
  where f.severity = 'note' and f.subject like 'trades %' and r.exit_code is not null order by 1, 2`;
const CHARTS = `select subject from land.rate_lists where source = 'chart' order by subject collate "C"`;
const VALUES = `select md5(string_agg(v::text, ' ' order by v::text)) as digest from value.postings v`;

const found = async (stage: Stage) => ({
  notes: await stage.rows(NOTES),
  charts: await stage.rows(CHARTS),
  values: await stage.rows(VALUES),
});

const WORLD: Partial<SandboxOptions> = { defects: ['doubled-trade'], faults: ['own-transfers:4'] };

/** A night that books and compares, and fails before it reads a price. */
const breakNight = async (stage: Stage): Promise<void> => {
  const settings = stage.settings();
  const broken = run(stage, 'nightly', async (work) => {
    await extractOnly(work, settings, { isFull: false });
    await stage.rows(`delete from land.rates; delete from land.rate_lists`);
    await normalizeOnly(work, {});
    throw new Error('the disk is full');
  });
  await expect(broken).rejects.toThrow('the disk is full');
};

const afterBrokenNight = async () =>
  (await openStageAfter({ name: 'broken night', options: WORLD, play: breakNight })).stage;

const SAME_FILL = `select entity_id from run.findings where detail like '%look like one fill%'`;
const ENTITIES = `select entity_id from run.entities order by entity_id = 'main' desc`; // the doubled trade is of the second

test.each([[['reconcile', 'nightly']], [['nightly', 'reconcile']], [['nightly', 'nightly']]])(
  'a run of one entity has looked at no other: %j',
  async (jobs) => {
    const stage = await afterBrokenNight();
    const settings = stage.settings();
    const ids = (await stage.rows(ENTITIES)).map(({ entity_id }) => entity_id);
    const workOn = (job: string, only: string | undefined) => (work: Work) =>
      job === 'nightly'
        ? nightly(work, settings, { isFull: false, writesFiles: false, only })
        : reconcileOnly(work, { only });
    for (const [nth, job] of jobs.entries()) await run(stage, job, workOn(job, ids[nth]));
    expect(await stage.rows(SAME_FILL)).toEqual([{ entity_id: ids[1] }]);
    await stage.night();
    expect(await stage.rows(SAME_FILL)).toHaveLength(1); // once
  },
);

test('a night after one that failed, and after stages that ran alone, finds and values what an undisturbed one does', async () => {
  const alone = await openStage(WORLD);
  await alone.night();
  const undisturbed = await found(alone);
  expect([undisturbed.notes.length, undisturbed.charts.length]).toEqual([1, 8]);

  const failed = await afterBrokenNight();
  await failed.night();
  expect(await found(failed)).toEqual(undisturbed);
  await failed.night();
  expect((await found(failed)).notes).toEqual(undisturbed.notes); // once

  const staged = await openStage(WORLD);
  const settings = staged.settings();
  await run(staged, 'extract', (work) => extractOnly(work, settings, { isFull: false }));
  await run(staged, 'normalize', (work) => normalizeOnly(work, {}));
  await run(staged, 'reconcile', async (work) => {
    const result = await reconcileOnly(work, {});
    expect(await unfinished(work.db, settings)).toEqual([]); // an export would refuse
    return result;
  });
  expect((await found(staged)).notes).toEqual(undisturbed.notes);
  await run(staged, 'nightly', (work) => nightly(work, settings, { isFull: false, writesFiles: false }));
  expect(await found(staged)).toEqual(undisturbed);
});
