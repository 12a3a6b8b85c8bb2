// The replay applies the booking rules to every landed version and compares the result with the ledger, entry by entry and
// leg by leg. The rules are pure: the replay writes nothing and trusts nothing but landed rows.
import type { Kysely } from 'kysely';
import { parseExact } from '../../base/json.ts';
import { LANDED_NAMES, type LandedStream } from '../../base/streams.ts';
import type { DB } from '../../database/db-types.ts';
import { sealsOf } from '../../ledger/ledger.ts';
import type { Seal } from '../../ledger/period.ts';
import type { Entry } from '../../ledger/posting.ts';
import type { Booking, BookingContext, EntityBooks } from '../../normalize/booking.ts';
import type { RuleContext } from '../../normalize/outcome.ts';
import type { Rules } from '../../normalize/rule-table.ts';
import { bookingOf, contextOf, listedPockets, pocketsById, RULES } from '../../normalize/rules.ts';
import { type Proof, proofOf } from '../proof.ts';
import { type EntryRow, type RecordRows, recordsOf, type VersionRow } from './chains.ts';

/** The books to replay, one per entity, with the timezone and currency of their first entry. */
type Replay = { readonly books: readonly EntityBooks[]; readonly rules?: Rules };

/** Replays every landed record. Records of an older rule version are left to `proveOlderRules`, which counts them. */
export const proveEntries = async (db: Kysely<DB>, { books, rules = RULES }: Replay): Promise<Proof> => {
  const proof = proofOf('every entry follows from its record by the rules');
  for (const entityBooks of books) {
    const seals = await sealsOf(db, entityBooks.entity);
    const facts = {
      books: entityBooks,
      seals,
      rules,
      contexts: contextsOf(await contextOf(db, entityBooks), await listedPockets(db, entityBooks.entity)),
    };
    for (const stream of LANDED_NAMES)
      for await (const records of recordsOf(db, { entity: entityBooks.entity, stream }))
        for (const record of records) proof.check(faultOf(stream, record, facts));
  }
  return proof.done();
};

type ListedPocket = Awaited<ReturnType<typeof listedPockets>>[number];

type Facts = {
  readonly books: EntityBooks;
  readonly seals: readonly Seal[];
  readonly rules: Rules;
  readonly contexts: readonly ContextFor[];
};

/** The first difference between a record's rows and the replay of its versions; null if there is none. */
const faultOf = (stream: LandedStream, record: RecordRows, facts: Facts): string | null => {
  const today = facts.rules[stream].version;
  const name = `${stream} ${record.recordId} of ${facts.books.entity}`;
  const unknown = unknownRule(record, today);
  if (unknown !== null) return `${name}: ${unknown}`;
  const processed = record.versions.filter(({ outcome }) => outcome !== null);
  const last = processed.at(-1);
  const isToday =
    processed.every(({ rule_version }) => rule_version === today) && !hasOlderEntries(record, today);
  if (!isToday && last?.rule_version !== today) return null;
  const compare = isToday ? chainFault : standingFault;
  const unread = processed.find(({ payload }) => !isJson(payload));
  if (unread) return `${name}: the payload of version ${unread.version} is not JSON`;
  const faults: string[] = [];
  for (const contextFor of facts.contexts) {
    const replayed = { stream, record: { ...record, versions: processed }, facts: { ...facts, contextFor } };
    const fault = compare(replayed);
    if (fault === null) return null;
    faults.push(fault);
  }
  return `${name}: ${faults[0]}`;
};

const FIRST_RULE = 1;

/** A claim that no rule of ours made: it would be neither replayed nor counted. Entries of a later rule may remain after it was restated. */
const unknownRule = ({ versions, entries }: RecordRows, today: number): string | null => {
  const version = versions.find(
    ({ rule_version: rule }) => rule !== null && (rule < FIRST_RULE || rule > today),
  );
  if (version)
    return `version ${version.version} was decided by rule ${version.rule_version}, and this program knows the rules ${FIRST_RULE} to ${today}`;
  const entry = entries.find(({ rule_version: rule }) => rule < FIRST_RULE);
  return entry ? `entry ${entry.entry_id} was booked by rule ${entry.rule_version}, which never was` : null;
};

/** Whether entries stand that an older rule made: a restatement that finds the same leaves them, and moves only the outcome. */
const hasOlderEntries = ({ isRestated, entries }: RecordRows, today: number): boolean =>
  isRestated || entries.some(({ rule_version }) => rule_version < today);

const isJson = (text: string): boolean => {
  try {
    parseExact(text);
    return true;
  } catch {
    return false;
  }
};

type ContextFor = (version: VersionRow) => RuleContext;

/**
 * What the rules may have known of each version: today's lists of pockets; or those read before it landed, with the next one or
 * without, for until `normalize --restate` a pocket that is listed later stays somebody else's. The same holds for a platform
 * class that is set later: its records stay rejects.
 */
