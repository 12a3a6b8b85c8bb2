// The records of a simulated history: what each moves and what was paid for it, and the record as the gateway would list it.
import { type Atto, attoText } from '../../../src/base/money.ts';
import type { StreamName, WireRecord } from '../../../src/base/streams.ts';
import type { Coin, Market } from './market.ts';
import { endsOfMove, isPlaceMove, movementOf, PLACE_KINDS, streamOfMove } from './place-moves.ts';

export const KINDS = [
  'buy',
  'sell',
  'swap',
  'convert',
  'receive',
  'send',
  'from own wallet',
  'to own wallet',
  'reward',
  'transfer out',
  'transfer in',
] as const;

/** Trades with their fee in another currency than `buy` and `sell` have it, a swap with a fee, and moves between places. */
export const MORE_KINDS = ['buy kept', 'buy other fee', 'sell coin fee', 'swap fee', ...PLACE_KINDS] as const;
export type Kind = (typeof KINDS)[number] | (typeof MORE_KINDS)[number];

/**
 * What happened, as the simulation knows it. Amounts in 1e-18; `fee` in the coin, of a trade in euro; what arrives less its fee enters a
 * pocket. `isStated`: the platform states `money` as the value of a swap or a reward; otherwise it has its market value.
 */
export type Happening = {
  readonly kind: Kind;
  readonly entity: string;
  readonly at: string;
  readonly coin: Coin;
  readonly units: Atto;
  readonly money: Atto;
  readonly fee: Atto;
  readonly isStated: boolean;
  /** The other side of a transfer between entities, and whether only a hash shows it. */
  readonly other: string | null;
  readonly isOnChain: boolean;
  readonly cancelledAt: string | null;
};

/** What a happening moves in the books of its entity, and what was paid for it in euro: negative if it was received. */
export type Effect = { readonly currency: string; readonly units: Atto; readonly paid: Atto };

const swapped = (coin: Coin): Coin => (coin === 'BTC' ? 'ETH' : 'BTC');

/** The day of the rate that counts. */
export const dayOf = ({ at: instant }: Pick<Happening, 'at'>): string => instant.slice(0, 10);

/**
 * None for a cancelled one, and for a move between places. A fee of a network is a disposal at market value; one of a trade is part of what
 * was paid, also if it is paid in a coin: what that is worth is part of the one's cost, and received for the other.
 */
export const effectsOf = (happening: Happening, market: Market): Effect[] => {
  const { kind, coin, units, money, fee, cancelledAt } = happening;
  if (cancelledAt !== null || isPlaceMove(kind)) return [];
  const price = market.price(coin, dayOf(happening));
  const value = valueIn(happening, market);
  const effect = (amount: Atto, paid: Atto, currency: string = coin): Effect => ({
    currency,
    units: amount,
    paid,
  });
  const euro = (amount: Atto): Effect => effect(amount, 0n, 'EUR');
  const charged = feeOf(happening);
  const network = effect(-charged, -charged * price);
  switch (kind) {
    case 'buy':
      return [effect(units, money + fee), euro(-money - fee)];
    case 'sell':
      return [effect(-units, fee - money), euro(money - fee)];
    case 'convert':
      return [effect(units, money), euro(-money)];
    case 'buy kept':
      return [effect(units - charged, money), euro(-money)];
    case 'buy other fee': {
      const worth = charged * market.price(swapped(coin), dayOf(happening));
      return [effect(units, money + worth), euro(-money), effect(-charged, -worth, swapped(coin))];
    }
    case 'sell coin fee':
      return [effect(-units - charged, -money), euro(money)];
    case 'swap fee':
      return [effect(-units - charged, -value), effect(units * 10n, value, swapped(coin))];
    case 'swap':
      return [effect(-units, -value), effect(units * 10n, value, swapped(coin))];
    case 'receive':
      return [effect(units, units * price), network];
    case 'send':
      return [effect(-units, -units * price), network];
    case 'reward':
      return [effect(units, value)];
    case 'from own wallet':
    case 'transfer in':
      return [effect(units, 0n), network];
    case 'to own wallet':
    case 'transfer out':
      return [effect(-units, 0n), network];
  }
};

/** What an arrival cannot pay is not charged. */
const feeOf = ({ kind, units, fee }: Happening): Atto =>
  (isIncoming(kind) || kind === 'buy kept') && fee >= units ? 0n : fee;

const isIncoming = (kind: Kind): boolean => ['receive', 'from own wallet', 'transfer in'].includes(kind);

/** The value of a swap or a reward. */
const valueIn = ({ kind, coin, units, money, isStated, ...rest }: Happening, { price }: Market): Atto => {
  if (isStated) return money;
  const day = dayOf(rest);
  return isSwap(kind) ? units * 10n * price(swapped(coin), day) : units * price(coin, day);
};

