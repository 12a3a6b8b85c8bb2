// Fingerprints: the sources of a month's values as one text, so that an unchanged month is not valued again.
import type { Kysely } from 'kysely';
import { groupBy } from '../base/group.ts';
import { sha256 } from '../base/json.ts';
import { DAY_MS, msOf } from '../base/time.ts';
import type { DB } from '../database/db-types.ts';
import { monthAfter } from '../ledger/ledger.ts';
import { firstMonthOf, hasOtherCosts } from './external-lots.ts';
import { type IsLateMonth, lateMonths } from './late.ts';
import { type RateCounts, rateCounts } from './rate-counts.ts';
import { type CountedMonth, readSources, type Sources } from './sources.ts';
import type { Taxpayer } from './taxpayers.ts';
import type { ValuedMonth } from './writing.ts';

/** Increased when the program would derive other values from the same books. */
const RULES = 1;

/**
 * `isLate`: a closed month has entries that were not there when its values were derived. `isRemarked`: of some month the counterparty types
 * are not the stored ones, which alone changes nothing of a closed month until it is reopened. `standing`: the stored months of `from`, if
 * none follows and what was valued there would be valued the same today. `lateOf`: the fingerprint of a closed month of which entries are
 * valued in an open one.
 */
export type ChangedMonths = {
  readonly now: readonly ValuedMonth[];
  readonly from: string | null;
  readonly isLate: boolean;
  readonly isRemarked: boolean;
  readonly standing: readonly ValuedMonth[];
  readonly lateOf: (month: CountedMonth) => string;
};

/**
 * Today's fingerprints of taxpayers, each beside the stored ones, and the sources that they were made from; `before`: those of the
 * months before this one, without a change for whoever has values of later months, which rest on them.
 */
export const fingerprints = async (
  db: Kysely<DB>,
  taxpayers: readonly Taxpayer[],
  before?: string,
): Promise<{
  readonly sources: Sources;
  readonly changes: readonly (ChangedMonths & { readonly taxpayer: Taxpayer })[];
}> => {
  const sources = await readSources(db);
  const counts = new Map<string, RateCounts>();
  for (const { currency } of taxpayers)
    if (!counts.has(currency)) counts.set(currency, await rateCounts(db, currency));
  const isLateMonth = await lateMonths(db, taxpayers);
  const isCompared = ({ period }: Pick<CountedMonth, 'period'>) => before === undefined || period < before;
  const months = groupBy(sources.months.filter(isCompared), ({ entity_id }) => entity_id);
  const changes: (ChangedMonths & { readonly taxpayer: Taxpayer })[] = [];
  for (const taxpayer of taxpayers) {
    const stored = sources.stored.filter(isOf(taxpayer));
    if (!stored.every(isCompared)) {
      changes.push({ taxpayer, ...UNCHANGED });
      continue;
    }
    const own = taxpayer.entities.flatMap((entity) => months.get(entity) ?? []);
    const rates = counts.get(taxpayer.currency) ?? NO_RATES;
    const hasExternalLots = taxpayer.entities.some(
      (entity) => (sources.entities.get(entity)?.external_lots ?? 0) > 0,
    );
    const isLone = hasExternalLots && !own.some(({ period }) => period > taxpayer.closed);
    const isRecosted = isLone && (await hasOtherCosts(db, taxpayer));
    const beside = { sources: { ...sources, stored }, rates, isLateMonth, isRecosted };
    changes.push({ taxpayer, ...changesOf(taxpayer, own, beside) });
  }
  return { sources, changes };
};

const UNCHANGED: ChangedMonths = {
  now: [],
  from: null,
  isLate: false,
  isRemarked: false,
  standing: [],
  lateOf: () => '',
};

/** Whether a month was valued for a taxpayer, or for an entity that is its own by now. */
const isOf =
  ({ name, entities }: Taxpayer) =>
  (month: Pick<Sources['stored'][number], 'taxpayer' | 'entity_id'>): boolean =>
    month.taxpayer === name || entities.includes(month.entity_id);

const NO_RATES: RateCounts = () => ({ rates: 0, official: 0 });

type Beside = {
  readonly sources: Sources;
  readonly rates: RateCounts;
  readonly isLateMonth: IsLateMonth;
  /** An externally held lot has another cost than is stored, and no open month shows it. */
  readonly isRecosted: boolean;
};

/**
 * Today's fingerprints of all months, and the first open month whose stored fingerprint differs: null if none does.
 * Closed months never change, apart from their late entries.
 */
