// Hints: what the listener notes of the notification socket, beside any run. A hint says which entity to read first, and its
// absence may allow to read an entity later; neither is evidence. Only the name of an event, the entity and the time are stored.
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { besideRuns } from './beside-runs.ts';

/** What an event names: a user, a pocket, both or neither. */
export type EventSubject = {
  readonly event: string;
  readonly user: string | null;
  readonly pocket: string | null;
};

const write = <R>(db: Kysely<DB>, statement: RawBuilder<R>): Promise<readonly R[]> =>
  besideRuns(db, async (tx) => (await statement.execute(tx)).rows);

/**
 * Notes events for the entities that they name, and returns these; an event that names no known user and no known pocket is
 * noted for every entity.
 */
export const noteEvents = async (db: Kysely<DB>, events: readonly EventSubject[]): Promise<string[]> => {
  const rows = events.map(({ event, user, pocket }) => ({ event, user_id: user, pocket_id: pocket }));
  const subjects = unnest(rows, { event: 'text', user_id: 'text', pocket_id: 'text' });
  const noted = await write(
    db,
    sql<{ entity_id: string }>`
      with subject as (select *, row_number() over () as nth from ${subjects}), found as (
        select s.nth, s.event, e.entity_id from subject s join run.entities e on s.user_id in (e.gateway_user_id, e.subaccount_id)
        union all
        select s.nth, s.event, p.entity_id from subject s join land.pockets p using (pocket_id) where s.user_id is null
      ), noted as (
        select event, entity_id from found
        union all
        select s.event, e.entity_id from subject s cross join run.entities e where s.nth not in (select nth from found)
      )
      insert into run.hints (entity_id, event, hinted_at)
      select entity_id, min(event), clock_timestamp() from noted group by entity_id
      on conflict (entity_id) do update set event = excluded.event, hinted_at = excluded.hinted_at returning entity_id`,
  );
  return noted.map(({ entity_id }) => entity_id);
};

/** Notes that the connection of a main account's listener opened or ended. */
export const noteConnection = (db: Kysely<DB>, entity: string, isOpen: boolean) =>
  write(
    db,
    sql`
      insert into run.listening (entity_id, connected_since, seen_at)
      select ${entity}, case when ${isOpen}::boolean then clock_timestamp() end, clock_timestamp()
      on conflict (entity_id) do update set connected_since = excluded.connected_since, seen_at = excluded.seen_at`,
  );

/** Notes that the connection is still open. After an end that another listener noted, it counts as ended. */
export const noteSign = (db: Kysely<DB>, entity: string) =>
  write(
    db,
    sql`
      update run.listening set seen_at = clock_timestamp()
      where entity_id = ${entity} and connected_since is not null`,
  );
