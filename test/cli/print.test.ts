// What is printed for people: text from outside never controls their terminal.
import { styleText } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { print, printRows, warn } from '../../src/cli/print.ts';

const written = { text: '' };
const collect = (chunk: unknown) => {
  written.text += String(chunk);
  return true;
};
vi.spyOn(process.stdout, 'write').mockImplementation(collect);
vi.spyOn(process.stderr, 'write').mockImplementation(collect);
afterEach(() => {
  written.text = '';
});

const HOSTILE = 'rules\u001b]0;title\u0007\u001b[2J\u001b[8mhidden\u009b31m\u202etxt\rover\u200b.csv';

test.each([
  ['print', print],
  ['printRows', printRows],
  ['warn', warn],
])('%s shows what a terminal would obey as a blank', (_, show) => {
  show(HOSTILE);
  expect(written.text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(written.text).toContain('hidden');
});

test('line breaks, tabs and the colours of tieout stay', () => {
  const painted = ['red', 'yellow', 'green'] as const;
  const text = `a\n\tb ${painted.map((color) => styleText(color, color, { validateStream: false })).join(' ')}`;
  print(text);
  expect(written.text).toBe(`${text}\n`);
});
