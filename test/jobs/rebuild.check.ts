// Rebuild: the same records give the same books, and books that were changed behind our back are told from them.
import { expect, test } from 'vitest';
import { rebuild } from '../../jobs/rebuild.ts';
import { as } from '../close/month.ts';
import { openStage, type Stage } from './stage.ts';

const rebuilt = (stage: Stage) => as(stage, rebuild, 'owner');

test('a rebuild after two nights, with changed and cancelled records, gives equal hashes and an equal journal', async () => {
  const stage = await openStage();
  await stage.night();
  await stage.advance(1);
  await stage.night();
  const journal = await stage.journal();
  const { before, after, isEqual, result } = await rebuilt(stage);
  expect(after).toEqual(before);
  expect(Number(after['ledger.entries']?.rows)).toBeGreaterThan(100);
  expect({ isEqual, exitCode: result.exitCode }).toEqual({ isEqual: true, exitCode: 0 });
  expect(await stage.journal()).toBe(journal);
});

test('a leg changed by hand is not in the rebuilt books, and the rebuild says that they differ', async () => {
  const stage = await openStage({ entities: 1, days: 4 });
  await stage.night();
  await stage.rows(`update ledger.transfers set amount = amount + 1e-18 where (entity_id, entry_id, leg) in
    (select entity_id, entry_id, leg from ledger.transfers limit 1)`);
  const { isEqual, result } = await rebuilt(stage);
  expect({ isEqual, exitCode: result.exitCode }).toEqual({ isEqual: false, exitCode: 2 });
  expect(result.summary).toMatch(/^ledger.transfers, .*journal.csv.* came out differently/);
  expect((await rebuilt(stage)).isEqual).toBe(true);
});

test('a daily summary changed by hand is made anew', async () => {
  const stage = await openStage({ entities: 1, days: 4 });
  await stage.night();
  await stage.rows('update ledger.daily set credit = credit + 1');
  const { isEqual, result } = await rebuilt(stage);
  expect({ isEqual, exitCode: result.exitCode }).toEqual({ isEqual: false, exitCode: 2 });
  expect(result.summary).toMatch(/^ledger.daily, .* came out differently/);
  expect(await stage.rows('(table ledger.daily except table ledger.daily_sums)')).toEqual([]);
  expect((await rebuilt(stage)).isEqual).toBe(true);
});
