// Several worlds and 50 random writes each: every night ties out, and the books equal the truth to the last digit.
import { expect, test } from 'vitest';
import { booked, openStage, truth } from '../jobs/stage.ts';
import { deskOf } from './desk.ts';
import { writeAtRandom } from './random-writes.ts';

test.each([41])('seed %i: nights after 50 random writes tie out', async (seed) => {
  const stage = await openStage({ seed, entities: 3, days: 12, perDay: 60 });
  const desk = deskOf({}, stage.sandbox.world);
  for (const [round, days] of [1, 2, 10].entries()) {
    writeAtRandom(desk, seed * 10 + round, 50);
    const night = await stage.night();
    expect([night.exitCode, night.summary]).toEqual([
      0,
      expect.stringMatching(/ 0 open breaks, 0 rejects, 0 gaps/),
    ]);
    expect(await booked(stage)).toEqual(await truth(stage));
    await stage.advance(days);
    expect((await stage.night()).exitCode).toBe(0);
    expect(await booked(stage)).toEqual(await truth(stage));
  }
});
