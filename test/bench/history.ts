// Books with a synthetic history, for what is measured at size: two years of entries, made in the database, which count as paired and whose
// values count as derived.
import { inSession, openDatabase } from '../../src/database/connection.ts';
import { migrate } from '../../src/database/migrate.ts';
import { readChanges } from '../../src/valuation/changes.ts';
import { taxpayers } from '../../src/valuation/taxpayers.ts';
import { storeSources } from '../../src/valuation/writing.ts';
import { type BenchServer, onBooks } from './books.ts';
import { historyOf } from './history-sql.ts';

const ENTITIES = 4;
/** A month of the second year. */
export const MONTH = { period: '2026-11', from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' };

export type BenchOptions = { readonly server: BenchServer; readonly records?: number };

export type HistoryBooks = { readonly home: string; readonly url: string; readonly isOwn: boolean };

/** Lends books with a history, on a server of their own. */
export const withHistory = <T>(
  { server, entries }: { readonly server: BenchServer; readonly entries: number },
  use: (books: HistoryBooks) => Promise<T>,
): Promise<T> =>
  onBooks(server, async ({ home, databaseUrl }, url) => {
    await migrate(url);
    const filled = historyOf({ entries, entities: ENTITIES });
    await inSession(url, 'bench', async (session) => {
      await session.query("set synchronous_commit = off; set work_mem = '128MB'");
      await session.query(filled);
      await session.query(PAIRED);
      await session.query('vacuum analyze');
    });
    await markValued(url);
    return use({ home, url, isOwn: databaseUrl === null });
  });

/** Marks the clearing accounts as paired as they are: an export refuses what is not. */
const PAIRED = `insert into reconcile.paired_totals (entity_id, account, currency, debit, credit, addresses)
  select entity_id, account, currency, debit, credit, 0 from ledger.totals where account like 'assets:clearing:%'`;

/** Marks the values as derived from the books as they are: an export refuses values that are out of date. */
const markValued = async (url: string): Promise<void> => {
  const { db, close } = openDatabase(url);
  try {
    const { sources, changes } = await readChanges(db, await taxpayers(db, 'EUR'));
    for (const { entity_id, period, ...month } of changes.flatMap(({ months }) => months))
      await db
        .updateTable('value.months')
        .set(month)
        .where('entity_id', '=', entity_id)
        .where('period', '=', period)
        .execute();
    await storeSources(db, sources);
  } finally {
    await close();
  }
};