const contextsOf = (context: RuleContext, listed: readonly ListedPocket[]): ContextFor[] => {
  const knowing = (isKnown: (pocket: ListedPocket, request: bigint) => boolean): ContextFor => {
    return ({ request_id }) => {
      const pockets = listed.filter((pocket) => isKnown(pocket, BigInt(request_id)));
      return { ...context, pockets: pockets.length === 0 ? null : pocketsById(pockets) };
    };
  };
  const known: ContextFor[] = [
    () => context,
    knowing(({ listed_in }, request) => listed_in !== null && BigInt(listed_in) < request),
    knowing(({ absent_until }, request) => BigInt(absent_until) < request),
  ];
  return known.flatMap((contextFor): ContextFor[] => [
    contextFor,
    (version) => ({ ...contextFor(version), platformClass: null }),
  ]);
};

type RecordComparison = {
  readonly stream: LandedStream;
  readonly record: RecordRows;
  readonly facts: Facts & { readonly contextFor: ContextFor };
};

const chainFault = ({ stream, record, facts }: RecordComparison): string | null => {
  const standing: BookingContext['stands'] = new Map();
  const bookings = record.versions.map((version) =>
    bookVersion(
      stream,
      { version, first: record.versions[0] },
      { ...facts, context: facts.contextFor(version), stands: standing },
    ),
  );
  const expected = bookings.flatMap(({ entries }) => entries);
  const [first] = record.versions.flatMap((version, index) => outcomeFault(version, bookings[index]) ?? []);
  if (first !== undefined) return first;
  for (const [index, entry] of record.entries.entries()) {
    const expectedEntry = expected[index];
    if (!expectedEntry) return `entry ${entry.entry_id} follows from none of its versions`;
    const fault = entryFault(entry, expectedEntry);
    if (fault !== null) return `entry ${entry.entry_id} ${fault}`;
  }
  const missing = expected[record.entries.length];
  return missing ? `entry ${missing.id} (${missing.kind}) is missing` : null;
};

/** For a record with outcomes or entries of an older rule version: compares only the standing entry, which today's rule made last. */
const standingFault = ({ stream, record, facts }: RecordComparison): string | null => {
  const last = record.versions.at(-1);
  if (!last) return null;
  const booking = bookVersion(
    stream,
    { version: last, first: record.versions[0] },
    { ...facts, context: facts.contextFor(last), stands: new Map() },
  );
  const [expected] = booking.entries;
  const live = record.entries.filter(({ kind }) => kind !== 'reversal').at(-1);
  const isReversed = record.entries.at(-1)?.kind === 'reversal';
  const standing = isReversed ? undefined : live;
  const fault = outcomeFault(last, booking);
  if (fault !== null) return fault;
  if (!standing || !expected)
    return Boolean(standing) === Boolean(expected)
      ? null
      : `${standing ? `entry ${standing.entry_id} stands` : 'no entry stands'}, its outcome is ${last.outcome}`;
  const difference = differenceOf(standing, {
    kind: expected.kind,
    effective_at: expected.effectiveAt,
    legs: legsText(expected),
  });
  return difference === null ? null : `entry ${standing.entry_id} ${difference}`;
};

const bookVersion = (
  stream: LandedStream,
  { version, first }: { readonly version: VersionRow; readonly first: VersionRow | undefined },
  situation: BookingContext,
): Booking => {
  const { record_id, payload, landed_at, request_id } = version;
  const first_request_id = first?.request_id ?? request_id;
  return bookingOf(
    { stream, record_id, version: version.version, payload, landed_at, request_id, first_request_id },
    situation,
  );
};

const outcomeFault = (version: VersionRow, booking: Booking | undefined): string | null => {
  if (!booking) return null;
  const { outcome, isFinal, ruleVersion } = booking;
  const reason = 'reason' in outcome ? outcome.reason : null;
  const found = { ...version, outcome: version.outcome ?? '', final: String(version.final) };
  const fault = differenceOf(
    { outcome: found.outcome, reason: found.reason, final: found.final, rule_version: found.rule_version },
    { outcome: outcome.outcome, reason, final: String(isFinal), rule_version: ruleVersion },
  );
  return fault === null ? null : `the outcome of version ${version.version} ${fault}`;
};

const entryFault = (found: EntryRow, expected: Entry): string | null =>
  differenceOf(
    { ...found, record_id: null },
    {
      entry_id: expected.id,
      effective_at: expected.effectiveAt,
      recorded_at: expected.recordedAt,
      period: expected.period,
      original_period: expected.originalPeriod,
      kind: expected.kind,
      record_id: null,
      version: expected.version,
      ordinal: expected.ordinal,
      reverses: expected.reverses,
      undoes: expected.undoes,
      rule_version: expected.ruleVersion,
      description: expected.description,
      legs: legsText(expected),
    },
  );

type FieldValues = Readonly<Record<string, string | number | null>>;

const differenceOf = (found: FieldValues, expected: FieldValues): string | null => {
  const name = Object.keys(expected).find((key) => found[key] !== expected[key]);
  return name === undefined
    ? null
    : `has the ${name} ${found[name] ?? 'null'}, the rules give ${expected[name] ?? 'null'}`;
};

const legsText = ({ legs }: Entry): string =>
  JSON.stringify(
    legs.map(({ debit, credit, currency, amount }, index) => [
      `${index + 1}`,
      debit,
      credit,
      currency,
      amount,
    ]),
  );
