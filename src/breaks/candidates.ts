// Candidates: the possible causes of a break, stored with it. A night that finds the same ones writes nothing.
import { type Kysely, sql } from 'kysely';
import { groupBy } from '../base/group.ts';
import { insertRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { Run } from '../run/job-run.ts';
import type { Candidate } from './cause.ts';

/** A break and what may explain it. */
type Explained = { readonly id: string; readonly candidates: readonly Candidate[] };

/** Appends the candidates of each break as a new reading, unless they equal its last reading. */
export const storeCandidates = async (
  tx: Kysely<DB>,
  run: Run,
  { entity, explained }: { readonly entity: string; readonly explained: readonly Explained[] },
): Promise<void> => {
  if (explained.length === 0) return;
  const stored = groupBy(await lastReadings(tx, entity, explained), ({ break_id }) => break_id);
  const rows = explained.flatMap(({ id, candidates }) => {
    const last = stored.get(id) ?? [];
    if (JSON.stringify(last.map(columns)) === JSON.stringify(candidates.map(columns))) return [];
    const reading = (last[0]?.reading ?? 0) + 1;
    return candidates.map((candidate, index) => ({
      entity_id: entity,
      break_id: id,
      reading,
      rank: index + 1,
      run_id: run.id,
      kind: candidate.kind,
      confidence: candidate.confidence,
      sentence: candidate.sentence,
      records: [...candidate.records],
      proof: candidate.proof,
    }));
  });
  await insertRows(tx, 'reconcile.candidates', rows);
};

type Stored = Omit<Candidate, 'isExact'>;

const columns = ({ kind, confidence, records, sentence, proof }: Stored) => [
  kind,
  confidence,
  records,
  sentence,
  proof,
];

const lastReadings = async (tx: Kysely<DB>, entity: string, explained: readonly Explained[]) => {
  const { rows } = await sql<Stored & { break_id: string; reading: number }>`
    select c.break_id, c.reading, c.kind, c.confidence::text as confidence, c.records, c.sentence, c.proof
    from reconcile.candidates c
    where c.entity_id = ${entity} and c.break_id = any (${explained.map(({ id }) => id)}::text[]) and c.reading = (
      select max(l.reading) from reconcile.candidates l where (l.entity_id, l.break_id) = (c.entity_id, c.break_id)
    )
    order by c.break_id, c.rank`.execute(tx);
  return rows;
};
