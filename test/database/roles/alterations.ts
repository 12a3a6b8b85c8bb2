// What the owner may do to any table: change a value, remove a row, add a row. Made from the catalogue.
import type { Database } from '../../../src/database/connection.ts';
import { SCHEMAS } from '../../database.ts';

type Column = {
  readonly name: string;
  readonly type: string;
  readonly isIdentity: boolean;
  readonly isKey: boolean;
};

type Table = { readonly name: string; readonly columns: readonly Column[]; readonly rows: number };

export type Alteration = {
  readonly table: string;
  readonly column: string;
  readonly what: string;
  readonly sql: string;
};

type Pool = Database['pool'];

/** Every table of ours with its columns, by name. */
export const tablesIn = async (pool: Pool): Promise<Table[]> => {
  const { rows } = await pool.query<{ name: string; columns: string }>(`
    select n.nspname || '.' || c.relname as name, json_agg(json_build_object('name', a.attname,
      'type', format_type(a.atttypid, null), 'isIdentity', a.attidentity <> '',
      'isKey', a.attnum = any(coalesce(k.conkey, '{}'))) order by a.attnum)::text as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
    where c.relkind in ('r', 'p') and n.nspname in ${SCHEMAS}
    group by 1 order by 1`);
  const tables: Table[] = [];
  for (const { name, columns } of rows) {
    const counted = await pool.query(`select count(*)::int as rows from ${name}`);
    tables.push({ name, columns: JSON.parse(columns), rows: counted.rows[0].rows });
  }
  return tables;
};

/** The owner can drop every check and unique constraint first, so all attempts run without them. */
export const freed = async (pool: Pool): Promise<void> => {
  const { rows } = await pool.query<{ statement: string }>(`
    select format('alter table %s drop constraint %I cascade', conrelid::regclass, conname) as statement
    from pg_constraint c join pg_class t on t.oid = c.conrelid join pg_namespace n on n.oid = t.relnamespace
    where c.contype in ('c', 'u') and n.nspname in ${SCHEMAS}`);
  for (const { statement } of rows) await pool.query(statement);
};

/** Another value of each type. */
const OTHERS: Readonly<Record<string, (value: string) => string>> = {
  text: (v) => `coalesce(${v}, '') || 'x'`,
  uuid: () => 'gen_random_uuid()',
  boolean: (v) => `not coalesce(${v}, false)`,
  date: (v) => `coalesce(${v}, '2026-09-01') + 1`,
  'timestamp with time zone': (v) => `coalesce(${v}, '2026-09-01') + interval '1 hour'`,
  interval: (v) => `coalesce(${v}, '0') + interval '1 hour'`,
  bytea: (v) => `'\\x00'::bytea || coalesce(${v}, '')`,
  'text[]': (v) => `coalesce(${v}, '{}') || '{x}'::text[]`,
  jsonb: () => `'[{"x": "1"}]'::jsonb`,
  tstzrange: () => "'[2020-01-01,2020-01-02)'::tstzrange",
  tstzmultirange: () => "'{[2020-01-01,2020-01-02)}'::tstzmultirange",
  ...Object.fromEntries(
    // no row has that number in its key, in whatever order rows were written
    Object.entries({ smallint: 10_000, integer: 1_000_000, bigint: 1_000_000, numeric: 1 }).map(
      ([type, more]) => [type, (v: string) => `(coalesce(${v}, 0) + ${more})::${type}`],
    ),
  ),
};

const other = ({ name, type }: Column, value = `"${name}"`): string => {
  if (name === 'payload' && type === 'text') return `coalesce(${value}, '{}') || ' '`; // an index reads it as JSON
  const make = OTHERS[type];
  if (!make) throw new Error(`no other value of the type ${type} is known: name one in OTHERS`);
  return make(value);
};

/** The last row that has a value in the column. */
const lastOf = (table: string, column: string): string =>
  `ctid = (select ctid from ${table} order by ("${column}" is null), ctid desc limit 1)`;

