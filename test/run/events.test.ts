// The log: its schema, its levels, and the manual's table of events.
import { expect, test } from 'vitest';
import { EVENTS, LOG_LINE, logLineOf, timedStep } from '../../src/run/run.ts';
import { textOf } from '../tidy/source.ts';

const RUN = '0d6f1c1e-1111-4111-8111-111111111111';

test('a line has time, level, event, run, entity and duration first, then the facts', () => {
  const line = logLineOf({
    event: 'booked',
    run: RUN,
    entity: 'main',
    entries: 5,
    'set aside': 1,
    requestId: 'a',
    duration_ms: 12.4,
  });
  expect(LOG_LINE.parse(line)).toEqual(line);
  expect(Object.keys(line)).toEqual([
    'time',
    'level',
    'event',
    'run',
    'entity',
    'duration_ms',
    'entries',
    'set_aside',
    'request_id',
  ]);
  expect(line).toMatchObject({ level: 'info', duration_ms: 12 });
});

test('what has no run and no entity leaves them out', () => {
  expect(Object.keys(logLineOf({ event: 'hint', entity: null }))).toEqual(['time', 'level', 'event']);
});

test.each([
  [{ event: 'request', failure: null }, 'debug'],
  [{ event: 'request', failure: 'throttled' }, 'warn'],
  [{ event: 'request', failure: 'missing' }, 'info'],
  [{ event: 'run ended', exit_code: 0 }, 'info'],
  [{ event: 'run ended', exit_code: 1 }, 'warn'],
  [{ event: 'run ended', exit_code: 2 }, 'error'],
  [{ event: 'run ended', exit_code: 143 }, 'error'],
] as const)('%o is %s', (event, level) => {
  expect(logLineOf(event).level).toBe(level);
});

test('a step tells its result and its duration', async () => {
  const lines: unknown[] = [];
  const step = async () => ({ paired: 3 });
  expect(await timedStep((event) => lines.push(event), { event: 'compared across' }, step)).toEqual({
    paired: 3,
  });
  expect(lines).toEqual([{ event: 'compared across', paired: 3, duration_ms: expect.any(Number) }]);
});

test('a line of another form is refused', () => {
  const line = logLineOf({ event: 'read', entity: 'main' });
  for (const broken of [
    { ...line, time: '2026' },
    { ...line, event: 'reading' },
    { ...line, run: 'x' },
    { ...line, fact: [] },
  ])
    expect(LOG_LINE.safeParse(broken).success).toBe(false);
});

test('the manual explains every event that a log contains, with its level, and no other', () => {
  const rows = Object.entries(EVENTS).flatMap(([event, level]) =>
    level === 'debug' && event !== 'request'
      ? []
      : [`| \`${event}\` | ${level === 'debug' ? 'warn' : level} |`],
  );
  const manual = textOf('jobs/OPERATIONS.md');
  expect([...manual.matchAll(/^(\| `[\w ]+` \| (?:info|warn|error) \|) \w/gm)].map(([, row]) => row)).toEqual(
    rows,
  );
});
