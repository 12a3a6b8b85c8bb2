// Rebuild: everything after landing is dropped and replayed, offline, with what people decided. The same records and
// decisions must give the same books: the derived tables and every report are hashed before and after, tables whatever
// the order in which their rows lie.
import { sql } from 'kysely';
import type { Books } from '../src/db.ts';
import { postApproved } from '../src/decide/decide.ts';
import { FailedError } from '../src/errors.ts';
import { renderReports } from '../src/export/export.ts';
import { forget } from '../src/normalize/forget.ts';
import { keptEntities } from './entities.ts';
import { bookAll } from './nightly.ts';
import type { Result, Work } from './work.ts';

/** The derived tables, each with the columns that make it what it is: all of them. */
const DERIVED = ['ledger.entries', 'ledger.transfers', 'ledger.daily', 'ledger.outcomes'] as const;

/** By table, and by report over all time. */
export type Hashes = { readonly [name: string]: { readonly rows: string; readonly hash: string } };

/** What a rebuild came to; `isEqual` where every table is what it was. */
export type Rebuilt = {
  readonly before: Hashes;
  readonly after: Hashes;
  readonly isEqual: boolean;
  readonly result: Result;
};

/** Drops and replays. A record still to be normalized is booked first, so that before and after mean the same. */
export const rebuild = async (work: Work): Promise<Rebuilt> => {
  await bookAll(work, await keptEntities(work));
  const before = await hashesOf(work);
  await forget(work.db, { restore: postApproved });
  const result = await bookAll(work, await keptEntities(work));
  const after = await hashesOf(work);
  const differing = Object.keys(after).filter((name) => before[name]?.hash !== after[name]?.hash);
  if (differing.length > 0) work.tell({ event: 'rebuilt differently', what: differing.join(', ') });
  const isEqual = differing.length === 0;
  return {
    before,
    after,
    isEqual,
    result: isEqual
      ? result
      : {
          ...result,
          exitCode: 2,
          summary: `${differing.join(', ')} came out differently; ${result.summary}`,
        },
  };
};

/** What is hashed of a table beside what a machine's clock put into it: `recorded_at` differs where landing was another. */
type Hashed = { readonly without?: readonly string[] };

/** Hashes of every derived table and of every report. */
export const hashesOf = async (
  { db, pool }: Pick<Work, 'db' | 'pool'>,
  { without = [] }: Hashed = {},
): Promise<Hashes> => {
  const all: Record<string, { rows: string; hash: string }> = {};
  for (const table of DERIVED) all[table] = await hashOf(db, table, without);
  const always = { from: '-infinity', to: 'infinity', by: 'posted_at', entity: '' } as const;
  const nowhere = { put: async () => {}, end: async () => {} };
  for (const { name, rows, sha256 } of await renderReports(pool, always, () => nowhere))
    all[name] = { rows: String(rows), hash: sha256 };
  return all;
};

/** Rows and the sum of their SHA-256, cut to 60 bits each: equal for equal sets of rows. */
const hashOf = async (db: Books, table: (typeof DERIVED)[number], without: readonly string[]) => {
  const { rows } = await sql<{ rows: string; hash: string }>`
    select count(*)::text as rows, coalesce(sum(
      ('x' || left(encode(sha256(convert_to((to_jsonb(t) - ${without}::text[])::text, 'UTF8')), 'hex'), 15))::bit(60)::bigint
    ), 0)::text as hash
    from ${sql.table(table)} as t`.execute(db);
  const [row] = rows;
  if (!row) throw new FailedError(`${table} could not be hashed`);
  return row;
};
