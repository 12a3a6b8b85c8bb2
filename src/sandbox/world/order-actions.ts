// Orders: funds are reserved when an order is placed; it fills in one or several trades, some of them much later.
import { isoOf } from '../../base/time.ts';
import { cut, ONE, over, paddedText, textOf, times } from '../amount.ts';
import { exact, type Wire, type WireObject } from '../wire-json.ts';
import { type Action, movement, portion, type Scene } from './scene.ts';

const HOUR = 3_600_000;
const FEE_TOKEN = 'GEM';

type Market = {
  readonly base: string;
  readonly quote: string;
  readonly price: number;
  readonly amount: number;
};

/** Decimals of price and amount add up to 18 or fewer, so that cost = price × amount is exact. */
const MARKETS: readonly Market[] = [
  { base: 'BTC', quote: 'EUR', price: 2, amount: 8 },
  { base: 'BTC', quote: 'EUR', price: 0, amount: 18 },
  { base: 'ETH', quote: 'EUR', price: 2, amount: 8 },
  { base: 'ETH', quote: 'EUR', price: 0, amount: 18 },
  { base: 'BTC', quote: 'USD', price: 2, amount: 8 },
  { base: 'ETH', quote: 'GBP', price: 2, amount: 8 },
  { base: 'EUR', quote: 'USD', price: 4, amount: 2 },
  { base: 'SOL', quote: 'USDC', price: 4, amount: 9 },
  { base: 'ETH', quote: 'BTC', price: 6, amount: 8 },
  { base: 'MOTE', quote: 'EUR', price: 15, amount: 0 },
];

type OrderSide = 'buy' | 'sell';
type Fill = {
  readonly at: number;
  readonly price: bigint;
  readonly amount: bigint;
  readonly cost: bigint;
  readonly fee: bigint;
};
type Order = {
  readonly market: Market;
  readonly side: OrderSide;
  readonly feeCurrency: string;
  readonly percent: bigint;
};

/** Places an order and plans its fills. */
export const order: Action = (scene) => {
  const { random } = scene;
  const market = random.pick(MARKETS);
  const side = random.pick(['buy', 'sell'] as const);
  const feeCurrency = random.pick([market.base, market.quote, market.quote, FEE_TOKEN]);
  const percent = random.pick([0n, 10n, 16n, 25n]);
  const plan = { market, side, feeCurrency, percent };
  const fills = fillsOf(scene, plan);
  if (fills.length === 0 || !reserve(scene, plan, fills)) return false;
  const orderId = random.uuid();
  for (const fill of fills) settle(scene, plan, fill, orderId);
  return true;
};

const fillsOf = (scene: Scene, { market, side, feeCurrency, percent }: Order): Fill[] => {
  const { random, at: instant } = scene;
  const spent = side === 'buy' ? market.quote : market.base;
  const budget = portion(scene, 'trading', spent, 25);
  const count = 1 + random.below(6);
  const patience = random.chance(25) ? 30 * HOUR : 60_000;
  return Array.from({ length: count }, (): Fill => {
    const when = instant + 1000 + random.below(patience);
    const price = priceAt(scene, market, when);
    const share = (budget / BigInt(count)) * BigInt(50 + random.below(50));
    const amount = cut((side === 'buy' ? over(share, price) : share) / 100n, market.amount);
    const cost = times(price, amount);
    const fee = (feeBase(scene, { market, feeCurrency, amount, cost, at: when }) * percent) / 10_000n;
    return { at: when, price, amount, cost, fee };
  }).filter((fill) => fill.cost > 0n);
};

/** A price within one per cent of the market. */
const priceAt = ({ euro, random }: Scene, market: Market, instant: number): bigint => {
  const price = over(euro(market.base, instant), euro(market.quote, instant));
  return cut((price * BigInt(990 + random.below(21))) / 1000n, market.price);
};

type Charged = Pick<Fill, 'at' | 'amount' | 'cost'> & Pick<Order, 'market' | 'feeCurrency'>;

/** The amount of which a fee is a percentage, in the currency of the fee. */
const feeBase = ({ euro }: Scene, { market, feeCurrency, amount, cost, at: instant }: Charged): bigint => {
  if (feeCurrency === market.base) return amount;
  if (feeCurrency === market.quote) return cost;
  return over(times(cost, euro(market.quote, instant)), euro(feeCurrency, instant));
};

