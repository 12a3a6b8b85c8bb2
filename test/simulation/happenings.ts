// Changes of a list between two requests, or between two nights.
import { isoOf } from '../../src/base/time.ts';
import { microseconds } from './history.ts';
import { type Life, listsOf, type Scene, type SimWorld } from './life.ts';
import type { Happening } from './plan.ts';
import { edited, settled } from './records.ts';

const HOUR = 3_600_000;

/** Within the lag of 48 hours, whatever the night before read. */
const LAG_SAFE = 40 * HOUR;

/** Makes one change to a list that the plan allows. */
export const happen = (scene: Scene): void => {
  const { happenings } = scene.world.plan;
  WAYS[happenings.length === 0 ? 'new' : scene.random.pick(happenings)](scene);
};

const add = ({ world, random, stream, scope }: Scene, atMs: number): void => {
  const isPending = stream === 'wallet-transactions' && random.chance(world.plan.pending);
  const atUs = microseconds(world.plan, random, atMs);
  for (let left = random.chance(10) ? 1 + random.below(5) : 1; left > 0; left -= 1)
    world.add({ stream, scope, random, atUs, isPending });
};

const oneOf = (scene: Scene, wanted: (life: Life) => boolean = () => true): Life | undefined => {
  const { world, random, stream, scope } = scene;
  const found = world.lives.filter(
    (life) => life.gone === null && life.stream === stream && life.scope === scope && wanted(life),
  );
  return found.length === 0 ? undefined : random.pick(found);
};

const isRecent = ({ nowMs }: Scene, { atUs }: Life): boolean => atUs / 1000 > nowMs - LAG_SAFE;

const isWaiting = ({ stream, bodies }: Life): boolean =>
  stream === 'wallet-transactions' && /pending|waiting/.test(String(bodies.at(-1)?.status));

const edit = (scene: Scene, wanted: (life: Life) => boolean): boolean => {
  const life = scene.stream === 'wallet-transactions' ? oneOf(scene, wanted) : undefined;
  if (life === undefined) return false;
  const note = scene.random.pick(['', 'paid', 'see the invoice']);
  scene.world.change(life, (body) => edited(body, note));
  return true;
};

const remove = (scene: Scene): boolean => {
  const life = oneOf(scene);
  if (life === undefined) return false;
  scene.world.remove(life);
  scene.world.hide(scene.stream);
  return true;
};

const WAYS: Readonly<Record<Happening, (scene: Scene) => void>> = {
  new: (scene) => add(scene, scene.nowMs),
  'back-dated': (scene) => add(scene, scene.nowMs - 1 - scene.random.below(LAG_SAFE)),
  late: (scene) => {
    add(scene, scene.nowMs - 49 * HOUR - scene.random.below(20 * 24 * HOUR));
    scene.world.hide(scene.stream);
  },
  settled: (scene) => {
    const life = oneOf(scene, isWaiting);
    const time = isoOf(scene.nowMs);
    if (life) scene.world.change(life, (body) => settled(body, { random: scene.random, time }));
  },
  edited: (scene) => void edit(scene, (life) => isRecent(scene, life)),
  'edited-late': (scene) => {
    if (edit(scene, (life) => !isRecent(scene, life) && !isWaiting(life))) scene.world.hide(scene.stream);
  },
  removed: (scene) => void remove(scene),
  // The count does not change: only the rows show it.
  replaced: (scene) => {
    const { random, nowMs } = scene;
    if (remove(scene)) add(scene, nowMs - (random.chance(50) ? 0 : random.below(LAG_SAFE)));
  },
};

/** The changes between two nights: some of every kind. */
export const betweenNights = (world: SimWorld): void => {
  const { random } = world;
  for (const list of listsOf(world)) {
    const scene = { ...list, world, random, nowMs: world.now() };
    for (let left = random.below(4); left > 0; left -= 1) happen(scene);
    if (random.chance(50)) add(scene, world.now() - random.below(HOUR));
    if (random.chance(60)) WAYS.settled(scene);
  }
};
