// Rebuild: drops and replays everything after landing, offline, with the entries and changes that people approved. The
// result must be the same: the derived tables and every report are hashed before and after, tables whatever the order of
// their rows.
import { type RawBuilder, sql } from 'kysely';
import { book } from '../../jobs/book.ts';
import { bookAll } from '../../jobs/nightly.ts';
import { postApproved } from '../approvals/approvals.ts';
import { FailedError } from '../base/errors.ts';
import type { Books } from '../database/connection.ts';
import { wholly } from '../database/database.ts';
import { RECORDING_TIMES, renderReports } from '../export/export.ts';
import { restoreNumbers } from '../ledger/ledger.ts';
import { forget } from '../normalize/normalize.ts';
import { forgetLows, forgetPaired } from '../reconcile/reconcile.ts';
import { bookedEntities } from '../run/run.ts';
import type { Result, Work } from '../run/work.ts';
import { forgetValues } from '../valuation/valuation.ts';

const DERIVED = [
  'ledger.entries',
  'ledger.transfers',
  'ledger.daily',
  'ledger.totals',
  'ledger.outcomes',
  'value.postings',
  'value.monthly',
  'value.lots',
  'value.open_lots',
  'value.uses',
  'value.findings',
] as const;

/** The hashes by table, and by report over all time. */
export type Hashes = { readonly [name: string]: { readonly rows: string; readonly hash: string } };

/** The result of a rebuild; `isEqual` if every table and report is unchanged. */
export type Rebuilt = {
  readonly before: Hashes;
  readonly after: Hashes;
  readonly isEqual: boolean;
  readonly result: Result;
};

/**
 * `clockless` ignores the times of recording, which differ if the same records were landed at another time. `before`: the
 * hashes of the books as they are, if they were just computed.
 */
type Hashed = { readonly clockless?: boolean; readonly before?: Hashes };

/** Drops and replays. Landed records that are not booked yet are booked first, so that before and after are comparable. */
export const rebuild = async (work: Work, hashed: Hashed = {}): Promise<Rebuilt> => {
  await bookAll(work, await bookedEntities(work));
  const before = hashed.before ?? (await hashesOf(work, hashed));
  const fence = { runNumber: work.run.number, signal: work.signal };
  const result = await wholly(work, fence, (db) => replay({ ...work, db }));
  const after = await hashesOf(work, hashed);
  const differing = Object.keys(after).filter((name) => before[name]?.hash !== after[name]?.hash);
  const replayed = `${after['ledger.entries']?.rows} entries replayed; ${result.summary}`;
  if (differing.length > 0) work.tell({ event: 'rebuilt differently', what: differing.join(', ') });
  const isEqual = differing.length === 0;
  return {
    before,
    after,
    isEqual,
    result: isEqual
      ? { ...result, summary: replayed }
      : {
          ...result,
          exitCode: 2,
          summary: `${differing.join(', ')} differ from before; ${replayed}`,
        },
  };
};

/** Runs in one transaction: until it commits, and if it is interrupted, readers see the old books. */
const replay = async (work: Work): Promise<Result> => {
  await forget(work.db, { restore: postApproved });
  await forgetValues(work.db, work.config);
  await forgetPaired(work.db);
  await forgetLows(work.db);
  const entities = await bookedEntities(work);
  for (const entity of entities) await book(work, entity);
  await restoreNumbers(work.db); // before the books are compared with those of past nights
  return bookAll(work, entities);
};

/** Hashes of every derived table and of every report. */
export const hashesOf = async (
  { db, pool }: Pick<Work, 'db' | 'pool'>,
  { clockless = false }: Hashed = {},
): Promise<Hashes> => {
  const all: Record<string, { rows: string; hash: string }> = {};
  for (const table of DERIVED)
    all[table] = await hashOf(db, (clockless && CLOCKLESS[table]) || sql.table(table));
  const always = { from: '-infinity', to: 'infinity', by: 'posted_at', entity: '' } as const;
  const nowhere = { put: async () => {}, end: async () => {} };
  const leftOut = clockless ? RECORDING_TIMES : undefined;
  for (const { name, rows, sha256 } of await renderReports(pool, always, () => nowhere, leftOut))
    all[name] = { rows: String(rows), hash: sha256 };
  return all;
};

/**
 * The derived tables that have recording times or the order of booking, without them; the daily summary, which has times in its
 * key, is summed over them.
 */
const CLOCKLESS: Partial<Record<(typeof DERIVED)[number], RawBuilder<unknown>>> = {
  'ledger.entries': sql`(select to_jsonb(e) - 'recorded_at' - 'entry_number' as row from ledger.entries e)`,
  'ledger.daily': sql`(
    select entity_id, account, currency, effective_day, sum(debit) as debit, sum(credit) as credit
    from ledger.daily group by 1, 2, 3, 4
  )`,
};

/** The number of rows and the sum of their SHA-256, cut to 60 bits each: equal for equal sets of rows. */
const hashOf = async (db: Books, rowsOf: RawBuilder<unknown>) => {
  const { rows } = await sql<{ rows: string; hash: string }>`
    select count(*)::text as rows, coalesce(sum(
      ('x' || left(encode(sha256(convert_to(t::text, 'UTF8')), 'hex'), 15))::bit(60)::bigint
    ), 0)::text as hash
    from ${rowsOf} as t`.execute(db);
  const [row] = rows;
  if (!row) throw new FailedError('a derived table could not be hashed');
  return row;
};
