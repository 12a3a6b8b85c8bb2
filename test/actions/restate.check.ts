// A changed rule: a run reports outcomes of the earlier rule, normalize --restate replaces them, and a rebuild
// preserves the chains that it cannot replay.
import { expect, test } from 'vitest';
import { normalizeOnly } from '../../jobs/nightly.ts';
import { rebuild } from '../../src/actions/rebuild.ts';
import { restateBooks } from '../../src/actions/restate.ts';
import { forget } from '../../src/normalize/forget.ts';
import { normalize } from '../../src/normalize/normalize.ts';
import type { Rule } from '../../src/normalize/outcome.ts';
import { RULES } from '../../src/normalize/rule-table.ts';
import type { As } from '../../src/run/entry.ts';
import { type Result, type Work, withRun } from '../../src/run/work.ts';
import { booked, openStageAfterNight, type Stage, truth } from '../jobs/stage.ts';

/** An earlier rule of trades: without fees, and with every sale rejected. */
const freeBuys: Rule = (record, context) =>
  RULES.trades.rule({ ...record, feeAmount: '0', ...(record.side === 'sell' && { side: 'sold' }) }, context);

/** Books of a night, as a version with another rule of trades would have left them. */
const openOld = async (): Promise<Stage> => {
  const stage = await openStageAfterNight();
  const rules = { ...RULES, trades: { version: 9, rule: freeBuys } };
  const { db } = stage.database;
  await forget(db);
  for (const { entity_id: entity = '' } of await stage.rows('select entity_id from books.entities'))
    await normalize(db, { entity, timezone: 'UTC', currency: 'EUR' }, { rules });
  return stage;
};

const job = async <T>(
  stage: Stage,
  work: (work: Work) => Promise<T & Result>,
  as: As = 'loader',
): Promise<T & Result> => withRun(stage.settings(), 'test', { tell: () => {}, work, as });

const notes = (stage: Stage) =>
  stage.rows(`select severity, detail from books.findings
    where entity_id = 'main' and run_id = (select run_id from books.runs order by started_at desc limit 1)`);

test('books of another rule version are reported, restated correctly, and equal after a rebuild', async () => {
  const stage = await openOld();
  const [{ count = '' } = {}] = await stage.rows(
    "select count(*) from books.trades where entity_id = 'main' and outcome <> 'not yet normalized'",
  );
  await job(stage, (work) => normalizeOnly(work, {}));
  expect(await notes(stage)).toEqual([
    {
      severity: 'note',
      detail: `${count} records were booked by rule 9 of trades, the program has rule ${RULES.trades.version}: npx tieout normalize --restate`,
    },
  ]);
  expect(await booked(stage)).not.toEqual(await truth(stage));

  const dry = await job(stage, (work) => restateBooks(work, { isDry: true }));
  expect(await booked(stage)).not.toEqual(await truth(stage));
  const { restated } = await job(stage, (work) => restateBooks(work, { isDry: false, by: 'Ada' }));
  expect(restated).toEqual(dry.restated);
  const main = restated.find(({ entity_id }) => entity_id === 'main');
  expect(main).toMatchObject({
    stream: 'trades',
    from_rule: 9,
    to_rule: RULES.trades.version,
    looked_at: Number(count),
  });
  expect(main?.newly_booked).toBeGreaterThan(5);
  expect(main?.restated).toBeGreaterThan(5);
  expect(await notes(stage)).toEqual([]);
  expect(await booked(stage)).toEqual(await truth(stage));

  await stage.advance(1);
  await stage.night();
  const { before, after, isEqual } = await job(
    stage,
    async (work) => {
      const rebuilt = await rebuild(work);
      return { ...rebuilt, ...rebuilt.result };
    },
    'owner',
  );
  expect(after).toEqual(before);
  expect(isEqual).toBe(true);
  expect(await booked(stage)).toEqual(await truth(stage));
  expect((await job(stage, (work) => restateBooks(work, { isDry: false }))).restated).toEqual([]);
});

test('every run that books stores its proof, equal to the last digit', async () => {
  const stage = await openStageAfterNight();
  const proved = await stage.rows(`select distinct job, landed = booked + rejected + set_aside as holds
    from books_internal.run_conservation join books.runs using (run_id)`);
  expect(proved).toEqual([{ job: 'nightly', holds: true }]);
  const sums =
    await stage.rows(`select s.booked, s.landed::numeric - s.set_aside::numeric - s.booked::numeric as difference
    from books_internal.run_conservation, jsonb_to_recordset(sums) as s (landed text, booked text, set_aside text)`);
  expect(sums.length).toBeGreaterThan(20);
  expect(sums.filter(({ difference }) => !/^0(\.0+)?$/.test(difference ?? ''))).toEqual([]);
});
