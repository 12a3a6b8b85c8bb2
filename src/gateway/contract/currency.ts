// Currency: prices, rates and names of currencies. No operation needs a key, so none is sent.
import { z } from 'zod';
import { areaOf } from './operation.ts';
import { codes, flag, instants, integer, nothing, number, pair, text, word } from './shapes.ts';

/** How many instants one request may name: they have 24 characters and a comma, and the list at most 1,024 (A-RATE-LIST). */
export const RATE_TIMES_MAX = 40;

/** The spans of a chart, each with a spacing of its own. */
const TEMPORALITIES = [
  'one-hour',
  'four-hours',
  'twelve-hours',
  'one-day',
  'one-week',
  'one-month',
  'three-months',
  'six-months',
  'one-year',
  'all-time',
] as const;

const CLASSES = ['all', 'fiat', 'crypto'] as const;

/** Rates of one instant by currency: units for one US dollar, as sent. */
export type RateEntry = { readonly [group: string]: unknown };

/** One row of a chart: Unix milliseconds, and units of base and quote for one US dollar, or null. */
export type ChartRow = readonly [time: unknown, base: unknown, quote: unknown];

const group = z.record(z.string(), z.unknown()).nullish();
const rateGroup = z.record(z.string(), number().nullable()).nullish();
const names = z.record(z.string(), z.string());

const asset = z.looseObject({
  symbol: z.string(),
  name: z.string(),
  slug: z.string().nullish(),
  assetType: word('fiat', 'crypto').nullish(),
  network: z.string().nullish(),
  enabled: z.boolean().nullish(),
  ticker: z.string().or(z.boolean()).nullish(), // the specification may mean either
  lite: z.boolean().nullish(),
  loanable: z.boolean().nullish(),
  testnet: z.boolean().nullish(),
  removedAt: z.string().nullish(),
  networks: z.array(z.looseObject({ network: z.string(), feeCurrencyCode: z.string().nullish() })).nullish(),
  addressRegex: z.string().nullish(),
  isERC20Token: z.boolean().nullish(),
  hasImage: z.boolean().nullish(),
  image: z.string().nullish(),
  hexColor: z.string().nullish(),
  hasPaymentRequest: z.boolean().nullish(),
  mainwebUri: z.string().nullish(),
  uriScheme: z.string().nullish(),
  pairsWith: z.array(z.string()).nullish(),
});

const decimals = z.string().regex(/^-?\d+(\.\d+)?(,-?\d+(\.\d+)?)*$/);

