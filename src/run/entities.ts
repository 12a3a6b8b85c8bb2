// The entities that have books.
import { UsageError } from '../base/errors.ts';
import type { Work } from './work.ts';

/** The entities that have books already. Throws a UsageError if `only` has none. */
export const bookedEntities = async (work: Pick<Work, 'db'>, only?: string): Promise<string[]> => {
  const rows = await work.db.selectFrom('run.entities').select('entity_id').orderBy('entity_id').execute();
  const ids = rows.map((row) => row.entity_id).filter((id) => only === undefined || id === only);
  if (only !== undefined && ids.length === 0)
    throw new UsageError(`no books of entity ${only}: check --entity`);
  return ids;
};
