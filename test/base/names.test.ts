// Names: when two of them count as one person.
import { expect, test } from 'vitest';
import { refuseUnclearName, sameName } from '../../src/base/names.ts';

test.each([
  ['Ada', ' ada '],
  ['Ada B.', 'ADA  B.'],
  ['Jos\u00e9', 'Jose\u0301'],
  ['Ada', 'A\u200bda'],
  ['Coco', '\u0421\u043e\u0441\u043e'], // all Cyrillic
  ['BOB', '\u0432\u043e\u0432'],
  ['Oz', '\u039f\u0396'], // all Greek
  ['\uff21da', 'Ada'], // full width
  ['Lou', 'L0u'],
  ['Ada', 'A.da'],
  ['Ada', 'Ada|'],
  ['Ada Lovelace', 'ada-lovelace'],
  ['Ada Lovelace', 'AdaLovelace\u2026'],
  ["Grace O'Hara", 'Grace O\u2019Hara'],
  ['Bill', 'Bi||'],
  ['Ian', 'lan'],
  ['Marco', 'Rnarco'],
  ['Mu\u0308ller', 'Muller'],
  ['\u0141ukasz', 'Lukasz'],
  ['Ada Byron', 'Byron, Ada'],
  ["Grace O'Hara", 'o\u2019hara grace'],
  ['M\u00fcller', 'Mueller'],
  ['J\u00f6rg M\u00fcller', 'MUELLER, Joerg'],
  ['Gro\u00df', 'GROSS'],
  ['Hans', '\u0570a\u0578\u0455'], // Armenian and Cyrillic
  ['ALICE', '\ua4ee\ua4e1\ua4f2\ua4da\ua4f0'], // all Lisu
  ['Ada', '\u{1d400}\u{1d41d}\u{1d41a}'], // mathematical letters
  ['\u0aa8\u0ac0\u0ab2', ' \u0aa8\u0ac0\u0ab2.'],
  ...[
    '\u00ad',
    '\u115f',
    '\u1160',
    '\u17b4',
    '\u17b5',
    '\u180b',
    '\u180f',
    '\u2060',
    '\u2800',
    '\u3164',
    '\ufe0f',
    '\uffa0',
  ].flatMap((unseen): [string, string][] => [
    ['Ada Byron', `Ada Byron${unseen}`],
    ['Ada Byron', `A${unseen}da Byron`],
  ]),
  ['Ada Byron', 'Ada Byron\u0e3a'], // marks of Thai and Hebrew
  ['Ada Byron', 'Ada\u05b0 Byron'],
  ['Ada Byron', '\u1d00\u1d05\u1d00 \u0299\u028f\u0280\u1d0f\u0274'], // small capitals
  ['Ada Byron', '\u1d00da Byron'],
] as [string, string][])('%j is %j', (one, other) => {
  expect(sameName(one, other)).toBe(true);
});

test.each([
  ['Ada', 'Grace'],
  ['Ada', 'Adam'],
  ['Kai', 'Kal'],
  ['Ada Lovelace', 'Ada Byron'],
  ['Ada Byron', 'Byron'],
  ['Sue', 'Sam'],
  ['Anna 1', 'Anna 2'],
  ['\u0bb0\u0bbe\u0bae\u0bcd', '\u0bb0\u0bae\u0bbe'], // Tamil, differs in its vowels
])('%j is not %j', (one, other) => {
  expect(sameName(one, other)).toBe(false);
});

test.each(['', ' ', '...', '7', '\u2028'])('%j is not a name', (name) => {
  expect(() => refuseUnclearName(name)).toThrow(/has no letter: write a person's name/);
});

test.each(['\u{1f170}da', 'Ada \u{1f451}', '\u{1f1e6}da', 'A\u2801da'])(
  '%j has a picture and is refused',
  (name) => {
    expect(() => refuseUnclearName(name)).toThrow(/has a picture in it: write it in letters/);
  },
);

test.each([['\u0410da'], ['Gr\u03b1ce'], ['\u0421\u03bf\u0441\u043e']])(
  '%j mixes scripts and is refused',
  (name) => {
    expect(() => refuseUnclearName(name)).toThrow(
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
  expect(() => refuseUnclearName(name)).not.toThrow();
});
