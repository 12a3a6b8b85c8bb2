// The nouns of a seeded world: its options, and what each entity has done so far.
import type { Effect, SumsUntil } from './books.ts';
import type { Player } from './cast.ts';
import type { Prices } from './prices.ts';
import type { WorldRow } from './scene.ts';

export type SeededOptions = {
  readonly seed: number;
  /** Unix milliseconds: where the world's now begins. */
  readonly anchor: number;
  readonly days: number;
  readonly entities: number;
  /** Records a day, about, over all entities and streams. */
  readonly perDay: number;
  readonly defects: readonly string[];
  /** Faults that live in the data: `hostile`, `newer-forms`, `late-rows`, `burst:N`, `own-transfers:N`. */
  readonly late: boolean;
  readonly hostile: boolean;
  readonly newerForms: boolean;
  readonly burst: number;
  readonly ownTransfers: number;
};

/** One entity's life so far. `rows` and `effects` may be dated after the world's now. */
export type Life = {
  readonly player: Player;
  readonly rows: WorldRow[];
  readonly effects: Effect[];
  /** What the generator itself may spend; planted defects never count here. */
  readonly tally: SumsUntil;
  readonly prices: Prices;
};
