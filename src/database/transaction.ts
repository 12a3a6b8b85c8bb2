// A transaction of one session: committed when its work is done, rolled back when it fails.
import type { Session } from './database.ts';

/** Runs `work` between begin and commit. An error rolls back and is thrown as it is. */
export const inTransaction = async <T>(session: Session, work: () => Promise<T>): Promise<T> => {
  try {
    await session.query('begin');
    const result = await work();
    await session.query('commit');
    return result;
  } catch (error) {
    await session.query('rollback').catch(() => {}); // a lost session has rolled back already: the first error counts
    throw error;
  }
};
