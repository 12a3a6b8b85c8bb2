// The inbox names exactly the landed versions about which nothing was decided: another would stop a night, or be skipped.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db-types.ts';
import type { Proof } from './proof.ts';

export const proveInbox = async (db: Kysely<DB>): Promise<Proof> => {
  const { rows } = await sql<Omit<Proof, 'proof'>>`
    with waiting as (
      select entity_id, stream, record_id, version, true as waits from land.inbox
    ), undecided as (
      select entity_id, stream, record_id, version, true as is_open from land.records r
      where not exists (
        select from ledger.outcomes o
        where (o.entity_id, o.stream, o.record_id, o.version) = (r.entity_id, r.stream, r.record_id, r.version)
      )
    )
    select count(*) as checked, count(*) filter (where waits is null or is_open is null) as faults,
      min(format('version %s of %s %s of %s %s', version, stream, record_id, entity_id,
        case when is_open then 'is not decided upon, and not in the inbox' else 'is in the inbox, though it was decided upon or never landed' end)
        collate "C") filter (where waits is null or is_open is null) as first
    from waiting full join undecided using (entity_id, stream, record_id, version)`.execute(db);
  return {
    proof: 'the inbox is what is not decided upon',
    ...(rows[0] ?? { checked: '0', faults: '0', first: null }),
  };
};
