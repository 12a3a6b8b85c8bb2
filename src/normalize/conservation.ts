// Conservation: every run that books stores the proof that landed = booked + rejected + set aside, by count, and by sum
// per side and currency. The proof is in SQL (sql/views/13-conservation.sql), and shares no code with the rules.
import { type Insertable, type Kysely, sql } from 'kysely';
import { LANDED_NAMES } from '../base/streams.ts';
import { loadSql, readRows } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import type { Run } from '../run/job-run.ts';
import { RULES, type Rules } from './rule-table.ts';

/** Records that another rule version decided than the one that the program has. */
type Stale = {
  readonly stream: string;
  readonly records: number;
  readonly rule: number;
  readonly today: number;
};

type Conserved = {
  readonly entity: string;
  readonly rules?: Rules;
  /** This run landed and booked nothing of the entity, so an earlier proof may stand. */
  readonly isUnchanged?: boolean;
};

/** Stores an entity's proof with those that the run has already, and returns the records booked by other rule versions. */
export const conserve = async (
  db: Kysely<DB>,
  run: Run,
  { entity, rules = RULES, isUnchanged = false }: Conserved,
): Promise<Stale[]> => {
  const standing = isUnchanged ? await standingProofs(db, run, entity) : [];
  const proofs =
    standing.length > 0 ? standing : await db.transaction().execute((tx) => proofsOf(tx, run, entity));
  if (proofs.length > 0) await db.insertInto('run.conservation').values(proofs).execute();
  return proofs.flatMap(({ stream, rule_version: rule, landed: records }) => {
    const name = LANDED_NAMES.find((known) => known === stream);
    const today = name && rules[name].version;
    return today === undefined || rule === 0 || rule === today ? [] : [{ stream, records, rule, today }];
  });
};

/** Whether a run has a proof of an entity already. */
export const isProved = async (db: Kysely<DB>, run: Run, entity: string): Promise<boolean> => {
  const row = await db
    .selectFrom('run.conservation')
    .select('reading')
    .where('entity_id', '=', entity)
    .where('run_id', '=', run.id)
    .executeTakeFirst();
  return row !== undefined;
};

/** Every record is read once: memoizing has no benefit, and compiling the plan costs more than it saves. */
const SETTINGS = ["work_mem = '64MB'", 'enable_memoize = off', 'jit = off'];

type ConservationProof = Insertable<DB['run.conservation']>;

/**
 * The proof of an earlier run, which a quiet night need not make again from all of history: that run ended, and nothing was
 * landed or booked between it and this one, which the numbers with which each run began show; no record was undecided, and no
 * pocket was listed for the first time since, which would make transfers to it our own.
 */
const standingProofs = (db: Kysely<DB>, run: Run, entity: string): Promise<ConservationProof[]> =>
  readRows<ConservationProof>(db, loadSql('proofs/standing_conservation.sql', { entity, run: run.id }));

/** Read before the insert, because within an insert the database uses one core only. */
const proofsOf = async (tx: Kysely<DB>, run: Run, entity: string): Promise<ConservationProof[]> => {
  for (const setting of SETTINGS) await sql.raw(`set local ${setting}`).execute(tx);
  return readRows<ConservationProof>(tx, loadSql('proofs/conservation.sql', { entity, run: run.id }));
};
