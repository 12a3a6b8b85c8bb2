// The whole state of a database by its catalogues, to compare before with after: every row and its version.
import type { Database } from '../src/database/connection.ts';

const CATALOGUES = [
  'pg_namespace',
  'pg_class',
  'pg_attribute',
  'pg_proc',
  'pg_type',
  'pg_constraint',
  'pg_rewrite',
  'pg_policy',
  'pg_trigger',
  'pg_attrdef',
  'pg_depend',
  'pg_description',
];
const OWNERS: Readonly<Record<string, string>> = {
  pg_attribute: 'attrelid',
  pg_depend: 'objid',
  pg_description: 'objoid',
};
const MADE = 16_384;

/**
 * Every catalogue, as rows with their versions (a rewritten row has another xmin), and our groups.
 * Other roles, and logins, belong to the tests that run beside on the same server.
 */
export const wholeOf = async (pool: Database['pool']): Promise<Record<string, string>> => {
  const whole: Record<string, string> = {};
  for (const name of CATALOGUES) {
    const id = OWNERS[name] ?? 'oid';
    const { rows } = await pool.query(
      `select count(*) || ' ' || md5(coalesce(string_agg(${id} || ' ' || xmin, ',' order by ${id}, xmin::text), '')) as digest
       from ${name} where ${id} >= ${MADE}`,
    );
    whole[name] = String(rows[0]?.digest);
  }
  const roles = await pool.query(
    "select string_agg(rolname, ' ' order by rolname) as names from pg_roles where rolname ~ '^tieout_' and rolname !~ '_[0-9a-f]{8}$'",
  );
  return { ...whole, roles: String(roles.rows[0]?.names) };
};
