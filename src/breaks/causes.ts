// Causes: where the difference of each broken account may come from. Examines a limited number of the account's records
// between its last tie and its first break, and near them. All breaks of an entity are examined together, because one
// cause often shows in two accounts. "Unexplained" is a valid answer.
import type { Kysely } from 'kysely';
import { groupBy } from '../base/group.ts';
import { compare } from '../base/money.ts';
import { HOUR_MS, msOf } from '../base/time.ts';
import type { DB } from '../database/db-types.ts';
import type { ContextOf } from '../normalize/context.ts';
import { accountCauses, combinableAside } from './account-causes.ts';
import {
  type Candidate,
  type CauseEvidence,
  type CauseKind,
  type Difference,
  KINDS,
  placeOf,
  reasonParts,
  type Suspect,
} from './cause.ts';
import { type ComparedBalance, evidenceOf } from './cause-evidence.ts';
import { combinationsOf } from './combinations.ts';
import { combinable, recordCauses } from './record-causes.ts';

const CANDIDATES_MAX = 5;

/** From this likelihood on, a single cause suffices and combinations are not tried, unless it names no fact at all. */
const SUFFICIENT = 0.5;
const GUESSES: readonly string[] = ['unlisted.trade', 'surplus.withdrawn'];

/** How long before the last tie a record may have happened and still arrive late. */
const LATE_MS = 48 * HOUR_MS;

/** The candidates of every broken account of an entity, by place, most likely first. */
export const explain = async (
  db: Kysely<DB>,
  books: ContextOf,
  examined: readonly ComparedBalance[],
): Promise<Map<string, Candidate[]>> => {
  const broken = examined.filter((it) => it.status === 'break' && it.difference !== null);
  if (broken.length === 0) return new Map();
  const evidence = await evidenceOf(db, books, { examined, isFar: false });
  const near = candidatesOf(evidence);
  if (!evidence.isNear || [...near.values()].every(([first]) => isSufficient(first))) return near;
  return candidatesOf(await evidenceOf(db, books, { examined, isFar: true }));
};

const isSufficient = (candidate: Candidate | undefined): boolean =>
  candidate !== undefined &&
  !GUESSES.includes(candidate.parts.kind) &&
  compare(candidate.confidence, String(SUFFICIENT)) >= 0;

const candidatesOf = (evidence: CauseEvidence): Map<string, Candidate[]> => {
  const suspects = [...recordCauses, ...accountCauses].flatMap((find) => find(evidence));
  const atoms = [...combinableAside, ...combinable].flatMap((find) => find(evidence));
  const each = evidence.differences.map((difference) => {
    const about = {
      place: placeOf(difference.account, difference.currency),
      difference: difference.difference,
    };
    const singles = suspects.filter(isFor(about)).map((suspect) => weighed(suspect, evidence, difference));
    return { difference, about, singles };
  });
  const explained = new Set(
    each.flatMap(({ about, singles }) =>
      singles.some((single) => isFact(single) && contradicted(single.suspect, evidence).length === 0)
        ? about.place
        : [],
    ),
  );
  return new Map(
    each.map(({ difference, about, singles: all }) => {
      const singles = all.filter(({ suspect }) => !isSpent(suspect, explained));
      const more = singles.some(isFact)
        ? []
        : combinationsOf(atoms, about).map((suspect) => weighed(suspect, evidence, difference));
      return [about.place, ranked([...singles, ...more]).map((group) => candidate(group, evidence))];
    }),
  );
};

const isFact = ({ suspect, likelihood }: Weighed): boolean =>
  likelihood >= SUFFICIENT && !GUESSES.includes(suspect.variant ?? '');

/** A trade that nobody listed is no answer if a record explains one of its two accounts already. */
const isSpent = ({ variant, changes }: Suspect, explained: ReadonlySet<string>): boolean =>
  variant === 'unlisted.trade' && changes.some(({ place }) => explained.has(place));

const isFor =
  (about: { place: string; difference: string }) =>
  ({ changes }: Suspect): boolean =>
    changes.some(({ place, amount }) => place === about.place && amount === about.difference);

type Weighed = { readonly suspect: Suspect; readonly likelihood: number };

const OURS = /^assets:(trading|earn|pocket:|clearing:)/;

/** Places that a suspect changes by another amount than they differ by. */
const contradicted = ({ changes }: Suspect, { differences, undecided }: CauseEvidence): string[] =>
  changes
    .filter(({ place }) => OURS.test(place) && !undecided.has(place))
    .filter(({ place, amount }) => !differences.some((difference) => differs(difference, place, amount)))
    .map(({ place }) => place);

const differs = (difference: Difference, place: string, amount: string): boolean =>
  placeOf(difference.account, difference.currency) === place && difference.difference === amount;

