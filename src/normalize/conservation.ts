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
  /** Adds what this run landed and booked to the last proof, where that is possible; otherwise every record is read. */
  readonly isAdded?: boolean;
  /** Where nothing can be added to the last proof: the only streams of which something was booked since this run's own. */
  readonly streams?: readonly string[];
};

/** Stores an entity's proof with those that the run has already, and returns the records booked by other rule versions. */
export const conserve = async (
  db: Kysely<DB>,
  run: Run,
  { entity, rules = RULES, isAdded = false, streams }: Conserved,
): Promise<Stale[]> => {
  const added = isAdded ? await addedProofs(db, run, entity) : [];
  const known = added.length === 0 && streams ? await provedAgain(db, run, { entity, streams }) : added;
  const proofs = known.length > 0 ? known : await proofsOf(db, run, { entity, streams: [] });
  if (proofs.length > 0) await db.insertInto('run.conservation').values(proofs).execute();
  return proofs.flatMap(({ stream, rule_version: rule, landed: records }) => {
    const name = LANDED_NAMES.find((known) => known === stream);
    const today = name && rules[name].version;
    return today === undefined || rule === 0 || rule === today ? [] : [{ stream, records, rule, today }];
  });
};

/** Every record is read once, so memoizing has no benefit. */
const SETTINGS = ["work_mem = '64MB'", 'enable_memoize = off'];

/** For all streams tables are joined whole: a lookup for each record takes nearly twice the time. A few records are looked up. */
const OF_ALL_STREAMS = 'enable_nestloop = off';

type ConservationProof = Insertable<DB['run.conservation']>;

/**
 * The last proof with what is new, so that a night does not read all of history: the records that landed or were booked since
 * are counted as they are now, and what they were at that proof is taken away. `verify` always proves from everything, and so
 * does a full reading.
 */
const addedProofs = (db: Kysely<DB>, run: Run, entity: string): Promise<ConservationProof[]> =>
  readRows<ConservationProof>(db, loadSql('proofs/conservation_since.sql', { entity, run: run.id }));

type ProvedStreams = { readonly entity: string; readonly streams: readonly string[] };

/** This run's proof with some streams proved again; empty if it has none. */
const provedAgain = async (
  db: Kysely<DB>,
  run: Run,
  { entity, streams }: ProvedStreams,
): Promise<ConservationProof[]> => {
  const earlier = await db
    .selectFrom('run.conservation')
    .select(['reading', 'stream', 'rule_version', 'landed', 'booked', 'rejected', 'set_aside', 'sums'])
    .where('entity_id', '=', entity)
    .where('run_id', '=', run.id)
    .execute();
  if (earlier.length === 0) return [];
  const last = Math.max(...earlier.map(({ reading }) => reading));
  const standing = earlier
    .filter(({ reading, stream }) => reading === last && !streams.includes(stream))
    .map((row) => ({ ...row, entity_id: entity, run_id: run.id, reading: last + 1 }));
  return [...standing, ...(await proofsOf(db, run, { entity, streams }))];
};

/** Of every stream if none is named. Read before the insert, because within an insert the database uses one core only. */
const proofsOf = (
  db: Kysely<DB>,
  run: Run,
  { entity, streams }: ProvedStreams,
): Promise<ConservationProof[]> =>
  db.transaction().execute(async (tx) => {
    const settings = streams.length === 0 ? [...SETTINGS, OF_ALL_STREAMS] : SETTINGS;
    for (const setting of settings) await sql.raw(`set local ${setting}`).execute(tx);
    const proved = { entity, run: run.id, streams: streams.join(',') };
    const proofs = await readRows<ConservationProof>(tx, loadSql('proofs/conservation.sql', proved));
    // A rebuild is one transaction: without this, all that follows in it would be planned under these settings.
    for (const setting of settings)
      await sql.raw(`set local ${setting.replace(/ = .*/, ' to default')}`).execute(tx);
    return proofs;
  });
