// A migrated database on the oldest server that we support, for tests that compare.
import { openDatabase } from '../src/database/connection.ts';
import { migrate } from '../src/database/migrate.ts';
import { QUICK, type TestDatabase } from './database.ts';
import { startOldest } from './oldest-start.ts';
import { newFolder } from './room.ts';

export { hasOldest } from './oldest-start.ts';

/** A migrated database on such a server of its own; `close` ends the server. */
export const oldestDatabase = async (): Promise<TestDatabase> => {
  const { url, end } = await startOldest(newFolder(), QUICK);
  await migrate(url);
  const { db, pool, close } = openDatabase(url, { name: 'tieout test' });
  const stop = async () => {
    await close();
    await end();
  };
  return { url, db, pool, close: stop };
};
