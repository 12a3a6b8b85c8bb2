// Fields: reads one field of a record by its dotted path, or throws a Reject that names it.
// A reason is shown to people who may not see personal data, so it repeats only short words and numbers.
import { readAmount, sign } from '../base/money.ts';
import type { WireRecord } from '../base/streams.ts';
import { readTime } from '../base/time.ts';

/** A record that no rule accepts. The message starts with the field's dotted path; it becomes a row, never a crash. */
export class Reject extends Error {
  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`);
    this.name = 'Reject';
  }
}

/** The currency codes of the specification (`^[A-Z0-9]+$`), with a limit. */
const CURRENCY = /^[A-Z0-9]{1,20}$/;

/** Text that can only be meant as a number: safe to repeat in a reason. */
const NUMERIC = /^-?[\d.,]+([eE][+-]?\d+)?$/;

/** A word as the gateway uses for kinds and states: safe to repeat in a reason or a description. */
const WORD = /^[a-z0-9-]{1,40}$/i;

const isObject = (value: unknown): value is WireRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a dotted path; undefined if any step is missing. Reads own fields only. */
export const valueAt = (record: WireRecord, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => {
    return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }, record);

/** Whether there is anything at the path; null counts as absent. */
export const isGiven = (record: WireRecord, path: string): boolean =>
  (valueAt(record, path) ?? null) !== null;

/**
 * Whether there is an object at the path: false if it is absent or holds only nulls. Throws a Reject for anything else than
 * an object.
 */
export const hasObject = (record: WireRecord, path: string): boolean => {
  const value = valueAt(record, path) ?? null;
  if (value === null) return false;
  refuseSeveral(value, path);
  if (!isObject(value)) throw new Reject(path, 'is not an object');
  return Object.values(value).some((member) => !isNothing(member));
};

/** Whether there is a value at the path; an object that holds only nulls is none. */
export const hasValue = (record: WireRecord, path: string): boolean =>
  !isNothing(valueAt(record, path) ?? null);

const isNothing = (value: unknown): boolean =>
  value === null || (isObject(value) && Object.values(value).every(isNothing));

/** Throws a Reject for a member of the object at the path that is not null and not known. */
export const knownMembers = (record: WireRecord, path: string, known: readonly string[]): void => {
  const value = valueAt(record, path);
  const members = isObject(value) ? Object.entries(value) : [];
  const strange = members.find(([name, member]) => !known.includes(name) && !isNothing(member));
  if (strange) throw new Reject(path, `unknown kind${quoted(strange[0])}`);
};

/** The text at the path. Throws a Reject if it is missing, or anything else. */
export const text = (record: WireRecord, path: string, problem: string): string => {
  const value = valueAt(record, path) ?? null;
  if (value === null) throw new Reject(path, 'missing');
  refuseSeveral(value, path);
  if (typeof value !== 'string') throw new Reject(path, problem);
  return value;
};

/** A field that occurs several times in one object was read as the list of its different values. */
const refuseSeveral = (value: unknown, path: string): void => {
  if (Array.isArray(value) && value.length > 1)
    throw new Reject(path, `has ${value.length} values: the field was sent more than once, or as a list`);
};

/**
 * An amount ≥ 0 in plain notation without trailing zeros. Throws a Reject if it is missing, malformed, negative,
 * 1e30 or more, or has over 18 decimals (design, "Landed, rejected, refused").
 */
export const amount = (record: WireRecord, path: string): string => {
  const sent = text(record, path, 'is not a number');
  if (!NUMERIC.test(sent)) throw new Reject(path, 'is not a number');
  const read = readAmount(sent);
  if ('wrong' in read) throw new Reject(path, read.wrong);
  if (sign(read.amount) < 0) throw new Reject(path, `is negative: ${read.amount}`);
  return read.amount;
};

/** A currency code. Throws a Reject if it is missing or malformed. */
export const currency = (record: WireRecord, path: string): string => {
  const sent = text(record, path, 'is not a currency code');
  if (!CURRENCY.test(sent)) throw new Reject(path, `is not a currency code${quoted(sent)}`);
  return sent;
};

/** One of the allowed words, compared exactly. Throws a Reject if it is missing or unknown. */
export const word = <T extends string>(record: WireRecord, path: string, allowed: readonly T[]): T => {
  const sent = text(record, path, 'unknown word');
  const known = allowed.find((one) => one === sent);
  if (known === undefined) throw new Reject(path, `unknown word${quoted(sent)}`);
  return known;
};

/** An instant in UTC text, to the microsecond. Throws a Reject if it is missing, malformed or outside the time of the books. */
export const instant = (record: WireRecord, path: string): string => {
  const read = readTime(text(record, path, 'is not an instant'));
  if ('why' in read) throw new Reject(path, read.why);
  return read.instant;
};

/** The id of a record or a pocket: text that is not empty and that `accepts` allows. */
export const identifier = (record: WireRecord, path: string, accepts: (id: string) => boolean): string => {
  const sent = text(record, path, 'is not an id');
  if (!accepts(sent)) throw new Reject(path, 'is not an id');
  return sent;
};

/** Words for people, from fields that hold kinds and never free text; anything that does not look like a word is omitted. */
export const words = (record: WireRecord, paths: readonly string[]): string[] =>
  paths
    .map((path) => valueAt(record, path))
    .filter((value): value is string => typeof value === 'string' && WORD.test(value));

const quoted = (sent: string): string => (WORD.test(sent) ? ` "${sent}"` : '');
