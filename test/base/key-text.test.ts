// Text in keys: what an index can hold, and what tells different texts apart.
import { expect, test } from 'vitest';
import { storable } from '../../src/base/json.ts';
import { ID_MAX, keyText } from '../../src/base/key-text.ts';

test.each(['', 'EUR', 'destination.company.name', '\u00e9'.repeat(100)])('%j stays as it is', (text) => {
  expect(keyText(text)).toBe(text);
});

test.each([
  ['too long', 'x'.repeat(101)],
  ['long when its surrogates are escaped', '\udc00'.repeat(17)],
  ['cut within a pair', '\u{1f4a9}'.repeat(60)],
])('a text that is %s is cut, can be stored, and differs from others that begin alike', (_, text) => {
  const [key, other] = [keyText(text), keyText(`${text}y`)];
  expect(key.length).toBeLessThanOrEqual(110);
  expect(storable(key)).toBe(key);
  expect(key).not.toBe(other);
  expect(keyText(text)).toBe(key);
});

test('an id may be longer than what stands beside it', () => {
  expect(keyText('x'.repeat(ID_MAX), ID_MAX)).toBe('x'.repeat(ID_MAX));
});
