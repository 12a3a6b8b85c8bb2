// The seeded world at an instant: the lists as the gateway returns them, the balances as it reports them, and the truth.
import type { StreamName } from '../../base/streams.ts';
import { DAY_MS, isoOf } from '../../base/time.ts';
import { cut, textOf, times } from '../amount.ts';
import type { Listed, TruthRow, World } from '../world.ts';
import { accountOf, blockedBucket, free, output, sumsAt } from './books.ts';
import type { Life } from './life.ts';
import type { WorldRow } from './scene.ts';
import type { SocialOrder } from './social-order.ts';

type ViewOf = {
  readonly lives: readonly Life[];
  /** Whether some movements and wallet rows are listed a day late, with their old time. */
  readonly late: boolean;
  readonly now: () => number;
};

type View = Pick<World, 'rows' | 'orders' | 'socialOrders' | 'pockets' | 'trading' | 'earn' | 'truth'>;

/** The world as seen through its lives; each list and each sum is built once per instant. */
export const viewOf = ({ lives, late, now }: ViewOf): View => {
  const [listedOnce, summedOnce] = [oncePerInstant<readonly Listed[]>(now), oncePerInstant<Sums>(now)];
  const lifeOf = (entityId: string) => lives.find(({ player }) => player.entityId === entityId) as Life;
  const sums = (entityId: string): Sums => {
    const { effects } = lifeOf(entityId);
    return summedOnce(entityId, effects, (instant) => sumsAt(effects, instant));
  };
  return {
    rows: (entityId, stream) => {
      const { rows } = lifeOf(entityId);
      return listedOnce(`${entityId} ${stream}`, rows, (instant) =>
        listed(rows, { stream, now: instant, late }),
      );
    },
    orders: (entityId) => lifeOf(entityId).orders.filter((order) => order.at <= now()),
    socialOrders: () => lives.flatMap((life) => life.socialOrders.filter((order) => isKnown(order, now()))),
    pockets: (entityId) => pocketsOf(lifeOf(entityId), sums(entityId)),
    trading: (entityId) => tradingOf(lifeOf(entityId), sums(entityId)),
    earn: (entityId) => earnOf(lifeOf(entityId), { sums: sums(entityId), now: now() }),
    truth: () => lives.flatMap(({ player: { entityId } }) => truthOf(entityId, sums(entityId))).sort(order),
  };
};

/** Makes what follows from a growing list, by name, once for each instant and length of the list. */
const oncePerInstant = <T>(now: () => number) => {
  const made = new Map<string, { readonly key: string; readonly value: T }>();
  return (name: string, { length }: readonly unknown[], make: (instant: number) => T): T => {
    const key = `${now()} ${length}`;
    const known = made.get(name);
    if (known?.key === key) return known.value;
    const value = make(now());
    made.set(name, { key, value });
    return value;
  };
};

/** What a person outside sends is known from its claim on: until then nobody could claim it. */
const isKnown = ({ sender, createdAt, claim }: SocialOrder, now: number): boolean =>
  (sender.entityId === '' ? (claim?.at ?? createdAt) : createdAt) <= now;

type Shown = { readonly stream: StreamName; readonly now: number; readonly late: boolean };

const listed = (rows: readonly WorldRow[], { stream, now, late }: Shown): Listed[] =>
  rows
    .filter((row) => row.stream === stream && visibleFrom(row, late) <= now)
    .map((row) => ({ row, version: row.versions.findLast(({ from }) => from <= now) ?? row.versions[0] }))
    .map(({ row: { id, at: instant, scope }, version }) => ({
      id,
      at: instant,
      body: version?.body ?? {},
      ...(version?.detail && { detail: version.detail }),
      ...(scope !== undefined && { scope }),
    }))
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));

const LATE_STREAMS: readonly StreamName[] = ['movements', 'wallet-transactions'];

const visibleFrom = ({ stream, id, at: instant }: WorldRow, late: boolean): number =>
  late && LATE_STREAMS.includes(stream) && id.startsWith('7') ? instant + DAY_MS : instant;

type Sums = ReadonlyMap<string, bigint>;
const fundsIn = (sums: Sums, bucket: string, currency: string): bigint =>
  sums.get(`${bucket} ${currency}`) ?? 0n;

const pocketsOf = ({ player, since }: Life, sums: Sums) =>
  player.pockets.map(({ id, currency, name }) => ({
    id,
    currency,
    name,
    createdAt: isoOf(since),
    balance: textOf(fundsIn(sums, free(id), currency)),
    blocked: textOf(fundsIn(sums, blockedBucket(id), currency)),
    blockedOutput: textOf(fundsIn(sums, output(id), currency)),
  }));

const tradingOf = ({ player, since }: Life, sums: Sums) =>
  player.trading.map(({ id, currency }) => ({
    id,
    currency,
    createdAt: isoOf(since),
    balance: textOf(fundsIn(sums, 'trading', currency)),
    blocked: textOf(fundsIn(sums, 'trading-orders', currency) + fundsIn(sums, 'trading-bots', currency)),
    inOrders: textOf(fundsIn(sums, 'trading-orders', currency)),
    inBots: textOf(fundsIn(sums, 'trading-bots', currency)),
  }));

const earnOf = ({ player, since, prices }: Life, { sums, now }: { sums: Sums; now: number }) => {
  if (player.earn === null) return null;
  return player.earn.map(({ id, currency }) => {
    const units = fundsIn(sums, 'earn', currency);
    const converted = textOf(cut(times(units, prices.euro(currency, now)), 2));
    return {
      id,
      currency,
      balance: textOf(units),
      converted,
      createdAt: isoOf(since),
      updatedAt: isoOf(now),
    };
  });
};

const truthOf = (entityId: string, sums: Sums): TruthRow[] => {
  const joined = new Map<string, bigint>();
  for (const [key, units] of sums) {
    const [bucket = '', currency = ''] = key.split(' ');
    const account = `${accountOf(bucket)} ${currency}`;
    joined.set(account, (joined.get(account) ?? 0n) + units);
  }
  return [...joined].flatMap(([key, units]) => {
    const [account = '', currency = ''] = key.split(' ');
    return units === 0n ? [] : [{ entity_id: entityId, account, currency, balance: textOf(units) }];
  });
};

const order = (a: TruthRow, b: TruthRow): number => {
  const [x, y] = [a, b].map((row) => `${row.entity_id} ${row.account} ${row.currency}`) as [string, string];
  return x < y ? -1 : x > y ? 1 : 0;
};