/** Reserves what the fills will take, with fees unless they are deducted from the proceeds; false if funds are missing. */
const reserve = (scene: Scene, plan: Order, fills: readonly Fill[]): boolean => {
  const need = new Map<string, bigint>();
  for (const fill of fills)
    for (const [currency, units] of deductedFee(plan, fill))
      need.set(currency, (need.get(currency) ?? 0n) + units);
  for (const [currency, units] of need) if (scene.has('trading', currency) < units) return false;
  for (const [currency, units] of need) {
    scene.move(scene.at, 'trading', currency, -units);
    scene.move(scene.at, 'trading-orders', currency, units);
  }
  return true;
};

const boughtUnits = ({ market, side }: Order, fill: Fill): [string, bigint] =>
  side === 'buy' ? [market.base, fill.amount] : [market.quote, fill.cost];

const deductedFee = (plan: Order, fill: Fill): [string, bigint][] => {
  const { market, side, feeCurrency } = plan;
  const paid: [string, bigint] = side === 'buy' ? [market.quote, fill.cost] : [market.base, fill.amount];
  return feeCurrency === boughtUnits(plan, fill)[0] ? [paid] : [paid, [feeCurrency, fill.fee]];
};

const settle = (scene: Scene, plan: Order, fill: Fill, orderId: string): void => {
  const [currency, units] = boughtUnits(plan, fill);
  const net = plan.feeCurrency === currency ? units - fill.fee : units;
  for (const [spent, amount] of deductedFee(plan, fill))
    scene.move(fill.at, 'trading-orders', spent, -amount);
  scene.move(fill.at, 'trading', currency, net);
  scene.move(fill.at, 'fees-trading', plan.feeCurrency, fill.fee);
  const id = scene.random.uuid();
  const body = tradeBody(scene, plan, fill, { id, orderId });
  scene.list({ stream: 'trades', id, at: fill.at, versions: [{ from: fill.at, body }] });
};

type Ids = { readonly id: string; readonly orderId: string };

/** Figures are numbers in some trades and text in others. */
const tradeBody = (
  scene: Scene,
  { market, side, feeCurrency, percent }: Order,
  fill: Fill,
  ids: Ids,
): WireObject => {
  const { random } = scene;
  const digitsForm = random.chance(50) ? exact : (digits: string): Wire => digits;
  const figure = (units: bigint) => digitsForm(random.chance(20) ? paddedText(units, 8) : textOf(units));
  return {
    ...ids,
    symbol: `${market.base}/${market.quote}`,
    side,
    orderType: random.pick(['limit', 'limit', 'market', 'stop-limit']),
    price: figure(fill.price),
    priceCurrency: market.quote,
    amount: figure(fill.amount),
    amountCurrency: market.base,
    cost: figure(fill.cost),
    costEuro: figure(cut(times(fill.cost, scene.euro(market.quote, fill.at)), 2)),
    feeAmount: figure(fill.fee),
    feeCurrency,
    feePercentage: figure((percent * ONE) / 100n),
    isMaker: random.chance(50),
    clientOrderId: null,
    createdAt: isoOf(fill.at),
  };
};

/** One small free buy at an instant, for a list that shifts while it is read; false if there is no euro for it. */
export const smallTrade: Action = (scene) => {
  const market = MARKETS[0] as Market;
  const plan: Order = { market, side: 'buy', feeCurrency: 'EUR', percent: 0n };
  const [price, amount] = [cut(scene.euro('BTC'), 2), ONE / 1_000_000n];
  const fill: Fill = { at: scene.at, price, amount, cost: times(price, amount), fee: 0n };
  if (!reserve(scene, plan, [fill])) return false;
  settle(scene, plan, fill, scene.random.uuid());
  return true;
};

/** One buy of ETH with a fee, funded and listed before, for a history that has none. */
export const fundedTrade = (scene: Scene, feeCurrency: string): void => {
  const plan: Order = { market: MARKETS[2] as Market, side: 'buy', feeCurrency, percent: 16n };
  const [price, amount, instant] = [cut(scene.euro('ETH'), 2), ONE / 50n, scene.at];
  const cost = times(price, amount);
  const fee =
    (feeBase(scene, { market: plan.market, feeCurrency, amount, cost, at: instant }) * plan.percent) /
    10_000n;
  const fill: Fill = { at: instant, price, amount, cost, fee };
  for (const [currency, units] of deductedFee(plan, fill)) {
    scene.move(instant - HOUR, 'trading-orders', currency, units);
    movement(scene, { at: instant - HOUR, currency, units, type: 'deposit', origin: 'admin' });
  }
  settle(scene, plan, fill, scene.random.uuid());
};
