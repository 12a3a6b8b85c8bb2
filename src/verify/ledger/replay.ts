// The replay: what the booking rules make of every landed version, compared with what stands in the ledger, entry by
// entry and leg by leg. The rules are pure, so nothing is written and nothing but landed rows is believed.
import type { Kysely } from 'kysely';
import { parseExact } from '../../base/json.ts';
import { STREAM_NAMES, type StreamName } from '../../base/streams.ts';
import { order } from '../../base/time.ts';
import type { DB } from '../../database/db-types.ts';
import { type Seal, sealsOf } from '../../ledger/period.ts';
import type { Entry, Standing } from '../../ledger/posting.ts';
import { contextOf } from '../../normalize/context.ts';
import { type Books, type Decision, decide, type Situation } from '../../normalize/decide.ts';
import type { RuleContext } from '../../normalize/outcome.ts';
import { RULES, type Rules } from '../../normalize/rules.ts';
import { type Proof, proofOf } from '../proof.ts';
import { type EntryRow, type RecordRows, recordsOf, type VersionRow } from './chains.ts';
import { type Listed, listedPockets } from './pockets.ts';

/** The books to replay, entity by entity, as they were cut when their first entry was booked. */
export type Replay = { readonly books: readonly Books[]; readonly rules?: Rules };

/** Replays every landed record. A record that an older rule decided is left to `proveOlderRules`, which counts it. */
export const proveEntries = async (db: Kysely<DB>, { books, rules = RULES }: Replay): Promise<Proof> => {
  const proof = proofOf('every entry is what the rules make of its record');
  for (const one of books) {
    const seals = await sealsOf(db, one.entity);
    const facts = {
      books: one,
      ...{ seals, rules, listed: await listedPockets(db, one.entity) },
      context: await contextOf(db, one),
    };
    for (const stream of STREAM_NAMES)
      for await (const records of recordsOf(db, { entity: one.entity, stream }))
        for (const record of records) proof.check(faultOf(stream, record, facts));
  }
  return proof.done();
};

type Facts = {
  readonly books: Books;
  readonly seals: readonly Seal[];
  readonly rules: Rules;
  readonly context: RuleContext;
  readonly listed: readonly Listed[];
};

/** The first thing about a record that its landed versions do not give; null where all of it follows. */
export const faultOf = (stream: StreamName, record: RecordRows, facts: Facts): string | null => {
  const today = facts.rules[stream].version;
  const decided = record.versions.filter(({ outcome }) => outcome !== null);
  const last = decided.at(-1);
  const isToday = decided.every(({ rule_version }) => rule_version === today) && !record.isRestated;
  if (!isToday && last?.rule_version !== today) return null;
  const compare = isToday ? chainFault : standingFault;
  const name = `${stream} ${record.recordId} of ${facts.books.entity}`;
  const then = contextAt(facts, last?.landed_at ?? '');
  // The platform's word may have been named after the record was decided: until `normalize --restate` it is a reject.
  const unread = decided.find(({ payload }) => !isJson(payload));
  if (unread) return `${name}: the payload of version ${unread.version} is no JSON`;
  const faults = [facts.context, then, { ...then, platformClass: null }].map((context) =>
    compare({ stream, record: { ...record, versions: decided }, facts: { ...facts, context } }),
  );
  return faults.includes(null) ? null : `${name}: ${faults[0]}`;
};

const isJson = (text: string): boolean => {
  try {
    parseExact(text);
    return true;
  } catch {
    return false;
  }
};

/** The pockets listed by then: a pocket that was listed later was somebody else's when the record was booked. */
const contextAt = ({ listed, context }: Facts, at: string): RuleContext => {
  const pockets = listed
    .filter(({ first_listed_at }) => order(first_listed_at, at) <= 0)
    .map(({ pocket_id, currency }) => [pocket_id.toLowerCase(), currency] as const);
  return { ...context, pockets: pockets.length === 0 ? null : new Map(pockets) };
};

type Compared = { readonly stream: StreamName; readonly record: RecordRows; readonly facts: Facts };

/** The whole chain, made again version by version. */
const chainFault = ({ stream, record, facts }: Compared): string | null => {
  const stands = new Map<string, Standing>();
  const decisions = record.versions.map((version) => decideOn(stream, version, { ...facts, stands }));
  const expected = decisions.flatMap(({ entries }) => entries);
  const [first] = record.versions.flatMap((version, at) => outcomeFault(version, decisions[at]) ?? []);
  if (first !== undefined) return first;
  for (const [at, entry] of record.entries.entries()) {
    const other = expected[at];
    if (!other) return `entry ${entry.entry_id} follows from no version of it`;
    const fault = entryFault(entry, other);
    if (fault !== null) return `entry ${entry.entry_id} ${fault}`;
  }
  const missing = expected[record.entries.length];
  return missing ? `entry ${missing.id} (${missing.kind}) is missing` : null;
};

/** Of a record that an older rule had a hand in: what stands today, which the rule of today decided last. */
const standingFault = ({ stream, record, facts }: Compared): string | null => {
  const last = record.versions.at(-1);
  if (!last) return null;
  const decision = decideOn(stream, last, { ...facts, stands: new Map() });
  const [expected] = decision.entries;
  const live = record.entries.filter(({ kind }) => kind !== 'reversal').at(-1);
  const isReversed = record.entries.at(-1)?.kind === 'reversal';
  const standing = isReversed ? undefined : live;
  const fault = outcomeFault(last, decision);
  if (fault !== null) return fault;
  if (!standing || !expected)
    return Boolean(standing) === Boolean(expected)
      ? null
      : `${standing ? `entry ${standing.entry_id} stands` : 'no entry stands'}, its outcome is ${last.outcome}`;
  const difference = differenceOf(
    {
      ...{ kind: standing.kind, effective_at: standing.effective_at },
      legs: standing.legs,
    },
    {
      ...{ kind: expected.kind, effective_at: expected.effectiveAt },
      legs: legsText(expected),
    },
  );
  return difference === null ? null : `entry ${standing.entry_id} ${difference}`;
};

const decideOn = (stream: StreamName, version: VersionRow, situation: Situation): Decision => {
  const { record_id, payload, landed_at, request_id } = version;
  return decide({ stream, record_id, version: version.version, payload, landed_at, request_id }, situation);
};

const outcomeFault = (version: VersionRow, decision: Decision | undefined): string | null => {
  if (!decision) return null;
  const { outcome, isFinal, ruleVersion } = decision;
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
      ...{ entry_id: expected.id, effective_at: expected.effectiveAt, recorded_at: expected.recordedAt },
      ...{ period: expected.period, belongs_to: expected.belongsTo, kind: expected.kind, record_id: null },
      ...{ version: expected.version, ordinal: expected.ordinal, reverses: expected.reverses },
      ...{ rule_version: expected.ruleVersion, description: expected.description },
      legs: legsText(expected),
    },
  );

type Fields = Readonly<Record<string, string | number | null>>;

/** The first field that differs, with both its values. */
const differenceOf = (found: Fields, expected: Fields): string | null => {
  const name = Object.keys(expected).find((key) => found[key] !== expected[key]);
  return name === undefined
    ? null
    : `has the ${name} ${found[name] ?? 'null'}, the rules give ${expected[name] ?? 'null'}`;
};

const legsText = ({ legs }: Entry): string =>
  JSON.stringify(
    legs.map(({ debit, credit, currency, amount }, at) => [`${at + 1}`, debit, credit, currency, amount]),
  );
