// What happens to a world between two requests, or between two nights.
import type { WorldStream } from '../../src/sandbox/world.ts';
import { isoOf } from '../../src/time.ts';
import { microseconds } from './history.ts';
import type { Happening } from './plan.ts';
import { edited, settled } from './records.ts';
import { type Life, type SimWorld, streamsOf } from './world.ts';

const HOUR = 3_600_000;

/** Within the lag of 48 hours, whatever the night before read. */
const LAG_SAFE = 40 * HOUR;

/** Lets one thing happen that the plan allows. */
export const happen = (world: SimWorld): void => {
  const { plan, random } = world;
  const kind = plan.happenings.length === 0 ? 'new' : random.pick(plan.happenings);
  WAYS[kind](world, random.pick(streamsOf(world)));
};

type Way = (world: SimWorld, stream: WorldStream) => void;

const add = (world: SimWorld, stream: WorldStream, atMs: number): void => {
  const isPending = stream === 'wallet-transactions' && world.random.chance(world.plan.pending);
  for (let left = world.random.chance(10) ? 1 + world.random.below(5) : 1; left > 0; left -= 1)
    world.add({ stream, atUs: microseconds(world, atMs), isPending });
};

const oneOf = (world: SimWorld, wanted: (life: Life) => boolean): Life | undefined => {
  const found = world.lives.filter((life) => life.gone === null && wanted(life));
  return found.length === 0 ? undefined : world.random.pick(found);
};

const isRecent = (world: SimWorld, { atUs }: Life): boolean => atUs / 1000 > world.now() - LAG_SAFE;

const edit = (world: SimWorld, wanted: (life: Life) => boolean): Life | undefined => {
  const life = oneOf(world, (it) => it.stream === 'wallet-transactions' && wanted(it));
  if (life === undefined) return undefined;
  const note = world.random.pick(['', 'paid', 'see the invoice']);
  world.change(life, (body) => edited(body, note));
  return life;
};

const remove = (world: SimWorld, stream: WorldStream): boolean => {
  const life = oneOf(world, (it) => it.stream === stream);
  if (life === undefined) return false;
  world.remove(life);
  return true;
};

const WAYS: Readonly<Record<Happening, Way>> = {
  new: (world, stream) => add(world, stream, world.now()),
  'back-dated': (world, stream) => add(world, stream, world.now() - 1 - world.random.below(LAG_SAFE)),
  late: (world, stream) => {
    add(world, stream, world.now() - 49 * HOUR - world.random.below(20 * 24 * HOUR));
    world.hide(stream);
  },
  settled: (world) => {
    const life = oneOf(world, (it) => isWaiting(it));
    if (life) world.change(life, (body) => settled(body, { random: world.random, time: isoOf(world.now()) }));
  },
  edited: (world) => void edit(world, (life) => isRecent(world, life)),
  'edited-late': (world) => {
    if (edit(world, (life) => !isRecent(world, life) && !isWaiting(life))) world.hide('wallet-transactions');
  },
  removed: (world, stream) => {
    if (remove(world, stream)) world.hide(stream);
  },
  // The count stays what it was: nothing but the rows tells.
  replaced: (world, stream) => {
    if (!remove(world, stream)) return;
    add(world, stream, world.now() - (world.random.chance(50) ? 0 : world.random.below(LAG_SAFE)));
    world.hide(stream);
  },
};

const isWaiting = ({ stream, bodies }: Life): boolean =>
  stream === 'wallet-transactions' && /pending|waiting/.test(String(bodies.at(-1)?.status));

/** What happens between two nights: some of everything. */
export const betweenNights = (world: SimWorld): void => {
  const { random } = world;
  for (let left = random.below(6); left > 0; left -= 1) happen(world);
  if (random.chance(50))
    for (const stream of streamsOf(world)) add(world, stream, world.now() - random.below(HOUR));
  if (random.chance(60)) WAYS.settled(world, 'wallet-transactions');
};
