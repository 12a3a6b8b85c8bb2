// Reads the result of a statement a few rows at a time, so that memory use does not grow with the result. The only file
// that imports pg-cursor.
import Cursor from 'pg-cursor';
import { type Session, socketOf } from './client.ts';
import type { BoundSql } from './sql.ts';

type CursorColumn = { readonly name: string; readonly typeId: number };
/** Some rows, each value as Postgres' own text; every page has the same columns. */
export type RowsPage = {
  readonly columns: readonly CursorColumn[];
  readonly rows: readonly (readonly (string | null)[])[];
};
type PageLimits = {
  readonly rows: number;
  /** The bytes that the server may send for one page. More than that ends the session. */
  readonly bytesMax: number;
};

/** A page exceeded its limit. The session is closed. */
export class OversizedPage extends Error {
  override readonly name = 'OversizedPage';
}

/** Ends the session as soon as it receives more than `bytesMax`. The returned function resets the count. */
const guardSession = (session: Session, bytesMax: number): (() => void) => {
  const socket = socketOf(session);
  let received = 0;
  socket.on('data', (bytes) => {
    received += bytes.length;
    if (received > bytesMax) socket.destroy(new OversizedPage(`a page has more than ${bytesMax} bytes`));
  });
  return () => {
    received = 0;
  };
};

const asText = (value: string): string => value;

/**
 * The rows of one statement, page by page, until there are no more or the caller stops; at least one page, for the
 * columns. Throws Postgres' errors, and OversizedPage for a page that is too large.
 */
export async function* readPages(
  session: Session,
  { text, values }: BoundSql,
  limits: PageLimits,
): AsyncGenerator<RowsPage> {
  const beginPage = guardSession(session, limits.bytesMax);
  const cursor = session.query(
    new Cursor<(string | null)[]>(text, values, {
      rowMode: 'array',
      types: { getTypeParser: () => asText } as never,
    }),
  );
  const readPage = (): Promise<RowsPage> =>
    new Promise((done, fail) => {
      beginPage();
      cursor.read(limits.rows, (error, rows, result) => {
        if (error) return fail(error);
        const columns = result.fields.map(({ name, dataTypeID }) => ({ name, typeId: dataTypeID }));
        done({ columns, rows });
      });
    });
  for (let isFirst = true; ; isFirst = false) {
    const page = await readPage();
    if (isFirst || page.rows.length > 0) yield page;
    if (page.rows.length < limits.rows) return;
  }
}
