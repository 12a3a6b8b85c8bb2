// The order error codes of the specification (Errors), in the default shape with the code at `data.errorPayload.code`.
import type { Platform } from '../platform.ts';
import { type Refusal, refusal } from '../refusals.ts';

export const ORDER_CODES = [
  'AMOUNT_PRECISION_EXCEEDED',
  'BUY_PRICE_IS_ABOVE_INITIAL_PRICE',
  'BUY_STOP_PRICE_IS_BELOW_INITIAL_PRICE',
  'CREATE_ORDERS_DISABLED_TEMPORALLY',
  'CURRENCY_NOT_SUPPORTED',
  'DELETE_CLOSED_ORDER',
  'DELETE_ORDERS_DISABLED_TEMPORALLY',
  'DEPOSITS_DISABLED_TEMPORALLY',
  'ERROR_CREATING_INTERNAL_ORDER',
  'ERROR_CREATING_ORDER',
  'MARKET_CONFIG_NOT_FOUND',
  'MAX_CREATED_ORDERS_REACHED',
  'MAX_OPEN_ORDERS_REACHED',
  'MISSING_FROM_POCKET_ID',
  'NOT_ENOUGH_BALANCE',
  'NOT_ENOUGH_LIQUIDITY',
  'ONLY_LIMIT_ORDERS_ALLOWED',
  'ORDER_AMOUNT_GREATER_MARKET_MAX',
  'ORDER_AMOUNT_GREATER_TOTAL_AMOUNT_IN_PURCHASE',
  'ORDER_AMOUNT_GREATER_TOTAL_AMOUNT_IN_SALE',
  'ORDER_AMOUNT_LOWER_EQUAL_ZERO',
  'ORDER_AMOUNT_LOWER_MARKET_MIN',
  'ORDER_PRICE_LOWER_EQUAL_ZERO',
  'ORDER_SIZE_LOWER_MARKET_MIN',
  'ORDER_STOP_PRICE_LOWER_EQUAL_ZERO',
  'PRICE_GREATER_MARKET_MAX',
  'PRICE_LOWER_MARKET_MIN',
  'PRICE_PRECISION_EXCEEDED',
  'SELL_PRICE_IS_BELOW_INITIAL_PRICE',
  'SELL_STOP_PRICE_IS_ABOVE_INITIAL_PRICE',
  'TIME_IN_FORCE_INVALID',
  'TRADING_WALLET_NOT_BALANCE',
  'TRADING_WALLET_NOT_FOUND',
  'USER_IS_ALREADY_CREATING_ORDER',
  'WITHDRAWS_DISABLED_TEMPORALLY',
] as const;

export type OrderCode = (typeof ORDER_CODES)[number];

/** 400 unless the specification names another status (assumption A-ORDER-ERRORS). */
const STATUSES: Partial<Record<OrderCode, number>> = {
  ORDER_AMOUNT_GREATER_MARKET_MAX: 412,
  ORDER_AMOUNT_LOWER_MARKET_MIN: 412,
  PRICE_GREATER_MARKET_MAX: 412,
  PRICE_LOWER_MARKET_MIN: 412,
  TRADING_WALLET_NOT_BALANCE: 412,
  TRADING_WALLET_NOT_FOUND: 404,
};

export const rejected = (code: OrderCode, status: number = STATUSES[code] ?? 400): Refusal => {
  const { statusCode, body } = refusal(status, code);
  return { statusCode, body: { ...body, data: { errorPayload: { code } } } };
};

/** Codes that depend on the mood of the service: each is a switch of its name. */
const MOODS = {
  create: [
    'CREATE_ORDERS_DISABLED_TEMPORALLY',
    'USER_IS_ALREADY_CREATING_ORDER',
    'ERROR_CREATING_ORDER',
    'ERROR_CREATING_INTERNAL_ORDER',
  ],
  cancel: ['DELETE_ORDERS_DISABLED_TEMPORALLY'],
  deposit: ['DEPOSITS_DISABLED_TEMPORALLY'],
  withdraw: ['WITHDRAWS_DISABLED_TEMPORALLY'],
} as const satisfies Record<string, readonly OrderCode[]>;

/** The codes that are switches. */
export const MOOD_CODES: readonly OrderCode[] = Object.values(MOODS).flat();

/** The first code of an operation whose switch is on. */
export const moodOf = ({ switches }: Platform, operation: keyof typeof MOODS): OrderCode | null =>
  MOODS[operation].find((code) => switches.has(code)) ?? null;
