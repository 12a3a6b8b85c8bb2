// The facts of a lake's manifest that its tables repeat: the entities, and until when the books are proved.
import { STREAM_NAMES, STREAMS } from '../../base/streams.ts';
import { instantText } from '../../database/database.ts';
import type { OpenLake } from '../../export/contents.ts';
import type { Manifest } from '../../export/reports/manifest.ts';

/** A sentence if the entities of the manifest are not those of books.entities. */
export const entityFaults = async ({ rows }: OpenLake, { entities }: Manifest): Promise<string[]> => {
  const found = (await rows('select entity_id from books.entities order by 1')).map((row) => row.entity_id);
  const isSame = found.length === entities.length && found.every((entity, i) => entity === entities[i]);
  return isSame
    ? []
    : [`the manifest says entities ${entities.join(', ')}, the files have ${found.join(', ')}`];
};

/** The streams of which an entity has one list each. */
const WHOLE_STREAMS = STREAM_NAMES.filter((name) => !STREAMS[name].isPerItem);

/** As sql/export/as_of.sql computes the as-of, from the coverage and from what readings noted as not offered. */
const asOfSql = (to: string): string => `
  with noted as (
    select f.entity_id, f.subject as stream, arg_max(f.severity = 'note' and f.detail like 'not offered to this entity:%', r.run_number) as is_missing
    from books.findings f join books.runs r using (run_id) group by all
  ), expected as (
    select e.entity_id, s.stream from books.entities e cross join (select unnest([${WHOLE_STREAMS.map((name) => `'${name}'`)}]) as stream) as s
    left join noted n using (entity_id, stream) where not coalesce(n.is_missing, false)
  ), proved as (
    select entity_id, stream, scope, min(coalesce(covered_to, 'infinity')) filter (where coalesce(covered_from, '-infinity') = '-infinity') as proved_to
    from books.coverage group by all
  )
  select case when bool_and(l.proved_to is not null) then least(min(l.proved_to), '${to}'::timestamptz) end as as_of
  from books.entities e
  left join (select entity_id, p.proved_to from proved p full join expected using (entity_id, stream)) as l using (entity_id)`;

/** A sentence if the as-of of the manifest is not the one that the coverage proves. */
export const asOfFaults = async ({ rows }: OpenLake, { as_of, to }: Manifest): Promise<string[]> => {
  const [row] = await rows(asOfSql(to));
  const found = row?.as_of == null ? null : instantText(row.as_of);
  return found === as_of
    ? []
    : [`the manifest says as-of ${as_of}, the coverage in the files proves ${found}`];
};
