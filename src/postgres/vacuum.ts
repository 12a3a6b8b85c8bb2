// Vacuum: Postgres' own begins a minute after the start, and a server that runs for the seconds of a night never gets there. Dead
// rows would pile up for years. So the last to leave does what is due by the same rules.
import { inSession } from '../database/database.ts';

/** The name of its session, which keeps no server running: whoever vacuums has another one. */
export const VACUUM = 'tieout vacuum';

/** The tables that autovacuum would vacuum or analyze by its default settings, or by those of the table for inserted rows. */
const DUE = `
  select format('%I.%I', s.schemaname, s.relname) as name
  from pg_stat_user_tables s
  join pg_class c on c.oid = s.relid
  cross join lateral (select greatest(c.reltuples, 0) as rows) as known
  left join lateral (
    select option_value::float8 as rows from pg_options_to_table(c.reloptions) where option_name = 'autovacuum_vacuum_insert_threshold'
  ) as own on true
  where s.n_dead_tup > 50 + 0.2 * known.rows or s.n_mod_since_analyze > 50 + 0.1 * known.rows
    or s.n_ins_since_vacuum > coalesce(own.rows, 1000 + 0.2 * known.rows)
  order by 1`;

/** Vacuums and analyzes what is due in a database. Throws pg's errors. */
export const vacuumDue = (url: string): Promise<void> =>
  inSession(url, VACUUM, async (session) => {
    const { rows } = await session.query<{ name: string }>(DUE);
    for (const { name } of rows) await session.query(`vacuum (analyze) ${name}`);
  });
