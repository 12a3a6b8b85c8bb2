// Records that only another list of the platform explains: open orders that block funds, payments on a chain to an own pocket
// and to a stranger, social pay that waits or returned, and a card that is not paid yet.
import { cut, times, unitsOf } from '../amount.ts';
import { CARD_MS, cardOrder } from './card-order.ts';
import { deducted, type Fill, type Terms, total } from './fill.ts';
import { fund, fundTrading } from './funds.ts';
import { FEES, MARKETS, type Market, symbolOf } from './market.ts';
import { depositAddressOf, unlistedAddressOf } from './networks.ts';
import { payOnChain, receiveOnChain } from './payment-actions.ts';
import type { OrderSide } from './placed-order.ts';
import { pocketIn, type Scene } from './scene.ts';
import { paySocially } from './social-actions.ts';
import { orderIdOf, VALID_MS } from './social-order.ts';
import { main, other, type Stage } from './stage.ts';

/** Adds one of each to the main account, each at a moment of its own; a transfer needs a second entity. */
export const referenceScenes = (stage: Stage): void => {
  const scene = (daysBefore: number) => stage.scene(main(stage), daysBefore);
  unpaidSocially(scene(9.4), 'zoe@example.com', '34.5');
  unpaidSocially(scene(2.6), 'yan@example.com', '27.25');
  openOrder(scene(3.4), 'buy');
  openOrder(scene(2.3), 'sell');
  payStranger(scene(5.6));
  cardOrder(scene(0.1), CARD_MS);
  if (main(stage) !== other(stage)) payOwnAddress(scene(5.3), stage.scene(other(stage), 5.3));
};

/** Nobody claims it: it waits for a week, then the money returns. */
const unpaidSocially = (scene: Scene, email: string, amount: string): void => {
  const units = unitsOf(amount);
  const pocket = fund(scene, 'EUR', units);
  const id = scene.random.uuid();
  const expiresAt = scene.at + VALID_MS;
  const remarks = { note: 'Tickets', concept: '' };
  const person = { class: 'email', email };
  const plan = paySocially(scene, { id, pocket, units, person, remarks, expiresAt });
  scene.send({
    ...remarks,
    id: orderIdOf(id),
    sender: scene.player,
    recipient: { type: 'email', email },
    currency: 'EUR',
    units,
    pocketId: pocket.id,
    createdAt: scene.at,
    expiresAt,
    walletMovementId: id,
    plan,
    claim: null,
  });
};

/** So far from the market that it is never reached: half or twice the price. */
const openOrder = (scene: Scene, side: OrderSide): void => {
  const market = MARKETS[0] as Market;
  const terms: Terms = { market, side, feeCurrency: market.quote, percent: FEES.maker };
  const usual = scene.euro(market.base);
  const price = cut(side === 'buy' ? usual / 2n : usual * 2n, market.price);
  const amount = unitsOf(side === 'buy' ? '0.015' : '0.0125');
  const cost = times(price, amount);
  const fill: Fill = { at: Infinity, price, amount, cost, fee: (cost * terms.percent) / 10_000n };
  const blocked = total(deducted(terms, fill));
  for (const [currency, units] of blocked) {
    fundTrading(scene, currency, units);
    scene.move(scene.at, 'trading', currency, -units);
    scene.move(scene.at, 'trading-orders', currency, units);
  }
  scene.place({
    id: scene.random.uuid(),
    clientOrderId: null,
    at: scene.at,
    activeFrom: scene.at,
    symbol: symbolOf(market),
    side,
    orderType: 'limit',
    price,
    stopPrice: null,
    amount,
    feeCurrency: terms.feeCurrency,
    timeInForce: 'GTC',
    postOnly: false,
    fills: [],
    blocked,
    plan: { rows: [], effects: [] },
    cancelled: null,
  });
};

const NETWORK = 'ethereum';

/** What both payments send, in ETH. */
const PAID = { units: unitsOf('0.3125'), fee: unitsOf('0.0005') };

const payEth = (scene: Scene, address: string) => {
  const from = fund(scene, 'ETH', PAID.units);
  return payOnChain(scene, {
    ...PAID,
    id: scene.random.uuid(),
    from,
    isFeeOnTop: false,
    address: { address, addressNetwork: NETWORK },
    remarks: {},
  });
};

/** To an address that is in no book. */
const payStranger = (scene: Scene): void =>
  void payEth(scene, unlistedAddressOf(NETWORK, scene.player.userId));

/** To the deposit address of another entity, which no address book has. */
const payOwnAddress = (from: Scene, to: Scene): void => {
  const pocket = pocketIn(to, 'ETH');
  const transfer = payEth(from, depositAddressOf(NETWORK, pocket.id));
  receiveOnChain(to, transfer, pocket, NETWORK);
};