export const currency = areaOf('currency', {
  catalog: {
    name: 'catalog',
    title: "Returns every currency's display name, by its symbol; testnet ones too.",
    method: 'GET',
    path: '/v1/currency/catalog',
    auth: 'none',
    scope: null,
    query: z.strictObject({ type: z.enum(CLASSES) }),
    answer: names,
    page: z
      .record(z.string(), z.unknown())
      .transform((names): { names: Readonly<Record<string, unknown>> } => ({ names })),
    rowsMax: 1,
    section: 'Endpoints, Currency and market data, GET /v1/currency/catalog',
  },
  catalogOld: {
    name: 'catalog-old',
    title: "Returns every currency's display name, under its older path.",
    method: 'GET',
    path: '/v1/type',
    auth: 'none',
    scope: null,
    query: z.strictObject({ type: z.enum(CLASSES).optional() }),
    answer: names,
    replacedBy: 'catalog',
    section: 'Versioning, GET /v1/type',
    assumes: ['A-TYPE'],
  },
  assets: {
    name: 'assets',
    title:
      'Returns the metadata of every asset, by its symbol; delisted ones with the time of their removal.',
    method: 'GET',
    path: '/v2/currency/assets',
    auth: 'none',
    scope: null,
    query: z.strictObject({ includeTestnet: flag.optional() }),
    answer: z.record(z.string(), asset),
    page: z
      .record(z.string(), z.looseObject({}))
      .transform((assets): { assets: Readonly<Record<string, Readonly<Record<string, unknown>>>> } => ({
        assets,
      })),
    rowsMax: 1,
    section: 'Endpoints, Currency and market data, GET /v2/currency/assets',
    assumes: ['A-ASSET-NETWORKS'],
  },
  asset: {
    name: 'asset',
    title: 'Returns the metadata of one asset.',
    method: 'GET',
    path: '/v2/currency/assets/{symbol}',
    auth: 'none',
    scope: null,
    // Lower case is no mistake in the request: no asset has that symbol (404).
    pathParts: z.strictObject({
      symbol: z
        .string()
        .regex(/^[A-Z0-9]{1,12}$/i)
        .meta({ pattern: '^[A-Z0-9]{1,12}$' }),
    }),
    query: nothing,
    answer: asset,
    failures: [{ status: 404, when: 'there is no such symbol; lower case never matches' }],
    section: 'Endpoints, Currency and market data, GET /v2/currency/assets/{symbol}',
    assumes: ['A-ASSET-NETWORKS'],
  },
  chart: {
    name: 'chart',
    title: 'Returns the price chart of a pair: rows of time, base rate and quote rate, oldest first.',
    method: 'GET',
    path: '/v3/currency/chart',
    auth: 'none',
    scope: null,
    query: z.strictObject({ ticker: pair, temporality: z.enum(TEMPORALITIES).optional() }),
    answer: z.array(z.tuple([integer(), number().nullable(), number().nullable()])),
    page: z
      .array(z.tuple([z.unknown(), z.unknown(), z.unknown()], z.unknown()))
      .transform((rows) => ({ rows: rows.map(([time, base, quote]): ChartRow => [time, base, quote]) })),
    rowsMax: 10_000,
    failures: [
      { status: 400, when: 'all-time between two fiat currencies; the body has errorCode, not statusCode' },
      { status: 404, when: 'there is no such pair' },
    ],
    section: 'Endpoints, Currency and market data, Price chart',
    assumes: ['A-CHART'],
  },
  rates: {
    name: 'rates',
    title:
      'Lists the rates to the US dollar: one entry for each instant of `time`, in its order; else the current one.',
    method: 'GET',
    path: '/v1/currency/rate',
    auth: 'none',
    scope: null,
    query: z.strictObject({ type: z.enum(CLASSES).optional(), time: instants.optional() }),
    answer: z.array(z.looseObject({ fiat: rateGroup, crypto: rateGroup })),
    page: z
      .array(z.looseObject({ fiat: group, crypto: group }))
      .transform((entries): { entries: readonly RateEntry[] } => ({ entries })),
    rowsMax: 10 * RATE_TIMES_MAX,
    section: 'Endpoints, Currency and market data, GET /v1/currency/rate',
    assumes: ['A-RATE-LIST'],
  },
  prices: {
    name: 'prices',
    title: 'Returns prices of cryptocurrencies in one currency, now and at intervals before.',
    method: 'GET',
    path: '/v1/currency/prices',
    auth: 'none',
    scope: null,
    query: z.strictObject({
      currency: z
        .string()
        .regex(/^[A-Z]{3}$/)
        .optional(),
      interval: text.optional(),
    }),
    answer: z.unknown(),
    section: 'Endpoints, Currency and market data, GET /v1/currency/prices',
    assumes: ['A-PRICES'],
  },
  convert: {
    name: 'convert',
    title: 'Converts amounts at past rates; an unknown symbol or a missing rate gives 0.',
    method: 'GET',
    path: '/v1/currency/convert',
    auth: 'none',
    scope: null,
    query: z.strictObject({ from: codes, to: codes, value: decimals, time: instants }),
    answer: z.array(number()),
    replacedBy: 'rates',
    section: 'Errors, Specific cases, historical conversion',
    assumes: ['A-CONVERT'],
  },
});
