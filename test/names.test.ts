// Names: when two of them are one person's.
import { expect, test } from 'vitest';
import { refuseMixedScripts, sameName } from '../src/names.ts';

test.each([
  ['Ada', ' ada '],
  ['Ada B.', 'ADA  B.'],
  ['Jos\u00e9', 'Jose\u0301'],
  ['Ada', 'A\u200bda'],
  ['Coco', '\u0421\u043e\u0441\u043e'], // all of it Cyrillic
  ['BOB', '\u0432\u043e\u0432'],
  ['Oz', '\u039f\u0396'], // all of it Greek
  ['\uff21da', 'Ada'], // full width
  ['Lou', 'L0u'],
])('%j is %j', (one, other) => {
  expect(sameName(one, other)).toBe(true);
});

test('Ada is not Grace', () => {
  expect(sameName('Ada', 'Grace')).toBe(false);
});

test.each([['\u0410da'], ['Gr\u03b1ce'], ['\u0421\u03bf\u0441\u043e']])(
  '%j mixes scripts and is refused',
  (name) => {
    expect(() => refuseMixedScripts(name)).toThrow(
      /mixes \w+ and \w+ letters, which look alike: write it in one script/,
    );
  },
);

test.each([
  ['Ada B.'],
  ['Jos\u00e9 \u00d1'],
  ['\u041e\u043b\u044c\u0433\u0430'],
  ['\u5c71\u7530 Taro'],
  ['Ada 2'],
])('%j is a name', (name) => {
  expect(() => refuseMixedScripts(name)).not.toThrow();
});