export const streamOf = ({ kind }: Happening): StreamName => {
  if (isPlaceMove(kind)) return streamOfMove(kind);
  if (kind === 'reward') return 'earn-movements';
  return /^(buy|sell|swap)/.test(kind) ? 'trades' : 'wallet-transactions';
};

const isSwap = (kind: Kind): boolean => kind === 'swap' || kind === 'swap fee';

/** The pocket of a currency, whose name says whose it is. */
export const pocketOf = (entity: string, currency: string): string => `${entity}-${currency.toLowerCase()}`;

/** The record as listed. `link` is the same for both sides of a transfer over a chain. */
export const listed = (id: string, link: string, happening: Happening): WireRecord => {
  const { kind, coin } = happening;
  const createdAt = happening.at;
  if (kind === 'reward') return { movementId: id, createdAt, ...rewardOf(happening) };
  if (isPlaceMove(kind) && streamOf(happening) !== 'wallet-transactions')
    return movementOf(id, { ...happening, kind });
  if (streamOf(happening) === 'trades') return { id, orderId: `o-${id}`, createdAt, ...tradeOf(happening) };
  const { cancelledAt, isOnChain } = happening;
  const isArrival = kind === 'convert' || isIncoming(kind);
  return {
    id,
    date: createdAt,
    completedAt: createdAt,
    canceledAt: cancelledAt,
    type: kind === 'convert' ? 'transfer' : isArrival ? 'deposit' : 'withdrawal',
    subtype: kind === 'convert' ? 'purchase' : isArrival ? 'receive' : 'automatic-send',
    method: kind === 'convert' ? 'pocket' : 'blockchain',
    status: cancelledAt === null ? 'completed' : 'canceled',
    ...endsOf(happening, coin),
    ...(isOnChain && { transaction: { hash: link } }),
  };
};

const tradeOf = (happening: Happening): WireRecord => {
  const { kind, coin, units, money, isStated } = happening;
  return {
    symbol: isSwap(kind) ? `${swapped(coin)}/${coin}` : `${coin}/EUR`,
    side: kind.startsWith('sell') ? 'sell' : 'buy',
    orderType: 'limit',
    price: '1',
    amount: attoText(isSwap(kind) ? units * 10n : units),
    cost: attoText(isSwap(kind) ? units : money),
    feeAmount: attoText(kind === 'swap' ? 0n : feeOf(happening)),
    feeCurrency: feeCurrencyOf(happening),
    costEuro: isStated ? attoText(money) : null,
  };
};

const feeCurrencyOf = ({ kind, coin }: Happening): string => {
  if (kind === 'buy' || kind === 'sell') return 'EUR';
  return kind === 'buy other fee' ? swapped(coin) : coin;
};

const rewardOf = ({ entity, coin, units, money, isStated }: Happening): WireRecord => ({
  walletId: `${entity}-earn-${coin}`,
  type: 'reward',
  amount: { value: attoText(units), currency: coin },
  convertedAmount: isStated ? { value: attoText(money), currency: 'EUR' } : null,
  issuer: 'platform',
});

/** The two ends of a wallet transaction. */
const endsOf = (happening: Happening, coin: Coin): WireRecord => {
  const { kind, entity, units, money, other, isOnChain } = happening;
  const fee = feeOf(happening);
  const pocket = (amount: Atto, currency: string, owner = entity) => ({
    class: 'pocket',
    currency,
    amount: attoText(amount),
    pocketId: pocketOf(owner, currency),
  });
  const far = (rest: WireRecord) => ({
    class: 'blockchain',
    currency: coin,
    amount: attoText(units),
    ...rest,
  });
  if (isPlaceMove(kind)) return endsOfMove(kind, { pocket: pocket(units, coin), currency: coin });
  const person = far({ class: 'platform-user', userId: `user-${other}` });
  const outside = other === null ? far({ address: addressOf(kind) }) : isOnChain ? far({}) : person;
  switch (kind) {
    case 'convert':
      return { origin: pocket(money, 'EUR'), destination: pocket(units, coin) };
    case 'receive':
    case 'from own wallet':
    case 'transfer in':
      return { origin: outside, destination: pocket(units - fee, coin) };
    default:
      return { origin: pocket(units + fee, coin), destination: outside };
  }
};

/** The address of an own wallet, which a rule names, or of anybody else. */
export const OWN_ADDRESS = 'cold-wallet';
const addressOf = (kind: Kind): string => (kind.endsWith('own wallet') ? OWN_ADDRESS : 'somebody');
