// Batches: a taxpayer's entries as they are read, with the rates that apply to them and the state's moneys among their
// currencies.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import type { Event } from './event.ts';
import type { Market } from './exchange.ts';
import { pricesOf, type Rate } from './prices.ts';
import type { Range } from './range.ts';
import { ratesBetween } from './rates.ts';
import { eventsOf } from './reading.ts';
import type { Taxpayer } from './taxpayers.ts';

/** The instants of a batch, and the market at which their events are valued. */
export type Batch = { readonly instants: readonly Event[][]; readonly market: Market };

export async function* batchesOf(tx: Kysely<DB>, range: Range): AsyncGenerator<Batch, null> {
  for await (const instants of eventsOf(tx, range))
    yield { instants, market: await marketOf(tx, range.taxpayer, instants.flat()) };
  return null;
}

/** The market of the events of a batch: their rates, and which of their currencies are a state's money. */
const marketOf = async (
  tx: Kysely<DB>,
  { currency: reporting }: Taxpayer,
  events: readonly Event[],
): Promise<Market> => {
  const currencies = currenciesOf(events);
  const fiat = await fiatIn(tx, currencies);
  currencies.delete(reporting);
  const prices = pricesOf(reporting, await ratesFor(tx, events, { reporting, currencies: [...currencies] }));
  return { reporting, prices, isFiat: (currency) => fiat.has(currency) };
};

const currenciesOf = (events: readonly Event[]): Set<string> => {
  const currencies = new Set<string>();
  for (const { legs } of events) for (const { currency } of legs) currencies.add(currency);
  return currencies;
};

/** The currencies among the given ones that are a state's money. */
const fiatIn = async (tx: Kysely<DB>, currencies: ReadonlySet<string>): Promise<Set<string>> => {
  const { rows } = await sql<{ currency: string }>`
    select currency from unnest(${[...currencies]}::text[]) as moved (currency)
    where books_internal.is_fiat(currency)`.execute(tx);
  return new Set(rows.map(({ currency }) => currency));
};

const ratesFor = async (
  tx: Kysely<DB>,
  events: readonly Event[],
  { reporting, currencies }: { readonly reporting: string; readonly currencies: readonly string[] },
): Promise<Rate[]> => {
  if (currencies.length === 0) return [];
  let [from, to] = [Infinity, 0];
  for (const { micros } of events) [from, to] = [Math.min(from, micros), Math.max(to, micros)];
  return ratesBetween(tx, { reporting, currencies, from, to });
};
