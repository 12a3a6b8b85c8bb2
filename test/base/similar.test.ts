import { expect, test } from 'vitest';
import { editDistance, similarName } from '../../src/base/similar.ts';

test.each([
  ['', 'abc', 3],
  ['abc', '', 3],
  ['abc', 'abc', 0],
  ['abc', 'acb', 1],
  ['kitten', 'sitting', 3],
])('%s to %s: %s letters', (left, right, distance) => {
  expect(editDistance(left, right)).toBe(distance);
  expect(editDistance(right, left)).toBe(distance);
});

const NAMES = ['balances', 'breaks', 'break_events', 'trades', 'tie_outs'];

test.each([
  ['balanses', 'balances'],
  ['tieouts', 'tie_outs'],
  ['brekas', 'breaks'],
  ['events', 'break_events'],
  ['x', null],
  ['', null],
  ['moonlight', null],
  ['b'.repeat(10_000), null],
])('%s: did you mean %s', (word, name) => {
  expect(similarName(word, NAMES)).toBe(name);
});
