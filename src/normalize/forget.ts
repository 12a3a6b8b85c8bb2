// Forget: a rebuild begins by dropping all outcomes and entries. Entries of a rule version that the program no longer has
// cannot be made again, so the chains of such records are set aside and restored unchanged.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../database/db-types.ts';
import { emptyLedger } from '../ledger/ledger.ts';
import { RULES, type Rules } from './rule-table.ts';

/** `restore` posts, in the same transaction, the entries that people approved: no landed record makes them again. */
type ForgetOptions = { readonly rules?: Rules; readonly restore?: (tx: Kysely<DB>) => Promise<void> };

/**
 * Empties the ledger except for the chains that today's rules did not make, and puts every landed version without an
 * outcome back into the inbox: a kill in between loses nothing.
 */
export const forget = async (
  db: Kysely<DB>,
  { rules = RULES, restore = async () => {} }: ForgetOptions = {},
): Promise<void> => {
  await db.transaction().execute(async (tx) => {
    await nameRestored(tx, rules);
    await emptyLedger(tx, 'pg_temp.restored');
    await restore(tx);
    await sql`
      create temporary table restored_outcomes on commit drop as
      select o.* from ledger.outcomes o join pg_temp.restored using (entity_id, stream, record_id)`.execute(
      tx,
    );
    await sql`delete from ledger.outcomes`.execute(tx);
    await sql`delete from land.inbox`.execute(tx);
    await sql`insert into ledger.outcomes select * from pg_temp.restored_outcomes`.execute(tx);
    await sql`
      insert into land.inbox (entity_id, stream, record_id, version, request_id)
      select entity_id, stream, record_id, version, request_id from land.records r
      where not exists (
        select from ledger.outcomes o
        where (o.entity_id, o.stream, o.record_id, o.version) = (r.entity_id, r.stream, r.record_id, r.version)
      )`.execute(tx);
  });
};

/** The records with entries of another rule version, a restatement or a reopening: no landed record has their time. */
const nameRestored = async (tx: Kysely<DB>, rules: Rules): Promise<void> => {
  const streams = Object.keys(rules);
  const versions = Object.values(rules).map(({ version }) => version);
  await sql`
    create temporary table restored (entity_id text, stream text, record_id text) on commit drop`.execute(tx);
  await sql`
    with today as (
      select * from unnest(${streams}::text[], ${versions}::int[]) as rule (stream, rule_version)
    )
    insert into pg_temp.restored
    select e.entity_id, e.stream, e.record_id from ledger.entries e join today using (stream)
    where e.rule_version <> today.rule_version
    union
    select o.entity_id, o.stream, o.record_id from ledger.outcomes o join today using (stream)
    where o.rule_version <> today.rule_version
    union
    select entity_id, stream, record_id from ledger.restatements
    union
    select e.entity_id, e.stream, e.record_id from ledger.returns k join ledger.entries e using (entity_id, entry_id)`.execute(
    tx,
  );
};
