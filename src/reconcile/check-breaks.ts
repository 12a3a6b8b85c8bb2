// Breaks of checks: each row of a check opens a break, and a break without a row is resolved.
import type { Kysely } from 'kysely';
import { breakId, openBreak, placeOf, resolveBreaks, storeCandidates } from '../breaks/breaks.ts';
import type { Candidate } from '../breaks/cause.ts';
import type { DB } from '../database/db-types.ts';
import type { Run } from '../run/job-run.ts';
import { type Check, rowsOf } from './checks.ts';

/** Runs one check of severity break; `causes` by account and currency are stored with the breaks that it opens. */
export const updateBreaks = async (
  tx: Kysely<DB>,
  run: Run,
  {
    entity,
    check: { name, path },
    causes,
  }: { entity: string; check: Check; causes: ReadonlyMap<string, Candidate[]> },
): Promise<void> => {
  const rows = await rowsOf(tx, run, { entity, path });
  for (const wrong of rows) {
    const candidates = causes.get(placeOf(wrong.account ?? '', wrong.currency ?? ''));
    await openBreak(tx, run, { check: name, wrong, cause: candidates?.[0] });
    if (candidates)
      await storeCandidates(tx, run, { entity, id: breakId(entity, name, wrong.subject), candidates });
  }
  const open = rows.map((wrong) => breakId(entity, name, wrong.subject));
  await resolveBreaks(tx, run, { entity, check: name, open });
};
