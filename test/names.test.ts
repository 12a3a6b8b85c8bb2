// Names: when two of them are one person's.
import { expect, test } from 'vitest';
import { sameName } from '../src/names.ts';

test.each([
  ['Ada', ' ada '],
  ['Ada B.', 'ADA  B.'],
  ['Jos\u00e9', 'Jose\u0301'],
  ['Ada', 'A\u200bda'],
])('%j is %j', (one, other) => {
  expect(sameName(one, other)).toBe(true);
});

test('Ada is not Grace', () => {
  expect(sameName('Ada', 'Grace')).toBe(false);
});
