// Explaining, judged by planted faults: the true cause comes first for single ones, seed by seed.
import { describe, expect, test } from 'vitest';
import { SEVERAL, SINGLE } from './defects/faults.ts';
import { linesOf, scoreOf } from './defects/score.ts';

/** Where every seed must do, few show it; a share needs more. The rest is for `npm run simulate -- --defects`. */
const MOST = Array.from({ length: 20 }, (_, nth) => nth + 1);
const SEEDS = MOST.slice(0, 6);
const NOT_ALWAYS = 'never listed';

describe('the true cause is first, of', () => {
  for (const [fault, plant] of Object.entries(SINGLE))
    test(`a record or balance: ${fault}`, () => {
      const seeds = fault === NOT_ALWAYS ? MOST : SEEDS;
      const { first, missed } = scoreOf(fault, plant, seeds);
      expect(first, missed.slice(0, 3).join('\n')).toBeGreaterThanOrEqual(0.95 * seeds.length);
    });
});

describe('the true cause is among the first three, of', () => {
  for (const [fault, plant] of Object.entries(SEVERAL))
    test(`several records: ${fault}`, () => {
      const { firstThree, missed } = scoreOf(fault, plant, SEEDS);
      expect(firstThree, missed.slice(0, 3).join('\n')).toBeGreaterThanOrEqual(0.9 * SEEDS.length);
    });
});

test('a line for each fault', () => {
  const line = linesOf([
    { fault: 'sign turned', isSingle: true, planted: 40, first: 39, firstThree: 40, missed: [] },
  ])[1];
  expect(line).toBe('sign turned                      40     39           40');
});