/** Columns of a made-up row that have a value of their own: a break has a person only by a step of that person. */
const SPECIAL: Readonly<Record<string, string>> = {
  entity_id: "'main'",
  from_entity: "'main'",
  content: `'{"legs":[]}'`,
  verdict: "'refused'",
  action: "'adjust'",
  run_id: '(select max(run_id::text)::uuid from run.runs)',
  erasure_id: "'e1'", // of the record and of the log
  assigned_to: 'null',
  explained_by: 'null',
  resolved_by: 'null',
};

/** A decision is what its proposal says: one that is made up is a fault (test/verify/ledger/decisions.test.ts). */
const isDecision = ({ name, columns }: Table): boolean =>
  columns.some((column) => column.name === 'proposal_id') && !PROPOSED.includes(name);

const PROPOSED = ['decide.proposals', 'decide.approvals'];

/** Tables that are empty in sound books: any row of them is a fault. */
const EMPTY = ['land.inbox', 'run.writer_lock'];

/** Adds a row to each table that the world left empty. */
export const fillEmpty = async (pool: Pool): Promise<void> => {
  for (const table of await tablesIn(pool)) {
    if (table.rows > 0 || EMPTY.includes(table.name) || isDecision(table)) continue;
    const columns = table.columns.filter(({ isIdentity }) => !isIdentity);
    const values = columns.map((column) => SPECIAL[column.name] ?? other(column, `null::${column.type}`));
    await pool.query(`begin; set local session_replication_role = replica;
      insert into ${table.name} (${names(columns)}) values (${values.join(', ')}); commit`);
  }
};

const names = (columns: readonly Column[]): string => columns.map(({ name }) => `"${name}"`).join(', ');

/** Changes each column of a table, deletes a row, and adds a copy of the last row under another key. */
export const alterationsOf = (table: Table): Alteration[] => {
  const { name, columns } = table;
  const alteration = (column: string, what: string, sql: string): Alteration => ({
    table: name,
    column,
    what: `${name}${column === '' ? '' : `.${column}`} ${what}`,
    sql,
  });
  if (name === 'run.writer_lock') return [alteration('', 'row added', `insert into ${name} values (true)`)];
  if (table.rows === 0) return [alteration('', 'row added', made(table))];
  return [
    ...columns.map((column) =>
      alteration(
        column.name,
        'changed',
        `${overriding(column, name)} update ${name} set "${column.name}" = ${other(column)} where ${lastOf(name, column.name)}`,
      ),
    ),
    alteration('', 'row deleted', `delete from ${name} where ctid = (select max(ctid) from ${name})`),
    alteration('', 'row added', copied(table)),
  ];
};

/** An identity is changed like any other value: the owner makes it an ordinary column first. */
const overriding = ({ name, isIdentity }: Column, table: string): string =>
  isIdentity ? `alter table ${table} alter column "${name}" drop identity;` : '';

const made = ({ name, columns }: Table): string => {
  const free = columns.filter(({ isIdentity }) => !isIdentity);
  const values = free.map((it) => SPECIAL[it.name] ?? other(it, `null::${it.type}`));
  return `insert into ${name} (${names(free)}) values (${values.join(', ')})`;
};

const copied = ({ name, columns }: Table): string => {
  const free = columns.filter(({ isIdentity }) => !isIdentity);
  const keys = free.filter(({ isKey, name: column }) => isKey && column !== 'entity_id');
  const changed = columns.some(({ isIdentity, isKey }) => isIdentity && isKey)
    ? []
    : (keys.length > 0 ? keys : free.filter(({ isKey }) => isKey)).slice(-1);
  const unique = ['run_number', 'position'];
  const values = free.map((column) =>
    changed.includes(column)
      ? other(column)
      : unique.includes(column.name)
        ? `(select max("${column.name}") + 1 from ${name})`
        : `"${column.name}"`,
  );
  return `insert into ${name} (${names(free)}) select ${values.join(', ')} from ${name} order by ctid desc limit 1`;
};
