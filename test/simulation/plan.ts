// The plan of one seed: the bad habits of its gateway, the form of its history and the course of its nights. Everything about
// a seed follows from its plan, so that a failure replays alone.
import { STREAM_NAMES, type StreamName } from '../../src/base/streams.ts';
import { type Random, randomOf } from '../../src/sandbox/random.ts';

/** The precision of times. `folded`: shown and ordered to the microsecond, filtered by the millisecond. `hidden`: the reverse. */
type Precision = 'millisecond' | 'microsecond' | 'mixed' | 'folded' | 'hidden';

/** `size` movements in one millisecond; with few cells, no filter separates them. */
export type Burst = { readonly size: number; readonly cells: 'few' | 'many'; readonly daysBefore: number };

/** Possible changes of a list between two requests. */
export const HAPPENINGS = [
  'new',
  'back-dated',
  'late',
  'settled',
  'edited',
  'edited-late',
  'removed',
  'replaced',
] as const;
export type Happening = (typeof HAPPENINGS)[number];

/** A failure of a cursor, once, at the nth request that carries one. */
type CursorTrouble = {
  readonly kind: 'refused-400' | 'refused-404' | 'repeated' | 'empty-and-more' | 'more-without-cursor';
  readonly nth: number;
  readonly isForever: boolean;
};

/** A fault of a list's count: only one name, or too high or too low, at every nth request or always. */
type CountTrouble = {
  readonly name: 'total' | 'count' | 'both';
  readonly off: -1 | 0 | 1;
  readonly every: number;
  readonly isForever: boolean;
};

/** The request of each list at which a run is killed; lists are read in parallel, so each has its own count. */
export type Kill = Readonly<Partial<Record<StreamName, number>>>;

export type Night = {
  readonly advanceMs: number;
  readonly isFull: boolean;
  /** One attempt after another is killed: each list at its own nth request, or not at all. */
  readonly kills: readonly Kill[];
  /** Percent of request boundaries with a change. */
  readonly restless: number;
};

export type Plan = {
  readonly seed: number;
  /** The lists that this gateway offers. */
  readonly streams: readonly StreamName[];
  readonly counts: Readonly<Record<StreamName, number>>;
  readonly days: number;
  readonly precision: Precision;
  readonly bursts: readonly Burst[];
  readonly cells: number;
  readonly earnWallets: number;
  readonly happenings: readonly Happening[];
  readonly nights: readonly Night[];
  readonly tradesMax: number;
  readonly isSortIgnored: boolean;
  readonly walletMax: number;
  readonly earnMax: number;
  /** Cursors that are positions in the list, so that additions shift them. */
  readonly isCursorByPlace: boolean;
  readonly cursorTrouble: CursorTrouble | null;
  readonly countTrouble: CountTrouble;
  readonly weather: readonly string[];
  /** Percent of wallet transactions that wait before they are final. */
  readonly pending: number;
  /** The difference between the gateway's clock and the clock that dates its records. */
  readonly skewMs: number;
  /** A last night without anything new, to measure its cost. */
  readonly hasQuietNight: boolean;
  /** Of the requests of a list that are on their way at once, every nth is overtaken by the one after it; 0 for none. */
  readonly overtaken: number;
};

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Mostly small, and often at the edge of a page, where a walk may end or continue. */
const COUNTS: readonly ((random: Random) => number)[] = [
  () => 0,
  ({ below }) => below(4),
  ({ below }) => below(20),
  ({ below }) => below(40),
  ({ below }) => below(60),
  ({ pick }) => pick([19, 20, 21, 49, 50, 51, 99, 100, 101]),
  ({ pick }) => pick([49, 50, 51, 99, 100, 101, 149, 150, 151, 200]),
  ({ below, chance }) => (chance(20) ? 100 + below(500) : below(150)),
];

