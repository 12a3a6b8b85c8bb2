// One tie-out: the reported balance against the booked one, signed, and the meaning of a difference. Pure.
import { firstOf } from '../base/counted.ts';
import { compare, negate, sign, subtract, sum } from '../base/money.ts';
import { order } from '../base/time.ts';
import { reasonParts } from '../breaks/breaks.ts';
import type { ReasonParts, Status } from '../breaks/cause.ts';
import type { Effect } from '../breaks/not-final.ts';

/** The facts of one account and currency. Amounts are exact text; null was not reported. */
export type Claim = {
  readonly account: string;
  readonly currency: string;
  /** The readings before and after the streams. */
  readonly before: string | null;
  readonly reported: string | null;
  readonly booked: string;
  /** Whether the streams of this account are proved complete up to the first reading. */
  readonly isCovered: boolean;
  /** The signed sum of postings with a time between the two readings. */
  readonly inBracket: string;
  /** Records that are not final and still recent. */
  readonly pending: readonly Effect[];
  /** Unpaired moves on a clearing account. */
  readonly unmatched: readonly Effect[];
  /** Unpaired moves since this instant are in transit. */
  readonly transitSince: string;
  /** The reading before had the status in-flight already. */
  readonly wasInFlight: boolean;
};

export type TieOutVerdict = {
  readonly status: Status;
  readonly difference: string | null;
  readonly reason: string | null;
  /** The reason of a break, in parts. */
  readonly parts?: ReasonParts;
};

/** No search among more records than this. */
const PENDING_MAX = 12;

/** Compares. difference = reported − booked. */
export const tieOut = (claim: Claim): TieOutVerdict => {
  if (claim.reported === null)
    return { status: 'uncovered', difference: null, reason: 'the gateway did not report this balance' };
  const difference = subtract(claim.reported, claim.booked);
  if (sign(difference) === 0) return { status: 'tied', difference, reason: null };
  if (!claim.isCovered)
    return {
      status: 'uncovered',
      difference,
      reason: 'a stream of this account is not proved complete',
    };
  if (claim.account.startsWith('assets:clearing:')) return clearing(claim, difference);
  const waiting = pendingReason(claim, difference);
  if (waiting) return { status: 'pending', difference, reason: waiting };
  if (isInFlight(claim, difference) && !claim.wasInFlight) {
    return { status: 'in-flight', difference, reason: 'it changed while the streams were read' };
  }
  return { status: 'break', difference, reason: null };
};

const clearing = (claim: Claim, difference: string): TieOutVerdict => {
  const isYoung = claim.unmatched.every(
    ({ at: instant }) => instant !== null && order(instant, claim.transitSince) >= 0,
  );
  const names = claim.unmatched.map(
    ({ record, amount, at: instant, remark }) =>
      `${record} (${amount} ${claim.currency}, ${instant}${remark === undefined ? '' : `, ${remark}`})`,
  );
  const reason = names.length > 0 ? `no counterpart for ${firstOf(names, 3)}` : null;
  if (isYoung && names.length > 0) return { status: 'in-transit', difference, reason };
  const records = claim.unmatched.map(({ record }) => record);
  return {
    status: 'break',
    difference,
    reason,
    ...(names.length > 0 && { parts: reasonParts('no-counterpart', records) }),
  };
};

/** The first reading agreed with the books, or the postings between the readings are exactly the difference. */
const isInFlight = (claim: Claim, difference: string): boolean => {
  const before = claim.before === null ? null : subtract(claim.before, claim.booked);
  return (
    (before !== null && sign(before) === 0) ||
    (sign(claim.inBracket) !== 0 && compare(claim.inBracket, negate(difference)) === 0)
  );
};

/** Some of the records that are not final amount exactly to the difference: all, the outflows, or a few. */
const pendingReason = (claim: Claim, difference: string): string | null => {
  const found = subsets(claim.pending).find(
    (some) => compare(sum(some.map((it) => it.amount)), difference) === 0,
  );
  return found ? `not final yet: ${found.map(remarked).join(', ')}` : null;
};

const remarked = ({ record, remark }: Effect): string =>
  remark === undefined ? record : `${record} (${remark})`;

function* eachSubset(effects: readonly Effect[]): Generator<Effect[]> {
  yield [...effects];
  yield effects.filter((effect) => sign(effect.amount) < 0);
  if (effects.length > PENDING_MAX) return;
  for (let bits = 1; bits < 2 ** effects.length; bits += 1)
    yield effects.filter((_, index) => (bits >> index) % 2 === 1);
}

const subsets = (effects: readonly Effect[]): Effect[][] =>
  [...eachSubset(effects)].filter((some) => some.length > 0);