const changesOf = (
  taxpayer: Taxpayer,
  months: readonly CountedMonth[],
  { sources, rates, isLateMonth, isRecosted }: Beside,
): ChangedMonths => {
  const { name, closed } = taxpayer;
  const { stored } = sources;
  const fingerprintOf = fingerprinter(taxpayer, lotsOf(taxpayer, sources), rates);
  const lateOf = (month: CountedMonth) => `late ${monthAfter(closed)} ${fingerprintOf(month)}`;
  const isClosed = (month: CountedMonth) => month.period <= closed && !isLateMonth(month);
  const now = months.map((month) => ({
    ...month,
    fingerprint: (month.period <= closed ? lateOf : fingerprintOf)(month),
  }));
  const misplaced = misplacedFrom(taxpayer, { sources, hasMonths: months.length > 0, isRecosted });
  const first = earliest([firstChanged(now, stored, isClosed), misplaced]);
  const isLate = first !== null && first <= closed;
  const from = isLate ? monthAfter(closed) : first;
  const open = from === null || isLate ? [] : stored.filter(({ period }) => period >= from);
  const stands =
    misplaced === null &&
    open.every(
      (month) =>
        month.period === from && month.taxpayer === name && month.fingerprint === fingerprintOf(month),
    );
  const marks = new Map(stored.map((month) => [keyOf(month), month.counterparties]));
  const isRemarked = now.some((month) => marks.get(keyOf(month)) !== month.counterparties);
  return {
    now: asDerived(now, stored, from),
    from,
    isLate,
    isRemarked,
    standing: stands ? open : [],
    lateOf,
  };
};

/** Makes the fingerprint of a month of a taxpayer from its facts and today's rates, lots and rules. */
const fingerprinter = (
  { name, method, rulesText, currency, entities }: Taxpayer,
  { externalLots, chosen, untilMicros }: ReturnType<typeof lotsOf>,
  rates: RateCounts,
): ((month: CountedMonth) => string) => {
  return ({ entries, last_at, counterparties }) => {
    const until = Math.max(msOf(last_at) * 1_000 + 999, untilMicros); // an instant may have microseconds
    const facts = { entries, ...rates(until), externalLots, chosen };
    const text = JSON.stringify([RULES, name, entities, method, rulesText, currency, facts, counterparties]);
    return sha256(text).slice(0, 16);
  };
};

/** The externally held lots of a taxpayer, and until when the cost of a lot needs rates: the end of the day of its purchase. */
const lotsOf = (
  { entities }: Taxpayer,
  sources: Sources,
): { readonly externalLots: number; readonly chosen: string; readonly untilMicros: number } => {
  const own = entities.flatMap((entity) => sources.entities.get(entity) ?? []);
  const days = own.flatMap(({ last_on }) =>
    last_on === null ? [] : [msOf(`${last_on}T00:00:00Z`) + DAY_MS],
  );
  return {
    externalLots: own.reduce((sum, { external_lots }) => sum + external_lots, 0),
    chosen: own.map(({ last_choice }) => last_choice).join(' '),
    untilMicros: days.length === 0 ? 0 : Math.max(...days) * 1_000,
  };
};

/** A month before the first one to be valued again keeps its stored fingerprint, so that a reopened month is valued again. */
const asDerived = (
  now: readonly ValuedMonth[],
  stored: readonly ValuedMonth[],
  from: string | null,
): ValuedMonth[] => {
  const fingerprints = new Map(stored.map((month) => [keyOf(month), month.fingerprint]));
  return now.map((month) =>
    from === null || month.period < from
      ? { ...month, fingerprint: fingerprints.get(keyOf(month)) ?? '' }
      : month,
  );
};

type MonthSources = {
  readonly sources: Sources;
  readonly hasMonths: boolean;
  readonly isRecosted: boolean;
};

/**
 * The first month in which an externally held lot counts that comes after the first one that is open, because months that were closed
 * when it was imported were reopened; or, if such a lot is new, or has another cost, and no fingerprint of an open month shows that it is, the
 * first open month: that of the newest lot where there are no months.
 */
const misplacedFrom = (
  { entities, closed }: Taxpayer,
  { sources, hasMonths, isRecosted }: MonthSources,
): string | null => {
  const first = firstMonthOf(closed);
  const own = entities.flatMap((entity) => sources.entities.get(entity) ?? []);
  const isUnseen = closed !== '' || !hasMonths;
  const isNew =
    isUnseen && own.some(({ external_lots, external_lots_placed }) => external_lots > external_lots_placed);
  const newest = own
    .flatMap(({ last_on }) => last_on ?? [])
    .sort()
    .at(-1);
  const open = closed === '' ? (newest?.slice(0, 7) ?? null) : first;
  const periods = own.flatMap(({ external_lot_periods }) => external_lot_periods);
  return earliest([...periods.filter((period) => period > first), isNew || isRecosted ? open : null]);
};

const earliest = (months: readonly (string | null)[]): string | null =>
  months.reduce<string | null>((a, b) => (a === null || (b !== null && b < a) ? b : a), null);

const keyOf = ({ period, entity_id }: Pick<ValuedMonth, 'period' | 'entity_id'>): string =>
  `${period} ${entity_id}`;

const MONTH_LENGTH = '2026-10'.length;

const firstChanged = (
  now: readonly ValuedMonth[],
  stored: readonly ValuedMonth[],
  isClosed: (month: CountedMonth) => boolean,
): string | null => {
  const text = (month: ValuedMonth) =>
    `${keyOf(month)} ${isClosed(month) ? month.entries : month.fingerprint}`;
  const [today, before] = [new Set(now.map(text)), new Set(stored.map(text))];
  const differing = [...today, ...before].filter((month) => !(today.has(month) && before.has(month)));
  return earliest(differing.map((month) => month.slice(0, MONTH_LENGTH)));
};
