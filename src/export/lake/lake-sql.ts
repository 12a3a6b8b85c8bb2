// lake.sql: opens a lake in DuckDB as schema books, so that the questions of the cookbook run there unchanged.
import type { LakeFacts, LakeTableFacts } from '../reports/manifest.ts';

/** The file of views that opens a lake in DuckDB. */
export const LAKE_SQL = 'lake.sql';

const HEAD = `-- Opens this folder in DuckDB as schema books: cd into the folder and type duckdb -init lake.sql
-- From elsewhere: set variable lake = '/path/of/the/folder'; then .read /path/of/the/folder/lake.sql
set variable lake = coalesce(getvariable('lake'), '.');
set timezone = 'UTC';
create schema if not exists books;

-- Two functions of PostgreSQL that the cookbook uses. Amounts keep their 18 decimals.
create or replace macro main.trim_scale(amount) as amount;
create or replace macro main.to_char(moment, form) as
  strftime(moment, replace(replace(replace(form, 'YYYY', '%Y'), 'MM', '%m'), 'DD', '%d'));
`;

/** The functions of schema books that need nothing but its views; closing_balances stays in the database. */
const BALANCES = `
create or replace macro books.balances_known_at(as_of, known_at) as table
  select entity_id, account, currency, sum(amount) as balance
  from books.postings
  where effective_at < as_of::timestamptz and recorded_at <= known_at::timestamptz
  group by entity_id, account, currency
  having sum(amount) <> 0;
create or replace macro books.balances_at(as_of) as table
  select entity_id, account, currency, balance from books.balances_known_at(as_of, 'infinity');
`;
const LOOK_UPS = `create or replace macro books.changes_since(since) as table
  select entity_id, recorded_at, entry_id, kind, stream, record_id, effective_at, period, original_period, reverses, leg, account, currency, amount
  from books.postings
  where recorded_at > since::timestamptz;
`;

const leftOut = (why: string): string => `
-- ${why}, so balances_at and the other functions over postings are left out.
`;

/** The text of lake.sql. Without all months and entities, sums over all postings would be wrong. */
export const lakeSql = (lake: LakeFacts): string =>
  `${HEAD}\n${viewsSql(lake)}${
    lake.has_all_months && lake.has_all_entities
      ? functionsOf(lake.tables)
      : leftOut('This lake has some months or entities only')
  }`;

/** The statements that make a view of each table. */
export const viewsSql = ({ tables }: LakeFacts): string => tables.map(viewSql).join('');

const functionsOf = (tables: readonly LakeTableFacts[]): string =>
  tables.some(({ name, texts }) => name === 'postings' && texts.length > 0)
    ? leftOut(
        'postings.amount is text, because a decimal of 38 digits does not hold an amount of it or their sum',
      )
    : BALANCES + LOOK_UPS;

const viewSql = (table: LakeTableFacts): string =>
  `create or replace view books.${table.name} as\n  select ${selectionOf(table)}\n  from ${sourceOf(table)};\n`;

/** The columns as the view has them; the month of the folder at the end, by which a reader can skip folders. */
const selectionOf = ({ order, partitions }: LakeTableFacts): string =>
  [...order, ...partitions.filter((key) => !order.includes(key))].map((name) => `"${name}"`).join(', ');

const sourceOf = ({ name, rows, partitions, columns }: LakeTableFacts): string => {
  if (partitions.length === 0) return `read_parquet(getvariable('lake') || '/${name}/part-*.parquet')`;
  if (rows === 0) {
    const typed = [...columns, ...partitions.map((key) => ({ name: key, type: 'varchar' }))];
    return `(select ${typed.map((column) => `null::${column.type} as "${column.name}"`).join(', ')}) where false`;
  }
  const levels = partitions.map(() => '*/').join('');
  const types = partitions.map((key) => `'${key}': varchar`).join(', ');
  return `read_parquet(getvariable('lake') || '/${name}/${levels}part-*.parquet', hive_partitioning = true, hive_types = {${types}})`;
};
