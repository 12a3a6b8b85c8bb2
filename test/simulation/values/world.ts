// A simulated history as the simulation knows it: whose entities there are, what happened, which months are closed, and how much of
// it a plain sum can foretell.
import { createHash } from 'node:crypto';
import { monthAfter } from '../../../src/ledger/ledger.ts';
import { type Random, randomOf } from '../../../src/sandbox/random.ts';
import type { Month, Owner } from './books.ts';
import { COINS, type Coin, type Market, marketOf } from './market.ts';
import { type Effect, type Happening, KINDS, type Kind, MORE_KINDS } from './records.ts';

export type Life = {
  readonly id: string;
  /** The same for both sides of a transfer. */
  readonly link: string;
  /** Everything that the gateway said of it, the newest last. */
  readonly versions: Happening[];
};

export type World = {
  readonly seed: number;
  owners: readonly Owner[];
  readonly entities: readonly string[];
  /** Each history has some kinds of records only, so that those few meet more often. */
  readonly kinds: readonly Kind[];
  readonly coins: readonly Coin[];
  readonly market: Market;
  readonly lives: Life[];
  /** The last closed month of each entity; empty for none. */
  readonly closed: Map<string, string>;
  /** The values of each closed month when it was closed. */
  readonly digits: Map<string, string>;
  /** Days whose rates are published. */
  readonly published: Set<string>;
  /** Externally held lots: what they add to a taxpayer's lots. */
  readonly external: {
    readonly entity: string;
    readonly coin: string;
    readonly units: bigint;
    readonly cost: bigint;
  }[];
  /** What people entered as the fee of a transfer, by its link; negative once they took it back. */
  readonly charges: {
    readonly link: string;
    readonly entity: string;
    readonly coin: Coin;
    readonly at: string;
    readonly units: bigint;
  }[];
  /** What people entered that no record shows, by its proposal; its opposite once they took it back. */
  readonly entered: {
    readonly id: string;
    readonly entity: string;
    readonly effects: () => readonly Effect[];
  }[];
  /** False once prices or rules changed under a closed month, whose values stay. */
  isForetold: boolean;
  /** False once an own wallet became somebody else's, or the other way round, under a closed month, which keeps its lots. */
  areUnitsForetold: boolean;
  isWalletOwn: boolean;
};

export const FIRST_MONTH = '2026-01';
export const METHODS = ['fifo', 'fifo', 'hifo', 'average', 'specific'];
const RULES = [
  null,
  null,
  'network-fee:cost',
  'wallets-from:2026-02-01',
  'swap-fee:cost',
  'without-lot:zero',
];

/** What histories from WIDER_FROM on have beside. */
const MORE_RULES = [
  'received-fee:full-lot',
  'swap-fee:proceeds',
  'wallets-from:2026-02-01 without-lot:zero',
  'wallets-from:2026-03-01 network-fee:cost',
];

/** The seed from which histories have more kinds, rules and lots. Those before stay as they are, because some of them once broke. */
const WIDER_FROM = 2_000;

export const isWide = ({ seed }: Pick<World, 'seed'>): boolean => seed >= WIDER_FROM;

export const rulesIn = (world: Pick<World, 'seed'>) => (isWide(world) ? [...RULES, ...MORE_RULES] : RULES);

export const worldOf = (seed: number): World => {
  const kinds = isWide({ seed }) ? [...KINDS, ...MORE_KINDS] : KINDS;
  const random = randomOf(`values:${seed}`);
  const owners = ['A', 'B', 'C'].slice(0, 2 + random.below(2)).map((taxpayer) => ({
    taxpayer,
    entities: ['1', '2', '3'].slice(0, 1 + random.below(3)).map((nth) => `${taxpayer.toLowerCase()}${nth}`),
    method: random.pick(METHODS),
    rules: random.pick(rulesIn({ seed })),
  }));
  return {
    seed,
    owners,
    entities: owners.flatMap(({ entities }) => entities),
    kinds: Array.from({ length: 3 + random.below(4) }, () => random.pick(kinds)),
    coins: random.chance(50) ? COINS : ['BTC'],
    market: marketOf(seed),
    lives: [],
    closed: new Map(),
    digits: new Map(),
    published: new Set(),
    external: [],
    charges: [],
    entered: [],
    isForetold: true,
    areUnitsForetold: true,
    isWalletOwn: false,
  };
};

export const ownerOf = ({ owners }: World, entity: string): string =>
  owners.find(({ entities }) => entities.includes(entity))?.taxpayer ?? '';

/** One of them, chosen by its own name, so that a shorter history chooses the same as long as it has it. */
export const chosen = <T>(items: readonly T[], nameOf: (item: T) => string, salt: string): T | undefined => {
  const rank = (item: T) =>
    createHash('sha256')
      .update(`${salt} ${nameOf(item)}`)
      .digest('hex');
  return items.map((item) => [rank(item), item] as const).sort(([a], [b]) => (a < b ? -1 : 1))[0]?.[1];
};

/** Two sides of a transfer may be one record, of two entities. */
export const nameOf = (life: Life): string => `${life.id} ${latest(life).entity}`;

/** The other side of a transfer. */
export const twinOf = ({ lives }: World, life: Life): Life | undefined =>
  lives.find((one) => one.link === life.link && one !== life);

export const latest = ({ versions }: Life): Happening => versions.at(-1) as Happening;

/** The month that an entity would close next. */
export const nextOpen = ({ closed }: World, entity: string): string => {
  const last = closed.get(entity) ?? '';
  return last === '' ? FIRST_MONTH : monthAfter(last);
};

export const closedMonths = ({ closed }: World): Month[] =>
  [...closed].flatMap(([entity, last]) => {
    const months: Month[] = [];
    for (let period = FIRST_MONTH; period <= last; period = monthAfter(period))
      months.push({ entity, period });
    return months;
  });

/** A time in a month, at an hour whose official rate is that of its own day. */
export const timeIn = (month: string, random: Random): string =>
  `${month}-${String(1 + random.below(28)).padStart(2, '0')}T${17 + random.below(6)}:${String(random.below(60)).padStart(2, '0')}:00.000Z`;

export const daysOf = (month: string): string[] =>
  Array.from({ length: 28 }, (_, day) => `${month}-${String(day + 1).padStart(2, '0')}`);
