// Segregation of duties: approver and preparer are different people, judged by what their names look like. A lookalike name
// passes the plain check in the database, but not this one.
import { type Kysely, sql } from 'kysely';
import { sameName } from '../../base/names.ts';
import type { DB } from '../../database/db-types.ts';
import { type Proof, proofOf } from '../proof.ts';

type Approval = { readonly subject: string; readonly prepared_by: string; readonly approved_by: string };

/** Checks approvals that needed a second person: of proposals, unless one person was allowed to do both, and of seals. */
export const proveTwoPeople = async (db: Kysely<DB>): Promise<Proof> => {
  const { rows } = await sql<Approval>`
    select format('proposal %s of %s', proposal_id, entity_id) as subject, prepared_by, approved_by
    from books.proposals where verdict <> 'waiting' and duties_version is null
    union all
    select format('seal %s of %s of %s', seal_number, period, entity_id), prepared_by, approved_by
    from books.seals where approved_at is not null
    order by subject`.execute(db);
  const proof = proofOf('preparer and approver are different people');
  for (const { subject, prepared_by, approved_by } of rows)
    proof.check(
      sameName(prepared_by, approved_by)
        ? `${subject} was prepared by ${prepared_by} and approved by ${approved_by}: the names look the same`
        : null,
    );
  return proof.done();
};
