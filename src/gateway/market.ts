// Market data: the operations for prices and names of currencies. They need no key, so none is sent.
import { z } from 'zod';
import type { Operation } from './operation.ts';

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

type Rates = { readonly entries: readonly RateEntry[] };
type Chart = { readonly rows: readonly ChartRow[] };

const group = z.record(z.string(), z.unknown()).nullish();
const pair = z.string().regex(/^[A-Z0-9]+\/[A-Z0-9]+$/);

/** One entry for each instant of `time`, in its order; the current one without `time`. */
export const rates: Operation<Rates> = {
  name: 'rates',
  method: 'GET',
  path: '/v1/currency/rate',
  query: z.strictObject({
    type: z.enum(['all', 'fiat', 'crypto']).optional(),
    time: z.string().min(1).optional(),
  }),
  rowsMax: 10 * RATE_TIMES_MAX,
  page: z.array(z.looseObject({ fiat: group, crypto: group })).transform((entries) => ({ entries })),
  isPublic: true,
  section: 'Currency and market data, GET /v1/currency/rate',
  assumes: ['A-RATE-LIST'],
};

/** Rows of [time, baseRate, quoteRate], oldest first. */
export const chart: Operation<Chart> = {
  name: 'chart',
  method: 'GET',
  path: '/v3/currency/chart',
  query: z.strictObject({ ticker: pair, temporality: z.enum(TEMPORALITIES) }),
  rowsMax: 10_000,
  page: z
    .array(z.tuple([z.unknown(), z.unknown(), z.unknown()], z.unknown()))
    .transform((rows) => ({ rows: rows.map(([time, base, quote]): ChartRow => [time, base, quote]) })),
  isPublic: true,
  section: 'Currency and market data, Price chart',
  assumes: ['A-CHART'],
};

type Catalog = { readonly names: Readonly<Record<string, unknown>> };

/** Every currency's display name, by its symbol; testnet ones too. */
export const catalog: Operation<Catalog> = {
  name: 'catalog',
  method: 'GET',
  path: '/v1/currency/catalog',
  query: z.strictObject({ type: z.enum(['all', 'fiat', 'crypto']) }),
  rowsMax: 1,
  page: z.record(z.string(), z.unknown()).transform((names) => ({ names })),
  isPublic: true,
  section: 'Currency and market data, GET /v1/currency/catalog',
  assumes: [],
};
