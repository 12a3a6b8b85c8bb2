// Reported values: what the platform says an entry is worth. Nothing is booked from them, but the value of an entry may be one.
import { type Kysely, sql } from 'kysely';
import { readAmount, sign } from '../base/money.ts';
import type { WireRecord } from '../base/streams.ts';
import { unnest } from '../database/database.ts';
import type { DB } from '../database/db-types.ts';
import { CONVERSION, REWARDS } from '../ledger/accounts.ts';
import type { Leg } from '../ledger/entry.ts';
import { valueAt } from './fields.ts';

type BookedLegs = {
  readonly kind: string;
  readonly legs: readonly Pick<Leg, 'debit' | 'credit' | 'currency'>[];
};

/** An entry, with the version of its record that booked it. */
type BookedVersion = BookedLegs & {
  readonly entity_id: string;
  readonly stream: string;
  readonly record_id: string;
  readonly version: number;
};

/** The field that may give an entry its value: of a reward, or of a trade of which neither side is the reporting currency. */
const fieldOf = ({ kind, legs }: BookedLegs, reporting: string): 'convertedAmount' | 'costEuro' | null => {
  if (legs.some(({ credit, currency }) => credit === REWARDS && currency !== reporting))
    return 'convertedAmount';
  const isPaid = legs.some(
    ({ debit, credit, currency }) => currency === reporting && [debit, credit].includes(CONVERSION),
  );
  return kind === 'trade' && reporting === 'EUR' && !isPaid ? 'costEuro' : null;
};

/**
 * The value of an entry in the reporting currency as its record reports it: an exact amount above zero. Null if the record reports none, or
 * if the entry never has its value from there.
 */
export const reportedValue = (record: WireRecord, booked: BookedLegs, reporting: string): string | null => {
  const field = fieldOf(booked, reporting);
  if (field === null) return null;
  if (field === 'costEuro') return aboveZero(valueAt(record, field));
  return valueAt(record, `${field}.currency`) === reporting
    ? aboveZero(valueAt(record, `${field}.value`))
    : null;
};

type StatedValues = {
  readonly before: string | null;
  readonly now: string | null;
  readonly reporting: string;
};

/**
 * Whether a version that states `now` gives an entry another value than one that states `before`. The first value of a reward stays:
 * the platform may convert it anew at each request.
 */
export const isRevalued = (booked: BookedLegs, { before, now, reporting }: StatedValues): boolean =>
  fieldOf(booked, reporting) === 'convertedAmount' ? before === null && now !== null : before !== now;

const aboveZero = (value: unknown): string | null => {
  const read = typeof value === 'string' ? readAmount(value) : null;
  return read && 'amount' in read && sign(read.amount) > 0 ? read.amount : null;
};

/** The same of entries, in their order. A record is read only if a value may depend on it. */
export const reportedValues = async (
  tx: Kysely<DB>,
  entries: readonly BookedVersion[],
  reporting: string,
): Promise<readonly (string | null)[]> => {
  const payloads = await payloadsOf(
    tx,
    entries.map((entry) => (fieldOf(entry, reporting) === null ? null : entry)),
  );
  return entries.map((entry, nth) => {
    const payload = payloads.get(nth);
    return payload === undefined ? null : reportedValue(JSON.parse(payload) as WireRecord, entry, reporting);
  });
};

/** The payloads of versions, by their position. */
const payloadsOf = async (
  tx: Kysely<DB>,
  versions: readonly (BookedVersion | null)[],
): Promise<ReadonlyMap<number, string>> => {
  const wanted = versions.flatMap((version, nth) => {
    if (version === null) return [];
    const { entity_id, stream, record_id } = version;
    return [{ nth, entity_id, stream, record_id, version: version.version }];
  });
  if (wanted.length === 0) return new Map();
  const columns = { nth: 'int', entity_id: 'text', stream: 'text', record_id: 'text', version: 'int' };
  const { rows } = await sql<{ nth: number; payload: string }>`
    select input.nth, own.payload from ${unnest(wanted, columns)}
    cross join lateral (
      select r.payload from land.records r
      where (r.entity_id, r.stream, r.record_id, r.version) = (input.entity_id, input.stream, input.record_id, input.version)
      limit 1
    ) as own`.execute(tx);
  return new Map(rows.map(({ nth, payload }) => [nth, payload]));
};
