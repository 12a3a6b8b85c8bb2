// Restate: records booked by another version of a rule are booked again by today's. If the result differs, the entry is
// reversed and posted again, like a correction; no entry is ever rewritten.
import { type Kysely, sql } from 'kysely';
import type { LandedStream } from '../base/streams.ts';
import type { DB } from '../database/db-types.ts';
import { post, sealsOf } from '../ledger/ledger.ts';
import { databaseTime, refuseOtherSettings, storePlatformClass, storeSettings } from '../run/run.ts';
import {
  type Booking,
  type BookingContext,
  bookingOf,
  isByClass,
  type LandedRecord,
  type WritableEntityBooks,
} from './booking.ts';
import { contextOf } from './context.ts';
import { RULES, type Rules } from './rule-table.ts';
import { bookedStanding } from './standing.ts';
import { CLASSES } from './wallet-sides.ts';

/** Who restates and why, if given. A dry run books nothing. */
export type RestateRequest = {
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
  readonly isDry?: boolean;
  readonly rules?: Rules;
};

/** The result for the records booked by one version of a stream's rule. */
export type Restated = {
  readonly stream: LandedStream;
  readonly from_rule: number;
  readonly to_rule: number;
  readonly looked_at: number;
  readonly unchanged: number;
  readonly restated: number;
  readonly newly_booked: number;
  readonly newly_rejected: number;
  readonly newly_set_aside: number;
};

const BATCH = 1_000;

/**
 * Books again every record whose latest version was booked by another rule version, every rejected one, which a setting may
 * accept by now, those booked by a class that no setting names any more, and those booked before a pocket that they name was listed, in batches of one transaction each; after a kill
 * it continues where it was. `normalize` runs first and books versions without an outcome. Throws a UsageError if a setting differs from that of the books.
 */
export const restate = async (
  db: Kysely<DB>,
  books: WritableEntityBooks,
  ask: RestateRequest = {},
): Promise<Restated[]> => {
  const { platformClass = null, ...byFirstEntry } = books;
  await refuseOtherSettings(db, byFirstEntry);
  const { rules = RULES } = ask;
  const context = await contextOf(db, books);
  const seals = await sealsOf(db, books.entity);
  const classes = platformClass === null ? CLASSES : [...CLASSES, platformClass];
  const restatement = { books, ask, rules, classes, seals, context, recordedAt: await databaseTime(db) };
  const counted = new Map<string, Restated>();
  for (const stream of Object.keys(rules) as LandedStream[]) {
    let after: string | null = '';
    while (after !== null) {
      const place: RestatePlace = { stream, after };
      const changes: EntryChange[] = ask.isDry
        ? await changesAfter(db, restatement, place)
        : await db.transaction().execute((tx) => restateBatch(tx, restatement, place));
      for (const change of changes.filter(isOfAnotherRule(rules))) count(counted, change);
      after = changes.length < BATCH ? null : (changes.at(-1)?.old.record_id ?? null);
    }
  }
  return [...counted.values()].sort((a, b) => a.from_rule - b.from_rule);
};

type Restatement = Omit<BookingContext, 'stands'> & {
  readonly books: WritableEntityBooks;
  readonly ask: RestateRequest;
  /** The classes of a side that are known today; a record that was booked by another one is decided again. */
  readonly classes: readonly string[];
  readonly recordedAt: string;
};

type RestatePlace = { readonly stream: LandedStream; readonly after: string };

/** The outcome of a latest version before, and its booking now. */
type Old = LandedRecord & {
  outcome: 'booked' | 'rejected' | 'set-aside';
  reason: string | null;
  rule_version: number;
};

type EntryChange = { readonly old: Old; readonly now: Booking };

const restateBatch = async (
  tx: Kysely<DB>,
  restatement: Restatement,
  place: RestatePlace,
): Promise<EntryChange[]> => {
  const examined = await changesAfter(tx, restatement, place);
  const changes = examined.filter(isOfAnotherRule(restatement.rules));
  if (changes.length === 0) return examined;
  const entries = changes.flatMap(({ now }) => now.entries);
  await post(tx, entries);
  await moveOutcomes(tx, restatement.books.entity, changes);
  await remember(tx, restatement, changes.filter(isOtherwise));
  const { books } = restatement;
  if (entries.length > 0) await storeSettings(tx, books);
  if (changes.some(({ now }) => isByClass(now, books))) await storePlatformClass(tx, books, 'first');
  return examined;
};