/** How much less likely a cause is that would break a tied account, or that is only a part of what broke another. */
const WOULD_BREAK = 0.3;
const IS_PART = 0.7;

/** Causes by which the record is right and one balance is behind: the balance of another account may include it already. */
const BEHIND: readonly CauseKind[] = ['surplus', 'in-flight'];

/** A cause that explains several broken accounts is more likely; one that contradicts an account is less likely. */
const weighed = (suspect: Suspect, evidence: CauseEvidence, about: Difference): Weighed => {
  const alone = Math.min(KINDS[suspect.kind] * (suspect.weight ?? 1), 0.95);
  const explained = suspect.changes.filter(({ place, amount }) =>
    evidence.differences.some((difference) => differs(difference, place, amount)),
  ).length;
  const joint = 1 - (1 - alone) / explained ** 2;
  const isOld =
    isBefore(suspect.at, about.tiedAt) &&
    isBookedBy(suspect.entry, about.tiedTo) &&
    !mayBeWithdrawn(suspect, evidence);
  const isBroken = (place: string) =>
    evidence.differences.some(({ account, currency }) => placeOf(account, currency) === place);
  const mayBeAhead = (place: string) =>
    BEHIND.includes(suspect.kind) && !place.startsWith(placeOf(about.account, ''));
  const against = contradicted(suspect, evidence).map((place) =>
    isBroken(place) || mayBeAhead(place) ? IS_PART : WOULD_BREAK,
  );
  return {
    suspect,
    likelihood: against.reduce((product, factor) => product * factor, joint * (isOld ? 0.6 : 1)),
  };
};

/** Whether the balance may no longer include it, because records of its list are gone. */
const mayBeWithdrawn = ({ kind, records }: Suspect, { withdrawn }: CauseEvidence): boolean =>
  kind === 'surplus' && withdrawn.some(({ stream }) => records[0]?.startsWith(`${stream} `));

/** Whether it happened so long before the last tie that the balance must have included it. */
const isBefore = (instant: string | undefined, tiedAt: string | null): boolean =>
  instant !== undefined && tiedAt !== null && msOf(instant) < msOf(tiedAt) - LATE_MS;

/** Whether the books included it at the last tie, by the order of booking, because clocks may differ. */
const isBookedBy = (entry: string | undefined, tiedTo: string | null): boolean =>
  entry !== undefined && tiedTo !== null && BigInt(entry) <= BigInt(tiedTo);

/** Groups candidates of one kind and equal likelihood into one answer with several names. */
const ranked = (all: readonly Weighed[]): Weighed[][] => {
  const inOrder = all.toSorted(
    (a, b) =>
      b.likelihood - a.likelihood ||
      a.suspect.records.length - b.suspect.records.length ||
      (b.suspect.at ?? '').localeCompare(a.suspect.at ?? ''),
  );
  const groups = groupBy(
    inOrder,
    ({ suspect, likelihood }) => `${suspect.kind} ${likelihood} ${suspect.says('')}`,
  );
  return [...groups.values()].slice(0, CANDIDATES_MAX);
};

/** The most records named in a sentence; up to `RECORDS_MAX` are stored with it. */
const NAMES_MAX = 3;
const RECORDS_MAX = 50;

const candidate = (group: readonly Weighed[], evidence: CauseEvidence): Candidate => {
  const [{ suspect, likelihood }] = group as [Weighed];
  const names = [...new Set(group.map((it) => it.suspect.records.join(' and ')))];
  const rest = names.length > NAMES_MAX ? `, or ${names.length - NAMES_MAX} more` : '';
  const records = [...new Set(group.flatMap((it) => it.suspect.records))];
  return {
    kind: suspect.kind,
    confidence: likelihood.toFixed(3),
    records: records.slice(0, RECORDS_MAX),
    isExact: !suspect.isHint && records.length > 0 && records.length <= RECORDS_MAX,
    sentence: suspect.says(`${names.slice(0, NAMES_MAX).join(', or ')}${rest}`),
    parts: reasonParts(suspect.variant ?? suspect.kind, records, suspect.values),
    proof: proofOf(suspect, evidence),
  };
};

const proofOf = (suspect: Suspect, evidence: CauseEvidence): string => {
  const against = contradicted(suspect, evidence);
  return suspect.changes
    .map(({ place, amount }) => {
      const broken = evidence.differences.find(
        (difference) => placeOf(difference.account, difference.currency) === place,
      );
      if (!against.includes(place) && broken)
        return `${place}: reported - booked = ${amount}, this cause gives ${amount}`;
      if (!against.includes(place)) return `${place}: this cause gives ${amount}, not compared`;
      return `${place}: this cause gives ${amount}, ${broken ? `but the difference is ${broken.difference}` : 'but the account ties'}`;
    })
    .join('; ');
};
