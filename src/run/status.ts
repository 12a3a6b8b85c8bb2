// Status: the first overview for an operator.
import { sql } from 'kysely';
import type { Database } from '../database/connection.ts';
import { loadSql, readRows } from '../database/database.ts';
import { databaseTime } from './nights.ts';

type StatusRow = Record<string, string | number | boolean | null>;
/** When the last clean nightly of an entity began; null if there has been none. */
type CleanNight = { readonly entity_id: string; readonly clean_at: string | null };

export type Status = {
  /** When all this was read, by the database's clock, which every age is measured by. */
  read_at: string;
  clean_nights: CleanNight[];
  runs: StatusRow[];
  /** The last run that reads the gateway; none before the first. */
  last_reading: StatusRow[];
  watermarks: StatusRow[];
  gaps: StatusRow[];
  periods: StatusRow[];
  consolidated: StatusRow[];
  /** The entities of which something is booked and nothing was ever compared. */
  uncompared: StatusRow[];
  breaks: StatusRow[];
  /** The breaks that a person resolved and no comparison has seen tie since. */
  unconfirmed: StatusRow[];
  rejects: StatusRow[];
  findings: StatusRow[];
  waiting: StatusRow[];
  /** The entities that the last nightly skipped as unchanged. */
  skipped: StatusRow[];
  listening: StatusRow[];
  unvalued: StatusRow[];
  /** Only if one person may both prepare and approve. */
  one_person?: StatusRow[];
};

/** When the last clean nightly of each entity began. */
export const cleanNights = (db: Database['db']): Promise<CleanNight[]> =>
  readRows<CleanNight>(db, loadSql('status/clean_nights.sql'));

/**
 * The last runs, the proved range of each stream, open items, and the findings of three runs: the latest,
 * the latest that reads the gateway, and the latest of those that finished. A note on late entries is left out once
 * their month was reopened, which returned them.
 */
export const statusOf = async ({ db }: Pick<Database, 'db'>): Promise<Status> => {
  const rows = async (query: ReturnType<typeof sql<StatusRow>>) => (await query.execute(db)).rows;
  const alone = await rows(
    sql<StatusRow>`select version, set_by, set_at, reason from books_internal.duties d where is_one_person and version = (select max(version) from books_internal.duties)`,
  );
  return {
    ...(alone.length > 0 && { one_person: alone }),
    read_at: await databaseTime(db),
    clean_nights: await cleanNights(db),
    runs: await rows(
      sql<StatusRow>`select started_at, job, exit_code, requests, pages, pages_fewest as fewest, pages_ratio::text as made_by_fewest, summary from books.runs order by run_number desc limit 5`,
    ),
    last_reading: await rows(
      sql<StatusRow>`select started_at, job, exit_code, summary, run_number = (select max(run_number) from books.runs) as is_last from books.runs
        where job in ('nightly', 'extract') order by run_number desc limit 1`,
    ),
    watermarks: await rows(
      sql<StatusRow>`select w.entity_id, w.stream, w.scope, w.watermark, coalesce(sum(c.records), 0)::int as records
        from books_internal.watermarks w left join books.coverage c using (entity_id, stream, scope) group by 1, 2, 3, 4 order by 1, 2, 3`,
    ),
    gaps: await rows(
      sql<StatusRow>`select entity_id, stream, gap_from, gap_to from books.coverage_gaps order by 1, 2, 3`,
    ),
    periods: await rows(
      sql<StatusRow>`select entity_id, period, seal_number, status, prepared_by, approved_by, sealed_at, reopened_by, reopen_reason
        from books.seals left join books_internal.closed_through using (entity_id) where status = 'reopened' or period = through order by 1, 2, 3`,
    ),
    consolidated: await rows(
      sql<StatusRow>`select currency, entities::int as entities, reported, booked, difference, not_compared, uncovered::int as uncovered, own_transfers::int as own_transfers, own_out, own_in from books.consolidated order by currency collate "C"`,
    ),
    uncompared: await rows(
      sql<StatusRow>`select entity_id from books.entities n
        where exists (select from books.balances b where b.entity_id = n.entity_id)
          and not exists (select from books_internal.last_compared c where c.entity_id = n.entity_id) order by entity_id collate "C"`,
    ),
    breaks: await rows(
      sql<StatusRow>`select break_id, entity_id, check_name, account, currency, trim_scale(difference)::text as difference, status, since, waived_through, reason, severity, round(value, 2)::text as value from books.breaks where status not in ('waived', 'resolved') order by 2, 3, 4`,
    ),
    unconfirmed: await rows(
      sql<StatusRow>`select break_id, entity_id, resolved_by from books.breaks
        where status = 'resolved' and resolved_by is not null and tied_run_id is null order by 2, 1`,
    ),
    rejects: await rows(
      sql<StatusRow>`select entity_id, stream, record_id, reason, decision from books.rejects order by 1, 2, 3`,
    ),
    findings: await rows(
      sql<StatusRow>`select distinct f.entity_id, f.severity, f.subject, f.detail from books.findings f join books.runs r using (run_id) where r.run_id in (
        (select run_id from books.runs order by run_number desc limit 1)
        union (select run_id from books.runs where job in ('nightly', 'extract') order by run_number desc limit 1)
        union (select run_id from books.runs where job in ('nightly', 'extract') and exit_code in (0, 1) order by run_number desc limit 1)
      ) and not exists (
        select from books.seals s
        where s.entity_id = f.entity_id and f.subject = 'late for ' || s.period and s.reopened_at > r.started_at
      ) order by 2, 1, 3`,
    ),
    waiting: await rows(
      sql<StatusRow>`select proposal_id, entity_id, action, description, prepared_by, prepared_at from books.proposals where verdict = 'waiting' order by prepared_at, 2, 1`,
    ),
    skipped: await rows(
      sql<StatusRow>`select entity_id, lists_read_at from books.nights where is_skipped and run_id = (
        select run_id from books.runs where job = 'nightly' order by run_number desc limit 1) order by 2, 1`,
    ),
    listening: await rows(
      sql<StatusRow>`select entity_id, connected_since, seen_at from run.listening order by 1`,
    ),
    unvalued: await rows(
      sql<StatusRow>`select u.entity_id, u.period, u.findings::int as findings, u.accepted, u.accepted_by, u.kinds
        from books_internal.unvalued_months('infinity') u left join books_internal.closed_through c using (entity_id)
        where u.period > coalesce(c.through, '') order by 1, 2`,
    ),
  };
};
