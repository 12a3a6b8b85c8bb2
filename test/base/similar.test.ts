import { expect, test } from 'vitest';
import { meantText, similarName } from '../../src/base/similar.ts';

const NAMES = ['balances', 'breaks', 'break_events', 'trades', 'tie_outs'];

test.each([
  ['balanses', 'balances'],
  ['tieouts', 'tie_outs'],
  ['brekas', 'breaks'],
  ['events', 'break_events'],
  ['tardes', 'trades'],
  ['x', null],
  ['', null],
  ['moonlight', null],
  ['b'.repeat(10_000), null],
])('%s: did you mean %s', (word, name) => {
  expect(similarName(word, NAMES)).toBe(name);
});

test('the end of a message names it, or is empty', () => {
  expect(meantText('brekas', NAMES)).toBe(' Did you mean breaks?');
  expect(meantText('moonlight', NAMES)).toBe('');
});
