// An order of a world: what was placed, its fills, past and to come, and the funds that it blocks.
import type { Effect } from './books.ts';

export type OrderSide = 'buy' | 'sell';
export type OrderType = 'limit' | 'stop-limit' | 'market';

/** An amount of a currency. */
export type Part = readonly [currency: string, units: bigint];

export type OrderFill = {
  readonly at: number;
  readonly amount: bigint;
  readonly cost: bigint;
  readonly fee: bigint;
  /** What the fill takes out of the blocked funds. */
  readonly deducted: readonly Part[];
};

/** What an action has planned: its records by id and its effects, of which those to come can still be called off. */
export type Plan = { readonly rows: string[]; readonly effects: Effect[] };

export type PlacedOrder = {
  readonly id: string;
  readonly clientOrderId: string | null;
  readonly at: number;
  /** When its stop price is reached; Infinity if never. An order without one is active at once. */
  readonly activeFrom: number;
  readonly symbol: string;
  readonly side: OrderSide;
  readonly orderType: OrderType;
  /** null for a market order. */
  readonly price: bigint | null;
  readonly stopPrice: bigint | null;
  readonly amount: bigint;
  readonly feeCurrency: string;
  readonly timeInForce: 'GTC' | 'IOC' | 'FOK';
  readonly postOnly: boolean;
  fills: readonly OrderFill[];
  readonly blocked: readonly Part[];
  readonly plan: Plan;
  /** The instant from which it is no longer open although it is not filled, and why. */
  cancelled: { readonly at: number; readonly reason: string } | null;
};
