// Random nights with a listener that comes and goes: the books are true after each, whatever was skipped, and at the end they
// equal the books of a database that never skips.
import { expect, test } from 'vitest';
import { randomOf } from '../../src/sandbox/random.ts';
import { freshDatabase } from '../database.ts';
import { type Listener, moveMoney, nightsOf, quietNight, startListener } from './listening.ts';
import { booked, night, openStage, truth } from './stage.ts';

const NIGHTS = 8;

test.each([1])('seed %i', async (seed) => {
  const random = randomOf(String(seed));
  const stage = await openStage({ seed, entities: 3, days: 3, perDay: 4 });
  const ids = stage.sandbox.world.entities.map(({ entityId }) => entityId);
  let listener: Listener | null = null;
  let skipped = 0;
  await quietNight(stage);
  for (let nth = 0; nth < NIGHTS; nth += 1) {
    if (random.chance(25)) {
      await listener?.stop();
      listener = null;
    }
    const moving = ids.filter(() => random.chance(30));
    for (const entity of moving) {
      const hint = listener?.next('hint');
      await moveMoney(stage, entity, { back: random.chance(60) });
      await hint;
    }
    listener ??= await startListener(stage);
    expect((await quietNight(stage)).exitCode).toBe(0);
    const outcomes = await nightsOf(stage);
    for (const entity of moving) expect(outcomes[entity]).not.toBe('skipped');
    skipped += Object.values(outcomes).filter((outcome) => outcome === 'skipped').length;
    expect(await booked(stage)).toEqual(await truth(stage));
  }
  expect(skipped, 'a history without a skip shows nothing').toBeGreaterThan(0);
  const other = await freshDatabase();
  try {
    await night({ ...stage.settings(), databaseUrl: other.url }, { writesFiles: false });
    const journal = `select entity_id, entry_id, account, currency, amount from books.postings order by 1, 2, leg, 3, 5`;
    expect((await other.pool.query(journal)).rows).toEqual(await stage.rows(journal));
  } finally {
    await other.close();
  }
});
