// The types of a seeded world: its options, and the history of each entity.
import type { Effect, SumsUntil } from './books.ts';
import type { Player } from './cast.ts';
import type { PlacedOrder } from './placed-order.ts';
import type { Prices } from './prices.ts';
import type { WorldRow } from './scene.ts';
import type { SocialOrder } from './social-order.ts';

export type SeededOptions = {
  readonly seed: number;
  /** Unix milliseconds: the world's time at the start. */
  readonly anchor: number;
  readonly days: number;
  readonly entities: number;
  /** Approximate number of records a day, over all entities and streams. */
  readonly perDay: number;
  readonly defects: readonly string[];
  /** Faults in the data: `hostile`, `newer-forms`, `late-rows`, `burst:N`, `own-transfers:N`. */
  readonly late: boolean;
  readonly hostile: boolean;
  readonly newerForms: boolean;
  /** One record of each kind that only another list of the platform explains. */
  readonly references: boolean;
  readonly burst: number;
  readonly ownTransfers: number;
};

/** The history of one entity. `rows` and `effects` may be later than the world's current time. */
export type Life = {
  readonly player: Player;
  /** When its pockets and wallets were made, Unix milliseconds. */
  readonly since: number;
  readonly rows: WorldRow[];
  readonly effects: Effect[];
  readonly orders: PlacedOrder[];
  readonly socialOrders: SocialOrder[];
  /** What the generator may spend; planted defects never count here. */
  readonly tally: SumsUntil;
  readonly prices: Prices;
  /** How many transactions were refused: none of them shares its id with the next. */
  refused: number;
};
