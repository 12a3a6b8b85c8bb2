// How a run ends: 2 where something failed, 1 where finance must look at something, 0 where all is clean.
import { sql } from 'kysely';
import { GatewayError } from '../src/gateway/errors.ts';
import { report } from '../src/run.ts';
import type { Result, Work } from './work.ts';

export type Ended = {
  readonly entities: readonly string[];
  readonly failures: ReadonlyMap<string, Error>;
  readonly requests: number;
};

/** Writes down what failed. What is no weather (a setting, a bug, the database) ends the run: nothing comes after it. */
export const tellFailures = async (work: Work, failures: ReadonlyMap<string, Error>): Promise<void> => {
  for (const [entity, error] of failures)
    await report(work.db, work.run, { entity, subject: 'failed', detail: error.message });
  for (const error of failures.values()) if (!(error instanceof GatewayError)) throw error;
};

type Open = { breaks: number; gaps: number; rejects: number; findings: number; entries: number };

/** Judges a run by what is open in its entities' books, and by the weather that ended the night of some. */
export const judge = async (work: Work, { entities, failures, requests }: Ended): Promise<Result> => {
  const open = await openIn(work, entities);
  const isOpen = open.breaks + open.gaps + open.rejects + open.findings > 0;
  const failed =
    failures.size > 0
      ? `; failed: ${[...failures].map(([entity, error]) => `${entity}: ${error.message}`).join('; ')}`
      : '';
  return {
    exitCode: failures.size > 0 ? 2 : isOpen ? 1 : 0,
    requests,
    summary:
      `${open.entries} entries booked, ${open.breaks} open breaks, ${open.rejects} rejects, ${open.gaps} gaps, ` +
      `${open.findings} findings, ${requests} requests${failed}`,
  };
};

const openIn = async (work: Work, entities: readonly string[]): Promise<Open> => {
  const { rows } = await sql<Open>`
    select
      (select count(*)::int from books.breaks where entity_id = any(${entities}::text[]) and status not in ('waived', 'resolved')) as breaks,
      (select count(*)::int from books.coverage_gaps where entity_id = any(${entities}::text[])) as gaps,
      (select count(*)::int from ledger.outcomes o where entity_id = any(${entities}::text[]) and outcome = 'rejected' and not exists (
        select from ledger.outcomes newer
        where (newer.entity_id, newer.stream, newer.record_id) = (o.entity_id, o.stream, o.record_id) and newer.version > o.version
      )) as rejects,
      (select count(*)::int from run.findings where run_id = ${work.run.id}::uuid and severity = 'finding') as findings,
      (select count(*)::int from ledger.entries where entity_id = any(${entities}::text[]) and recorded_at >= ${work.run.startedAt}::timestamptz) as entries`.execute(
    work.db,
  );
  return rows[0] ?? { breaks: 0, gaps: 0, rejects: 0, findings: 0, entries: 0 };
};
