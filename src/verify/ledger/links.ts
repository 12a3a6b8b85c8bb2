// Recomputes the links from the rows that they cover: a row that was altered, added or removed breaks the link of the run
// that wrote it, and the fault names that run.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../../database/db-types.ts';
import {
  COVERS,
  chainDigest,
  columnsOf,
  FIRST,
  isChained,
  isOf,
  LINK,
  type Linked,
  quoted,
  stateDigest,
  WHOLE,
} from '../../run/chain.ts';
import type { Chain, State } from '../../run/covers.ts';
import { type Proof, proofOf } from '../proof.ts';

/** Recomputes every link and looks for rows that no link covers. Books without any link yet prove nothing. */
export const proveLinks = async (
  db: Kysely<DB>,
  tables: readonly string[] = Object.keys(COVERS),
): Promise<Proof> => {
  const open = await openRun(db);
  const isOpen = open !== null;
  const proof = proofOf(
    `rows are as the runs linked them${isOpen ? `, but for what run ${open} may change until it ends` : ''}`,
  );
  const columns = await columnsOf(db, tables);
  if (!(await isBegun(db))) return proof.done();
  for (const table of tables) {
    const { chain, state } = COVERS[table] ?? {};
    const names = columns.get(table);
    if (!names) proof.check(`the table ${table} is missing`);
    else {
      const sets = chain || state ? await columnSets(db, table) : [];
      for (const set of sets)
        for (const { fault, links } of await setFaults(db, { table, set, names, chain, state, isOpen }))
          proof.check(fault, links);
      if (chain && !isOpen) for (const fault of await unlinked(db, table, chain)) proof.check(fault);
      if (chain) for (const fault of await beforeAll(db, table, chain)) proof.check(fault);
      if (state && !isOpen) for (const fault of await unlinkedParts(db, table, state)) proof.check(fault);
    }
  }
  for (const fault of await unlinkedRuns(db)) proof.check(fault);
  return proof.done();
};

/** The number of a run that has not ended, and so may have changed rows that the last run linked. */
const openRun = async (db: Kysely<DB>): Promise<string | null> => {
  const { rows } = await sql<{ open: string | null }>`
    select max(run_number) as open from run.runs where finished_at is null
      and run_number > coalesce((select max(run_number) from run.runs where position is not null), 0)`.execute(
    db,
  );
  return rows[0]?.open ?? null;
};

const isBegun = async (db: Kysely<DB>): Promise<boolean> => {
  const { rows } = await sql<{ is_begun: boolean }>`
    select exists (select from run.links) or exists (select from run.runs where position is not null) as is_begun`.execute(
    db,
  );
  return rows[0]?.is_begun === true;
};

type ColumnSet = { readonly columns: readonly string[]; readonly is_state: boolean };

/** The columns that a table's links digest: one set, and one more for each time that columns were added. */
const columnSets = async (db: Kysely<DB>, table: string): Promise<ColumnSet[]> => {
  const { rows } = await sql<ColumnSet>`
    select distinct columns, last_position is null as is_state from run.links where table_name = ${table}`.execute(
    db,
  );
  return rows;
};

type TableLinks = {
  readonly table: string;
  readonly set: ColumnSet;
  readonly names: readonly string[];
  readonly chain: Chain | undefined;
  readonly state: State | undefined;
  readonly isOpen: boolean;
};

const setFaults = async (
  db: Kysely<DB>,
  { table, set, names, chain, state, isOpen }: TableLinks,
): Promise<LinksAlike[]> => {
  const gone = set.columns.filter((name) => !names.includes(name));
  if (gone.length > 0)
    return [{ fault: `${table} has lost the columns ${gone.join(', ')}, which links cover`, links: 1 }];
  const linked = { table, columns: set.columns };
  if (!set.is_state) return chain ? linkFaults(db, chainLinks(linked, chain)) : [];
  if (!state) return [];
  return linkFaults(db, stateLinks(linked, state, isOpen));
};

/** A fault and the number of links that have it; null and the number of those that hold, in one row however many nights there were. */
type LinksAlike = { readonly fault: string | null; readonly links: number };

/** `links` selects each link with the one before it and `found_…`, its rows as they are now: null where not compared. */
const linkFaults = async (db: Kysely<DB>, links: string): Promise<LinksAlike[]> => {
  const { rows } = await sql
    .raw<LinksAlike>(`
    select count(*)::int as links, case when n.fault is not null then format('%s%s: %s (linked by %s)', n.table_name,
      case n.entity_id when '' then '' else ' of ' || n.entity_id end, n.fault,
      coalesce('run ' || (select format('%s of %s', r.run_number, to_char(r.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) from run.runs r
        where r.run_id = n.run_id), 'no run')) end as fault
    from (
      select n.*, case
        when n.link_number <> n.nth then format('link %s is missing', n.nth)
        when n.link <> ${LINK} then format('link %s was altered, or one before it', n.link_number)
        when n.found_rows <> n.rows then format('%s rows are linked, %s are there', n.rows, n.found_rows)
        when n.found_digest <> n.digest then case n.rows when 1 then 'the row that was linked was altered'
          else format('of %s rows that were linked some were altered', n.rows) end
      end as fault
      from (${links}) as n
    ) as n group by 2 order by 2`)
    .execute(db);
  return rows;
};

