// Erases people: deletes the personal fields that landing stores apart, and nothing else. Digests, proofs and reports
// rest on commitments, which stay. Records within the retention period and records on hold are not erased.
import { randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { order } from '../base/time.ts';
import type { Books } from '../database/connection.ts';
import type { DB } from '../database/db-types.ts';
import { holdsOf } from './holds.ts';
import { peopleKey } from './people-key.ts';
import { fieldsOf, type PeopleRecord, peopleRecords } from './records.ts';
import { commitmentOf, formOf, formsOf } from './search-text.ts';

export { holdLanded, listHolds, placeHold, releaseHold } from './holds.ts';
export { checkedText } from './search-text.ts';

export type ErasureRequest = {
  /** The text that a personal field must equal; null for every record older than the retention period. */
  readonly person: string | null;
  readonly entities: readonly string[];
  readonly by: string;
  readonly reason: string;
  readonly at: string;
  readonly retentionYears: number;
  /** Reports what would be erased and changes nothing. */
  readonly isDryRun: boolean;
};

/** The result for one set of books. The dates are when the first and the last retained record may be erased. */
export type Erased = {
  readonly entity: string;
  readonly erasureId: string | null;
  readonly streams: readonly {
    readonly stream: string;
    readonly records: number;
    readonly fields: number;
  }[];
  readonly retained: number;
  readonly protectedByHold: number;
  readonly firstMayGoAt: string | null;
  readonly lastMayGoAt: string | null;
  /** When the same text was erased before, if it was. */
  readonly erasedBefore: string | null;
};

/**
 * Erases in the caller's transaction. A record loses all personal fields of all its versions, because a name may be next to the
 * account number. Retained and held records stay, and are counted.
 */
export const erase = async (tx: Transaction<DB>, request: ErasureRequest): Promise<Erased[]> => {
  const all: Erased[] = [];
  for (const entity of request.entities) all.push(await eraseIn(tx, entity, request));
  return all;
};

const eraseIn = async (tx: Transaction<DB>, entity: string, request: ErasureRequest): Promise<Erased> => {
  const key = await peopleKey(tx, entity);
  const form = request.person === null ? null : formOf(request.person);
  const commitment = form === null ? null : commitmentOf(key, form);
  const rules = { form, key, holds: await holdsOf(tx, entity) };
  const erasureId = randomBytes(6).toString('hex');
  const counted = noCounts();
  for await (const batch of peopleRecords(tx, entity, { years: request.retentionYears, at: request.at })) {
    const examined = batch.map((record) => ({ record, verdict: verdictOn(record, rules) }));
    for (const { record, verdict } of examined) count(counted, record, verdict);
    const gone = examined.filter(({ verdict }) => verdict === 'erase').map(({ record }) => record);
    if (!request.isDryRun && gone.length > 0) await remove(tx, { entity, erasureId, gone });
  }
  const erased: Erased = {
    entity,
    retained: counted.retention,
    protectedByHold: counted.hold,
    firstMayGoAt: counted.dates[0] ?? null,
    lastMayGoAt: counted.dates[1] ?? null,
    streams: [...counted.streams].map(([stream, counts]) => ({ stream, ...counts })),
    erasedBefore: commitment && (await erasedBefore(tx, entity, commitment)),
    erasureId: request.isDryRun || isNothing(counted) ? null : erasureId,
  };
  if (erased.erasureId !== null) await log(tx, { erased, commitment, request });
  return erased;
};

type ErasureVerdict = 'other' | 'hold' | 'retention' | 'erase';
type ErasureRules = {
  readonly form: string | null;
  readonly key: Buffer;
  readonly holds: ReadonlySet<string>;
};

const verdictOn = (record: PeopleRecord, { form, key, holds }: ErasureRules): ErasureVerdict => {
  if (form === null && record.is_young) return 'other';
  const forms = form !== null || holds.size > 0 ? formsOf(fieldsOf(record)) : new Set<string>();
  if (form !== null && !forms.has(form)) return 'other';
  const isHeld =
    holds.size > 0 && [...forms].some((one) => holds.has(commitmentOf(key, one).toString('hex')));
  if (isHeld) return 'hold';
  return record.is_young ? 'retention' : 'erase';
};

type Counts = {
  readonly streams: Map<string, { records: number; fields: number }>;
  retention: number;
  hold: number;
  /** The dates when the first and the last retained record may be erased. */
  dates: readonly string[];
};

const noCounts = (): Counts => ({ streams: new Map(), retention: 0, hold: 0, dates: [] });

const isNothing = ({ streams, retention, hold }: Counts): boolean =>
  streams.size === 0 && retention === 0 && hold === 0;

const count = (counts: Counts, record: PeopleRecord, verdict: ErasureVerdict): void => {
  if (verdict === 'hold') counts.hold += 1;
  if (verdict === 'retention') {
    counts.retention += 1;
    const dates = [...counts.dates, record.may_go_at].sort(order);
    counts.dates = [dates[0] ?? '', dates.at(-1) ?? ''];
  }
  if (verdict !== 'erase') return;
  const known = counts.streams.get(record.stream) ?? { records: 0, fields: 0 };
  counts.streams.set(record.stream, {
    records: known.records + 1,
    fields: known.fields + record.paths.length,
  });
};

type ErasedRecords = {
  readonly entity: string;
  readonly erasureId: string;
  readonly gone: readonly PeopleRecord[];
};

const remove = async (tx: Kysely<DB>, { entity, erasureId, gone }: ErasedRecords): Promise<void> => {
  const erasedKeys = sql`unnest(${gone.map((it) => it.stream)}::text[], ${gone.map((it) => it.record_id)}::text[]) as erased (stream, record_id)`;
  await sql`
    delete from land.people p using ${erasedKeys}
    where p.entity_id = ${entity} and (p.stream, p.record_id) = (erased.stream, erased.record_id)`.execute(
    tx,
  );
  await sql`
    insert into land.erased_records (entity_id, stream, record_id, erasure_id)
    select ${entity}, erased.stream, erased.record_id, ${erasureId} from ${erasedKeys}
    on conflict do nothing`.execute(tx); // a delivery of the webhook that was landed during the first erasure
};

const erasedBefore = async (tx: Kysely<DB>, entity: string, commitment: Buffer): Promise<string | null> => {
  const row = await tx
    .selectFrom('land.erasures')
    .select((eb) => eb.fn.max('at').as('at'))
    .where('entity_id', '=', entity)
    .where('commitment', '=', commitment)
    .where('records_erased', '>', 0)
    .executeTakeFirst();
  return row?.at ?? null;
};

type Logged = {
  readonly erased: Erased;
  readonly commitment: Buffer | null;
  readonly request: ErasureRequest;
};

const log = async (tx: Kysely<DB>, { erased, commitment, request }: Logged): Promise<void> => {
  const total = (figure: 'records' | 'fields') =>
    erased.streams.reduce((all, stream) => all + stream[figure], 0);
  await tx
    .insertInto('land.erasures')
    .values({
      entity_id: erased.entity,
      erasure_id: erased.erasureId ?? '',
      at: request.at,
      by_name: request.by,
      reason: request.reason,
      asked_for: commitment ? 'person' : 'expired',
      commitment,
      retention_years: request.retentionYears,
      records_erased: total('records'),
      fields_erased: total('fields'),
      kept_by_retention: erased.retained,
      kept_by_hold: erased.protectedByHold,
      first_may_go_at: erased.firstMayGoAt,
      last_may_go_at: erased.lastMayGoAt,
    })
    .execute();
};

/** The log of erasures, oldest first. */
export const listErasures = (db: Books, entities: readonly string[]) =>
  db
    .selectFrom('books.erasures')
    .selectAll()
    .where('entity_id', '=', sql<string>`any(${entities}::text[])`)
    .orderBy('erased_at')
    .orderBy('entity_id')
    .execute();
