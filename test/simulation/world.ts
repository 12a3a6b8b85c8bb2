// The world of one seed: lists that change at the boundary of every request, and a memory of everything they ever showed.
// The walks are compared with it.
import type { StreamName } from '../../src/base/streams.ts';
import { isoOf } from '../../src/base/time.ts';
import { type Random, randomOf } from '../../src/sandbox/random.ts';
import type { WireObject } from '../../src/sandbox/wire-json.ts';
import { pricesOf } from '../../src/sandbox/world/prices.ts';
import { happen } from './happenings.ts';
import { populate } from './history.ts';
import type { Adding, Life, List, SimWorld } from './life.ts';
import { openLists } from './lists.ts';
import type { Night, Plan } from './plan.ts';
import { type Cast, castOf, RECORDS } from './records.ts';

/** 1 June 2026, 00:00 UTC: the start of the first night in every simulated history. */
const ANCHOR = 1_780_272_000_000;

const QUIET: Night = { advanceMs: 0, isFull: false, kills: [], restless: 0 };

/** The world of a plan, with its history. */
export const worldOf = (plan: Plan): SimWorld => {
  const random = randomOf(`simulation:${plan.seed}:world`);
  const cast = castOf(random, plan.cells, plan.earnWallets);
  const lives: Life[] = [];
  const lists = openLists(plan.precision === 'folded');
  let [now, tick, night] = [ANCHOR, 0, QUIET];
  const chances = chancesOf(plan);
  const world: SimWorld = {
    plan,
    random,
    cast,
    lives,
    prices: pricesOf(plan.seed),
    ...standing(plan, cast),
    rows: (_, stream) => lists.rows(stream),
    now: () => now,
    advance: (ms) => {
      now += ms;
    },
    tick: () => tick,
    add: (adding) => {
      tick += 1;
      const life = lifeOf(world, adding, tick);
      lives.push(life);
      lists.put(life);
      return life;
    },
    change: (life, body) => {
      tick += 1;
      life.bodies.push({ ...body(life.bodies.at(-1) as WireObject), revision: String(life.bodies.length) });
      life.changed = tick;
      lists.change(life);
    },
    remove: (life) => {
      tick += 1;
      life.gone = tick;
      lists.remove(life);
    },
    hidden: new Set(),
    hide: (stream) => void world.hidden.add(stream),
    begin: (next) => {
      night = next;
    },
    boundary: (list) => {
      const chance = chances(list);
      chance.requests += 1;
      const nowMs = now + chance.requests * 10;
      if (chance.random.chance(night.restless)) happen({ ...list, world, random: chance.random, nowMs });
    },
  };
  populate(world, ANCHOR);
  return world;
};

/** Each list has its own random numbers and request count. */
const chancesOf = ({ seed }: Plan) => {
  const known = new Map<string, { readonly random: Random; requests: number }>();
  return ({ stream, scope }: List) => {
    const name = `${stream} ${scope}`;
    const chance = known.get(name) ?? { random: randomOf(`simulation:${seed}:${name}`), requests: 0 };
    known.set(name, chance);
    return chance;
  };
};

const lifeOf = ({ cast, plan }: SimWorld, adding: Adding, tick: number): Life => {
  const { stream, scope } = adding;
  const id = adding.random.uuid();
  const atUs = plan.precision === 'millisecond' ? adding.atUs - (adding.atUs % 1000) : adding.atUs;
  const time = timeOf(plan.precision === 'hidden' ? atUs - (atUs % 1000) : atUs);
  const body = RECORDS[stream]({ ...adding, cast, id, time });
  return {
    id,
    stream,
    scope,
    atUs,
    time,
    since: tick,
    changed: tick,
    gone: null,
    bodies: [{ ...body, revision: '0' }],
  };
};

/** Three decimals of a second, or six if necessary. */
const timeOf = (us: number): string => {
  const text = isoOf(Math.floor(us / 1000));
  return us % 1000 === 0 ? text : text.replace('Z', `${String(us % 1000).padStart(3, '0')}Z`);
};

/** What never changes: the account, its wallets, and no Earn if there is no wallet. */
const standing = ({ seed }: Plan, cast: Cast) => {
  const userId = randomOf(`simulation:${seed}:user`).uuid();
  const createdAt = isoOf(ANCHOR);
  const nothing = { balance: '0', blocked: '0', createdAt };
  return {
    entities: [{ entityId: 'main', userId, name: 'Simulated', email: 'simulated@example.com' }],
    pockets: () =>
      cast.pockets.map((pocket) => ({ ...pocket, ...nothing, name: 'Pocket', blockedOutput: '0' })),
    trading: () => cast.trading.map((it) => ({ ...it, ...nothing })),
    earn: () =>
      cast.earn.length === 0
        ? null
        : cast.earn.map((it) => ({ ...it, balance: '0', converted: '0', createdAt, updatedAt: createdAt })),
    truth: () => [],
    defects: () => [],
  };
};

/** The currently listed records of a stream. */
export const present = ({ lives }: SimWorld, stream?: StreamName): Life[] =>
  lives.filter((life) => life.gone === null && (stream === undefined || life.stream === stream));
