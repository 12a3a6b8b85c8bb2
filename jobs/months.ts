// What a nightly does for reopened months: returns late entries to them, and notes which months are still open.
import { sql } from 'kysely';
import { loadSql, readRows } from '../src/database/database.ts';
import { returnLate } from '../src/ledger/ledger.ts';
import { report } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';

/** Returns late entries to reopened months. A nightly also does this, in case a reopening was interrupted. */
export const returnEntries = async (work: Work, entity: string): Promise<number> => {
  const records = await returnLate(work.db, { entity, whose: 'records' });
  const { rows } = await sql`
    select from books.manual_entries m
    left join books_internal.closed_through c using (entity_id)
    where m.entity_id = ${entity} and m.original_period > coalesce(c.through, '') limit 1`.execute(work.db);
  if (rows.length === 0) return records;
  return records + (await returnLate(await work.as('approver'), { entity, whose: 'people' }));
};

type MonthNote = { readonly entity: string; readonly subject: string; readonly detail: string };

/** Notes for a nightly: months that are still reopened, and entries booked after their month was closed. */
export const noteMonths = async ({ db, run }: Work): Promise<void> => {
  const rows = await readRows<MonthNote>(db, loadSql('status/month_notes.sql', { run: run.id }));
  for (const note of rows) await report(db, run, { ...note, severity: 'note' });
};
