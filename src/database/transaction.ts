// Runs a transaction in one session: commits on success, rolls back on failure.
import type { Session } from './client.ts';
import { type Answering, commitSurely } from './outcome.ts';

/**
 * Runs `work` between begin and commit. An error rolls back and is rethrown unchanged. With the database to ask, a commit whose answer is
 * lost on its way is a success if it was one.
 */
export const inTransaction = async <T>(
  session: Session,
  work: () => Promise<T>,
  asking?: Answering,
): Promise<T> => {
  try {
    await session.query('begin');
    const result = await work();
    await (asking === undefined ? session.query('commit') : commitSurely(session, asking));
    return result;
  } catch (error) {
    await session.query('rollback').catch(() => {}); // a lost session has already rolled back: report the first error
    throw error;
  }
};
