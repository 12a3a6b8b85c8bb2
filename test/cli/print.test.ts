// What is printed for people: text from outside never controls their terminal.
import { styleText } from 'node:util';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { print, printResult, printRows, progress, warn } from '../../src/cli/print.ts';
import type { Event } from '../../src/run/events.ts';

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

const HOSTILE = 'rules\u001b]0;title\u0007\u001b[2J\u001b[8mhidden\u009b31m\u202etxt\rover\u200b\u2028.csv';

test.each([
  ['print', print],
  ['printRows', printRows],
  ['warn', warn],
])('%s shows what a terminal would obey as a blank', (_, show) => {
  show(HOSTILE);
  expect(written.text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(written.text).toContain('hidden');
});

test('what a program reads has the names of columns throughout', () => {
  printResult({
    exit_code: 0,
    coveredTo: null,
    entities: [{ isClosed: true, sealed: { sealSha256: 'aB' } }],
  });
  expect(JSON.parse(written.text)).toEqual({
    exit_code: 0,
    covered_to: null,
    entities: [{ is_closed: true, sealed: { seal_sha256: 'aB' } }],
  });
});

test('line breaks, tabs and the colours of tieout stay', () => {
  const painted = ['red', 'yellow', 'green'] as const;
  const text = `a\n\tb ${painted.map((color) => styleText(color, color, { validateStream: false })).join(' ')}`;
  print(text);
  expect(written.text).toBe(`${text}\n`);
});

const SAID: [Event, string][] = [
  [{ event: 'warning', message: 'the gate does not answer' }, 'tieout: the gate does not answer\n'],
  [
    { event: 'night waits', holder: 'tieout close pid 7' },
    'tieout: waiting for another run (tieout close pid 7)\n',
  ],
  [{ event: 'export stays', period: '2026-10', dir: '/x/2026-10' }, 'tieout: /x/2026-10 stays, although'],
];

test.each(SAID)('bars on a terminal leave out no warning: %o', (event, sentence) => {
  const { isTTY } = process.stderr;
  process.stderr.isTTY = true;
  onTestFinished(() => void Object.assign(process.stderr, { isTTY }));
  const { tell, stop } = progress(false, 'main');
  onTestFinished(stop);
  tell(event);
  expect(written.text).toContain(sentence);
  written.text = '';
  tell({ event: 'booking', entity: 'main', entries: 1, records: 1 });
  tell(event);
  expect(written.text).toContain(sentence);
});
