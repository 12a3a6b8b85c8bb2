// Every way to read or write every table and view, tried as a role, each in a transaction that is taken back.
import { codeOf, type Session } from '../../../src/database/database.ts';

export type Relation = { readonly name: string; readonly columns: readonly string[] };

const RELATIONS = `
  select format('%I.%I', n.nspname, c.relname) as name,
    array_agg(format('%I = %s', a.attname, case when a.attidentity = 'a' then 'default' else quote_ident(a.attname) end)
      order by a.attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
    and a.attnum > 0 and not a.attisdropped
  group by 1 order by min(c.relkind::text) = 'v', min(n.nspname || '.' || c.relname) collate "C"`;

/** Every table and then every view of ours, from the catalog, so that a new one is tried too. */
export const relationsOf = async (session: Session): Promise<Relation[]> =>
  (await session.query(RELATIONS)).rows;

/** No permission; and of a view: it cannot be written, or not this column of it, or is no table. */
const REFUSED = new Set(['42501', '55000', '42809', '0A000', '428C9']);

/** What says that a right was there: the row, the table or the data is what failed. */
const PASSED = new Set(['23502', '23505', '23514', '57014']);

/** Rows are let in one by one: the right is there, and this row is of a closed month or of another's stream. */
const HELD_BACK = /^new row violates row-level security policy/;

/** A table that others refer to: said only to those who might have truncated it. */
const REFERRED = /^cannot truncate a table referenced/;

/** Whether the right to a statement is there. A failure that says nothing of rights is the test's own. */
export const mayRun = async (session: Session, statement: string): Promise<boolean> => {
  await session.query('begin read write');
  try {
    await session.query(statement);
    return true;
  } catch (error) {
    const { message } = error as Error;
    if (PASSED.has(codeOf(error)) || HELD_BACK.test(message) || REFERRED.test(message)) return true;
    if (REFUSED.has(codeOf(error))) return false;
    throw new Error(`${statement}: ${codeOf(error)} ${(error as Error).message}`);
  } finally {
    await session.query('rollback');
  }
};

export type Rights = {
  /** A letter for each way that is open, a dash for each that is not; ~ is an update of some columns. */
  readonly letters: string;
  readonly updatable: readonly string[];
};

/** Tries select, insert, update (column by column), delete, truncate and COPY. */
export const rightsTo = async (session: Session, { name, columns }: Relation): Promise<Rights> => {
  const may = (statement: string) => mayRun(session, statement);
  const updatable: string[] = [];
  for (const column of columns)
    if (await may(`update ${name} set ${column} where false`)) updatable.push(column.split(' ')[0] ?? '');
  const all = updatable.length === columns.length;
  const letters = [
    (await may(`select * from ${name} limit 0`)) ? 's' : '-',
    (await may(`insert into ${name} default values`)) ? 'i' : '-',
    all ? 'u' : updatable.length > 0 ? '~' : '-',
    (await may(`delete from ${name} where false`)) ? 'd' : '-',
    (await may(`truncate ${name}`)) ? 't' : '-',
    (await may(`copy ${name} from stdin`)) ? 'c' : '-',
  ].join('');
  return { letters, updatable: all ? [] : updatable };
};