/** The plan of a seed. */
export const planOf = (seed: number): Plan => {
  const random = randomOf(`simulation:${seed}:plan`);
  const { below, chance, pick } = random;
  const count = () => pick(COUNTS)(random);
  const isLarge = below(200) === 0;
  const isCursorByPlace = chance(15);
  const cursorTrouble = chance(20) ? cursorTroubleOf(random) : null;
  const countTrouble = countTroubleOf(random);
  const streams = STREAM_NAMES.filter((stream) => chance(stream === 'earn-movements' ? 25 : 60));
  return {
    seed,
    streams: streams.length > 0 ? streams : ['movements'],
    counts: {
      movements: isLarge ? 1_000 + below(2_000) : count(),
      trades: count(),
      'wallet-transactions': count(),
      'earn-movements': count(),
    },
    days: pick([1, 3, 20, 20, 60]),
    precision: pick([
      'millisecond',
      'millisecond',
      'millisecond',
      'microsecond',
      'mixed',
      'folded',
      'hidden',
    ]),
    bursts: chance(30) ? burstsOf(random) : [],
    cells: pick([1, 2, 3, 5]),
    earnWallets: streams.includes('earn-movements') ? 1 + below(2) : 0,
    happenings: happeningsOf(random, { isCursorByPlace, cursorTrouble, countTrouble }),
    nights: nightsOf(random),
    tradesMax: pick([50, 50, 50, 50, 20, 7]),
    isSortIgnored: chance(20),
    walletMax: pick([100, 100, 100, 50, 20, 7]),
    earnMax: pick([100, 100, 20]),
    isCursorByPlace,
    cursorTrouble,
    countTrouble,
    weather: chance(15) ? [`${pick(['reset', 'throttle', 'unavailable', 'not-json'])}:${5 + below(20)}`] : [],
    pending: pick([0, 0, 10, 40]),
    skewMs: pick([0, 0, 0, 0, -5_000, 5_000, -HOUR, HOUR]),
    hasQuietNight: chance(25),
    overtaken: pick([0, 2, 3, 5]),
  };
};

type Troubles = Pick<Plan, 'isCursorByPlace' | 'cursorTrouble' | 'countTrouble'>;

/**
 * A position in a list is meaningless once something before it is gone; a list that is never read to its end again shows
 * nothing old; and a count that is always wrong proves nothing. Changes that no walk can find are left out there.
 */
const happeningsOf = ({ chance }: Random, troubles: Troubles): Happening[] => {
  const isCountWrong = troubles.countTrouble.isForever && troubles.countTrouble.off !== 0;
  const never: readonly Happening[] = [
    ...(troubles.isCursorByPlace || isCountWrong ? REMOVALS : []),
    ...(troubles.cursorTrouble?.isForever ? ([...REMOVALS, 'late', 'edited-late'] as const) : []),
  ];
  return HAPPENINGS.filter((one) => chance(45) && !never.includes(one));
};

const REMOVALS = ['removed', 'replaced'] as const;

const burstsOf = ({ below, chance, pick }: Random): Burst[] =>
  Array.from({ length: 1 + below(2) }, () => ({
    size: chance(2)
      ? pick([1_000, 2_000, 5_000])
      : pick([2 + below(4), 2 + below(60), 98 + below(5), 100, 101 + below(150), 200 + below(200)]),
    cells: pick(['few', 'many'] as const),
    daysBefore: chance(30) ? 0 : below(20),
  }));

const nightsOf = (random: Random): Night[] => {
  const { below, chance, pick } = random;
  return Array.from({ length: 1 + below(pick([1, 2, 3])) }, () => ({
    advanceMs: pick([DAY, DAY, DAY, 3 * DAY, 8 * DAY, 35 * DAY]) + below(HOUR),
    isFull: chance(10),
    kills: Array.from({ length: chance(35) ? 1 + below(2) : 0 }, () => killOf(random)),
    restless: pick([0, 0, 0, 10, 40, 100]),
  }));
};

const killOf = ({ below, chance, pick }: Random): Kill =>
  Object.fromEntries(
    STREAM_NAMES.filter(() => chance(60)).map((stream) => [stream, 1 + below(pick([3, 10]))]),
  );

/** A cursor that is always refused with 400 ends the night: a failure, not a gap. */
const cursorTroubleOf = ({ below, chance, pick }: Random): CursorTrouble => {
  const kind = pick([
    'refused-400',
    'refused-404',
    'repeated',
    'empty-and-more',
    'more-without-cursor',
  ] as const);
  return { kind, nth: 1 + below(3), isForever: chance(20) && kind !== 'refused-400' };
};

const countTroubleOf = ({ below, chance, pick }: Random): CountTrouble => ({
  name: pick(['both', 'both', 'total', 'count']),
  off: chance(12) ? pick([-1, 1]) : 0,
  every: 1 + below(4),
  isForever: chance(20),
});
