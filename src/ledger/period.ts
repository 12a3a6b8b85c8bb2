// Periods of entries: the month in which an entry counts. An entry with its effective date in a closed month counts in the
// first open one, and stores its original period.
import { type Kysely, sql } from 'kysely';
import { monthOf } from '../base/time.ts';
import type { DB } from '../database/db-types.ts';

/**
 * The range of a seal: it closed all months up to its period for records that landed after a request, until a later request
 * if it was reopened.
 */
export type Seal = {
  readonly period: string;
  readonly after: bigint;
  readonly until: bigint | null;
};

/** The seals of an entity and where its months are cut; `request` is the one that landed the cause, null for what is decided now. */
type Calendar = {
  readonly timezone: string;
  readonly seals: readonly Seal[];
  readonly request: bigint | null;
};

type PostingPlace = { readonly period: string; readonly originalPeriod: string | null };

/**
 * The period of an entry. The order of requests, not a clock, determines whether it is late, so that a rebuild, or a machine
 * whose clock was turned back, gets the same result.
 */
export const placeOf = (effectiveAt: string, { timezone, seals, request }: Calendar): PostingPlace => {
  const month = monthOf(effectiveAt, timezone);
  const closed = closedThrough(seals, request);
  return closed === null || month > closed
    ? { period: month, originalPeriod: null }
    : { period: monthAfter(closed), originalPeriod: month };
};

/** The place of a reversal: no month before that of the entry that it reverses, which a reopening may not have returned yet. */
export const placeOfReversal = (own: PostingPlace, { period }: { readonly period: string }): PostingPlace =>
  own.period < period ? { period, originalPeriod: own.originalPeriod ?? own.period } : own;

/** The last closed month at the time of a request; null if nothing was closed. */
export const closedThrough = (seals: readonly Seal[], request: bigint | null): string | null =>
  seals
    .filter(({ after, until }) =>
      request === null ? until === null : request > after && (until === null || request <= until),
    )
    .reduce<string | null>((last, { period }) => (last === null || period > last ? period : last), null);

/** The month after `2026-12` is `2027-01`. */
export const monthAfter = (month: string): string => {
  const [year = 0, number = 0] = month.split('-').map((part) => Number.parseInt(part, 10));
  return number === 12
    ? `${String(year + 1).padStart(4, '0')}-01`
    : `${String(year).padStart(4, '0')}-${String(number + 1).padStart(2, '0')}`;
};

/** Every seal of an entity, reopened ones included. */
export const sealsOf = async (db: Kysely<DB>, entity: string): Promise<Seal[]> => {
  const { rows } = await sql<{ period: string; after: string; until: string | null }>`
    select s.period, s.requests_to as after, r.requests_to as until
    from decide.seals s
    left join decide.reopenings r using (entity_id, period, seal_number)
    where s.entity_id = ${entity}`.execute(db);
  return rows.map(({ period, after, until }) => ({
    period,
    after: BigInt(after),
    until: until === null ? null : BigInt(until),
  }));
};
