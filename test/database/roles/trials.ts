// Every way to read or write every table and view, tried as a role, each in a transaction that is rolled back.
import type { Session } from '../../../src/database/client.ts';
import { codeOf } from '../../../src/database/connection.ts';

export type Relation = { readonly name: string; readonly columns: readonly string[] };

const RELATIONS = `
  select format('%I.%I', n.nspname, c.relname) as name,
    array_agg(format('%I = %s', a.attname, case when a.attidentity = 'a' then 'default' else quote_ident(a.attname) end)
      order by a.attnum) as columns
  from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
    and a.attnum > 0 and not a.attisdropped
  group by 1 order by min(c.relkind::text) = 'v', min(n.nspname || '.' || c.relname) collate "C"`;

/** Every table and then every view of ours, from the catalogue, so that new ones are included. */
export const relationsOf = async (session: Session): Promise<Relation[]> =>
  (await session.query(RELATIONS)).rows;

/** No permission; or, for a view: it cannot be written, or not this column of it, or it is not a table. */
const REFUSED = new Set(['42501', '55000', '42809', '0A000', '428C9']);

/** Errors that prove the right exists: the row, the table or the data failed. */
const PASSED = new Set(['23502', '23505', '23514', '57014']);

/** Rows are checked one by one: the right exists, but this row is of a closed month or of another's stream. */
const HELD_BACK = /^new row violates row-level security policy/;

/** A table that others refer to: the error is reported only to a role with the right to truncate it. */
const REFERRED = /^cannot truncate a table referenced/;

/** Whether the right to a statement exists. Any other failure is a fault of the test. */
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
  /** A letter for each granted right, a dash for each missing one; ~ is an update of some columns. */
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
