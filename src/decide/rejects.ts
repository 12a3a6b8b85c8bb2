// Rejects that people decide upon: settled by an entry, which is proposed like any other, or dismissed with a reason.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db-types.ts';
import { UsageError } from '../errors.ts';
import { isoOf, nowMs } from '../time.ts';

/** A record that no rule accepts today. `effectiveAt` is when it took effect by its own words, null where they cannot be read. */
export type Rejected = {
  readonly entity: string;
  readonly stream: string;
  readonly recordId: string;
  readonly version: string;
  readonly effectiveAt: string | null;
  readonly decision: string | null;
};

export type Named = { readonly stream: string; readonly recordId: string; readonly entity: string | null };

/** The one reject of that name. Throws UsageError where there is none, or one in several entities. */
export const rejectedOf = async (db: Kysely<DB>, named: Named): Promise<Rejected> => {
  const { rows } = await sql<Rejected>`
    select entity_id as entity, stream, record_id as "recordId", version::text as version, effective_at as "effectiveAt",
      decision
    from books.rejects
    where stream = ${named.stream} and record_id = ${named.recordId}
      and (${named.entity}::text is null or entity_id = ${named.entity})
    order by entity_id`.execute(db);
  const [one, ...others] = rows;
  const name = `${named.stream} ${named.recordId}`;
  if (!one) throw new UsageError(`${name} is no rejected record: look at what is, with tieout rejects list`);
  if (others.length > 0)
    throw new UsageError(
      `${name} is rejected in ${rows.map(({ entity }) => entity).join(' and ')}: say which with --entity`,
    );
  return one;
};

/** Puts a reject aside with a reason; nothing is booked. Throws UsageError where it is decided upon already. */
export const dismiss = async (
  desk: { readonly db: Kysely<DB>; readonly decider: Kysely<DB> },
  asked: Named & { readonly by: string; readonly reason: string },
): Promise<Rejected> => {
  const it = await rejectedOf(desk.db, asked);
  if (it.decision !== null)
    throw new UsageError(`${it.stream} ${it.recordId} is ${it.decision} already: nothing is left to decide`);
  await sql`
    insert into decide.dismissals (entity_id, stream, record_id, version, by_name, reason, at)
    values (${it.entity}, ${it.stream}, ${it.recordId}, ${it.version}::int, ${asked.by}, ${asked.reason},
      ${isoOf(nowMs())}::timestamptz)`.execute(desk.decider);
  return it;
};
