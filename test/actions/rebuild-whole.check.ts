// A rebuild applies as a whole or not at all, and never blocks readers: they see the old books until it commits.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { bookAll } from '../../jobs/nightly.ts';
import { wholly } from '../../src/database/connection.ts';
import { forget } from '../../src/normalize/forget.ts';
import type { Work } from '../../src/run/work.ts';
import { forgetValues } from '../../src/valuation/valuation.ts';
import { as } from '../close/month.ts';
import { openStageAfterNight, type Stage } from '../jobs/stage.ts';

const DIGEST = `
  select md5(string_agg(t::text, ',' order by t::text)) as digest, (select count(*) from land.inbox) as inbox
  from books.postings t`;

/** The work of a rebuild in its transaction, followed by `then`. */
const rebuilding = (stage: Stage, then: (work: Work) => Promise<void>) =>
  as(
    stage,
    (work) =>
      wholly(work, { runNumber: work.run.number, signal: work.signal }, async (db) => {
        await forget(db);
        await forgetValues(db, work.config);
        await bookAll({ ...work, db }, ['main']);
        await then({ ...work, db });
      }),
    'owner',
  );

test('during a rebuild readers see the old books without waiting; a failed rebuild changes nothing', async () => {
  const stage = await openStageAfterNight({ days: 2 });
  const before = await stage.rows(DIGEST);
  const seen: unknown[] = [];
  const failing = rebuilding(stage, async () => {
    seen.push(await stage.rows(DIGEST), await stage.journal());
    throw new Error('cut off');
  });
  await expect(failing).rejects.toThrow('cut off');
  expect(seen).toEqual([before, await stage.journal()]);
  expect(await stage.rows(DIGEST)).toEqual(before);
});

test('a failed part fails the whole rebuild, even if its error is caught', async () => {
  const stage = await openStageAfterNight({ days: 2 });
  const before = await stage.rows(DIGEST);
  const parts = [
    (work: Work) => work.db.transaction().execute(() => Promise.reject(new Error('a part'))),
    (work: Work) => sql`select 1 / 0`.execute(work.db),
  ];
  for (const part of parts) {
    const swallowing = rebuilding(stage, async (work) => void (await part(work).catch(() => {})));
    await expect(swallowing).rejects.toThrow(
      /a part of this transaction failed|a statement of this transaction failed/,
    );
    expect(await stage.rows(DIGEST)).toEqual(before);
  }
});
