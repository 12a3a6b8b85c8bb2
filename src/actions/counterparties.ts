// Counterparties: imports rules, and lists who is on the other side, unknown ones first.
import { basename } from 'node:path';
import { sql } from 'kysely';
import { type Rule, rulesChange } from '../approvals/approvals.ts';
import type { Books } from '../database/database.ts';
import type { Work } from '../run/work.ts';
import { type SubmittedProposal, submitProposal } from './proposals.ts';

/** Proposes the rules of a file, to replace those in force. */
export const importCounterparties = async (
  work: Work,
  { rules, path, by }: { readonly rules: readonly Rule[]; readonly path: string; readonly by: string },
): Promise<SubmittedProposal> => {
  const fileName = basename(path);
  const content = await rulesChange(work.db, { rules, fileName });
  const signature = { by, reason: `the rules of ${fileName}`, evidence: null };
  return submitProposal(work, signature, { entity: work.config.entity, content });
};

export type CounterpartyRow = Readonly<
  Record<'nature' | 'account' | 'currency' | 'in' | 'out', string> &
    Record<'counterparty' | 'operation' | 'address' | 'value', string | null>
> & { readonly records: number };

/** Counterparties of one entity or all, largest first; unknown ones have the details that identify them. */
export const counterpartyRows = async (
  db: Books,
  { only, currency }: { readonly only?: string | undefined; readonly currency: string },
): Promise<CounterpartyRow[]> => {
  const { rows } = await sql<CounterpartyRow>`
    with summed as (
      select entity_id, nature, counterparty, account, currency, case when nature = 'unknown' then operation end as operation,
        case when nature = 'unknown' then address end as address, coalesce(-sum(amount) filter (where amount < 0), 0) as came,
        coalesce(sum(amount) filter (where amount > 0), 0) as left_us, count(distinct (stream, record_id)) as records
      from (
        select o.*, sum(o.amount) over (partition by o.entity_id, o.stream, o.record_id, o.account, o.currency) as rest
        from books.outside o
        where ${only ?? null}::text is null or o.entity_id = ${only ?? null}
      ) as standing
      where rest <> 0 and kind <> 'reversal' and not books_internal.is_reversed(entity_id, entry_id)
      group by 1, 2, 3, 4, 5, 6, 7
    ), valued as (
      select *, books_internal.value_of(entity_id, currency, came + left_us, ${currency}, 'infinity') as value from summed
    )
    select nature, counterparty, account, currency, operation, address, trim_scale(sum(came))::text as "in",
      trim_scale(sum(left_us))::text as "out", sum(records)::int as records,
      case when count(value) = count(*) then round(sum(value), 2)::text end as value
    from valued
    group by 1, 2, 3, 4, 5, 6
    order by nature <> 'unknown', case when count(value) = count(*) then sum(value) end desc nulls first, nature, counterparty,
      account, currency, operation, address`.execute(db);
  return rows;
};

export type RuleRow = Readonly<
  Record<'counterparty' | 'nature' | 'imported_by' | 'imported_at' | 'not_known_to', string> &
    Record<'class' | 'address' | 'bank_account' | 'operation', string | null>
> & { readonly version: number; readonly line: number };

/** The rules in force, in order. */
export const ruleRows = async (db: Books): Promise<RuleRow[]> => {
  const { rows } = await sql<RuleRow>`select * from books.counterparty_rules order by line`.execute(db);
  return rows;
};
