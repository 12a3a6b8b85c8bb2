// What the stand-in gateway needs of a world. The seeded generator is one; a simulation may bring another.
import type { Prices } from './prices.ts';
import type { WireObject } from './wire-json.ts';

/** The lists of records, by the names that the whole project uses. */
export const WORLD_STREAMS = ['movements', 'trades', 'wallet-transactions', 'earn-movements'] as const;
export type WorldStream = (typeof WORLD_STREAMS)[number];

/** `entityId` is `main` for the main account and the subaccount's user id otherwise. */
export type Entity = {
  readonly entityId: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
};

/** A record as listed now. */
export type Listed = {
  readonly id: string;
  /** Unix milliseconds of the time that the list is ordered by. */
  readonly at: number;
  readonly body: WireObject;
  /** What the record alone, asked by id, tells on top. */
  readonly detail?: WireObject;
  /** Earn: the wallet that the record belongs to. */
  readonly scope?: string;
};

/** Amounts are plain decimal text. */
export type PocketState = {
  readonly id: string;
  readonly currency: string;
  readonly name: string;
  readonly balance: string;
  readonly blocked: string;
  readonly blockedOutput: string;
  readonly createdAt: string;
};
export type TradingState = {
  readonly id: string;
  readonly currency: string;
  readonly balance: string;
  readonly blocked: string;
  readonly createdAt: string;
};
export type EarnState = {
  readonly id: string;
  readonly currency: string;
  readonly balance: string;
  readonly converted: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** Debit positive: assets and expenses positive, liabilities and income negative. */
export type TruthRow = {
  readonly entity_id: string;
  readonly account: string;
  readonly currency: string;
  readonly balance: string;
};

export type Expected =
  | {
      readonly finding: 'break';
      readonly check: 'trading_tie_out' | 'pocket_tie_out' | 'earn_tie_out' | 'clearing_not_zero';
      readonly account: string;
      readonly currency: string;
      /** Reported − booked. */
      readonly difference: string;
    }
  | {
      readonly finding: 'reject';
      readonly stream: WorldStream;
      readonly record_id: string;
      readonly field: string;
    };

/** A defect as planted, with exactly what must be found because of it. */
export type Planted = {
  readonly name: string;
  readonly entity_id: string;
  readonly what: string;
  readonly expect: readonly Expected[];
};

export type World = {
  readonly entities: readonly Entity[];
  /** Unix milliseconds; moves only by `advance`. */
  readonly now: () => number;
  /** What the market data is made of. */
  readonly prices: Prices;
  readonly advance: (ms: number) => void;
  /** What is listed now, oldest first by (at, id). */
  readonly rows: (entityId: string, stream: WorldStream) => readonly Listed[];
  readonly pockets: (entityId: string) => readonly PocketState[];
  readonly trading: (entityId: string) => readonly TradingState[];
  /** null: this entity has no Earn. */
  readonly earn: (entityId: string) => readonly EarnState[] | null;
  /** Sorted, without zero rows. */
  readonly truth: () => readonly TruthRow[];
  readonly defects: () => readonly Planted[];
  /** The platform corrects the past: so many deposits, a minute apart from `at` on, whose funds are there from now on. */
  readonly backdate?: (entityId: string, ask: { readonly at: number; readonly count: number }) => void;
  /** One more trade at the world's now, for lists that shift while they are read. */
  readonly tradeNow?: (entityId: string) => void;
};
