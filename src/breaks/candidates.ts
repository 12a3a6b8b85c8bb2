// Candidates: the causes of a break as they were found, kept beside it. A night that finds the same writes nothing.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import type { Run } from '../run/run.ts';
import type { Candidate } from './cause.ts';

/** Appends the candidates of a break as a new reading, unless its last reading says the same. */
export const keepCandidates = async (
  tx: Kysely<DB>,
  run: Run,
  of: { readonly entity: string; readonly id: string; readonly candidates: readonly Candidate[] },
): Promise<void> => {
  const { rows } = await sql<Omit<Candidate, 'isExact'> & { reading: number }>`
    select reading, kind, confidence::text as confidence, records, sentence, proof
    from reconcile.candidates c
    where entity_id = ${of.entity} and break_id = ${of.id} and reading = (
      select max(reading) from reconcile.candidates where entity_id = ${of.entity} and break_id = ${of.id}
    )
    order by rank`.execute(tx);
  const told = (it: Omit<Candidate, 'isExact'>) => [
    it.kind,
    it.confidence,
    it.records,
    it.sentence,
    it.proof,
  ];
  if (JSON.stringify(rows.map(told)) === JSON.stringify(of.candidates.map(told))) return;
  const reading = (rows[0]?.reading ?? 0) + 1;
  for (const [nth, { kind, confidence, records, sentence, proof }] of of.candidates.entries()) {
    await tx
      .insertInto('reconcile.candidates')
      .values({
        ...{ entity_id: of.entity, break_id: of.id, reading, rank: nth + 1, run_id: run.id },
        ...{ kind, confidence, sentence, records: [...records], proof },
      })
      .execute();
  }
};