const chainLinks = (linked: Linked, chain: Chain): string => `
  with chain as (
    select l.*, coalesce(lag(l.link) over each, '') as previous, coalesce(lag(l.last_position) over each, ${FIRST}) as after,
      row_number() over each as nth
    from run.links l where l.table_name = '${linked.table}' and l.last_position is not null
    window each as (partition by l.entity_id order by l.link_number)
  )
  select c.*, d.rows as found_rows, d.digest as found_digest
  from chain c
  cross join lateral (${chainDigest(linked, chain, { alias: 'c', after: 'c.after', until: 'c.last_position' })}) as d
  where c.columns = ${quoted(linked.columns)}`;

/** Only the last link of a part describes its rows as they are now. */
const stateLinks = (linked: Linked, state: State, isOpen: boolean): string => `
  with chain as (
    select l.*, coalesce(lag(l.link) over each, '') as previous, row_number() over each as nth,
      lead(l.link) over each is null and ${isOpen ? 'false' : 'true'} as is_last
    from run.links l where l.table_name = '${linked.table}' and l.last_position is null
    window each as (partition by l.entity_id, l.part order by l.link_number)
  )
  select c.*, d.rows as found_rows, d.digest as found_digest
  from chain c
  left join lateral (${stateDigest(linked, state, 'c')}) as d on c.is_last
  where c.columns = ${quoted(linked.columns)}`;

/**
 * Rows after the last link of their chain, although no run is open that may have written them; of a table that is written
 * beside the runs, those that leave a number out.
 */
const unlinked = async (
  db: Kysely<DB>,
  table: string,
  { by, entity, isBesideRuns = false }: Chain,
): Promise<string[]> => {
  const { rows } = await sql
    .raw<{ entity_id: string; rows: string }>(`
    select ${entity === null ? "''" : `t."${entity ?? 'entity_id'}"`} as entity_id, count(*) as rows
    from ${table} t
    left join (
      select entity_id, max(last_position) as last_position from run.links
      where table_name = '${table}' and last_position is not null group by 1
    ) as l on ${isOf('l', entity)}
    where ${isChained(table)} and t."${by}" > coalesce(l.last_position, ${FIRST})
    group by 1 ${isBesideRuns ? `having max(t."${by}") - coalesce(max(l.last_position), 0) <> count(*)` : ''}
    order by 1`)
    .execute(db);
  return rows.map(
    ({ entity_id, rows: count }) =>
      `${table}${entity_id === '' ? '' : ` of ${entity_id}`}: ${
        isBesideRuns
          ? `a number is missing among the ${count} rows since the last run`
          : `${count} of its rows were written outside any run`
      }`,
  );
};

/** Rows at the one place that no link reaches, because each begins after a place. */
const beforeAll = async (db: Kysely<DB>, table: string, { by }: Chain): Promise<string[]> => {
  const { rows } = await sql
    .raw<{ rows: string }>(
      `select count(*) as rows from ${table} t where t."${by}" = ${FIRST} having count(*) > 0`,
    )
    .execute(db);
  return rows.map(({ rows: count }) => `${table}: ${count} of its rows have a place that no run gives`);
};

/** A run ends in one transaction with its links. */
const unlinkedRuns = async (db: Kysely<DB>): Promise<string[]> => {
  const { rows } = await sql<{ fault: string }>`
    select format('run %s of %s ended, but its links are missing', run_number, started_at) as fault from run.runs r
    where (position is not null or finished_at is not null) and not exists (
      select from run.links l where l.run_id = r.run_id and l.table_name = 'run.links'
    ) order by run_number`.execute(db);
  return rows.map(({ fault }) => fault);
};

/** Parts of a state that have rows and no link. */
const unlinkedParts = async (db: Kysely<DB>, table: string, { entity, part }: State): Promise<string[]> => {
  const partName = part === undefined ? `'${WHOLE}'` : `t."${part}"`;
  const { rows } = await sql
    .raw<{ part: string }>(`
    select distinct concat_ws(' ', ${entity === null ? "''" : `'of ' || t."${entity ?? 'entity_id'}"`}, nullif(${partName}, '${WHOLE}')) as part
    from ${table} t
    where not exists (
      select from run.links l where l.table_name = '${table}' and l.last_position is null and l.part = ${partName}
        and ${isOf('l', entity)}
    ) order by 1`)
    .execute(db);
  return rows.map(({ part: partText }) => `${table} ${partText}: rows were written outside any run`);
};
