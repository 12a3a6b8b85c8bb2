// Closes a month of every entity or of one, each if no precondition blocks it.
import { pairAndValue, returnEntries } from '../../jobs/book.ts';
import { counted, firstOf } from '../base/counted.ts';
import { UsageError } from '../base/errors.ts';
import { msOf } from '../base/time.ts';
import {
  approveMonth,
  type Closed,
  type CloseRequest,
  closeMonth,
  type HeldMonth,
  heldMonths,
  monthOf,
  reopenMonth,
} from '../close/close.ts';
import { bookedEntities, databaseTime, offlineResult } from '../run/run.ts';
import type { Result, Work } from '../run/work.ts';
import { valueAgainFrom } from '../valuation/valuation.ts';

type MonthRequest = {
  readonly period: string;
  readonly only?: string | undefined;
  readonly by: string;
};

/** The entities to act on. Throws UsageError if there are none. */
export const monthsOf = async (work: Work, only: string | undefined): Promise<string[]> => {
  const entities = await bookedEntities(work, only);
  if (entities.length === 0) throw new UsageError('nothing is booked yet: run npx tieout nightly first');
  return entities;
};

/** The month, if something can be accepted in it. Throws UsageError if it is still to come: nobody knows what it will bring. */
export const begunMonth = async (work: Work, text: string): Promise<ReturnType<typeof monthOf>> => {
  const month = monthOf(text, work.config.timezone);
  if (msOf(await databaseTime(work.db)) < msOf(month.from))
    throw new UsageError(
      `${month.period} begins at ${month.from}: nothing can be accepted in a month before that`,
    );
  return month;
};

/** Closes the month of each entity that meets the preconditions; the others stay open, and the exit code is 1. */
export const closeMonths = async (
  work: Work,
  request: CloseRequest & { readonly only?: string | undefined },
): Promise<{ readonly result: Result; readonly closed: readonly Closed[] }> => {
  const entities = await monthsOf(work, request.only);
  const late = await returnAll(work, entities); // in case a reopening was interrupted
  await pairAndValue(work); // a closed month's values never change, so they must be complete
  const desk = { pool: work.pool, decider: await work.as('preparer') };
  const closed: Closed[] = [];
  for (const entity of entities) closed.push(await closeMonth(desk, entity, request));
  const open = closed.filter(({ sealed, isClosed }) => sealed === null && !isClosed);
  const before = closed.flatMap(({ entity, standing }) => (standing ? [`${entity} ${standing.root}`] : []));
  const roots = closed.flatMap(({ sealed }) => (sealed ? [`${sealed.entity} ${sealed.root}`] : []));
  const sentences = [
    ...(roots.length > 0 ? [`${request.period} closed by ${request.by}: ${roots.join(', ')}`] : []),
    ...(open.length > 0
      ? [
          `${request.period} stays open for ${open.map(({ entity, obstacles }) => `${entity} (${counted(obstacles.length, 'blocker')})`).join(', ')}`,
        ]
      : []),
    ...(before.length > 0 ? [`${request.period} was already closed: ${before.join(', ')}`] : []),
    ...(late > 0 ? [`${lateEntries(late)} moved back into reopened months`] : []),
  ];
  return {
    result: offlineResult(open.length > 0 || roots.length === 0 ? 1 : 0, sentences.join('; ')),
    closed,
  };
};

/** Approves the seals of a month as another person: all of them or, if one cannot be approved, none. */
export const approveMonths = async (work: Work, request: MonthRequest): Promise<Result> => {
  monthOf(request.period, work.config.timezone);
  const entities = await monthsOf(work, request.only);
  const approver = await work.as('approver');
  await approver.transaction().execute(async (tx) => {
    for (const entity of entities) await approveMonth(tx, entity, request);
  });
  // A summary names the first; a close names all, because each has a root to store elsewhere, or blockers.
  return offlineResult(0, `${request.period} approved by ${request.by}: ${firstOf(entities)}`);
};

/**
 * Reopens the last closed month of each entity, or of none if it is not the last of one of them. The message is loud,
 * because files that were exported before may no longer match the books.
 */
export const reopenMonths = async (
  work: Work,
  request: MonthRequest & { readonly reason: string },
): Promise<Result> => {
  monthOf(request.period, work.config.timezone);
  const entities = await monthsOf(work, request.only);
  const approver = await work.as('approver');
  await approver.transaction().execute(async (tx) => {
    for (const entity of entities) await reopenMonth(tx, entity, request);
    // Committed first: whatever values next, after a kill too, does so anew.
    await valueAgainFrom(work.db, { entities, period: request.period });
  });
  const late = await returnAll(work, entities);
  await pairAndValue(work);
  const { period, by, reason } = request;
  const sealedElsewhere = await heldMonths(work.db, { period, entities });
  return offlineResult(
    0,
    `${period} REOPENED by ${by} (${reason}): ${firstOf(entities)}; ${lateEntries(late)} moved back into it${valuesAfter(period, entities, sealedElsewhere)}`,
  );
};

/** Returns the late entries of all these entities to their reopened months, and counts them. */
const returnAll = async (work: Work, entities: readonly string[]): Promise<number> => {
  let late = 0;
  for (const entity of entities) late += await returnEntries(work, entity);
  return late;
};

const lateEntries = (late: number): string => counted(late, 'late entry', 'late entries');

/** What a reopening does to the values of the month: an entity that shares its lots with one that has it closed keeps them. */
const valuesAfter = (period: string, entities: readonly string[], months: readonly HeldMonth[]): string => {
  if (months.length === 0) return ', and its values are recomputed';
  const keeps = [...new Set(months.map(({ entity }) => entity))];
  const last = new Map(months.map(({ holder, through }) => [holder, through]));
  const commands = [...last].map(([holder, through]) => `npx tieout reopen ${through} --entity ${holder}`);
  const others = keeps.length < entities.length ? '; those of the others are recomputed' : '';
  return `. The values of ${firstOf(keeps)} stay as they were sealed, because lots are shared with ${[...last.keys()].join(', ')} of the same taxpayer, where ${period} is closed: what moved back is valued in the first month that all of them have open${others}. To value ${period} anew, reopen it there too, the last closed month first: ${commands.join(', ')}`;
};
