// Rates: the gateway's prices of currencies, landed as received with their request. A positive number is usable. Null, which means that
// there is none, and anything else are skipped and counted; anything else is a mistake, and returned for a finding.
import { type Kysely, sql } from 'kysely';
import { canonical } from '../base/json.ts';
import { keyText } from '../base/key-text.ts';
import { readRate } from '../base/money.ts';
import { isInReach, isoOf } from '../base/time.ts';
import { insertRows, loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { Receipt } from '../gateway/client.ts';
import type { ChartRow, RateEntry } from '../gateway/contract/contract.ts';
import type { Run } from '../run/job-run.ts';
import { storeRequest } from './pages.ts';

export type RatesDestination = { readonly db: Kysely<DB>; readonly run: Run; readonly entity: string };

/** How many rates are usable and skipped; of the skipped ones those that are not null. */
type Usable = { readonly usable: number; readonly skipped: number; readonly wrong: readonly WrongRate[] };

/** A rate that is neither null nor a positive number, as received. */
export type WrongRate = { readonly currency: string; readonly at: string | null; readonly received: unknown };

/** Units of a currency for one US dollar at an instant; null if there is no rate. */
type Quote = {
  readonly currency: string;
  readonly at: string | null;
  readonly rate: string | null;
  readonly received: unknown;
};

type StoredRateList = {
  readonly source: 'rates' | 'chart';
  readonly subject: string;
  readonly at: string | null;
  readonly payload: string;
  readonly quotes: readonly Quote[];
};

/** Lands an answer of the rate list: its entries are in the order of the requested instants. */
export const landRates = (
  to: RatesDestination,
  receipt: Receipt,
  page: { readonly times: readonly string[]; readonly entries: readonly RateEntry[] },
): Promise<Usable> =>
  land(
    to,
    receipt,
    page.entries.map((entry, nth) => {
      const instant = page.times[nth] ?? null;
      return {
        source: 'rates',
        subject: '',
        at: instant,
        payload: canonical(entry),
        quotes: quotesIn(entry, instant),
      };
    }),
  );

/** Every group of an entry: fiat, crypto, and others. */
const quotesIn = (entry: RateEntry, instant: string | null): Quote[] => {
  const groups = Object.values(entry).filter((it) => typeof it === 'object' && it !== null);
  const quoted = groups.flatMap((group) => Object.entries(group as Record<string, unknown>));
  const byCode = new Map(quoted.map(([currency, received]) => [keyText(currency), received]));
  return [...byCode].map(([currency, received]) => ({
    currency,
    at: instant,
    rate: readRate(received),
    received,
  }));
};

/** Lands a chart: two rates at each of its instants. */
export const landChart = (
  to: RatesDestination,
  receipt: Receipt,
  { ticker, rows }: { readonly ticker: string; readonly rows: readonly ChartRow[] },
): Promise<Usable> => {
  const [base = '', quote = ''] = ticker.split('/');
  const quotes = rows.flatMap(([time, ofBase, ofQuote]): Quote[] => {
    const instant = instantOf(time);
    const [one, other] = [readRate(ofBase), readRate(ofQuote)];
    const isWhole = instant !== null && one !== null && other !== null; // a row with a null is no price
    return [
      { currency: base, at: instant, rate: isWhole ? one : null, received: ofBase },
      { currency: quote, at: instant, rate: isWhole ? other : null, received: ofQuote },
    ];
  });
  const payload = canonical(rows);
  return land(to, receipt, [{ source: 'chart', subject: ticker, at: null, payload, quotes }]);
};

/** Unix milliseconds, as sent. */
const instantOf = (time: unknown): string | null =>
  typeof time === 'string' && /^\d{1,14}$/.test(time) && isInReach(Number.parseInt(time, 10))
    ? isoOf(Number.parseInt(time, 10))
    : null;

const land = (to: RatesDestination, receipt: Receipt, lists: readonly StoredRateList[]): Promise<Usable> =>
  to.db.transaction().execute(async (tx) => {
    const rows = lists.reduce((sum, { quotes }) => sum + quotes.length, 0);
    const { request_id: requestId } = await storeRequest(tx, { ...to, stream: 'rates' }, { receipt, rows });
    const usable = lists.flatMap((list, entry) => usableIn(list, entry));
    const key = { entity_id: to.entity, request_id: requestId };
    await insertRows(
      tx,
      'land.rate_lists',
      lists.map((list, entry) => ({ ...key, ...listRow(list, entry) })),
    );
    await insertRows(
      tx,
      'land.rates',
      (await notKnown(tx, lists, usable)).map((rate) => ({ ...key, ...rate })),
      sql`on conflict do nothing`,
    );
    return { usable: usable.length, skipped: rows - usable.length, wrong: lists.flatMap(wrongIn) };
  });

const wrongIn = ({ quotes }: StoredRateList): WrongRate[] =>
  quotes
    .filter(
      ({ rate, received }) =>
        rate === null && received !== null && received !== undefined && readRate(received) === null,
    )
    .map(({ currency, at: instant, received }) => ({ currency, at: instant, received }));

/** Those of the currencies that the books hold or have held. */
export const bookedCurrencies = async (
  db: Kysely<DB>,
  currencies: readonly string[],
): Promise<Set<string>> => {
  const { rows } = await sql<{ currency: string }>`
    select distinct currency from ledger.totals where currency = any (${currencies}::text[])`.execute(db);
  return new Set(rows.map(({ currency }) => currency));
};

type UsableRate = {
  readonly currency: string;
  readonly at: string;
  readonly rate: string;
  readonly entry: number;
};

/**
 * The rates of instants for which earlier answers of the same list had none or others. A chart repeats its last points every night, and
 * a rate that landed twice would have the values of its month derived again. The rates of one instant make a price together.
 */
const notKnown = async (
  tx: Kysely<DB>,
  lists: readonly StoredRateList[],
  usable: readonly UsableRate[],
): Promise<UsableRate[]> => {
  const instantOfRate = (rate: UsableRate) => `${rate.entry} ${rate.at}`;
  const { rows } = await sql<{ nth: string }>`
    select quoted.nth
    from unnest(${usable.map(({ currency }) => currency)}::text[], ${usable.map((one) => one.at)}::timestamptz[],
      ${usable.map(({ rate }) => rate)}::numeric[], ${usable.map(({ entry }) => lists[entry]?.source)}::text[],
      ${usable.map(({ entry }) => lists[entry]?.subject)}::text[]) with ordinality as quoted (currency, instant, rate, source, subject, nth)
    cross join lateral (
      select r.rate from land.rates r join land.rate_lists l using (entity_id, request_id, entry)
      where r.currency = quoted.currency and r.at = quoted.instant and l.source = quoted.source and l.subject = quoted.subject
      order by r.request_id desc limit 1
    ) as known
    where known.rate = quoted.rate`.execute(tx);
  const known = new Set(rows.map(({ nth }) => Number.parseInt(nth, 10) - 1));
  const news = new Set(usable.filter((_, nth) => !known.has(nth)).map(instantOfRate));
  return usable.filter((rate) => news.has(instantOfRate(rate)));
};

const listRow = ({ source, subject, at: instant, payload, quotes }: StoredRateList, entry: number) => {
  const skipped = quotes.filter(({ rate, at: when }) => rate === null || when === null).length;
  return { entry, source, subject, at: instant, payload, received: quotes.length, skipped };
};

const usableIn = ({ quotes }: StoredRateList, entry: number): UsableRate[] =>
  quotes.flatMap(({ currency, at: instant, rate }) =>
    rate === null || instant === null ? [] : [{ currency, at: instant, rate, entry }],
  );

/** The limit for rates in the past. */
const YEARS_MAX = 20;

/**
 * The ends of days without landed rates, oldest first: from the first day of the books to the last one that is over. A
 * month ends with a day. No two of them are more than 24 hours apart, however long a day is. Before them the ends of the days on which
 * stated lots with a cost in another currency than the reporting one were acquired. `run` asks for none twice.
 */
export const wantedTimes = async (
  db: Kysely<DB>,
  {
    currency,
    timezone,
    nowMs,
    run,
  }: { readonly currency: string; readonly timezone: string; readonly nowMs: number; readonly run: string },
): Promise<string[]> => {
  const rows = await readRows<{ ends_at: string }>(
    db,
    loadSql('valuation/days_without_rates.sql', {
      currency,
      timezone,
      now: isoOf(nowMs),
      years: String(YEARS_MAX),
      run,
    }),
  );
  return rows.map(({ ends_at }) => ends_at);
};

type NewEntries = {
  readonly run: string;
  readonly currency: string;
  /** Only entries with a higher number. */
  readonly after: string;
};

type MovedCurrency = { readonly currency: string; readonly from: string; readonly to: string };

/**
 * Currencies in entries of a run, and of those before it that ended before they read prices, with the day of the first of them and the
 * time of the last: their prices within days are needed. Both bounds, because with one alone the planner expects a third of all entries.
 */
export const movedCurrencies = async (
  db: Kysely<DB>,
  { run, currency, after }: NewEntries,
): Promise<MovedCurrency[]> => {
  const { rows } = await sql<MovedCurrency>`
    select t.currency, date_trunc('day', min(e.effective_at), 'UTC') as "from", max(e.effective_at) as "to"
    from ledger.entries e
    join ledger.transfers t using (entity_id, entry_id)
    where e.entry_number > greatest((select entries_before from books_internal.unseen_since(${run}::uuid, '{nightly,extract}')), ${after}::bigint)
      and e.entry_number <= (select 9223372036854775807)
      and t.currency <> ${currency}
    group by t.currency order by t.currency collate "C"`.execute(db);
  return rows;
};
