// The preconditions of a close. Each file under sql/close is one precondition; each row that it returns is a blocker.

import type { Budget } from '../approvals/approvals.ts';
import { counted } from '../base/counted.ts';
import { centsUp, compare, sum } from '../base/money.ts';
import { sameName } from '../base/names.ts';
import type { Connection } from '../database/client.ts';
import { bindSql, readSql, sqlPaths } from '../database/database.ts';
import type { BoundSql } from '../database/sql.ts';

/** A month `[from, to)` of one entity, the currency of its values, and the limit for unknown counterparties ('' for none). */
export type Month = {
  readonly entity: string;
  readonly period: string;
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly unknown_limit: string;
};

/** A blocker: the precondition, its subject, and what to do. */
export type Obstacle = { readonly need: string; readonly subject: string; readonly detail: string };

/** A break that the close accepts; `value` is in the reporting currency, null if there is no price. */
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

/** Binds the period parameters that the file declares. */
const monthSql = (path: string, month: Month): BoundSql => {
  const file = readSql(path);
  const parameters = Object.entries(month).filter(([name]) => file.parameters.includes(name));
  return bindSql(file, Object.fromEntries(parameters));
};

/** Everything that blocks closing a month, in the order of the files. */
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

/**
 * A month's value findings: their number, how many somebody accepted, and their estimated value where a
 * price exists.
 */
export type Unvalued = {
  readonly findings: number;
  readonly accepted: number;
  readonly accepted_by: string | null;
  readonly estimate: string;
  readonly unpriced: number;
};

const NONE: Unvalued = { findings: 0, accepted: 0, accepted_by: null, estimate: '0', unpriced: 0 };

/** Reads a month's value findings. */
export const unvaluedIn = async (session: Connection, { entity, period, to }: Month): Promise<Unvalued> => {
  const { rows } = await session.query<Unvalued>(
    `select findings::int as findings, accepted, accepted_by, estimate::text as estimate, unpriced::int as unpriced
     from books_internal.unvalued_months($1::timestamptz) where entity_id = $2 and period = $3`,
    [to, entity, period],
  );
  return rows[0] ?? NONE;
};

/** What a close accepts: who closes, the budget given for this close, and the ceiling in force. */
type Accepted = {
  readonly waived: readonly Waived[];
  readonly unvalued: Unvalued;
  readonly by: string;
  readonly budget: string;
  readonly ceiling: Budget;
  readonly isOnePerson: boolean;
  readonly currency: string;
};

/** Waived breaks and accepted items that no budget covers; a break without a price exceeds every budget. */
export const overBudget = (accepted: Accepted): Obstacle[] => [
  ...unpricedBreaks(accepted),
  ...overStated(accepted),
  ...overCeiling(accepted),
];

const need = 'budget';

const unpricedBreaks = ({ waived, currency }: Accepted): Obstacle[] =>
  waived
    .filter(({ value }) => value === null)
    .map(({ break_id, difference, currency: breakCurrency }) => ({
      need,
      subject: `break ${break_id}`,
      detail: `${amountShown(difference, breakCurrency)} has no price in ${currency}, so that no budget covers it: npx tieout breaks resolve ${break_id} --by NAME --reason TEXT once it is settled`,
    }));

/** A count of records, for example, is no amount. */
const amountShown = (difference: string | null, currency: string | null): string =>
  currency === null ? 'it is no amount of a currency and' : `${difference ?? 'a difference'} ${currency}`;

const RAISED =
  'somebody who neither waives, accepts nor closes proposes it (npx tieout budget set AMOUNT --entity ID --by NAME --reason TEXT), and another person approves it';

const overStated = ({ waived, unvalued, budget, ceiling: { ceiling }, currency }: Accepted): Obstacle[] => {
  const gross = sum([grossOf(waived), unvalued.estimate]);
  if (compare(gross, budget) <= 0) return [];
  const raised =
    compare(gross, ceiling) > 0 ? `raise the ceiling of ${ceiling} ${currency} (${RAISED}), then ` : '';
  const items = unvalued.findings > 0 ? ` and ${counted(unvalued.findings, 'value finding')}` : '';
  return [
    {
      need,
      subject: `${counted(waived.length, 'waived break')}${items}`,
      detail: `their gross value is ${centsUp(gross)} ${currency}, the budget is ${budget}: resolve some, or ${raised}state a larger one with --budget AMOUNT`,
    },
  ];
};

/** The ceiling must be set beforehand, by a person who neither waives nor accepts within it nor closes with it. */
const overCeiling = (accepted: Accepted): Obstacle[] => {
  const { budget, ceiling, isOnePerson, currency } = accepted;
  if (compare(budget, '0') <= 0) return [];
  const subject = `a budget of ${budget}`;
  if (compare(budget, ceiling.ceiling) > 0)
    return [
      {
        need,
        subject,
        detail: `the ceiling is ${ceiling.ceiling} ${currency}: state at most that, or raise it first: ${RAISED}`,
      },
    ];
  if (isOnePerson) return [];
  const user = usersOf(accepted).find(({ name }) => sameName(ceiling.prepared_by, name));
  if (!user) return [];
  return [
    {
      need,
      subject,
      detail: `${ceiling.prepared_by} set its ceiling, and ${user.did}: another person sets it (npx tieout budget set AMOUNT --entity ID --by NAME --reason TEXT)`,
    },
  ];
};

/** Who uses a budget: everyone who waives or accepts within it, and who closes with it. */
const usersOf = ({ by, waived, unvalued }: Accepted): { readonly name: string; readonly did: string }[] => [
  { name: by, did: 'closes' },
  ...waived.map(({ break_id, by_name: name }) => ({ name, did: `waived break ${break_id}` })),
  ...(unvalued.accepted_by === null ? [] : [{ name: unvalued.accepted_by, did: 'accepted value findings' }]),
];

/** The gross value of waived breaks; those without a price are left out. */
export const grossOf = (waived: readonly Waived[]): string =>
  waived.reduce((total, { value }) => sum([total, value ?? '0']), '0');
