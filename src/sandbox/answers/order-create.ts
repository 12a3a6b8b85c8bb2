// Creating an order: the rules of the specification, each with its code, then the order in the world.
import { HOUR_MS } from '../../base/time.ts';
import type { CONTRACT } from '../../gateway/contract/contract.ts';
import { times } from '../amount.ts';
import type { Question, SandboxAnswer } from '../question.ts';
import { isListed } from '../world/coins.ts';
import {
  bookOf,
  INITIAL_PRICE,
  type Level,
  LISTED,
  type ListedMarket,
  limitsOf,
  symbolOf,
} from '../world/market.ts';
import { baseAmount, type OrderRequest, placeOrder, statusOf } from '../world/order-placing.ts';
import type { PlacedOrder } from '../world/placed-order.ts';
import type { Prices } from '../world/prices.ts';
import { amountFrom, type BodyOf, change, decimalsIn } from './change.ts';
import { moodOf, type OrderCode, rejected } from './order-code.ts';
import { orderView } from './order-view.ts';

type OrderBody = BodyOf<typeof CONTRACT.trading.createOrder>;
type OrderType = OrderBody['orderType'];

/** A market at an instant. */
type MarketNow = { readonly prices: Prices; readonly now: number };

/** Checks in order (A-ORDER-COURSE): the words of the body, its figures, the number of orders, and the funds. */
export const createOrder = (question: Question): SandboxAnswer => {
  const { world, platform, entity } = question;
  const body = question.body as OrderBody;
  const listed = LISTED.find((one) => symbolOf(one) === body.symbol && one.mood !== 'closed');
  const early = moodOf(platform, 'create') ?? wrongWords(body, listed);
  if (early !== null || listed === undefined) return rejected(early ?? 'MARKET_CONFIG_NOT_FOUND');
  return change(question, (scene) => {
    const market = { prices: world.prices, now: scene.at };
    const request = requestOf(body, listed, market);
    const code = wrongFigures(request, market) ?? tooMany(question, request.market);
    if (code !== null) return rejected(code);
    const order = placeOrder(scene, world.prices, request);
    return order === null
      ? rejected('NOT_ENOUGH_BALANCE')
      : { data: orderView(order, entity.userId, scene.at) };
  });
};

const isZero = (text: string | undefined): boolean => text !== undefined && !/[1-9]/.test(text);

const wrongWords = (body: OrderBody, market: ListedMarket | undefined): OrderCode | null => {
  if (isZero(body.amount)) return 'ORDER_AMOUNT_LOWER_EQUAL_ZERO';
  if (isZero(body.price)) return 'ORDER_PRICE_LOWER_EQUAL_ZERO';
  if (isZero(body.stopPrice)) return 'ORDER_STOP_PRICE_LOWER_EQUAL_ZERO';
  if (!body.symbol.split('/').every(isListed)) return 'CURRENCY_NOT_SUPPORTED';
  if (market === undefined) return 'MARKET_CONFIG_NOT_FOUND';
  if (!FORCES[body.orderType].includes(forceOf(body))) return 'TIME_IN_FORCE_INVALID';
  if (body.postOnly === true && (body.orderType !== 'limit' || forceOf(body) !== 'GTC'))
    return 'TIME_IN_FORCE_INVALID';
  const amountDecimals = body.amountInQuote === true ? market.price : market.amount;
  if (decimalsIn(body.amount) > amountDecimals) return 'AMOUNT_PRECISION_EXCEEDED';
  const prices = [body.price ?? '', body.stopPrice ?? ''];
  return prices.some((price) => decimalsIn(price) > market.price) ? 'PRICE_PRECISION_EXCEEDED' : null;
};

/** What each type of order allows. */
const FORCES: Readonly<Record<OrderType, readonly PlacedOrder['timeInForce'][]>> = {
  limit: ['GTC', 'IOC', 'FOK'],
  market: ['IOC', 'FOK'],
  'stop-limit': ['GTC'],
};

const forceOf = ({ timeInForce, orderType }: OrderBody): PlacedOrder['timeInForce'] =>
  timeInForce ?? (orderType === 'market' ? 'IOC' : 'GTC');

/** The decimals are checked before. */
const unitsIn = (text: string): bigint => amountFrom(text, 18) ?? 0n;

