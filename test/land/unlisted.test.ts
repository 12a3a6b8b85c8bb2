// Records that a reading of their interval did not show: only those whose latest time lies in it are missing.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { instantAt, movement, openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage();
});
afterEach(() => stage.close());

const dated = (id: string, seconds: number) => movement(id, { createdAt: instantAt(seconds) });

const window = (from: number | null, to: number) => ({
  from: from === null ? null : instantAt(from),
  to: instantAt(to),
  proof: 'window' as const,
});

const findings = async () =>
  (await stage.rows('select detail from run.findings order by finding_id')).map(({ detail }) => detail);

test('a record whose time has changed is missing neither where it was nor where it is', async () => {
  await stage.land([{ rows: [dated('stays', 40), dated('moves', 40)], covers: window(null, 60) }]);
  await stage.land([{ rows: [dated('moves', 20)], covers: window(null, 30) }]);
  const whole = [
    { rows: [dated('stays', 40)], covers: window(30, 60) },
    { rows: [dated('moves', 20)], covers: window(null, 30) },
  ];
  await stage.land(whole);
  expect(await findings()).toEqual([]);
  await stage.land([
    { rows: [], covers: window(30, 60) },
    { rows: [], covers: window(null, 30) },
  ]);
  expect(await findings()).toEqual([
    'no longer listed, still in the books: stays',
    'no longer listed, still in the books: moves',
  ]);
});
