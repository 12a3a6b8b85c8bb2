// The booking of one landed version: its outcome, and the entries that bring the ledger in line with it.
import { strict as assert } from 'node:assert';
import type { Selectable } from 'kysely';
import { type LandedStream, timeFieldOf, type WireRecord } from '../base/streams.ts';
import { DAY_MS, msOf, order } from '../base/time.ts';
import type { DB } from '../database/db-types.ts';
import type { Draft } from '../ledger/entry.ts';
import { entryOf, placeOf, placeOfReversal, reversalOf, undoCancellation } from '../ledger/ledger.ts';
import type { Seal } from '../ledger/period.ts';
import type { Entry } from '../ledger/posting.ts';
import type { Settings } from '../run/settings.ts';
import { valueAt } from './fields.ts';
import type { RecordOutcome, RuleContext } from './outcome.ts';
import { isRevalued, reportedValue } from './reported-value.ts';
import { isFinal, outcomeBy, type Rules } from './rule-table.ts';
import type { BookedStanding } from './standing.ts';
import { isKnownClass } from './wallet-sides.ts';
import { timeFieldOfWallet } from './wallet-transactions.ts';

export type EntityBooks = {
  readonly entity: string;
  /** IANA name: where months are cut. Fixed by the entity's first entry, as the currency is. */
  readonly timezone: string;
  readonly currency: string;
  /** The platform's own word for another of its users, if a setting names it. Fixed by the first record that is booked by it. */
  readonly platformClass?: string | null;
};

/** Books that may get their first entry, with the settings that the first entry fixes. */
export type WritableEntityBooks = EntityBooks & Settings;

/** A landed version, as the inbox gives it; `first_request_id` is the request that landed the record's first version. */
export type LandedRecord = Pick<
  Selectable<DB['land.records']>,
  'record_id' | 'version' | 'payload' | 'landed_at' | 'request_id'
> & { stream: LandedStream; first_request_id: string };

export type Booking = {
  readonly landed: LandedRecord;
  readonly outcome: RecordOutcome;
  readonly entries: readonly Entry[];
  readonly isFinal: boolean;
  readonly ruleVersion: number;
};

/** `recordedAt` is set if a restatement, and not the landing of the version, causes the entries. */
export type BookingContext = {
  readonly books: EntityBooks;
  readonly context: RuleContext;
  readonly seals: readonly Seal[];
  readonly rules: Rules;
  readonly stands: Map<string, BookedStanding>;
  readonly recordedAt?: string;
};

/** Books one version, and updates the standing entry of its record. */
export const bookingOf = (landed: LandedRecord, situation: BookingContext): Booking => {
  const { books, context, rules, stands } = situation;
  const { rule, version: ruleVersion } = rules[landed.stream];
  const record = JSON.parse(landed.payload) as WireRecord;
  const asLanded = { ...context, request: BigInt(landed.first_request_id) };
  const outcome = notFuture(outcomeBy(rule, record, asLanded), record, landed);
  const value = outcome.outcome === 'booked' ? reportedValue(record, outcome.draft, books.currency) : null;
  const entries = entriesFor(landed, { outcome, reportedValue: value }, situation);
  const last = entries.at(-1);
  const reversed = last?.kind === 'reversal' ? (stands.get(landed.record_id)?.last ?? null) : null;
  if (last) stands.set(landed.record_id, { last, reversed, reportedValue: value });
  return { landed, outcome, entries, isFinal: isFinal(landed.stream, record), ruleVersion };
};

/** Whether a record is booked only because a setting names the class of one of its sides. */
export const isByClass = ({ landed, outcome }: Booking, { platformClass = null }: EntityBooks): boolean => {
  if (platformClass === null || outcome.outcome !== 'booked' || isKnownClass(platformClass)) return false;
  if (landed.stream !== 'wallet-transactions' || !landed.payload.includes(`"${platformClass}"`)) return false;
  const record = JSON.parse(landed.payload) as WireRecord;
  return ['origin.class', 'destination.class'].some((path) => valueAt(record, path) === platformClass);
};

