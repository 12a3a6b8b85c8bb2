// The log: every event of an entity can be found by it.
import { expect, test, vi } from 'vitest';
import { logOf } from '../../src/cli/log.ts';
import type { Event } from '../../src/run/events.ts';

test.each<[Event, string | undefined]>([
  [{ event: 'request', failure: 'throttled', subaccount: 'sub-1' }, 'sub-1'],
  [{ event: 'request', failure: 'throttled', subaccount: null }, 'company'],
  [{ event: 'booked', entity: 'sub-2' }, 'sub-2'],
  [{ event: 'queued', entities: 3 }, undefined],
])('%o is of the entity %s', (event, entity) => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  logOf('company')(event);
  const line = JSON.parse(String(write.mock.lastCall?.[0]));
  write.mockRestore();
  expect(line.entity).toBe(entity);
});

test('a line is one that a terminal does not obey', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  logOf('company')({ event: 'warning', message: '\u009b2J\u202e' });
  const line = String(write.mock.lastCall?.[0]);
  write.mockRestore();
  expect(line).toContain(String.raw`"message":"\u009b2J\u202e"`);
});
