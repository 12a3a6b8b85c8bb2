// The generator of src/database/db-types.ts: the tables and views of a migrated database as Kysely reads them.
import type { Session } from '../../src/database/client.ts';
import { inSession } from '../../src/database/connection.ts';

type Column = {
  schema: string;
  relation: string;
  isView: boolean;
  name: string;
  type: string;
  isArray: boolean;
  words: string[] | null;
  nullable: boolean;
  always: boolean;
  generated: boolean;
};

/** Every column of our schemas, in the order of the table; a domain is its base type, an enum its words. */
const COLUMNS = `
  select n.nspname::text as schema, c.relname::text as relation, c.relkind in ('v', 'm') as "isView",
    a.attname::text as name, b.typname::text as type, e.oid is not null as "isArray",
    (select array_agg(enumlabel::text order by enumsortorder) from pg_enum where enumtypid = b.oid) as words,
    not (a.attnotnull or t.typnotnull) as nullable,
    a.attidentity = 'a' or a.attgenerated <> '' as always, a.atthasdef or a.attidentity <> '' as generated
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_type e on e.oid = t.typelem and t.typcategory = 'A'
  join pg_type b on b.oid = coalesce(nullif(coalesce(e.typbasetype, t.typbasetype), 0), e.oid, t.oid)
  where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relkind in ('r', 'p', 'v', 'm') and not c.relispartition
  order by n.nspname, c.relname, a.attnum`;

/** What our parsers in src/database/values.ts return for a type; every other type is text. */
const READ_AS: Record<string, string> = {
  int2: 'number',
  int4: 'number',
  oid: 'number',
  float4: 'number',
  float8: 'number',
  bool: 'boolean',
  bytea: 'Buffer',
};

/** Arrays of other types (enums, domains, ranges) are not parsed: they are text as Postgres writes it. */
const ARRAYS = new Set(
  'int2 int4 int8 numeric text varchar bool bytea uuid name timestamptz timestamp date json jsonb'.split(' '),
);

const readType = (column: Column): string => {
  if (column.isArray && (column.words || !ARRAYS.has(column.type))) return 'string';
  const single = column.words?.map((word) => `'${word}'`).join(' | ') ?? READ_AS[column.type] ?? 'string';
  return column.isArray ? `${single}[]` : single;
};

const valueType = (column: Column): string =>
  column.nullable ? `${readType(column)} | null` : readType(column);

const columnType = (column: Column): string => {
  const value = valueType(column);
  if (column.isView) return `ReadOnly<${value}>`;
  if (column.always) return `GeneratedAlways<${value}>`;
  return column.generated ? `Generated<${value}>` : value;
};

const pascal = (name: string): string =>
  name.replace(/(?:^|[_.])([a-z])/g, (_, letter: string) => letter.toUpperCase());

const tableType = (name: string, columns: Column[]): string => {
  const lines = columns.map((column) => `  ${column.name}: ${columnType(column)};`);
  return `export interface ${pascal(name)} {\n${lines.join('\n')}\n}\n`;
};

const HEAD = `// Generated from the migrated database by \`npm run types:db\`: the reviewable whole of the schema. Not edited by hand.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

/** A view's column: selected, never written. A view's columns may all be null as far as Postgres can say. */
type ReadOnly<T> = ColumnType<T, never, never>;
`;

const columnsOf = async (session: Session): Promise<Column[]> => (await session.query<Column>(COLUMNS)).rows;

/** The text of src/database/db-types.ts for a migrated database. */
export const generateTypes = async (url: string): Promise<string> => {
  const columns = await inSession(url, 'tieout types', columnsOf);
  const tables = new Map<string, Column[]>();
  for (const column of columns) {
    const name = `${column.schema}.${column.relation}`;
    tables.set(name, [...(tables.get(name) ?? []), column]);
  }
  const members = [...tables.keys()].map((name) => `  '${name}': ${pascal(name)};`);
  const whole = `/** Every table and view, by schema and name. */\nexport interface DB {\n${members.join('\n')}\n}\n`;
  return [HEAD, ...[...tables].map(([name, own]) => tableType(name, own)), whole].join('\n');
};
