// The orders of the history: each fills in one or several trades, some of them much later.
import { HOUR_MS } from '../../base/time.ts';
import { cut, ONE, over, times } from '../amount.ts';
import { deducted, type Fill, feeBase, historicType, reserve, settle, type Terms, total } from './fill.ts';
import { MARKETS, type Market, symbolOf } from './market.ts';
import { planned } from './moment.ts';
import { type Action, movement, portion, type Scene } from './scene.ts';

const FEE_TOKEN = 'GEM';

/** Places an order and plans its fills. */
export const order: Action = (scene) => {
  const { random } = scene;
  const market = random.pick(MARKETS);
  const side = random.pick(['buy', 'sell'] as const);
  const feeCurrency = random.pick([market.base, market.quote, market.quote, FEE_TOKEN]);
  const percent = random.pick([0n, 10n, 16n, 25n]);
  const terms = { market, side, feeCurrency, percent };
  const fills = fillsOf(scene, terms);
  if (fills.length === 0 || !reserveFor(scene, terms, fills)) return false;
  settleAll(scene, terms, fills);
  return true;
};

const reserveFor = (scene: Scene, terms: Terms, fills: readonly Fill[]): boolean =>
  reserve(
    scene,
    fills.flatMap((fill) => deducted(terms, fill)),
  );

/** Settles the fills of an order and places it, at the worst of their prices unless it is a market order. */
const settleAll = (scene: Scene, terms: Terms, fills: readonly Fill[]): void => {
  const id = scene.random.uuid();
  const { scene: noting, plan } = planned(scene);
  const settled = fills.map((fill) => settle(noting, terms, fill, id));
  const prices = fills.map(({ price }) => price).sort((a, b) => (a < b ? -1 : 1));
  const worst = prices.at(terms.side === 'buy' ? -1 : 0) ?? null;
  const orderType = historicType(id);
  scene.place({
    id,
    clientOrderId: null,
    at: scene.at,
    activeFrom: scene.at,
    symbol: symbolOf(terms.market),
    side: terms.side,
    orderType,
    price: orderType === 'market' ? null : worst,
    stopPrice: orderType === 'stop-limit' ? worst : null,
    amount: fills.reduce((sum, { amount }) => sum + amount, 0n),
    feeCurrency: terms.feeCurrency,
    timeInForce: 'GTC',
    postOnly: false,
    fills: settled,
    blocked: total(settled.flatMap((fill) => fill.deducted)),
    plan,
    cancelled: null,
  });
};

const fillsOf = (scene: Scene, { market, side, feeCurrency, percent }: Terms): Fill[] => {
  const { random, at: instant } = scene;
  const spent = side === 'buy' ? market.quote : market.base;
  const budget = portion(scene, 'trading', spent, 25);
  const count = 1 + random.below(6);
  const patience = random.chance(25) ? 30 * HOUR_MS : 60_000;
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

/** One small free buy at an instant, for a list that shifts while it is read; false if there is no euro for it. */
export const smallTrade: Action = (scene) => {
  const market = MARKETS[0] as Market;
  const terms: Terms = { market, side: 'buy', feeCurrency: 'EUR', percent: 0n };
  const [price, amount] = [cut(scene.euro('BTC'), 2), ONE / 1_000_000n];
  const fill: Fill = { at: scene.at, price, amount, cost: times(price, amount), fee: 0n };
  if (!reserveFor(scene, terms, [fill])) return false;
  settleAll(scene, terms, [fill]);
  return true;
};

/** One buy of ETH with a fee, funded and listed before, for a history that has none. */
export const fundedTrade = (scene: Scene, feeCurrency: string): void => {
  const terms: Terms = { market: MARKETS[2] as Market, side: 'buy', feeCurrency, percent: 16n };
  const [price, amount, instant] = [cut(scene.euro('ETH'), 2), ONE / 50n, scene.at];
  const cost = times(price, amount);
  const fee =
    (feeBase(scene, { market: terms.market, feeCurrency, amount, cost, at: instant }) * terms.percent) /
    10_000n;
  const fill: Fill = { at: instant, price, amount, cost, fee };
  for (const [currency, units] of deducted(terms, fill)) {
    scene.move(instant - HOUR_MS, 'trading-orders', currency, units);
    movement(scene, { at: instant - HOUR_MS, currency, units, type: 'deposit', origin: 'admin' });
  }
  settleAll(scene, terms, [fill]);
};
