// Faults planted in worlds that are really read, booked and reconciled: the breaks equal the planted faults to the
// last digit, and name the true cause. Few seeds here; `npm run simulate -- --defects` and `--in-flight` run the rest.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../../src/database/connection.ts';
import { freshDatabase } from '../database.ts';
import { fly } from './defects/in-flight.ts';
import { play } from './defects/play.ts';
import { addTo, isGood, linesOf, merged, nothing } from './defects/score.ts';

let database: Database;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());

/** A clean world, and five kinds of fault. */
const SEEDS = [3, 7, 10, 11, 15, 19];

/** Every third boundary is enough to show it. */
const STEP = 3;

test('exactly the planted faults break, and the true cause is among the first three', async () => {
  const score = nothing();
  for (const seed of SEEDS) addTo(score, await play(seed, database));
  expect(score, score.sentences.join('\n')).toMatchObject({ seeds: SEEDS.length, wrong: 0, missed: 0 });
  expect([score.clean > 0, score.right > 5]).toEqual([true, true]);
  for (const { planted, firstThree } of Object.values(score.alone)) expect(firstThree).toBe(planted);
  expect(linesOf(merged(score, nothing()))).toEqual(linesOf(score));
});

test('a break that differs from the planted fault is reported', () => {
  const broken = [{ place: 'assets:trading EUR', expected: '1', found: '1.000000000000000001', causes: [] }];
  const score = addTo(nothing(), { seed: 1, records: 1, faults: [], broken });
  expect([score.wrong, score.missed, isGood(score)]).toEqual([1, 1, false]);
});

test('a trade at a request boundary breaks nothing', async () => {
  const { boundaries, wrong } = await fly(1, database, { step: STEP });
  expect({ wrong, isEach: boundaries >= 4 }).toEqual({ wrong: [], isEach: true });
});

test('a trade at a request boundary hides no missing record', async () => {
  const { wrong } = await fly(2, database, { step: STEP, isMissing: true });
  expect(wrong).toEqual([]);
});
