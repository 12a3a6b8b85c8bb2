// The moments of a life in which actions happen: one of its history, and the present one, in which a client acts.
import { type Random, randomOf } from '../random.ts';
import { leastFrom } from './books.ts';
import type { Life } from './life.ts';
import type { Plan } from './placed-order.ts';
import type { PresentScene, Scene } from './scene.ts';

/** The moment `instant` in a life, after everything that was due before. */
export const sceneAt = (life: Life, random: Random, instant: number): Scene => {
  life.tally.until(instant);
  return {
    player: life.player,
    random,
    at: instant,
    euro: (currency, when = instant) => life.prices.euro(currency, when),
    has: life.tally.get,
    move: (when, bucket, currency, units) => {
      if (units === 0n) return;
      const effect = { at: when, bucket, currency, units };
      life.effects.push(effect);
      life.tally.add(effect);
    },
    list: (row) => void life.rows.push(row),
    place: (order) => void life.orders.push(order),
    send: (order) => void life.socialOrders.push(order),
  };
};

/** The world's present moment in a life. The history of the running day may be planned already, so `has` looks ahead. */
export const presentScene = (life: Life, random: Random, now: number): PresentScene => {
  const scene = sceneAt(life, random, now);
  return {
    ...scene,
    nextId: randomOf(
      `${life.player.userId}:${life.rows.length}:${life.effects.length}:${life.refused}`,
    ).uuid(),
    has: (bucket, currency) => leastFrom(life.effects, now, { bucket, currency }),
    callOff: ({ rows, effects }) => {
      for (const { at: when, bucket, currency, units } of effects)
        if (when > now) scene.move(when, bucket, currency, -units);
      const isOff = (row: Life['rows'][number]) => row.at > now && rows.includes(row.id);
      life.rows.splice(0, life.rows.length, ...life.rows.filter((row) => !isOff(row)));
    },
  };
};

/** A scene that notes in `plan` what is done through it. */
export const planned = (scene: Scene): { readonly scene: Scene; readonly plan: Plan } => {
  const plan: Plan = { rows: [], effects: [] };
  const noting: Scene = {
    ...scene,
    move: (when, bucket, currency, units) => {
      plan.effects.push({ at: when, bucket, currency, units });
      scene.move(when, bucket, currency, units);
    },
    list: (row) => {
      plan.rows.push(row.id);
      scene.list(row);
    },
  };
  return { scene: noting, plan };
};
