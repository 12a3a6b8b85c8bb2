// A fill of an order: the funds that it reserves and moves, its fee, and its record as a trade.
import { isoOf } from '../../base/time.ts';
import { cut, ONE, over, paddedText, textOf, times } from '../amount.ts';
import { randomOf } from '../random.ts';
import { exact, type Wire, type WireObject } from '../wire-json.ts';
import type { Market } from './market.ts';
import { symbolOf } from './market.ts';
import type { OrderFill, OrderSide, OrderType, Part } from './placed-order.ts';
import type { Scene } from './scene.ts';

export type Fill = {
  readonly at: number;
  readonly price: bigint;
  readonly amount: bigint;
  readonly cost: bigint;
  readonly fee: bigint;
};

/** What the fills of an order share. The history leaves out what a client says: that follows from the order's id. */
export type Terms = {
  readonly market: Market;
  readonly side: OrderSide;
  readonly feeCurrency: string;
  /** Of the cost, in hundredths of a per cent. */
  readonly percent: bigint;
  readonly words?: {
    readonly orderType: OrderType;
    readonly isMaker: boolean;
    readonly clientOrderId: string | null;
  };
};

type Charged = Pick<Fill, 'at' | 'amount' | 'cost'> & Pick<Terms, 'market' | 'feeCurrency'>;

/** The amount of which a fee is a percentage, in the currency of the fee. */
export const feeBase = (
  { euro }: Scene,
  { market, feeCurrency, amount, cost, at: instant }: Charged,
): bigint => {
  if (feeCurrency === market.base) return amount;
  if (feeCurrency === market.quote) return cost;
  return over(times(cost, euro(market.quote, instant)), euro(feeCurrency, instant));
};

/** The sum by currency. */
export const total = (parts: readonly Part[]): Part[] => {
  const sums = new Map<string, bigint>();
  for (const [currency, units] of parts) sums.set(currency, (sums.get(currency) ?? 0n) + units);
  return [...sums];
};

/** Reserves what the fills will take; false if funds are missing. */
export const reserve = (scene: Scene, parts: readonly Part[]): boolean => {
  const need = total(parts);
  for (const [currency, units] of need) if (scene.has('trading', currency) < units) return false;
  for (const [currency, units] of need) {
    scene.move(scene.at, 'trading', currency, -units);
    scene.move(scene.at, 'trading-orders', currency, units);
  }
  return true;
};

const boughtUnits = ({ market, side }: Terms, fill: Fill): Part =>
  side === 'buy' ? [market.base, fill.amount] : [market.quote, fill.cost];

/** What a fill takes: what is paid, and the fee unless it is deducted from the proceeds. */
export const deducted = (terms: Terms, fill: Fill): Part[] => {
  const { market, side, feeCurrency } = terms;
  const paid: Part = side === 'buy' ? [market.quote, fill.cost] : [market.base, fill.amount];
  return feeCurrency === boughtUnits(terms, fill)[0] ? [paid] : [paid, [feeCurrency, fill.fee]];
};

/** Moves the funds of a fill and lists its trade. */
export const settle = (scene: Scene, terms: Terms, fill: Fill, orderId: string): OrderFill => {
  const [currency, units] = boughtUnits(terms, fill);
  const net = terms.feeCurrency === currency ? units - fill.fee : units;
  const parts = deducted(terms, fill);
  for (const [spent, amount] of parts) scene.move(fill.at, 'trading-orders', spent, -amount);
  scene.move(fill.at, 'trading', currency, net);
  scene.move(fill.at, 'fees-trading', terms.feeCurrency, fill.fee);
  const id = scene.random.uuid();
  const body = tradeBody(scene, terms, fill, { id, orderId });
  scene.list({ stream: 'trades', id, at: fill.at, versions: [{ from: fill.at, body }] });
  return { at: fill.at, amount: fill.amount, cost: fill.cost, fee: fill.fee, deducted: parts };
};

/** All trades of an order have its type. */
export const historicType = (orderId: string): OrderType =>
  randomOf(`${orderId}:type`).pick(['limit', 'limit', 'market', 'stop-limit']);

type Ids = { readonly id: string; readonly orderId: string };

/** Figures are numbers in some trades and text in others. */
const tradeBody = (
  scene: Scene,
  { market, side, feeCurrency, percent, words }: Terms,
  fill: Fill,
  ids: Ids,
): WireObject => {
  const { random } = scene;
  const digitsForm = random.chance(50) ? exact : (digits: string): Wire => digits;
  if (words === undefined) random.below(4); // unused, and drawn so that a seed keeps its world
  const figure = (units: bigint) => digitsForm(random.chance(20) ? paddedText(units, 8) : textOf(units));
  return {
    ...ids,
    symbol: symbolOf(market),
    side,
    orderType: words?.orderType ?? historicType(ids.orderId),
    price: figure(fill.price),
    priceCurrency: market.quote,
    amount: figure(fill.amount),
    amountCurrency: market.base,
    cost: figure(fill.cost),
    costEuro: figure(cut(times(fill.cost, scene.euro(market.quote, fill.at)), 2)),
    feeAmount: figure(fill.fee),
    feeCurrency,
    feePercentage: figure((percent * ONE) / 100n),
    isMaker: words?.isMaker ?? random.chance(50),
    clientOrderId: words?.clientOrderId ?? null,
    createdAt: isoOf(fill.at),
  };
};
