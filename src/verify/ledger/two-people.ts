// Two people: whoever approved is another person than whoever prepared, by what the names look like. A client of the database
// passes its plainer check with a lookalike; this one it does not pass.
import { type Kysely, sql } from 'kysely';
import { sameName } from '../../base/names.ts';
import type { DB } from '../../database/db-types.ts';
import { type Proof, proofOf } from '../proof.ts';

type Pair = { readonly subject: string; readonly prepared_by: string; readonly approved_by: string };

/** Approvals that needed a second person: of proposals, unless one person might do both then, and of seals. */
export const proveTwoPeople = async (db: Kysely<DB>): Promise<Proof> => {
  const { rows } = await sql<Pair>`
    select format('proposal %s of %s', proposal_id, entity_id) as subject, prepared_by, approved_by
    from books.proposals where verdict <> 'waiting' and duties_version is null
    union all
    select format('seal %s of %s of %s', seal_number, period, entity_id), prepared_by, approved_by
    from books.seals where approved_at is not null
    order by subject`.execute(db);
  const proof = proofOf('what needs two people was approved by another person');
  for (const { subject, prepared_by, approved_by } of rows)
    proof.check(
      sameName(prepared_by, approved_by)
        ? `${subject} was prepared by ${prepared_by} and answered by ${approved_by}, which look like one name`
        : null,
    );
  return proof.done();
};
