// How the requests of a minute are shared between lists with a limit of their own, such as trades, and the others.
import { MINUTE_MS, SECOND_MS } from '../base/time.ts';

/** So many seconds of an account's own limit, used within the time in which they are seen: it waits for each next one. */
const SATURATED_SECONDS = 2;
const SATURATED_WITHIN_MS = 3_000;

/** The part of a second over which the sends of an account are spread; the rest catches up with one that was late. */
const SPREAD = 0.8;

/** Lists without a limit of their own need the budget too, so an account is slow only if it is this much slower than the budget. */
const SLOWER = 1.25;

/**
 * One of so many requests of a minute is left to what has no limit of its own, while other lists could use all of it; more, while such
 * requests are being sent: months can be valued once they have been, although trades are still read.
 */
const SPARED = 30;
const SPARED_WHILE_SENT = 12;

/**
 * One send, by a clock that nobody sets. `endedAtMs` is null until its answer. `account` and `perSecond` are null without a limit
 * of its own, `left` if its claim did not say. `nonce` is drawn from a shared budget.
 */
export type Slot = {
  sentAtMs: number;
  readonly account: string | null;
  readonly perSecond: number | null;
  readonly left: number | null;
  endedAtMs: number | null;
  readonly isAlone: boolean;
  nonce?: number;
};

type SentLog = {
  /** Requests in any 60 seconds. */
  readonly rpm: number;
  readonly inFlightMax: number;
  /** The sends of the last minute. */
  readonly slots: readonly Slot[];
};

/** A request counts from its latest possible arrival: its answer, or now, as long as there is none. */
export const countsMs = ({ endedAtMs }: Slot, now: number): number => endedAtMs ?? now;

/** Answers enough to know how long one takes at least. */
const ANSWERS_MIN = 10;

/**
 * What the second of an account is shorter, since the next request has a way to go too: half of the shortest time that its requests
 * took of late. It is right as long as neither way takes less than a quarter of that, or one way is always the long one.
 */
export const headStartMs = (own: readonly Slot[]): number => {
  const tookMs = own.flatMap(({ sentAtMs, endedAtMs }) => (endedAtMs === null ? [] : [endedAtMs - sentAtMs]));
  if (tookMs.length < ANSWERS_MIN) return 0;
  return Math.min(Math.min(...tookMs) / 2, SECOND_MS); // what is in flight always counts
};

/** What of a minute a request with a limit of its own leaves to those without. */
export const spared = ({ slots, rpm }: SentLog, now: number): number => {
  const areSent = slots.some((slot) => slot.account === null && isOfMoment(slot, now));
  return Math.floor(rpm / (areSent ? SPARED_WHILE_SENT : SPARED));
};

/**
 * Whether requests without a limit of their own are in all places but one, while others have one: the last place is theirs, or they
 * would stand in line and miss their turn of a second.
 */
export const isCrowded = ({ slots, inFlightMax }: SentLog, now: number): boolean => {
  const free = slots.filter(({ account, endedAtMs }) => account === null && endedAtMs === null);
  return free.length >= inFlightMax - 1 && slots.some((slot) => isRecent(slot, now));
};

const isOfMoment = (slot: Slot, now: number): boolean => countsMs(slot, now) > now - SATURATED_WITHIN_MS;

/** A send of an account with a limit of its own, a moment ago. */
const isRecent = (slot: Slot, now: number): boolean => slot.account !== null && isOfMoment(slot, now);

/**
 * What a minute keeps free, at most half, for an account whose own limit is used up second after second, if its list takes longer
 * than the budget takes for the lists of all such accounts. Without it a first night spends a whole minute's requests on lists
 * without a limit in its first seconds, and the slowest list, which decides when the night ends, stands still for the rest of that
 * minute. The gate that several processes share keeps the same (run.reserved_requests).
 */
export const reserved = (log: SentLog, now: number): number => {
  const saturated = [...ownLimits(log, now).values()].filter(
    ({ sends, perSecond }) => sends >= SATURATED_SECONDS * perSecond,
  );
  const wanted = saturated.map(({ left, perSecond }) => {
    const aMinute = perSecond * (MINUTE_MS / SECOND_MS);
    return { left: left ?? aMinute, aMinute };
  });
  const total = wanted.reduce((sum, { left }) => sum + left, 0);
  const slow = wanted.filter(({ left, aMinute }) => left / aMinute > (SLOWER * total) / log.rpm);
  const free = slow.reduce((sum, { left, aMinute }) => sum + Math.min(left, aMinute), 0);
  return Math.min(free, Math.floor(log.rpm / 2));
};

/**
 * The time until the next send of an account that uses its limit up, second after second; `own`: its sends. They are spread over the second.
 * All at once and then a pause takes longer, since whatever rested, here, in the database and at the gateway, is slow to begin again.
 */
export const spreadMs = (own: readonly Slot[], perSecond: number, now: number): number => {
  const last = own.at(-1);
  const isUsedUp = own.filter((slot) => isRecent(slot, now)).length >= SATURATED_SECONDS * perSecond;
  return last && isUsedUp ? last.sentAtMs + (SPREAD * SECOND_MS) / perSecond - now : 0;
};

type OwnLimit = { readonly sends: number; readonly perSecond: number; readonly left: number | null };

/** By account, how often its own limit was used a moment ago, and what its list still needed at the last of these sends. */
const ownLimits = ({ slots }: SentLog, now: number): Map<string, OwnLimit> => {
  const limits = new Map<string, OwnLimit>();
  for (const slot of slots) {
    const { account, perSecond, left } = slot;
    if (account === null || perSecond === null || !isRecent(slot, now)) continue;
    limits.set(account, { sends: (limits.get(account)?.sends ?? 0) + 1, perSecond, left });
  }
  return limits;
};
