// The initial history of a world: spread over its days, with some instants that many records share.
import type { Random } from '../../src/sandbox/random.ts';
import { listsOf, type SimWorld } from './life.ts';
import type { Burst, Plan } from './plan.ts';

const DAY_MS = 86_400_000;

/** Fills the lists up to an instant, Unix milliseconds. */
export const populate = (world: SimWorld, until: number): void => {
  const { plan, random } = world;
  for (const list of listsOf(world)) {
    for (let made = 0; made < plan.counts[list.stream]; made += 1) {
      const atMs = until - 1 - random.below(plan.days * DAY_MS);
      const isPending = list.stream === 'wallet-transactions' && random.chance(plan.pending);
      world.add({ ...list, random, atUs: microseconds(plan, random, atMs), isPending });
    }
  }
  for (const burst of plan.bursts)
    explode(world, burst, until - burst.daysBefore * DAY_MS - 1 - random.below(DAY_MS));
};

/** A time that the world's lists may show, from whole milliseconds. */
export const microseconds = ({ precision }: Plan, random: Random, ms: number): number => {
  const isWhole = precision === 'millisecond' || (precision === 'mixed' && random.chance(60));
  return ms * 1000 + (isWhole ? 0 : random.below(1000));
};

/** Some worlds have their burst in several lists: a cursor or an offset may then point into the middle of an instant. */
const explode = (world: SimWorld, { size, cells }: Burst, atMs: number): void => {
  const { plan, random } = world;
  const isSpread = size <= 300 && random.chance(40);
  const lists = listsOf(world).filter(({ stream }) => isSpread || stream === 'movements');
  const cell = random.below(1_000);
  const isOneInstant = random.chance(50);
  const atUs = microseconds(plan, random, atMs);
  for (const list of lists) {
    for (let made = 0; made < size; made += 1) {
      world.add({
        ...list,
        random,
        atUs: isOneInstant ? atUs : microseconds(plan, random, atMs),
        ...(cells === 'few' && { cell }),
      });
    }
  }
  // Neighbours in the adjacent milliseconds, where a wrong bound would lose them.
  const movements = lists.find(({ stream }) => stream === 'movements');
  if (!movements) return;
  for (const beside of [-1, 1])
    for (let made = random.below(4); made > 0; made -= 1)
      world.add({ ...movements, random, atUs: microseconds(plan, random, atMs + beside) });
};
