// What the stand-in gateway needs of a world. The seeded generator is one; a simulation may supply another.
import type { StreamName } from '../base/streams.ts';
import type { Entity } from './entity.ts';
import type { WireObject } from './wire-json.ts';
import type { AddressOf, DepositPocket } from './world/deposit-pockets.ts';
import type { PlacedOrder } from './world/placed-order.ts';
import type { Prices } from './world/prices.ts';
import type { PresentScene } from './world/scene.ts';
import type { SocialOrder } from './world/social-order.ts';

/** A record in its current version. */
export type Listed = {
  readonly id: string;
  /** Unix milliseconds of the time by which the list is ordered. */
  readonly at: number;
  readonly body: WireObject;
  /** Further fields in the answer to a request by id. */
  readonly detail?: WireObject;
  /** Earn: the wallet of the record. */
  readonly scope?: string;
};

/** Amounts are plain decimal text. */
type PocketState = {
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
  /** What orders, and bots, block of it. */
  readonly inOrders?: string;
  readonly inBots?: string;
  readonly createdAt: string;
};
type EarnState = {
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
      readonly stream: StreamName;
      readonly record_id: string;
      readonly field: string;
    };

/** A planted defect, with exactly what the pipeline must find. */
export type Planted = {
  readonly name: string;
  readonly entity_id: string;
  readonly what: string;
  readonly expect: readonly Expected[];
};

export type World = {
  readonly entities: readonly Entity[];
  /** Unix milliseconds; only `advance` moves it, and `act` by a millisecond. */
  readonly now: () => number;
  /** The prices behind the market data. */
  readonly prices: Prices;
  readonly advance: (ms: number) => void;
  /** Something that a client does at the present time. A world without it cannot be changed. */
  readonly act?: <T>(entityId: string, action: (scene: PresentScene) => T) => T;
  /** A transaction of an entity was refused by the integrator's backend: the next one gets another id. */
  readonly noteRefused?: (entityId: string) => void;
  /** Listed at the current time, oldest first by (at, id). */
  readonly rows: (entityId: string, stream: StreamName) => readonly Listed[];
  /** The orders placed until now, oldest first. */
  readonly orders?: (entityId: string) => readonly PlacedOrder[];
  /** The social pay orders of all entities, in the order in which they were noted. */
  readonly socialOrders?: () => readonly SocialOrder[];
  /** The pocket that a deposit address of the platform belongs to. */
  readonly depositPocket?: (place: AddressOf) => DepositPocket | undefined;
  readonly pockets: (entityId: string) => readonly PocketState[];
  readonly trading: (entityId: string) => readonly TradingState[];
  /** The orders of loans, as listed; a world without it has none. */
  readonly loans?: (entityId: string) => readonly WireObject[];
  /** null: this entity has no Earn. */
  readonly earn: (entityId: string) => readonly EarnState[] | null;
  /** Sorted, without zero rows. */
  readonly truth: () => readonly TruthRow[];
  readonly defects: () => readonly Planted[];
  /** Adds an entity without any history. */
  readonly enlist?: (person: Pick<Entity, 'name' | 'email'>) => Entity;
  /** The platform corrects the past: `count` deposits, a minute apart from `at` on, whose funds are available from now on. */
  readonly backdate?: (entityId: string, ask: { readonly at: number; readonly count: number }) => void;
  /** One more trade at the world's current time, for lists that shift while they are read. */
  readonly tradeNow?: (entityId: string) => void;
};
