// books.coverage counts most lists by their certificate: it must be the number of distinct records with a time in the interval.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Interval } from '../../src/extract/step.ts';
import { instantAt, movement, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.rows('truncate land.coverage, land.records, land.inbox, land.resume_tokens'));

const tell = (scope: string, ...rows: readonly (readonly [id: string, createdAt: unknown])[]) =>
  stage.land([{ rows: rows.map(([id, createdAt]) => movement(id, { createdAt })) }], { scope });
const prove = (scope: string, ...intervals: readonly Interval[]) =>
  stage.land(
    intervals.map((interval) => ({ rows: [], covers: { ...interval, proof: 'window' as const } })),
    { scope },
  );

/** The counts of the view by list and end of the interval, each with what counting one by one gives. */
const counts = async () => {
  const rows = await stage.rows(`
    select c.scope, c.records::int, (
      select count(distinct r.record_id)::int from land.records r
      where (r.entity_id, r.stream, r.scope) = (c.entity_id, c.stream, c.scope)
        and r.record_at >= c.covered_from and r.record_at < c.covered_to
    ) as one_by_one
    from books.coverage c order by c.scope, c.covered_to`);
  expect(rows.map(({ records }) => records)).toEqual(rows.map(({ one_by_one: counted }) => counted));
  return rows.map(({ scope, records }) => [scope, records]);
};

test('records outside the interval or without a time are not counted', async () => {
  await tell('', ['before', instantAt(1)], ['last', instantAt(99)], ['at the end', instantAt(100)]);
  await tell('', ['after', instantAt(101)], ['no time', null], ['unreadable', 'yesterday']);
  await prove('', { from: null, to: instantAt(100) });
  expect(await counts()).toEqual([['', 2]]);
});

test('a record counts once, if any of its versions is inside', async () => {
  await tell('', ['same', instantAt(1)], ['in', instantAt(120)], ['out', instantAt(3)], ['untimed', null]);
  await tell(
    '',
    ['same', instantAt(2)],
    ['in', instantAt(4)],
    ['out', instantAt(130)],
    ['untimed', instantAt(5)],
  );
  await tell('', ['in', instantAt(6)], ['untimed', 'never'], ['out', null]);
  await tell('', ['never in', instantAt(140)]);
  await tell('', ['never in', instantAt(150)]);
  await prove('', { from: null, to: instantAt(100) });
  expect(await counts()).toEqual([['', 4]]);
});

test('a record whose versions are in two lists counts in both', async () => {
  await tell('one', ['moved', instantAt(1)], ['stays', instantAt(2)], ['left', instantAt(120)]);
  await tell('two', ['moved', instantAt(3)], ['left', instantAt(4)]);
  await prove('one', { from: null, to: instantAt(100) });
  await prove('two', { from: null, to: instantAt(100) });
  expect(await counts()).toEqual([
    ['one', 2],
    ['two', 2],
  ]);
});

test('each of several intervals has its own, and all of time has all with a time', async () => {
  await tell(
    '',
    ['a', instantAt(1)],
    ['b', instantAt(15)],
    ['c', instantAt(25)],
    ['d', instantAt(35)],
    ['e', null],
  );
  await prove('', { from: null, to: instantAt(10) }, { from: instantAt(20), to: instantAt(30) });
  expect(await counts()).toEqual([
    ['', 1],
    ['', 1],
  ]);
  await stage.rows("update land.coverage set covered = covered - '{[-infinity,2000-01-01)}'::tstzmultirange");
  await counts();
  await prove('', { from: null, to: null });
  expect(await counts()).toEqual([['', 4]]);
});
