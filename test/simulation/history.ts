// The history that a world begins with: spread over its days, with some instants that many records share.
import type { Burst } from './plan.ts';
import { type SimWorld, streamsOf } from './world.ts';

const DAY_MS = 86_400_000;

/** Fills the lists up to an instant, Unix milliseconds. */
export const populate = (world: SimWorld, until: number): void => {
  const { plan, random } = world;
  for (const stream of streamsOf(world)) {
    for (let made = 0; made < plan.counts[stream]; made += 1) {
      const atMs = until - 1 - random.below(plan.days * DAY_MS);
      const isPending = stream === 'wallet-transactions' && random.chance(plan.pending);
      world.add({ stream, atUs: microseconds(world, atMs), isPending });
    }
  }
  for (const burst of plan.bursts)
    explode(world, burst, until - burst.daysBefore * DAY_MS - 1 - random.below(DAY_MS));
};

/** A time that the world's lists may show, from whole milliseconds. */
export const microseconds = ({ plan, random }: SimWorld, ms: number): number => {
  const isWhole = plan.precision === 'millisecond' || (plan.precision === 'mixed' && random.chance(60));
  return ms * 1000 + (isWhole ? 0 : random.below(1000));
};

/** Some worlds have their burst in several lists: a cursor or an offset may fall into the middle of an instant. */
const explode = (world: SimWorld, { size, cells }: Burst, atMs: number): void => {
  const { random } = world;
  const isSpread = size <= 300 && random.chance(40);
  const streams = streamsOf(world).filter((stream) => isSpread || stream === 'movements');
  const cell = random.below(1_000);
  const isOneInstant = random.chance(50);
  const atUs = microseconds(world, atMs);
  for (const stream of streams) {
    for (let made = 0; made < size; made += 1) {
      world.add({
        stream,
        atUs: isOneInstant ? atUs : microseconds(world, atMs),
        ...(cells === 'few' && { cell }),
      });
    }
  }
  // Neighbours in the milliseconds beside it, where a bound may lose them.
  if (!streams.includes('movements')) return;
  for (const beside of [-1, 1])
    for (let made = random.below(4); made > 0; made -= 1)
      world.add({ stream: 'movements', atUs: microseconds(world, atMs + beside) });
};
