// The seeded world: accounts start empty; each day is generated from the seed and its number alone, so that the result does
// not depend on how the days were reached.

import { strict as assert } from 'node:assert';
import { DAY_MS, MINUTE_MS } from '../../base/time.ts';

import { type Random, randomOf } from '../random.ts';
import type { Planted, World } from '../world.ts';
import { tally } from './books.ts';
import { castOf, newcomer, type Player } from './cast.ts';
import { buy, cardPurchase, fiatSwap, sell, swap } from './conversion-actions.ts';
import { plant } from './defects.ts';
import { depositPockets } from './deposit-pockets.ts';
import { intoEarn, outOfEarn, reward } from './earn-actions.ts';
import { hiddenScene } from './hidden-scene.ts';
import type { Life, SeededOptions } from './life.ts';
import { presentScene, sceneAt } from './moment.ts';
import { order, smallTrade } from './order-actions.ts';
import * as person from './person-actions.ts';
import { type Prices, pricesOf } from './prices.ts';
import type { Action } from './scene.ts';
import * as trading from './trading-actions.ts';
import * as wallet from './wallet-actions.ts';
import { viewOf } from './world-view.ts';

/** The first and last half hour of a day are empty. A day is made when the first is over: until then, nothing of it is planned. */
const QUIET = DAY_MS / 48;

/** The relative frequency of each action. */
const HABITS: readonly (readonly [number, Action])[] = [
  [6, wallet.bankDeposit],
  [7, wallet.chainDeposit],
  [5, wallet.chainWithdrawal],
  [4, wallet.internalTransfer],
  [2, person.personPays],
  [2, person.personPaid],
  [1, person.referral],
  [1, person.hold],
  [5, buy],
  [5, sell],
  [4, swap],
  [3, fiatSwap],
  [3, cardPurchase],
  [12, trading.intoTrading],
  [6, trading.outOfTrading],
  [2, trading.workingCapital],
  [3, trading.adjustment],
  [6, trading.botFunds],
  [3, trading.burst],
  [20, order],
  [4, intoEarn],
  [2, outOfEarn],
  [4, reward],
];
const DECK = HABITS.flatMap(([weight, action]) => Array.from({ length: weight }, () => action));
const OPENING: readonly Action[] = [
  ...Array.from({ length: 3 }, () => wallet.bankDeposit),
  ...Array.from({ length: 8 }, () => wallet.chainDeposit),
  ...Array.from({ length: 10 }, () => trading.intoTrading),
];

/** Records per action on average, measured. */
const RECORDS_PER_ACTION = 1.9;

/** How often a list may shift at one instant of the world, so that every walk ends. */
const SHIFTS_MAX = 5;

/** A world from a seed, with its defects planted in the history before the anchor. */
export const seededWorld = (options: SeededOptions): World => {
  const start = options.anchor - options.days * DAY_MS;
  const prices = pricesOf(options.seed);
  const lives = castOf(options.seed, options.entities).map((player) => newLife(player, start, prices));
  let [now, daysMade, acts] = [options.anchor, 0, 0];
  const reach = (instant: number) => {
    for (; start + daysMade * DAY_MS + (daysMade > 0 ? QUIET : 0) < instant; daysMade += 1)
      for (const [index, life] of lives.slice(0, options.entities).entries())
        liveDay(life, { options, index, day: daysMade, start });
  };
  reach(now);
  const planted: readonly Planted[] = plant(lives, options);
  const find = (entityId: string) => lives.find(({ player }) => player.entityId === entityId);
  const unasked = unaskedChangesOf(options.seed, find, () => now);
  const advance = (ms: number) => {
    reach(now + ms);
    now += ms;
    unasked.letShiftAgain();
  };
  return {
    ...viewOf({ lives, late: options.late, now: () => now }),
    get entities() {
      return lives.map(({ player }) => player);
    },
    prices,
    depositPocket: depositPockets(() => lives.map(({ player }) => player)),
    now: () => now,
    advance,
    act: (entityId, action) => {
      const life = find(entityId);
      assert(life, `no entity ${entityId}`);
      advance(1);
      acts += 1;
      return action(presentScene(life, randomOf(`${options.seed}:act:${acts}`), now));
    },
    noteRefused: (entityId) => {
      const life = find(entityId);
      if (life) life.refused += 1;
    },
    defects: () => planted,
    enlist: (person) => {
      const player = newcomer(options.seed, lives.length, person);
      lives.push(newLife(player, now, prices));
      return player;
    },
    backdate: unasked.backdate,
    tradeNow: unasked.tradeNow,
  };
};

type UnaskedChanges = Required<Pick<World, 'backdate' | 'tradeNow'>> & {
  /** The lists may shift again. */
  readonly letShiftAgain: () => void;
};

/** What the platform does unasked: it corrects the past, and trades while lists are read. */
const unaskedChangesOf = (
  seed: number,
  find: (entityId: string) => Life | undefined,
  now: () => number,
): UnaskedChanges => {
  const shifts = new Map<string, number>();
  return {
    backdate: (entityId, { at: instant, count }) => {
      const life = find(entityId);
      if (life === undefined) return;
      const random = randomOf(`${seed}:backdate:${entityId}:${now()}:${instant}:${count}`);
      for (let nth = 0; nth < count; nth += 1)
        trading.lateDeposit(hiddenScene(life, random, instant + nth * MINUTE_MS), now());
    },
    tradeNow: (entityId) => {
      const life = find(entityId);
      const nth = (shifts.get(entityId) ?? 0) + 1;
      if (life === undefined || nth > SHIFTS_MAX) return;
      shifts.set(entityId, nth);
      smallTrade(sceneAt(life, randomOf(`${seed}:shift:${entityId}:${now()}:${nth}`), now()));
    },
    letShiftAgain: () => shifts.clear(),
  };
};

const newLife = (player: Player, since: number, prices: Prices): Life => ({
  player,
  since,
  rows: [],
  effects: [],
  orders: [],
  socialOrders: [],
  tally: tally(since),
  prices,
  refused: 0,
});

type DayOf = {
  readonly options: SeededOptions;
  readonly index: number;
  readonly day: number;
  readonly start: number;
};

const liveDay = (life: Life, { options, index, day, start }: DayOf): void => {
  const random = randomOf(`${options.seed}:${index}:${day}`);
  const begin = start + day * DAY_MS;
  if (day === 0)
    OPENING.forEach((action, index) => void action(sceneAt(life, random, begin + MINUTE_MS * (index + 1))));
  for (const instant of timesOf(random, begin, options.perDay / options.entities / RECORDS_PER_ACTION)) {
    const scene = sceneAt(life, random, instant);
    // An action without funds is replaced by one that brings funds.
    if (!random.pick(DECK)(scene)) random.pick([wallet.bankDeposit, wallet.chainDeposit, order])(scene);
  }
};

/** The first and last half hour of a day stay empty, so that both sides of a transfer fall within the day. */
const timesOf = (random: Random, begin: number, count: number): number[] => {
  const whole = Math.floor(count * 0.8) + random.below(Math.ceil(count * 0.4) + 1);
  const times = Array.from({ length: whole }, () => begin + QUIET + random.below(DAY_MS - 2 * QUIET));
  return [...new Set(times)].sort((a, b) => a - b);
};
