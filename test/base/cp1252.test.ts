// Windows-1252 both ways, whatever the release of Node.
import { expect, test } from 'vitest';
import { cp1252Bytes, cp1252Text } from '../../src/base/cp1252.ts';

test.each([
  [0x41, 'A'],
  [0x80, '€'],
  [0x85, '…'],
  [0x8a, 'Š'],
  [0x92, '’'],
  [0x96, '–'],
  [0x9f, 'Ÿ'],
  [0xa0, '\u00a0'],
  [0xe4, 'ä'],
  [0xff, 'ÿ'],
])('byte %i is %s', (byte, character) => {
  expect(cp1252Text(Uint8Array.of(byte))).toBe(character);
  expect([...cp1252Bytes(character)]).toEqual([byte]);
});

test('every byte returns, and a character that it lacks is a question mark', () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  expect(new Uint8Array(cp1252Bytes(cp1252Text(all)))).toEqual(all);
  expect(cp1252Bytes('₿ 😀 \u0085').toString('latin1')).toBe('? ? ?');
});
