// Runs a transaction in one session: commits on success, rolls back on failure.
import type { Session } from './client.ts';

/** Runs `work` between begin and commit. An error rolls back and is rethrown unchanged. */
export const inTransaction = async <T>(session: Session, work: () => Promise<T>): Promise<T> => {
  try {
    await session.query('begin');
    const result = await work();
    await session.query('commit');
    return result;
  } catch (error) {
    await session.query('rollback').catch(() => {}); // a lost session has already rolled back: report the first error
    throw error;
  }
};
