// Which rows have a bar of their own.
import { expect, test } from 'vitest';
import { splitBars } from '../../../src/export/page/bars.ts';

test.each([
  [['a', 'b'], ['a', 'b'], []],
  [['a', 'b', 'c'], ['a', 'b', 'c'], []], // one more would take the place of the one that it stands for
  [
    ['a', 'b', 'c', 'd'],
    ['a', 'b'],
    ['c', 'd'],
  ],
  [[], [], []],
])('%o with two bars: %o and %o', (items, shown, others) => {
  expect(splitBars(items, 2)).toEqual({ shown, others });
});
