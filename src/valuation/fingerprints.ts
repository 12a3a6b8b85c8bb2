// Fingerprints: what a month's values are derived from, in few figures, so that a month that did not move is left alone.
// Entries and rates are only ever added, so that counting them is enough.
import { type Kysely, sql } from 'kysely';
import { sha256 } from '../base/json.ts';
import type { DB } from '../database/db-types.ts';
import { monthAfter } from '../ledger/period.ts';
import { natureMarks, type Taxpayer } from './taxpayers.ts';
import type { Month } from './writing.ts';

/** Goes up when the program would make other values of the same books. */
const RULES = 5;

type Counted = {
  entity_id: string;
  period: string;
  entries: number;
  rates: string;
  official: string;
  outside: string;
};

/** `isLate`: a closed month has other entries than it was derived with. */
export type Moved = {
  readonly now: readonly Month[];
  readonly from: string | null;
  readonly isLate: boolean;
};

/**
 * What the months are derived from now, and the first open one that was derived from something else: null where none was.
 * A closed month stays as it is, whatever has come since.
 */
export const fingerprints = async (tx: Kysely<DB>, taxpayer: Taxpayer, timezone: string): Promise<Moved> => {
  const marks = await natureMarks(tx, taxpayer);
  const { name, method, currency, entities } = taxpayer;
  const now = (await counted(tx, taxpayer, timezone)).map(({ entity_id, period, ...counts }) => {
    const mark = marks.get(`${entity_id} ${period}`) ?? '';
    const text = JSON.stringify([RULES, name, entities, method, currency, counts, mark]);
    return { entity_id, period, entries: counts.entries, fingerprint: sha256(text).slice(0, 16) };
  });
  const { rows: kept } = await sql<Month>`
    select entity_id, period, entries, fingerprint from value.months
    where taxpayer = ${name} or entity_id = any(${entities}::text[])`.execute(tx);
  const first = firstMoved(now, kept, taxpayer.closed);
  const isLate = first !== null && first <= taxpayer.closed;
  const from = isLate ? monthAfter(taxpayer.closed) : first;
  return { now: from === null ? now : asDerived(now, kept, from), from, isLate };
};

/** A month before the first that is derived again keeps what it was derived from, so that reopening it derives it again. */
const asDerived = (now: readonly Month[], kept: readonly Month[], from: string): Month[] => {
  const marks = new Map(kept.map((it) => [`${it.period} ${it.entity_id}`, it.fingerprint]));
  return now.map((it) =>
    it.period < from ? { ...it, fingerprint: marks.get(`${it.period} ${it.entity_id}`) ?? '' } : it,
  );
};

const firstMoved = (now: readonly Month[], kept: readonly Month[], closed: string): string | null => {
  const text = ({ entity_id, period, entries, fingerprint }: Month) =>
    `${period} ${entity_id} ${period <= closed ? entries : fingerprint}`;
  const [is, was] = [new Set(now.map(text)), new Set(kept.map(text))];
  const moved = [...is, ...was].filter((it) => !(is.has(it) && was.has(it))).map((it) => it.slice(0, 7));
  return moved.length === 0 ? null : moved.reduce((a, b) => (a < b ? a : b));
};

/** By entity and month: its entries, the rates and official rates of all time up to its end, and the lots from outside. */
const counted = async (
  tx: Kysely<DB>,
  { entities, currency }: Taxpayer,
  timezone: string,
): Promise<Counted[]> => {
  const { rows } = await sql<Counted>`
    with months as (
      select entity_id, period, count(*)::int as entries from ledger.entries
      where entity_id = any(${entities}::text[]) group by 1, 2
    ), rate as (
      select to_char(at at time zone ${timezone}, 'YYYY-MM') as period, count(*) as rates from land.rates
      where currency <> ${currency} group by 1
    ), official as (
      select to_char(day, 'YYYY-MM') as period, count(*) as rates from land.official_rates group by 1
    )
    select m.entity_id, m.period, m.entries,
      (select coalesce(sum(r.rates), 0) from rate r where r.period <= m.period) as rates,
      (select coalesce(sum(o.rates), 0) from official o where o.period <= m.period) as official,
      (select count(*) from decide.outside_lots where entity_id = any(${entities}::text[])) as outside
    from months m`.execute(tx);
  return rows;
};
