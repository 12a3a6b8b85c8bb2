// Changes: from which month on the values of each taxpayer are to be derived again. Every month is stored with the fingerprint of its
// sources, and one that still has it is not valued again.
import type { Kysely } from 'kysely';
import { groupBy } from '../base/group.ts';
import type { DB } from '../database/db-types.ts';
import { monthAfter } from '../ledger/ledger.ts';
import { externalLotsChangedFrom } from './external-lots.ts';
import { type Fingerprint, fingerprinter } from './fingerprints.ts';
import { type IsLateMonth, lateMonths } from './late.ts';
import { type CountedMonth, readSources, type Sources, type StoredMonth } from './sources.ts';
import type { Taxpayer } from './taxpayers.ts';
import type { ValuedMonth } from './writing.ts';

/**
 * `months`: with today's fingerprints. `from`: the first open month whose values change; null if none do. `isLate`: a closed month has
 * entries that were not there when its values were derived. `isRemarked`: of some month the counterparty types are not the stored ones,
 * which alone changes nothing of a closed month until it is reopened. `standing`: the stored months of `from`, if none follows and what was
 * valued there would be valued the same today. `lateOf`: the fingerprint of a closed month of which entries are valued in an open one.
 */
export type ChangedMonths = {
  readonly taxpayer: Taxpayer;
  readonly months: readonly ValuedMonth[];
  readonly from: string | null;
  readonly isLate: boolean;
  readonly isRemarked: boolean;
  readonly standing: readonly ValuedMonth[];
  readonly lateOf: Fingerprint;
};

/**
 * What has changed of each taxpayer, and the sources that this was found in; `before`: in the months before this one, and nothing for
 * whoever has values of later months, which rest on them.
 */
export const readChanges = async (
  db: Kysely<DB>,
  taxpayers: readonly Taxpayer[],
  before?: string,
): Promise<{ readonly sources: Sources; readonly changes: readonly ChangedMonths[] }> => {
  const sources = await readSources(db);
  const fingerprintOf = await fingerprinter(db, taxpayers, sources);
  const isLateMonth = await lateMonths(db, taxpayers);
  const isCompared = ({ period }: Pick<CountedMonth, 'period'>) => before === undefined || period < before;
  const byEntity = groupBy(sources.months.filter(isCompared), ({ entity_id }) => entity_id);
  const changes: ChangedMonths[] = [];
  for (const taxpayer of taxpayers) {
    const stored = sources.stored.filter(isOf(taxpayer));
    if (!stored.every(isCompared)) {
      changes.push({ taxpayer, ...UNCHANGED });
      continue;
    }
    const months = taxpayer.entities.flatMap((entity) => byEntity.get(entity) ?? []);
    const lotsFrom = await externalLotsChangedFrom(db, taxpayer, { sources, months });
    const found = { months, stored, fingerprintOf: fingerprintOf(taxpayer), isLateMonth, lotsFrom };
    changes.push(changesOf(taxpayer, found));
  }
  return { sources, changes };
};

const UNCHANGED: Omit<ChangedMonths, 'taxpayer'> = {
  months: [],
  from: null,
  isLate: false,
  isRemarked: false,
  standing: [],
  lateOf: () => '',
};

/** Whether a month was valued for a taxpayer, or for an entity that is its own by now. */
const isOf =
  ({ name, entities }: Taxpayer) =>
  (month: Pick<StoredMonth, 'taxpayer' | 'entity_id'>): boolean =>
    month.taxpayer === name || entities.includes(month.entity_id);

type MonthsOfTaxpayer = {
  readonly months: readonly CountedMonth[];
  readonly stored: readonly StoredMonth[];
  readonly fingerprintOf: Fingerprint;
  readonly isLateMonth: IsLateMonth;
  /** The first month that changes with externally held lots, which its fingerprint may not show. */
  readonly lotsFrom: string | null;
};

/** Closed months never change, apart from their late entries. */
const changesOf = (
  taxpayer: Taxpayer,
  { months, stored, fingerprintOf, isLateMonth, lotsFrom }: MonthsOfTaxpayer,
): ChangedMonths => {
  const { name, closed } = taxpayer;
  const lateOf: Fingerprint = (month) => `late ${monthAfter(closed)} ${fingerprintOf(month)}`;
  const isClosed = (month: CountedMonth) => month.period <= closed && !isLateMonth(month);
  const today = months.map((month) => ({
    ...month,
    fingerprint: (month.period <= closed ? lateOf : fingerprintOf)(month),
  }));
  const first = earliest([firstChanged(today, stored, isClosed), lotsFrom]);
  const isLate = first !== null && first <= closed;
  const from = isLate ? monthAfter(closed) : first;
  const open = from === null || isLate ? [] : stored.filter(({ period }) => period >= from);
  const stands =
    lotsFrom === null &&
    open.every(
      (month) =>
        month.period === from && month.taxpayer === name && month.fingerprint === fingerprintOf(month),
    );
  const marks = new Map(stored.map((month) => [keyOf(month), month.counterparties]));
  const isRemarked = today.some((month) => marks.get(keyOf(month)) !== month.counterparties);
  return {
    taxpayer,
    months: asDerived(today, stored, from),
    from,
    isLate,
    isRemarked,
    standing: stands ? open : [],
    lateOf,
  };
};

/** A month before the first one to be valued again keeps its stored fingerprint, so that a reopened month is valued again. */
const asDerived = (
  today: readonly ValuedMonth[],
  stored: readonly ValuedMonth[],
  from: string | null,
): ValuedMonth[] => {
  const fingerprints = new Map(stored.map((month) => [keyOf(month), month.fingerprint]));
  return today.map((month) =>
    from === null || month.period < from
      ? { ...month, fingerprint: fingerprints.get(keyOf(month)) ?? '' }
      : month,
  );
};

const earliest = (months: readonly (string | null)[]): string | null =>
  months.reduce<string | null>((a, b) => (a === null || (b !== null && b < a) ? b : a), null);

const keyOf = ({ period, entity_id }: Pick<ValuedMonth, 'period' | 'entity_id'>): string =>
  `${period} ${entity_id}`;

const MONTH_LENGTH = '2026-10'.length;

const firstChanged = (
  today: readonly ValuedMonth[],
  stored: readonly ValuedMonth[],
  isClosed: (month: CountedMonth) => boolean,
): string | null => {
  const text = (month: ValuedMonth) =>
    `${keyOf(month)} ${isClosed(month) ? month.entries : month.fingerprint}`;
  const [now, before] = [new Set(today.map(text)), new Set(stored.map(text))];
  const differing = [...now, ...before].filter((month) => !(now.has(month) && before.has(month)));
  return earliest(differing.map((month) => month.slice(0, MONTH_LENGTH)));
};
