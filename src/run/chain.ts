// How the rows of a run are linked: the SQL of links, shared by the run that writes them and the proof that recomputes
// them. Names of tables and columns come from covers.ts and the catalogue, never from outside.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import type { Chain, State } from './covers.ts';

export { COVERS } from './covers.ts';

/** The most rows of one link: a digest holds 32 bytes per row in memory. */
export const LINK_ROWS_MAX = 50_000;

/** Less than every position that is ever assigned. A row that has it all the same is a fault. */
export const FIRST = "'-9223372036854775808'::bigint";

export const quoted = (names: readonly string[]): string =>
  `array[${names.map((name) => `'${name}'`).join(', ')}]::text[]`;

/** SHA-256 of the columns of a row t, as a JSON array of their values. */
const rowHash = (columns: readonly string[]): string =>
  `sha256(convert_to(jsonb_build_array(${columns.map((name) => `t."${name}"`).join(', ')})::text, 'UTF8'))`;

/** The contents of a link over rows f: their count, the last position, and the digest of their hashes in order. */
const DIGEST = `count(*) as rows, max(f.place) as last_position,
  encode(sha256(coalesce(string_agg(f.hash, ''::bytea order by f.place, f.hash), ''::bytea)), 'hex') as digest`;

/** The hash of a link n, which includes the hash `previous`, empty for the first link. */
export const LINK = `encode(sha256(convert_to(jsonb_build_array(n.previous, n.entity_id, n.table_name, n.part, n.link_number,
  n.run_id, n.columns, n.rows, n.last_position, n.mark, n.digest)::text, 'UTF8')), 'hex')`;

/** The condition that rows of t belong to the entity of `alias`, a row with an entity_id. */
export const isOf = (alias: string, entity: string | null = 'entity_id'): string =>
  entity === null ? 'true' : `t."${entity}" = ${alias}.entity_id`;

/** The entities that have rows, found through the index without reading all rows. */
export const entitiesIn = (table: string, entity: string | null = 'entity_id'): string =>
  entity === null
    ? `(select '' as entity_id)`
    : `(with recursive known as (
        (select t."${entity}" as entity_id from ${table} t order by 1 limit 1)
        union all
        select (select t."${entity}" from ${table} t where t."${entity}" > known.entity_id order by 1 limit 1)
        from known where known.entity_id is not null
      ) select entity_id from known where entity_id is not null)`;

/** Links are chained too, except those that belong to the chain of links. */
export const isChained = (table: string): string =>
  table === 'run.links' ? "t.table_name <> 'run.links'" : 'true';

export type Linked = { readonly table: string; readonly columns: readonly string[] };

/** The digest of a chain's rows after one position, up to another or up to the limit of a link. */
export const chainDigest = (
  { table, columns }: Linked,
  { by, entity }: Chain,
  { alias, after, until }: { readonly alias: string; readonly after: string; readonly until: string | null },
): string => `
  select ${DIGEST} from (
    select t."${by}"::bigint as place, ${rowHash(columns)} as hash from ${table} t
    where ${isOf(alias, entity)} and ${isChained(table)} and t."${by}" > ${after}${until === null ? '' : ` and t."${by}" <= ${until}`}
    ${until === null ? `order by t."${by}" fetch first ${LINK_ROWS_MAX} rows with ties` : ''}
  ) as f`;

/** The digest of all rows of one part. */
export const stateDigest = ({ table, columns }: Linked, { entity, part }: State, alias: string): string => `
  select ${DIGEST} from (
    select 0::bigint as place, ${rowHash(columns)} as hash from ${table} t
    where ${isOf(alias, entity)}${part === undefined ? '' : ` and t."${part}" = ${alias}.part`}
  ) as f`;

/** The part name for tables that are not divided into parts. */
export const WHOLE = 'now';

/** The columns of each of these tables that exists, in order. */
export const columnsOf = async (
  db: Kysely<DB>,
  tables: readonly string[],
): Promise<Map<string, string[]>> => {
  const { rows } = await sql<{ name: string; columns: string[] }>`
    select t.name, array_agg(a.attname::text order by a.attnum) as columns
    from unnest(${tables}::text[]) as t (name)
    join pg_class c on c.oid = to_regclass(t.name) and c.relkind in ('r', 'p')
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    group by 1`.execute(db);
  return new Map(rows.map(({ name, columns }) => [name, columns]));
};
