// Books one entity and proves at once that no landed record was lost.
import { counted } from '../src/base/counted.ts';
import { groupBy } from '../src/base/group.ts';
import { loadSql, readRows } from '../src/database/database.ts';
import { conserve, NONE_BOOKED, type NormalizeTally } from '../src/normalize/normalize.ts';
import { bookedEntities, report, timedStep } from '../src/run/run.ts';
import type { Work } from '../src/run/work.ts';
import { bookPass } from './book-pass.ts';
import { returnEntries } from './months.ts';

export { returnEntries } from './months.ts';
export { pairAndValue } from './pairing.ts';
export { concludeRun } from './run-result.ts';
export { eachStoredEntity } from './session.ts';

/** What was booked beside the reading, and whether everything is to be proved from nothing. */
type Booking = {
  readonly beside?: NormalizeTally;
  readonly isFull?: boolean;
  /** Whether this call follows another one in this process and this run, which has stored a proof. */
  readonly isAgain?: boolean;
  /** Called before the proof, which reads every record of a first night. */
  readonly onBooked?: (tally: NormalizeTally) => void;
};

/**
 * Books what is left of an entity's landed records, after what was booked beside its reading, and stores the proof, unless a
 * second reading found nothing new. A proof that the run has already does not do: a worker that was killed may have booked after it.
 */
export const book = async (
  work: Work,
  entity: string,
  { beside = NONE_BOOKED, isFull = true, isAgain = false, onBooked }: Booking = {},
): Promise<NormalizeTally> => {
  const booked = await bookLanded(work, entity, beside);
  onBooked?.(booked);
  if (booked.records > 0 || !isAgain) await prove(work, entity, { isAdded: !isFull });
  return booked;
};

/** Books what landed of an entity since it was booked and proved in this run, and proves the streams that were waiting again. */
export const bookMore = async (
  work: Work,
  entity: string,
  { before, isFull }: { readonly before: NormalizeTally; readonly isFull: boolean },
): Promise<void> => {
  const waiting = await work.db
    .selectFrom('land.inbox')
    .select('stream')
    .distinct()
    .where('entity_id', '=', entity)
    .execute();
  if (waiting.length === 0) return;
  await bookLanded(work, entity, before);
  await prove(work, entity, { isAdded: !isFull, streams: waiting.map(({ stream }) => stream) });
};

/** What is read once for all entities, after each of them was proved. */
const LATE_STREAMS: readonly string[] = ['assets'];

/**
 * Books landed records of entities that could not be read completely, since the files contain every entity, and what landed after an
 * entity was proved. That the records are booked does not show that they are proved: a worker may have been killed in between.
 */
export const bookRest = async (work: Work, read: readonly string[]): Promise<void> => {
  const late = await lateStreams(work, read);
  for (const entity of await bookedEntities(work)) {
    const streams = late.get(entity) ?? [];
    if (read.includes(entity) && streams.length === 0) continue;
    const { records } = await bookLanded(work, entity);
    if (records === 0 && streams.length === 0) continue;
    await prove(work, entity, { isAdded: true, ...(read.includes(entity) && { streams }) });
  }
};

/** The streams whose records wait or may lack a proof: those of a failed entity that were requested, of any other those read late. */
const lateStreams = async ({ db, run }: Work, read: readonly string[]): Promise<Map<string, string[]>> => {
  const waiting = await db.selectFrom('land.inbox').select(['entity_id', 'stream']).distinct().execute();
  const requested = await readRows<(typeof waiting)[number]>(
    db,
    loadSql('proofs/requested_streams.sql', { run: run.id }),
  );
  const late = requested.filter(
    ({ entity_id, stream }) => !read.includes(entity_id) || LATE_STREAMS.includes(stream),
  );
  const streams = groupBy([...waiting, ...late], ({ entity_id }) => entity_id);
  return new Map(
    [...streams].map(([entity, all]) => [entity, [...new Set(all.map(({ stream }) => stream))]]),
  );
};

/** Books an entity's landed records; the result counts those booked before, too. */
export const bookLanded = async (
  work: Work,
  entity: string,
  before = NONE_BOOKED,
): Promise<NormalizeTally> => {
  const moved = await returnEntries(work, entity);
  if (moved > 0) work.tell({ event: 'returned', entity, entries: moved });
  return timedStep(work.tell, { event: 'booked', entity }, () => bookPass(work, entity, { before }));
};

/**
 * Stores the proof that landed = booked + rejected + set aside; a note lists records that today's rules decide
 * differently.
 */
export const prove = async (
  work: Work,
  entity: string,
  added: Pick<Parameters<typeof conserve>[2], 'isAdded' | 'streams'> = {},
): Promise<void> => {
  for (const { stream, records, rule, today } of await conserve(work.db, work.run, { entity, ...added })) {
    const one = counted(records, 'record was', 'records were');
    await report(work.db, work.run, {
      entity,
      severity: 'note',
      subject: stream,
      detail: `${one} booked by rule ${rule} of ${stream}, the program has rule ${today}: npx tieout normalize --restate`,
    });
  }
};