const requestOf = (body: OrderBody, market: ListedMarket, { prices, now }: MarketNow): OrderRequest => {
  const { side, orderType, amountInQuote, postOnly = false, clientOrderId = null } = body;
  const price = orderType === 'market' || body.price === undefined ? null : unitsIn(body.price);
  const units = unitsIn(body.amount);
  return {
    market,
    side,
    orderType,
    price,
    stopPrice: orderType === 'stop-limit' ? unitsIn(body.stopPrice ?? '0') : null,
    amount: amountInQuote === true ? baseAmount({ market, side, price }, units, prices, now) : units,
    timeInForce: forceOf(body),
    postOnly,
    clientOrderId,
  };
};

const wrongFigures = (request: OrderRequest, market: MarketNow): OrderCode | null =>
  wrongStart(request) ?? outsideLimits(request, market) ?? missingLiquidity(request, market);

/** A market that has not started takes limit orders around its initial price. */
const wrongStart = ({ market, orderType, side, price, stopPrice }: OrderRequest): OrderCode | null => {
  if (market.mood !== 'unstarted') return null;
  if (orderType === 'market' || price === null) return 'ONLY_LIMIT_ORDERS_ALLOWED';
  if (stopPrice !== null && side === 'buy' && stopPrice < INITIAL_PRICE)
    return 'BUY_STOP_PRICE_IS_BELOW_INITIAL_PRICE';
  if (stopPrice !== null && side === 'sell' && stopPrice > INITIAL_PRICE)
    return 'SELL_STOP_PRICE_IS_ABOVE_INITIAL_PRICE';
  if (side === 'buy' && price > INITIAL_PRICE) return 'BUY_PRICE_IS_ABOVE_INITIAL_PRICE';
  return side === 'sell' && price < INITIAL_PRICE ? 'SELL_PRICE_IS_BELOW_INITIAL_PRICE' : null;
};

const outsideLimits = ({ market, price, amount }: OrderRequest, { prices }: MarketNow): OrderCode | null => {
  const limits = limitsOf(market, prices);
  if (price !== null && price < limits.minPrice) return 'PRICE_LOWER_MARKET_MIN';
  if (price !== null && price > limits.maxPrice) return 'PRICE_GREATER_MARKET_MAX';
  if (amount < limits.minAmount) return 'ORDER_AMOUNT_LOWER_MARKET_MIN';
  if (amount > limits.maxAmount) return 'ORDER_AMOUNT_GREATER_MARKET_MAX';
  return price !== null && times(price, amount) < limits.minOrderSize ? 'ORDER_SIZE_LOWER_MARKET_MIN' : null;
};

/** Only a market order needs the orders of others: a limit order may wait. */
const missingLiquidity = (request: OrderRequest, { prices, now }: MarketNow): OrderCode | null => {
  if (request.orderType !== 'market') return null;
  const { bids, asks } = bookOf(request.market, prices, now);
  const sum = (levels: readonly Level[]) => levels.reduce((units, { amount }) => units + amount, 0n);
  const there = sum(request.side === 'buy' ? asks : bids);
  if (there === 0n) return 'NOT_ENOUGH_LIQUIDITY';
  if (request.amount <= there) return null;
  return request.side === 'buy'
    ? 'ORDER_AMOUNT_GREATER_TOTAL_AMOUNT_IN_SALE'
    : 'ORDER_AMOUNT_GREATER_TOTAL_AMOUNT_IN_PURCHASE';
};

const CREATED_MAX = 100;
const OPEN_MAX = 50;

/** Orders of the last hour, and open orders, of the market. */
const tooMany = ({ world, entity }: Question, market: ListedMarket): OrderCode | null => {
  const now = world.now();
  const own = (world.orders?.(entity.entityId) ?? []).filter(({ symbol }) => symbol === symbolOf(market));
  if (own.filter((order) => order.at > now - HOUR_MS).length >= CREATED_MAX)
    return 'MAX_CREATED_ORDERS_REACHED';
  const isOpen = (order: PlacedOrder) => ['open', 'inactive'].includes(statusOf(order, now));
  return own.filter(isOpen).length >= OPEN_MAX ? 'MAX_OPEN_ORDERS_REACHED' : null;
};
