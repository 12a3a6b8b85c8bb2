// Rebuild: everything after landing is dropped and replayed, offline, with what people decided. The same records and
// decisions must give the same books: the tables are hashed before and after, whatever the order in which their rows lie.
import { sql } from 'kysely';
import type { Books } from '../src/db.ts';
import { postApproved } from '../src/decide/decide.ts';
import { FailedError } from '../src/errors.ts';
import { forget } from '../src/normalize/normalize.ts';
import { keptEntities } from './entities.ts';
import { bookAll } from './nightly.ts';
import type { Result, Work } from './work.ts';

/** The derived tables, each with the columns that make it what it is: all of them. */
const DERIVED = ['ledger.entries', 'ledger.transfers', 'ledger.outcomes'] as const;

export type Hashes = { readonly [table: string]: { readonly rows: string; readonly hash: string } };

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
  const before = await hashes(work.db);
  await forget(work.db, postApproved);
  const result = await bookAll(work, await keptEntities(work));
  const after = await hashes(work.db);
  const differing = DERIVED.filter((table) => before[table]?.hash !== after[table]?.hash);
  if (differing.length > 0) work.tell({ event: 'rebuilt differently', tables: differing.join(', ') });
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

/** Rows and the sum of their SHA-256, cut to 60 bits each: equal for equal sets of rows. */
const hashes = async (db: Books): Promise<Hashes> => {
  const all: Record<string, { rows: string; hash: string }> = {};
  for (const table of DERIVED) {
    const { rows } = await sql<{ rows: string; hash: string }>`
      select count(*)::text as rows,
        coalesce(sum(('x' || left(encode(sha256(convert_to(t::text, 'UTF8')), 'hex'), 15))::bit(60)::bigint), 0)::text as hash
      from ${sql.table(table)} as t`.execute(db);
    const [row] = rows;
    if (!row) throw new FailedError(`${table} could not be hashed`);
    all[table] = row;
  }
  return all;
};
