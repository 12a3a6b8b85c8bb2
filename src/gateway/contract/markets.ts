// Markets: their statistics and their limits.
import { z } from 'zod';
import { areaOf } from './operation.ts';
import { integer, number, pair, word } from './shapes.ts';

const market = z.looseObject({
  id: z.string().nullish(),
  symbol: z.string(),
  minAmount: number(),
  maxAmount: number(),
  minPrice: number(),
  maxPrice: number(),
  minOrderSize: number().nullish(),
  tickSize: number().nullish(),
  pricePrecision: integer(),
  amountPrecision: integer(),
  initialPrice: number().nullish(),
  marketEnabled: word('enabled', 'disabled').or(z.boolean()).nullish(),
  feeMakerPercentage: number().nullish(),
  feeTakerPercentage: number().nullish(),
});

const ticker = z.looseObject({
  symbol: z.string(),
  open: number(),
  close: number(),
  high: number(),
  low: number(),
  bid: number(),
  ask: number(),
  baseVolume: number(),
  quoteVolume: number(),
  percentage: number(),
  timestamp: integer(),
});

export const markets = areaOf('trading', {
  tickers: {
    name: 'tickers',
    title:
      'Lists the statistics of the last 24 hours, by market. Without credentials restricted markets are left out.',
    method: 'GET',
    path: '/v2/trading/tickers',
    auth: 'optional',
    scope: null,
    query: z.strictObject({ symbol: pair.optional() }),
    answer: z.array(ticker),
    section: 'Endpoints, Trading wallet and trading, GET /v2/trading/tickers',
  },
  markets: {
    name: 'market-config',
    title: 'Lists the markets with their minimums, maximums and precisions.',
    method: 'GET',
    path: '/v2/trading/market-config',
    auth: 'none',
    scope: null,
    query: z.strictObject({ symbol: pair.optional() }),
    answer: z.array(market),
    section: 'Endpoints, Trading wallet and trading, GET /v2/trading/market-config',
    assumes: ['A-MARKET-CONFIG'],
  },
  marketsV1: {
    name: 'market-config-v1',
    title: 'Lists the markets with their minimums, maximums and precisions, in the first version.',
    method: 'GET',
    path: '/v1/trading/market-config',
    auth: 'none',
    scope: null,
    query: z.strictObject({ symbol: pair.optional() }),
    answer: z.array(market),
    replacedBy: 'market-config',
    section: 'Endpoints, Trading wallet and trading, GET /v2/trading/market-config',
    assumes: ['A-MARKET-CONFIG'],
  },
});
