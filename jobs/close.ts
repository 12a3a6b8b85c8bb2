// Closing: a month of every entity, or of one, each where nothing stands in its way.
import { approveMonth, type CloseAsked, type Closed, closeMonth, reopenMonth } from '../src/close/close.ts';
import { keptEntities } from './entities.ts';
import type { Result, Work } from './work.ts';

export type MonthAsked = { readonly period: string; readonly only?: string | undefined; readonly by: string };

/** How a decision ends: it reaches no gateway. */
export const decided = (exitCode: Result['exitCode'], summary: string): Result => ({
  ...{ exitCode, summary },
  ...{ requests: 0, pages: 0, fewest: 0 },
});

/** Closes the month of each entity that is ready for it; the others keep it open, and the exit code is 1. */
export const closeMonths = async (
  work: Work,
  asked: CloseAsked & { readonly only?: string | undefined },
): Promise<{ readonly result: Result; readonly closed: readonly Closed[] }> => {
  const desk = { pool: work.pool, decider: work.as('preparer') };
  const closed: Closed[] = [];
  for (const entity of await keptEntities(work, asked.only))
    closed.push(await closeMonth(desk, entity, asked));
  const open = closed.filter(({ sealed }) => sealed === null);
  const roots = closed.flatMap(({ sealed }) => (sealed ? [`${sealed.entity} ${sealed.root}`] : []));
  const told = [
    ...(roots.length > 0 ? [`${asked.period} closed by ${asked.by}: ${roots.join(', ')}`] : []),
    ...(open.length > 0
      ? [
          `${asked.period} stays open for ${open.map(({ entity, obstacles }) => `${entity} (${obstacles.length} in the way)`).join(', ')}`,
        ]
      : []),
  ];
  return { result: decided(open.length > 0 ? 1 : 0, told.join('; ')), closed };
};

/** Puts another person's name under the seals of a month. */
export const approveMonths = async (work: Work, asked: MonthAsked): Promise<Result> => {
  const entities = await keptEntities(work, asked.only);
  for (const entity of entities) await approveMonth(work.as('approver'), entity, asked);
  return decided(0, `${asked.period} approved by ${asked.by}: ${entities.join(', ')}`);
};

/** Opens the last closed month again; loud, since what was handed out may no longer be what the books say. */
export const reopenMonths = async (
  work: Work,
  asked: MonthAsked & { readonly reason: string },
): Promise<Result> => {
  const entities = await keptEntities(work, asked.only);
  for (const entity of entities) await reopenMonth(work.as('approver'), entity, asked);
  return decided(0, `${asked.period} REOPENED by ${asked.by} (${asked.reason}): ${entities.join(', ')}`);
};
