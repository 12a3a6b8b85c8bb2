// What operations create beside the world's money: address book, proformas, orders, sessions. Each area defines its own
// shelf; the ids come from the seed and a counter, so that the same requests give the same state.
import { type Notices, noticesOf } from './notices.ts';
import { type Random, randomOf } from './random.ts';

/** A place for the state of one area: its name, and what an entity has at first. */
type Shelf<T> = { readonly name: string; readonly empty: () => T };

export type Platform = {
  /** The state of an entity on a shelf, or without an entity what all entities share; the same object every time. */
  readonly on: <T>(shelf: Shelf<T>, entityId?: string) => T;
  /** Random numbers and ids: a new generator each time, from the seed and a counter. */
  readonly random: () => Random;
  readonly uuid: () => string;
  /** Moods of the service by name, set under /__world. */
  readonly switches: Set<string>;
  /** What the notification socket sends. */
  readonly notices: Notices;
};

/** An empty platform of a seed. */
export const platformOf = (seed: number): Platform => {
  const shelves = new Map<string, unknown>();
  let count = 0;
  const random = (): Random => {
    count += 1;
    return randomOf(`${seed}:platform:${count}`);
  };
  return {
    on: <T>({ name, empty }: Shelf<T>, entityId = ''): T => {
      const key = `${name} ${entityId}`;
      if (!shelves.has(key)) shelves.set(key, empty());
      return shelves.get(key) as T;
    },
    random,
    uuid: () => random().uuid(),
    switches: new Set(),
    notices: noticesOf(),
  };
};
