// Counterparties: rules that people hand in, and the list of who is on the other side, unknown ones first.
import { basename } from 'node:path';
import { sql } from 'kysely';
import type { Books } from '../src/db.ts';
import { importRules, type Rule } from '../src/decide/decide.ts';
import { decided } from './close.ts';
import { valueAll } from './values.ts';
import type { Result, Work } from './work.ts';

/** `closed`: months of an entity, such as `main 2026-09`, that would be valued otherwise by these rules, and stay as they are. */
export type Imported = {
  readonly result: Result;
  readonly version: number;
  readonly closed: readonly string[];
};

/** Puts the rules of a file in force, in place of those before, and values the open months by them. */
export const importCounterparties = async (
  work: Work,
  { rules, path, by }: { readonly rules: readonly Rule[]; readonly path: string; readonly by: string },
): Promise<Imported> => {
  const desk = { db: work.db, decider: await work.as('preparer') };
  const before = await closedNatures(work.db);
  const version = await importRules(desk, { rules, fileName: basename(path), by });
  await valueAll(work);
  const after = await closedNatures(work.db);
  const closed = [...after].flatMap(([month, mark]) => (before.get(month) === mark ? [] : [month]));
  const many = rules.length === 1 ? '1 rule' : `${rules.length} rules`;
  const summary = `${many} of version ${version} in force by ${by}`;
  const kept = `; ${closed.join(', ')}: closed, and valued as before until it is reopened`;
  return { result: decided(0, closed.length === 0 ? summary : summary + kept), version, closed };
};

/** By entity and closed month, a mark of what its outside legs are. */
const closedNatures = async (db: Books): Promise<ReadonlyMap<string, string>> => {
  const { rows } = await sql<{ month: string; mark: string }>`
    select o.entity_id || ' ' || o.period as month, md5(string_agg(concat_ws(' ', o.entry_id, o.leg, o.nature), ',' order by o.entry_id, o.leg)) as mark
    from books.outside o
    join books.closed_through c using (entity_id)
    where o.period <= c.through
    group by o.entity_id, o.period
    order by 1`.execute(db);
  return new Map(rows.map(({ month, mark }) => [month, mark]));
};

export type CounterpartyRow = Readonly<
  Record<'nature' | 'account' | 'currency' | 'in' | 'out', string> &
    Record<'counterparty' | 'operation' | 'address' | 'value', string | null>
> & { readonly records: number };

/** Who is on the other side, of one entity or all: of the unknown ones what tells them apart, the largest first. */
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
      where rest <> 0 and kind <> 'reversal' and not books.is_reversed(entity_id, entry_id)
      group by 1, 2, 3, 4, 5, 6, 7
    ), valued as (
      select *, books.value_of(entity_id, currency, came + left_us, ${currency}, 'infinity') as value from summed
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
  Record<'counterparty' | 'nature' | 'by_name' | 'at' | 'not_known_to', string> &
    Record<'class' | 'address' | 'bank_account' | 'operation', string | null>
> & { readonly version: number; readonly line: number };

/** The rules in force, in their order. */
export const ruleRows = async (db: Books): Promise<RuleRow[]> => {
  const { rows } = await sql<RuleRow>`select * from books.counterparty_rules order by line`.execute(db);
  return rows;
};