/** A time more than a day after landing is impossible: the record is a reject; a cancellation has no known time. */
const notFuture = (
  outcome: RecordOutcome,
  record: WireRecord,
  { stream, landed_at }: LandedRecord,
): RecordOutcome => {
  const isFuture = (instant: string) => msOf(instant) > msOf(landed_at) + DAY_MS;
  if (outcome.outcome === 'booked' && isFuture(outcome.draft.effectiveAt)) {
    const field = stream === 'wallet-transactions' ? timeFieldOfWallet(record) : timeFieldOf(stream);
    const reason = `${field}: is more than a day after the record was landed: ${outcome.draft.effectiveAt}`;
    return { outcome: 'rejected', reason };
  }
  if (outcome.outcome === 'set-aside' && outcome.cancelledAt && isFuture(outcome.cancelledAt))
    return { ...outcome, cancelledAt: null };
  return outcome;
};

/** An outcome, and the value that its record reports. */
type Decided = Pick<Booking, 'outcome'> & Pick<BookedStanding, 'reportedValue'>;

/** The entries to post: none, an entry, a reversal, or both. An entry with the same legs and another value is booked again. */
const entriesFor = (
  landed: LandedRecord,
  { outcome, reportedValue: value }: Decided,
  { books, rules, seals, stands: standing, recordedAt }: BookingContext,
): Entry[] => {
  const stands = standing.get(landed.record_id);
  // A landed version is early or late by its request; a restated one, by now.
  const request = recordedAt === undefined ? BigInt(landed.request_id) : null;
  const calendar = { timezone: books.timezone, seals, request };
  const live = stands?.reversed === null ? stands.last : null;
  const posting = (effectiveAt: string, step: number) => ({
    entity: books.entity,
    stream: landed.stream,
    recordId: landed.record_id,
    ordinal: (stands?.last.ordinal ?? 0) + step,
    version: landed.version,
    ruleVersion: rules[landed.stream].version,
    recordedAt: recordedAt ?? landed.landed_at,
    ...placeOf(effectiveAt, calendar),
  });
  const reverse = (when: string): Entry[] => {
    if (live === null) return [];
    const own = posting(when, 1);
    return [reversalOf(live, when, { ...own, ...placeOfReversal(own, live) })];
  };
  if (outcome.outcome === 'booked') {
    const { draft } = outcome;
    const values = { before: stands?.reportedValue ?? null, now: value, reporting: books.currency };
    if (live && isSame(live, draft) && !isRevalued(draft, values)) return [];
    const before = live ? reverse(live.effectiveAt) : undoCancellation(stands, draft.effectiveAt, posting);
    return [...before, entryOf(draft, posting(draft.effectiveAt, before.length + 1))];
  }
  return live ? reverse(reversedAt(live, outcome, landed)) : [];
};

/** When an entry is reversed: at its own time, or when its record was cancelled, which never counts before the entry does. */
const reversedAt = ({ effectiveAt }: Entry, outcome: RecordOutcome, { landed_at }: LandedRecord): string => {
  if (outcome.outcome !== 'set-aside' || outcome.reason !== 'cancelled') return effectiveAt;
  const cancelledAt = outcome.cancelledAt ?? landed_at;
  return order(cancelledAt, effectiveAt) < 0 ? effectiveAt : cancelledAt;
};

const isSame = (entry: Entry, draft: Draft): boolean =>
  entry.kind === draft.kind &&
  entry.effectiveAt === draft.effectiveAt &&
  entry.legs.length === draft.legs.length &&
  entry.legs.every((leg, index) => {
    const other = draft.legs[index];
    assert(other);
    return (
      leg.debit === other.debit &&
      leg.credit === other.credit &&
      leg.currency === other.currency &&
      leg.amount === other.amount
    );
  });
