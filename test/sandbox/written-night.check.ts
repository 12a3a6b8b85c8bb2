// Writes of clients, then a whole night: the books equal the world's truth to the last digit.
import { expect, test } from 'vitest';
import { booked, openStage, truth } from '../jobs/stage.ts';
import { deskOf } from './desk.ts';
import { writeAtRandom } from './random-writes.ts';

test('a night after 20 random writes ties out', async () => {
  const stage = await openStage({ seed: 31, entities: 3, days: 10, perDay: 60 });
  expect((await stage.night()).exitCode).toBe(0);
  const before = await truth(stage);
  const made = writeAtRandom(deskOf({}, stage.sandbox.world), 1, 20);
  expect(Object.keys(made).length).toBeGreaterThan(5);
  const expected = await truth(stage);
  expect(expected).not.toEqual(before);
  const night = await stage.night();
  expect(night.summary).toMatch(/ 0 open breaks, 0 rejects, 0 gaps, 0 findings/);
  expect(night.exitCode).toBe(0);
  expect(await booked(stage)).toEqual(expected);
  await stage.advance(9); // past the expiry of what nobody claimed
  expect((await stage.night()).exitCode).toBe(0);
  expect(await booked(stage)).toEqual(await truth(stage));
});
