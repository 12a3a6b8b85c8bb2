import { expect, test } from 'vitest';
import { canonical, parseExact, parseReceived, sha256, storable, visible } from '../../src/base/json.ts';

test.each([
  ['0.123456789012345678', '18 decimals'],
  ['12345678901234567890123456789', 'a long integer'],
  ['-0', 'minus zero'],
  ['-0.0', 'minus zero with a decimal'],
  ['1e-7', 'an exponent'],
  ['1.50E+3', 'an exponent with a sign'],
  ['100.00000000', 'trailing zeros'],
])('%s (%s) arrives as the text that was sent', (number) => {
  expect(parseExact(number)).toBe(number);
  expect(parseExact(`{"a":[${number},{"b": ${number} }]}`)).toEqual({ a: [number, { b: number }] });
});

test('numbers inside strings and keys are left alone', () => {
  const text = String.raw`{"1":"2, 3","a\"4":"5\\","b":"\"6\" \u0031","c":7}`;
  expect(parseExact(text)).toEqual({ '1': '2, 3', 'a"4': '5\\', b: '"6" 1', c: '7' });
});

test('true, false, null and empty containers are unchanged', () => {
  expect(parseExact(' [true,false,null,{},[],""] ')).toEqual([true, false, null, {}, [], '']);
});

test.each([
  '',
  '{',
  '[1,]',
  '{"a":}',
  '{1:2}',
  '[1 2]',
  '[.5]',
  '[1.]',
  '[+1]',
  '[-]',
  '[1e]',
  '[01]',
  '[1.5.2]',
  '{"a" 1}',
  '{1 :2}',
  '"a',
  '"a 1',
  '[NaN]',
])('%s is refused: it is not JSON', (text) => {
  expect(() => parseExact(text)).toThrow(SyntaxError);
});

test.each([
  ['{"a":1,"a":2}', { a: ['1', '2'] }],
  ['{"a":1,"\\u0061":"2","b":":,{"}', { a: ['1', '2'], b: ':,{' }],
  ['{"a":1,"a":1}', { a: '1' }],
  ['[{"a" : {"b":[true, null],"b":[] } ,"a":{}}]', [{ a: [{ b: [[true, null], []] }, {}] }]],
  ['{"a\\"":"\\\\","a\\"":-1.50e3}', { 'a"': ['\\', '-1.50e3'] }],
  ['{"a":"x:y"}', { a: 'x:y' }],
])('%s from outside loses no value of a name', (text, value) => {
  expect(parseReceived(text)).toEqual(value);
});

test('a name that is called __proto__ stays a name beside one that occurs twice', () => {
  const value = parseReceived('{"__proto__":{"amount":"7"},"a":1,"a":2}');
  expect(canonical(value)).toBe('{"__proto__":{"amount":"7"},"a":["1","2"]}');
});

test('many values of one name are read in linear time', () => {
  const readMs = (count: number): number => {
    const text = `{${Array.from({ length: count }, (_, n) => `"a":"${n}"`).join()}}`;
    const began = performance.now();
    expect((parseReceived(text) as { a: string[] }).a).toHaveLength(count);
    return performance.now() - began;
  };
  const fewMs = readMs(50_000);
  expect(readMs(400_000)).toBeLessThan(32 * fewMs); // linear: 8 times as long; quadratic: 64
});

test('NUL and lone surrogates are escaped, whole characters are unchanged', () => {
  expect(storable('a\u0000b')).toBe(String.raw`a\u0000b`);
  expect(storable('\ud800x')).toBe(String.raw`\ud800x`);
  expect(storable('x\udc00')).toBe(String.raw`x\udc00`);
  expect(storable('\udc00\ud800')).toBe(String.raw`\udc00\ud800`);
  expect(storable('€ 🪙')).toBe('€ 🪙');
});

test('JSON to look at has escapes for what nobody sees, and means the same', () => {
  const value = {
    'k\u202e': ['\u009b31m', '\u009d52;c;\u0007', '\x7f', '\u2028', '\u200d', '\u{e0041}', '€ 🪙 ñ\n'],
  };
  const shown = visible(JSON.stringify(value, null, 2));
  expect(JSON.parse(shown)).toEqual(value);
  expect(shown).toContain(String.raw`"\u009b31m"`);
  expect(shown).toContain('€ 🪙 ñ');
  expect(shown).not.toMatch(/[^\P{C}\n]|\p{Zl}|\p{Zp}/u);
});

test('canonical text sorts keys, drops spaces and preserves the digits', () => {
  const [left, right] = ['{"b": 1.10, "a": {"d":[2,1], "c":null}}', '{"a":{"c":null,"d":[2,1]},"b":1.10}'];
  expect(canonical(parseExact(left))).toBe('{"a":{"c":null,"d":["2","1"]},"b":"1.10"}');
  expect(canonical(parseExact(left))).toBe(canonical(parseExact(right)));
  expect(canonical(parseExact('{"b":1.1}'))).not.toBe(canonical(parseExact('{"b":1.10}')));
});

test('canonical text is storable in keys and values', () => {
  const hostile = canonical({ 'k\u0000': '\ud800', plain: 'a"\\\n' });
  for (const unit of ['\u0000', '\ud800']) expect(hostile).not.toContain(unit);
  expect(JSON.parse(hostile)).toEqual({ 'k\\u0000': '\\ud800', plain: 'a"\\\n' });
});

test('a digest covers the bytes', () => {
  expect(sha256('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(sha256(Buffer.from('é'))).toBe(sha256('é'));
});

test('names that occur twice on every level take time linear to the text', () => {
  const nested = (leaf: string) => `${'{"a":1,"a":'.repeat(240)}${leaf}${'}'.repeat(240)}`;
  const timeOf = (text: string) => {
    const began = performance.now();
    parseReceived(text);
    return performance.now() - began;
  };
  const flat = timeOf(`{"a":1,"a":${JSON.stringify('\u00e9'.repeat(2_000_000))}}`);
  expect(timeOf(nested(JSON.stringify('\u00e9'.repeat(2_000_000))))).toBeLessThan(20 * flat + 1_000); // it was 240 times
});

test.each([
  ['{"a":{"x":1,"y":[2]},"a":{"y":[2],"x":1}}', '{"a":{"x":"1","y":["2"]}}'],
  ['{"a":[],"a":{}}', '{"a":[[],{}]}'],
  ['{"a":["1","2"],"a":["1,2"]}', '{"a":[["1","2"],["1,2"]]}'],
  ['{"a":null,"a":"null","a":null}', '{"a":[null,"null"]}'],
  ['{"a":{"b":1,"b":2},"a":{"b":["1","2"]}}', '{"a":{"b":["1","2"]}}'],
])('%s is %s: values are compared whole', (text, expected) => {
  expect(canonical(parseReceived(text))).toBe(expected);
});
