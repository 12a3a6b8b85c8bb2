// What an older rule decided cannot be made again, since that rule is gone. It must still be what it was when a run last
// counted it: as many records, the same ids, and the same sums on each side.
import { type Kysely, sql } from 'kysely';
import { unnest } from '../../database/database.ts';
import type { DB } from '../../database/db-types.ts';
import { RULES, type Rules } from '../../normalize/rules.ts';
import type { Proof } from '../proof.ts';

type Row = Omit<Proof, 'proof'>;

/** The proof that the newest run stored of each entity, against the same figures of now. */
export const proveOlderRules = async (db: Kysely<DB>, rules: Rules = RULES): Promise<Proof> => {
  const today = Object.entries(rules).map(([stream, { version }]) => ({ stream, rule_version: version }));
  const { rows } = await sql<Row>`
    with today as (
      select * from ${unnest(today, { stream: 'text', rule_version: 'integer' })}
    ), last as (
      select distinct on (c.entity_id) c.entity_id, c.run_id, c.reading
      from run.conservation c join run.runs r using (run_id)
      order by c.entity_id, r.started_at desc, c.reading desc
    ), counted as (
      select c.entity_id, c.stream, c.rule_version, c.landed::numeric as records, c.booked_ids, c.rejected_ids, c.set_aside_ids, c.sums
      from run.conservation c join last using (entity_id, run_id, reading)
    ), summed as (
      select entity_id, stream, rule_version, jsonb_agg(jsonb_build_object('side', side, 'currency', currency, 'landed', landed::text,
        'booked', booked::text, 'set_aside', set_aside::text) order by side, currency) as sums
      from books_internal.conservation_sums group by 1, 2, 3
    ), standing as (
      select p.entity_id, p.stream, p.rule_version, coalesce(p.landed, 0)::numeric as records, coalesce(p.booked_ids, 0)::text as booked_ids,
        coalesce(p.rejected_ids, 0)::text as rejected_ids, coalesce(p.set_aside_ids, 0)::text as set_aside_ids,
        coalesce(s.sums, '[]') as sums
      from books_internal.conservation_proof p left join summed s using (entity_id, stream, rule_version)
    ), judged as (
      select entity_id, stream, rule_version,
        case
          when c.records is null then 'are not what any run counted'
          when n.records is null then 'are gone'
          when (c.records, c.booked_ids, c.rejected_ids, c.set_aside_ids) <> (n.records, n.booked_ids, n.rejected_ids, n.set_aside_ids)
            then format('are %s records now, %s when they were last counted, or other ones', n.records, c.records)
          when c.sums <> n.sums then 'have other sums than when they were last counted'
        end as fault
      from counted c
      full join standing n using (entity_id, stream, rule_version)
      where rule_version <> 0 and (stream, rule_version) not in (select t.stream, t.rule_version from today t)
    )
    select count(*) as checked, count(fault) as faults,
      min(format('%s of %s by rule %s %s', stream, entity_id, rule_version, fault) collate "C") filter (where fault is not null) as first
    from judged`.execute(db);
  return { proof: 'what older rules decided is as it was counted', ...(rows[0] ?? NONE) };
};

const NONE: Row = { checked: '0', faults: '0', first: null };
