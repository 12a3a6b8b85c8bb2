// Currency: prices, rates and names of currencies. No operation needs a key, so none is sent.
import { z } from 'zod';
import { areaOf } from './operation.ts';
import { pair } from './shapes.ts';

/** How many instants one request may name (assumption A-RATE-LIST). */
export const RATE_TIMES_MAX = 50;

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

/** Rates of one instant by currency: units for one US dollar, as sent. */
export type RateEntry = { readonly [group: string]: unknown };

/** One row of a chart: Unix milliseconds, and units of base and quote for one US dollar, or null. */
export type ChartRow = readonly [time: unknown, base: unknown, quote: unknown];

const group = z.record(z.string(), z.unknown()).nullish();

export const currency = areaOf('currency', {
  rates: {
    name: 'rates',
    title:
      'Lists the rates to the US dollar: one entry for each instant of `time`, in its order; else the current one.',
    method: 'GET',
    path: '/v1/currency/rate',
    auth: 'none',
    scope: null,
    query: z.strictObject({
      type: z.enum(['all', 'fiat', 'crypto']).optional(),
      time: z.string().min(1).optional(),
    }),
    answer: z.unknown(),
    page: z
      .array(z.looseObject({ fiat: group, crypto: group }))
      .transform((entries): { entries: readonly RateEntry[] } => ({ entries })),
    rowsMax: 10 * RATE_TIMES_MAX,
    section: 'Currency and market data, GET /v1/currency/rate',
    assumes: ['A-RATE-LIST'],
  },
  chart: {
    name: 'chart',
    title: 'Returns the price chart of a pair: rows of time, base rate and quote rate, oldest first.',
    method: 'GET',
    path: '/v3/currency/chart',
    auth: 'none',
    scope: null,
    query: z.strictObject({ ticker: pair, temporality: z.enum(TEMPORALITIES) }),
    answer: z.unknown(),
    page: z
      .array(z.tuple([z.unknown(), z.unknown(), z.unknown()], z.unknown()))
      .transform((rows) => ({ rows: rows.map(([time, base, quote]): ChartRow => [time, base, quote]) })),
    rowsMax: 10_000,
    section: 'Currency and market data, Price chart',
    assumes: ['A-CHART'],
  },
  catalog: {
    name: 'catalog',
    title: "Returns every currency's display name, by its symbol; testnet ones too.",
    method: 'GET',
    path: '/v1/currency/catalog',
    auth: 'none',
    scope: null,
    query: z.strictObject({ type: z.enum(['all', 'fiat', 'crypto']) }),
    answer: z.unknown(),
    page: z
      .record(z.string(), z.unknown())
      .transform((names): { names: Readonly<Record<string, unknown>> } => ({ names })),
    rowsMax: 1,
    section: 'Currency and market data, GET /v1/currency/catalog',
  },
});