const changesAfter = async (
  db: Kysely<DB>,
  restatement: Restatement,
  { stream, after }: RestatePlace,
): Promise<EntryChange[]> => {
  const { entity, currency } = restatement.books;
  const { rows } = await sql<Old>`
    with listed as materialized (
      select lower(pocket_id) as pocket_id, listed_in from books_internal.listed_pockets where entity_id = ${entity}
    )
    select o.stream, o.record_id, o.version, o.outcome, o.reason, o.rule_version, r.payload, r.landed_at, r.request_id, f.request_id as first_request_id
    from ledger.outcomes o
    join books_internal.latest_records r using (entity_id, stream, record_id, version)
    join land.records f on (f.entity_id, f.stream, f.record_id, f.version) = (o.entity_id, o.stream, o.record_id, 1)
    where o.entity_id = ${entity} and o.stream = ${stream} and o.record_id > ${after}
      and (o.rule_version <> ${restatement.rules[stream].version} or o.outcome = 'rejected' or o.stream = 'wallet-transactions' and (
        r.payload::jsonb #>> '{origin,class}' <> all (${restatement.classes}) or r.payload::jsonb #>> '{destination,class}' <> all (${restatement.classes})
        or r.request_id < (select min(request_id) from land.snapshots where entity_id = ${entity} and product = 'pocket')
        or exists (select from listed p where p.listed_in > r.request_id and p.pocket_id
          in (lower(r.payload::jsonb #>> '{origin,pocketId}'), lower(r.payload::jsonb #>> '{destination,pocketId}')))))
    order by o.record_id limit ${BATCH}`.execute(db);
  const recordIds = rows.map((row) => row.record_id);
  const stands = await bookedStanding(db, { entity, currency, stream, recordIds });
  return rows.map((old) => ({ old, now: bookingOf(old, { ...restatement, stands }) }));
};

const reasonOf = ({ outcome }: Booking): string | null => ('reason' in outcome ? outcome.reason : null);

const isOtherwise = ({ old, now }: EntryChange): boolean =>
  now.entries.length > 0 || old.outcome !== now.outcome.outcome || old.reason !== reasonOf(now);

/** A record of today's rule counts only if a setting or a list of pockets changes its outcome. */
const isOfAnotherRule =
  (rules: Rules) =>
  (change: EntryChange): boolean =>
    change.old.rule_version !== rules[change.old.stream].version || isOtherwise(change);

const moveOutcomes = async (
  tx: Kysely<DB>,
  entity: string,
  changes: readonly EntryChange[],
): Promise<void> => {
  const text = (column: (change: EntryChange) => string | null) => sql`${changes.map(column)}::text[]`;
  await sql`
    update ledger.outcomes o
    set outcome = result.outcome, reason = result.reason, final = result.final, rule_version = result.rule_version
    from unnest(${text((c) => c.old.stream)}, ${text((c) => c.old.record_id)}, ${changes.map((c) => c.old.version)}::int[],
      ${text((c) => c.now.outcome.outcome)}, ${text((c) => reasonOf(c.now))}, ${changes.map((c) => c.now.isFinal)}::bool[],
      ${changes.map((c) => c.now.ruleVersion)}::int[]) as result (stream, record_id, version, outcome, reason, final, rule_version)
    where (o.entity_id, o.stream, o.record_id, o.version) = (${entity}, result.stream, result.record_id, result.version)`.execute(
    tx,
  );
};

/** One row for each record with a different result, with the outcome of the earlier rule. */
const remember = async (
  tx: Kysely<DB>,
  restatement: Restatement,
  changes: readonly EntryChange[],
): Promise<void> => {
  if (changes.length === 0) return;
  const { books, ask, recordedAt } = restatement;
  const rows = changes.map(({ old, now }) => ({
    entity_id: books.entity,
    stream: old.stream,
    record_id: old.record_id,
    version: old.version,
    ordinal: now.entries[0]?.ordinal ?? null,
    at: recordedAt,
    by_name: ask.by ?? null,
    reason: ask.reason ?? null,
    from_rule: old.rule_version,
    to_rule: now.ruleVersion,
    was_outcome: old.outcome,
    was_reason: old.reason,
  }));
  await tx.insertInto('ledger.restatements').values(rows).execute();
};

const NEWLY = {
  booked: 'newly_booked',
  rejected: 'newly_rejected',
  'set-aside': 'newly_set_aside',
} as const;

const NONE = {
  looked_at: 0,
  unchanged: 0,
  restated: 0,
  newly_booked: 0,
  newly_rejected: 0,
  newly_set_aside: 0,
};

const count = (counted: Map<string, Restated>, { old, now }: EntryChange): void => {
  const { stream, rule_version: from_rule } = old;
  const key = `${stream} ${from_rule}`;
  const known = counted.get(key) ?? { stream, from_rule, to_rule: now.ruleVersion, ...NONE };
  const same = now.entries.length > 0 ? 'restated' : 'unchanged';
  const what = old.outcome === now.outcome.outcome ? same : NEWLY[now.outcome.outcome];
  counted.set(key, { ...known, looked_at: known.looked_at + 1, [what]: known[what] + 1 });
};
