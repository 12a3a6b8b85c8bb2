// A moment hidden from the generator: its actions are listed and move funds, but do not reduce what the generator itself
// may spend.

import type { Random } from '../random.ts';
import type { Life } from './life.ts';
import type { Scene } from './scene.ts';

export const hiddenScene = (life: Life, random: Random, instant: number): Scene => ({
  player: life.player,
  random,
  at: instant,
  euro: (currency, when = instant) => life.prices.euro(currency, when),
  has: () => 0n,
  move: (when, bucket, currency, units) => void life.effects.push({ at: when, bucket, currency, units }),
  list: (row) => void life.rows.push(row),
  place: (order) => void life.orders.push(order),
  send: (order) => void life.socialOrders.push(order),
});
