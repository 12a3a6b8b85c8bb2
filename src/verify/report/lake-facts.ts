// The facts of a lake's manifest that its tables repeat: the entities, and until when the books are proved.
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

/** As sql/export/as_of.sql computes the as-of from the coverage. */
const asOfSql = (to: string): string => `
  with watermark as (
    select entity_id, min(coalesce(covered_to, 'infinity'::timestamptz)) as proved_to from books.coverage group by entity_id
  )
  select case when bool_and(w.proved_to is not null) then least(min(w.proved_to), '${to}'::timestamptz) end as as_of
  from books.entities e
  left join watermark w using (entity_id)`;

/** A sentence if the as-of of the manifest is not the one that the coverage proves. */
export const asOfFaults = async ({ rows }: OpenLake, { as_of, to }: Manifest): Promise<string[]> => {
  const [row] = await rows(asOfSql(to));
  const found = row?.as_of == null ? null : instantText(row.as_of);
  return found === as_of
    ? []
    : [`the manifest says as-of ${as_of}, the coverage in the files proves ${found}`];
};
