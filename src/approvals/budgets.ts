// Budgets: the limit on the value of waived breaks and value findings in one entity's month, set by one person before
// another closes; and how many value findings of a month a person accepts. Every version is stored; the last one is in
// force.

import { type Kysely, sql } from 'kysely';
import { counted } from '../base/counted.ts';
import type { DB } from '../database/db-types.ts';
import type { AcceptanceChange, BudgetChange } from './changes.ts';
import type { Enacted } from './enacted.ts';

export type Budget = { readonly version: string; readonly ceiling: string; readonly prepared_by: string };

/** The budget of an entity; 0 if none was set. */
export const budgetOf = async (db: Kysely<DB>, entity: string): Promise<Budget> => {
  const { rows } = await sql<Budget>`
    select version::text as version, trim_scale(ceiling)::text as ceiling, prepared_by from books_internal.budgets
    where entity_id = ${entity} order by version desc limit 1`.execute(db);
  return rows[0] ?? { version: '0', ceiling: '0', prepared_by: '' };
};

/** A proposal to set the budget. */
export const budgetChange = async (
  db: Kysely<DB>,
  entity: string,
  { ceiling, currency }: { readonly ceiling: string; readonly currency: string },
): Promise<BudgetChange> => ({
  action: 'budget',
  description: `a budget of ${ceiling} ${currency} for each month of ${entity}`,
  base: (await budgetOf(db, entity)).version,
  ceiling,
});

/** Puts an approved budget in force. */
export const setBudget = async (tx: Kysely<DB>, enacted: Enacted<BudgetChange>): Promise<void> => {
  const { base, ceiling } = enacted.change;
  await sql`
    insert into decide.budgets (entity_id, version, ceiling, by_name, reason, at, proposal_id)
    values (${enacted.entity}, ${base}::int + 1, ${ceiling}::numeric, ${enacted.by}, ${enacted.reason}, ${enacted.at}::timestamptz,
      ${enacted.proposalId})`.execute(tx);
};

/** How many acceptances of a month were approved; the last of them is in force. */
export const acceptancesOf = async (db: Kysely<DB>, entity: string, period: string): Promise<string> => {
  const { rows } = await sql<{ many: string }>`
    select count(*)::text as many from decide.value_acceptances
    where entity_id = ${entity} and period = ${period}`.execute(db);
  return rows[0]?.many ?? '0';
};

/** A proposal to accept a number of value findings. */
export const acceptance = async (
  db: Kysely<DB>,
  entity: string,
  { period, findingsMax }: { readonly period: string; readonly findingsMax: number },
): Promise<AcceptanceChange> => ({
  action: 'accept',
  description: `the close of ${period} with up to ${counted(findingsMax, 'value finding')}`,
  base: await acceptancesOf(db, entity, period),
  period,
  findings_max: String(findingsMax),
});

/** Stores an approved acceptance. */
export const acceptFindings = async (tx: Kysely<DB>, enacted: Enacted<AcceptanceChange>): Promise<void> => {
  const { period, findings_max } = enacted.change;
  await sql`
    insert into decide.value_acceptances (entity_id, period, proposal_id, findings_max, by_name, reason, at)
    values (${enacted.entity}, ${period}, ${enacted.proposalId}, ${findings_max}::int, ${enacted.by}, ${enacted.reason},
      ${enacted.at}::timestamptz)`.execute(tx);
};
