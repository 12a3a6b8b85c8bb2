// Fingerprints: the sources of a month's values as a few counts, so that an unchanged month is not valued again. Entries
// and rates are append-only, so counting them is enough.
import { type Kysely, sql } from 'kysely';
import { sha256 } from '../base/json.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { monthAfter } from '../ledger/ledger.ts';
import { counterpartyFingerprints, type Taxpayer } from './taxpayers.ts';
import type { ValuedMonth } from './writing.ts';

/** Increased when the program would derive other values from the same books. */
const RULES = 5;

type SourceCounts = {
  entity_id: string;
  period: string;
  entries: number;
  rates: string;
  official: string;
  outside: string;
};

/** `isLate`: a closed month has entries that were not there when its values were derived. */
type ChangedMonths = {
  readonly now: readonly ValuedMonth[];
  readonly from: string | null;
  readonly isLate: boolean;
};

/**
 * Today's fingerprints of all months, and the first open month whose stored fingerprint differs: null if none does.
 * Closed months never change.
 */
export const fingerprints = async (
  tx: Kysely<DB>,
  taxpayer: Taxpayer,
  timezone: string,
): Promise<ChangedMonths> => {
  const marks = await counterpartyFingerprints(tx, taxpayer);
  const { name, method, currency, entities } = taxpayer;
  const now = (await countSources(tx, taxpayer, timezone)).map(({ entity_id, period, ...counts }) => {
    const mark = marks.get(`${entity_id} ${period}`) ?? '';
    const text = JSON.stringify([RULES, name, entities, method, currency, counts, mark]);
    return { entity_id, period, entries: counts.entries, fingerprint: sha256(text).slice(0, 16) };
  });
  const { rows: stored } = await sql<ValuedMonth>`
    select entity_id, period, entries, fingerprint from value.months
    where taxpayer = ${name} or entity_id = any(${entities}::text[])`.execute(tx);
  const first = firstChanged(now, stored, taxpayer.closed);
  const isLate = first !== null && first <= taxpayer.closed;
  const from = isLate ? monthAfter(taxpayer.closed) : first;
  return { now: from === null ? now : asDerived(now, stored, from), from, isLate };
};

/** A month before the first one to be valued again keeps its stored fingerprint, so that a reopened month is valued again. */
const asDerived = (
  now: readonly ValuedMonth[],
  stored: readonly ValuedMonth[],
  from: string,
): ValuedMonth[] => {
  const marks = new Map(stored.map((it) => [`${it.period} ${it.entity_id}`, it.fingerprint]));
  return now.map((month) =>
    month.period < from
      ? { ...month, fingerprint: marks.get(`${month.period} ${month.entity_id}`) ?? '' }
      : month,
  );
};

const firstChanged = (
  now: readonly ValuedMonth[],
  stored: readonly ValuedMonth[],
  closed: string,
): string | null => {
  const text = ({ entity_id, period, entries, fingerprint }: ValuedMonth) =>
    `${period} ${entity_id} ${period <= closed ? entries : fingerprint}`;
  const [is, was] = [new Set(now.map(text)), new Set(stored.map(text))];
  const moved = [...is, ...was].filter((it) => !(is.has(it) && was.has(it))).map((it) => it.slice(0, 7));
  return moved.length === 0 ? null : moved.reduce((a, b) => (a < b ? a : b));
};

/** By entity and month: its entries, all rates and official rates up to its end, and the externally held lots. */
const countSources = (
  tx: Kysely<DB>,
  { entities, currency }: Taxpayer,
  timezone: string,
): Promise<SourceCounts[]> =>
  readRows<SourceCounts>(tx, loadSql('valuation/sources.sql', { entities, currency, timezone }));
