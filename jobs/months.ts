// What a nightly does for reopened months: returns late entries to them, and notes which months are still open.
import { sql } from 'kysely';
import { returnLate } from '../src/ledger/returns.ts';
import { report } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';

/** Returns late entries to reopened months. A nightly also does this, in case a reopening was interrupted. */
export const returnEntries = async (work: Work, entity: string): Promise<number> => {
  const records = await returnLate(work.db, { entity, whose: 'records' });
  const { rows } = await sql`
    select from books.manual_entries m
    left join books_internal.closed_through c using (entity_id)
    where m.entity_id = ${entity} and m.belongs_to > coalesce(c.through, '') limit 1`.execute(work.db);
  if (rows.length === 0) return records;
  return records + (await returnLate(await work.as('approver'), { entity, whose: 'people' }));
};

type MonthNote = { readonly entity: string; readonly subject: string; readonly detail: string };

/** Notes for a nightly: months that are still reopened, and entries booked after their month was closed. */
export const noteMonths = async ({ db, run }: Work): Promise<void> => {
  const { rows } = await sql<MonthNote>`
    select s.entity_id as entity, 'reopened' as subject,
      format('%s was reopened by %s (%s) and is not closed again', s.period, s.reopened_by, s.reopen_reason) as detail
    from books.seals s
    where s.status = 'reopened' and not exists (
      select from books.seals again
      where again.entity_id = s.entity_id and again.period >= s.period and again.status = 'closed'
    )
    union all
    select entity_id, 'late', format('%s entries came too late for %s and count in %s: tieout restate %s shows them',
      count(*), belongs_to, period, belongs_to)
    from ledger.entries
    where belongs_to is not null and entry_number > (select entries_before from run.runs where run_id = ${run.id}::uuid)
    group by entity_id, belongs_to, period`.execute(db);
  for (const note of rows) await report(db, run, { ...note, severity: 'note' });
};
