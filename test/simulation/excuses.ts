// Excuses: when a gap is the right answer. A list may stay unproved only if its gateway is permanently inconsistent,
// or if more records share an instant and every filter than one answer holds.
import { STREAMS, type StreamName } from '../../src/base/streams.ts';
import type { Life, SimWorld } from './life.ts';
import { present } from './world.ts';

/** Whether a gap in a list is the expected result in this world. */
export const isExcused = (world: SimWorld, stream: StreamName): boolean => {
  const { cursorTrouble, countTrouble } = world.plan;
  if (stream === 'movements') return isCrowded(world);
  if (stream === 'wallet-transactions') return cursorTrouble?.isForever === true;
  return countTrouble.isForever && countTrouble.off !== 0;
};

/** Whether some instant cannot be read in full. Bounds are whole milliseconds, so two neighbours may share a request. */
const isCrowded = (world: SimWorld): boolean => {
  const cells = new Map<string, number>();
  const count = (key: string) => cells.set(key, (cells.get(key) ?? 0) + 1);
  for (const life of present(world, 'movements')) {
    const ms = Math.floor(life.atUs / 1000);
    for (const instant of [ms - 1, ms, ms + 1]) count(`${instant} ${cellOf(life)}`);
  }
  return [...cells.values()].some((size) => size >= STREAMS.movements.pageMax);
};

const cellOf = ({ bodies }: Life): string => {
  const body = bodies.at(-1);
  return `${body?.movementType} ${body?.serviceOrderName} ${body?.walletId}`;
};
