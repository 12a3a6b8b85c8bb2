// Why the lists of an entity must be read in a night: requested, due, or something may have changed.
import { loadSql, readRows } from '../src/database/database.ts';
import type { Extraction } from './extraction.ts';

/** Why to read the lists, now that the balances are read; null if nothing can have changed since they were last read. */
export const reasonToRead = async (
  { work, entity, maySkip = false, isFull }: Extraction,
  full: 'first' | 'due' | 'recent',
): Promise<string | null> => {
  if (isFull || !maySkip) return 'requested';
  if (full !== 'recent') return full === 'first' ? 'not read before' : 'a full read was due';
  const { entity: owner, timezone, lagHours } = work.config;
  const [due] = await readRows<{ reason: string | null }>(
    work.db,
    loadSql('status/lists_due.sql', {
      entity: entity.id,
      run: work.run.id,
      owner,
      timezone,
      lag_hours: String(Math.max(...Object.values(lagHours))),
    }),
  );
  return due === undefined ? 'not read before' : due.reason;
};
