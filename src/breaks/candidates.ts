// Candidates: the possible causes of a break, stored with it. A night that finds the same ones writes nothing.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import type { Run } from '../run/job-run.ts';
import type { Candidate } from './cause.ts';

/** Appends the candidates of a break as a new reading, unless they equal its last reading. */
export const storeCandidates = async (
  tx: Kysely<DB>,
  run: Run,
  subject: { readonly entity: string; readonly id: string; readonly candidates: readonly Candidate[] },
): Promise<void> => {
  const { rows } = await sql<Omit<Candidate, 'isExact'> & { reading: number }>`
    select reading, kind, confidence::text as confidence, records, sentence, proof
    from reconcile.candidates c
    where entity_id = ${subject.entity} and break_id = ${subject.id} and reading = (
      select max(reading) from reconcile.candidates where entity_id = ${subject.entity} and break_id = ${subject.id}
    )
    order by rank`.execute(tx);
  const columns = ({ kind, confidence, records, sentence, proof }: Omit<Candidate, 'isExact'>) => [
    kind,
    confidence,
    records,
    sentence,
    proof,
  ];
  if (JSON.stringify(rows.map(columns)) === JSON.stringify(subject.candidates.map(columns))) return;
  const reading = (rows[0]?.reading ?? 0) + 1;
  for (const [nth, { kind, confidence, records, sentence, proof }] of subject.candidates.entries()) {
    await tx
      .insertInto('reconcile.candidates')
      .values({
        entity_id: subject.entity,
        break_id: subject.id,
        reading,
        rank: nth + 1,
        run_id: run.id,
        kind,
        confidence,
        sentence,
        records: [...records],
        proof,
      })
      .execute();
  }
};
