// Breaks of checks: each row of a check opens a break, and a break without a row is resolved.
import type { Kysely } from 'kysely';
import { groupBy } from '../base/group.ts';
import { type Explanations, openChecks, settleBreaks } from '../breaks/breaks.ts';
import type { DB } from '../database/db-types.ts';
import type { Run } from '../run/job-run.ts';
import { type Check, rowsOf } from './checks.ts';

/**
 * Runs checks of severity break, each once for all of some entities; `causes` by account and currency are stored with the
 * breaks that they open.
 */
export const updateBreaks = async (
  tx: Kysely<DB>,
  run: Run,
  {
    entities,
    checks,
    causes,
  }: {
    readonly entities: readonly string[];
    readonly checks: readonly Check[];
    readonly causes: Explanations;
  },
): Promise<void> => {
  if (entities.length === 0) return;
  const open = await openChecks(tx, entities);
  for (const { name: check, path } of checks) {
    const found = groupBy(await rowsOf(tx, run, { entities, path }), ({ entity_id }) => entity_id);
    for (const entity of entities) {
      const rows = found.get(entity) ?? [];
      if (rows.length > 0 || open.has(`${entity} ${check}`))
        await settleBreaks(tx, run, { entity, check, rows, causes });
    }
  }
};
