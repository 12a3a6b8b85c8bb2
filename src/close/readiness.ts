// Readiness: what a close needs. One file under sql/close is one need; a row of it is what stands in the way.

import type { Connection } from '../db.ts';
import { centsUp, compare, sum } from '../money.ts';
import { type BoundSql, bindSql, readSql, sqlPaths } from '../sql.ts';

/** A month of one entity, `[…, to)`, the currency that things are valued in, and what may be unknown: '' for no limit. */
export type Month = {
  readonly entity: string;
  readonly period: string;
  readonly to: string;
  readonly currency: string;
  readonly unknown_limit: string;
};

/** What stands in the way: which need, about what, and what to do. */
export type Obstacle = { readonly need: string; readonly subject: string; readonly detail: string };

/** A break that the close accepts; `value` in the reporting currency, null where nothing prices it. */
export type Waived = {
  readonly break_id: string;
  readonly account: string | null;
  readonly currency: string | null;
  readonly difference: string | null;
  readonly value: string | null;
  readonly by_name: string;
  readonly reason: string;
  readonly at: string;
};

/** A file bound to those of the month's facts that it asks for. */
export const monthSql = (path: string, month: Month): BoundSql => {
  const file = readSql(path);
  const asked = Object.entries(month).filter(([name]) => file.parameters.includes(name));
  return bindSql(file, Object.fromEntries(asked));
};

/** Everything that stands in the way of closing a month, in the order of the files. */
export const obstaclesTo = async (session: Connection, month: Month): Promise<Obstacle[]> => {
  const found: Obstacle[] = [];
  for (const path of sqlPaths('close')) {
    const need = path.replace(/^.*\/|\.sql$/g, '');
    const { rows } = await session.query<Omit<Obstacle, 'need'>>(monthSql(path, month));
    found.push(...rows.map(({ subject, detail }) => ({ need, subject, detail })));
  }
  return found;
};

/** The breaks waived for a month. */
export const waivedIn = async (session: Connection, month: Month): Promise<Waived[]> =>
  (await session.query<Waived>(monthSql('seal/waived.sql', month))).rows;

/** What the waived breaks come to, and what of it no budget covers: a break that nothing prices exceeds any. */
export const overBudget = (waived: readonly Waived[], budget: string, currency: string): Obstacle[] => {
  const unpriced = waived.filter(({ value }) => value === null);
  const gross = grossOf(waived);
  const need = 'budget';
  return [
    ...unpriced.map(({ break_id, difference, currency: its }) => ({
      need,
      subject: `break ${break_id}`,
      detail: `${difference ?? 'a difference'} ${its ?? ''} has no price in ${currency}, so that no budget covers it: breaks resolve ${break_id} --by NAME --reason TEXT once it is settled`,
    })),
    ...(compare(gross, budget) > 0
      ? [
          {
            need,
            subject: `${waived.length} waived breaks`,
            detail: `they are worth ${centsUp(gross)} ${currency} gross, the budget is ${budget}: resolve some, or state a larger one with --budget`,
          },
        ]
      : []),
  ];
};

/** The gross value of waived breaks, those without a price left out. */
export const grossOf = (waived: readonly Waived[]): string =>
  waived.reduce((total, { value }) => sum([total, value ?? '0']), '0');
