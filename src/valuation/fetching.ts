// Reads a cursor that its transaction has declared, because the rows may be too many to hold.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';

/** The rows of a cursor, page by page, until a page is empty. Then it is closed. */
export async function* pagesOf<Row>(
  tx: Kysely<DB>,
  { cursor, pageRows }: { readonly cursor: string; readonly pageRows: number },
): AsyncGenerator<Row[]> {
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(pageRows)} from ${sql.id(cursor)}`.execute(tx);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql`close ${sql.id(cursor)}`.execute(tx);
}
