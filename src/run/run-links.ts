// When a run ends, chains digests of the rows written in it, one statement per table, in the transaction that ends the
// run. This includes rows that people wrote meanwhile under their own logins.
import assert from 'node:assert/strict';
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import {
  chainDigest,
  columnsOf,
  entitiesIn,
  FIRST,
  LINK,
  LINK_ROWS_MAX,
  type Linked,
  quoted,
  stateDigest,
  WHOLE,
} from './chain.ts';
import { type Chain, COVERS, chained, type State, states } from './covers.ts';

/** Links all rows that are not linked yet, in the transaction that ends `run`. */
export const linkRows = async (tx: Kysely<DB>, run: string): Promise<void> => {
  const linked = await linkedIn(tx);
  for (const [table, chain] of chained())
    await linkChain(tx, run, { linked: linked(table, chain.only), chain });
  for (const [table, state] of states()) await linkState(tx, run, { linked: linked(table), state });
  const { chain } = COVERS['run.links'] ?? {};
  assert(chain);
  await linkChain(tx, run, { linked: linked('run.links'), chain }); // last: it covers the links written above
};

/** Links the values of each month before `run` ends, if they are settled; then its end has nothing of them to digest. */
export const linkValues = (db: Kysely<DB>, run: string): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const linked = await linkedIn(tx);
    for (const [table, state] of states())
      if (table.startsWith('value.')) await linkState(tx, run, { linked: linked(table), state });
  });

/** A table with its columns, all of them unless `some` are named. */
const linkedIn = async (tx: Kysely<DB>): Promise<(table: string, some?: readonly string[]) => Linked> => {
  const columns = await columnsOf(tx, Object.keys(COVERS));
  return (table, some) => ({ table, columns: some ?? columns.get(table) ?? [] });
};

const COLUMNS =
  'entity_id, table_name, part, link_number, run_id, columns, rows, last_position, mark, digest, link';

/** `n` is a query that returns the contents of a link and the hash of the link before it. */
const insert = (n: string): string => `
  insert into run.links (${COLUMNS})
  select n.entity_id, n.table_name, n.part, n.link_number, n.run_id, n.columns, n.rows, n.last_position, n.mark, n.digest, ${LINK}
  from (${n}) as n`;

/** The first columns of a link: entity, table, next number, run, columns, hash of the previous link. */
const head = ({ table, columns }: Linked, run: string, alias: string): string => `
  ${alias}.entity_id, '${table}'::text as table_name, coalesce(h.link_number, 0) + 1 as link_number,
  '${run}'::uuid as run_id, ${quoted(columns)} as columns, coalesce(h.link, '') as previous`;

const lastLink = (table: string, alias: string, part: string): string => `
  left join lateral (
    select l.link_number, l.last_position, l.link, l.mark, l.columns, l.digest from run.links l
    where l.table_name = '${table}' and l.entity_id = ${alias}.entity_id and l.part = ${part}
    order by l.link_number desc limit 1
  ) as h on true`;

const linkChain = async (
  tx: Kysely<DB>,
  run: string,
  { linked, chain }: { readonly linked: Linked; readonly chain: Chain },
): Promise<void> => {
  const { table } = linked;
  const after = `coalesce(h.last_position, ${FIRST})`;
  const statement = insert(`
    select ${head(linked, run, 'e')}, '' as part, null::text as mark, d.rows, d.last_position, d.digest
    from ${entitiesIn(table, chain.entity)} as e ${lastLink(table, 'e', "''")}
    cross join lateral (${chainDigest(linked, chain, { alias: 'e', after, until: null })}) as d
    where d.rows > 0`);
  for (let isFull = true; isFull; ) {
    const { rows } = await sql.raw<{ rows: string }>(`${statement} returning rows`).execute(tx);
    isFull = rows.some(({ rows: count }) => BigInt(count) >= BigInt(LINK_ROWS_MAX));
  }
};

const linkState = async (
  tx: Kysely<DB>,
  run: string,
  { linked, state }: { readonly linked: Linked; readonly state: State },
): Promise<void> => {
  const { table, columns } = linked;
  const known = `select distinct l.entity_id, l.part from run.links l
    where l.table_name = '${table}' and l.last_position is null`;
  const parts = state.marks
    ? `select entity_id, part, case when m.part is null then '' else m.mark end as mark
       from (${state.marks}) as m full join (${known}) as k using (entity_id, part)`
    : `select e.entity_id, '${WHOLE}' as part, null::text as mark from ${entitiesIn(table, state.entity)} as e
       union select k.entity_id, k.part, null from (${known}) as k`;
  const statement = insert(`
    select ${head(linked, run, 'p')}, p.part, p.mark, d.rows, null::bigint as last_position, d.digest
    from (${parts}) as p ${lastLink(table, 'p', 'p.part')}
    cross join lateral (${stateDigest(linked, state, 'p')}) as d
    where (p.mark is null or p.mark is distinct from h.mark or h.columns <> ${quoted(columns)})
      and (d.rows > 0 or h.link is not null)
      and (h.link is null or h.columns <> ${quoted(columns)} or p.mark is distinct from h.mark or h.digest <> d.digest)`);
  await sql.raw(statement).execute(tx);
};
