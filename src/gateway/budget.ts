// The request budget: how many requests per time and at once this gateway allows. Observed, never tested.
import { pause, unlessAborted } from '../base/signal.ts';
import { MINUTE_MS, SECOND_MS } from '../base/time.ts';
import { countsMs, headStartMs, isCrowded, reserved, type Slot, spared, spreadMs } from './minute-shares.ts';

export type { Slot } from './minute-shares.ts';

/** The log reaches back this much further than the limit, for a gateway whose clock runs a little faster than ours. */
const MINUTE_GUARD_MS = 250;
/** Longer than that of the shared gate (run.free_at), which then lets a request pass at the first try: a second try costs time. */
const SECOND_GUARD_MS = 5;
const HOLD_MAX_MS = 60_000;
/** After so long it is seen anew whether what is left to others is still being used. */
const SPARED_AGAIN_MS = 500;

export type Claim = {
  /** The account whose limit it counts against, if the operation has one. */
  readonly account: string;
  /** Requests a second and account; absent if the operation has no such limit. */
  readonly perSecond?: number | undefined;
  /** How many requests its list still needs, with this one, if that is known. */
  readonly left?: number | undefined;
  /** Nothing else is in flight until it has ended: on several sockets, a request may overtake one that was signed before it. */
  readonly isAlone?: boolean;
  /** Asked when it fits: whether what was to be sent has become outdated meanwhile. */
  readonly isOutdated?: () => boolean;
  readonly signal?: AbortSignal | undefined;
};

/** The claim waited for so long that it is outdated: nothing is counted. */
export class OutdatedClaim extends Error {
  override readonly name = 'OutdatedClaim';
}

export type Budget = {
  /** Waits until one more request may be sent and counts it as sent now. Rejects with the signal's reason, or with an OutdatedClaim. */
  take(claim: Claim): Promise<Slot>;
  /** The request ended; `answered` if the gateway gave any answer. */
  release(slot: Slot, answered: boolean): void;
  /** Nothing is sent for this long (at most a minute). */
  hold(ms: number): Promise<void>;
  /** The gateway took the key: the budget is that of this gateway from now on. */
  know(): Promise<void>;
  /** The gateway banned the key: no process that shares this budget sends any more. */
  ban(): Promise<void>;
};

type BudgetOptions = {
  /** Requests in any 60 seconds. */
  readonly rpm: number;
  /** Requests in flight at once, after the first answer. */
  readonly inFlightMax: number;
  /** Counts the milliseconds that pass: a clock that is set forward would forget what was sent. */
  readonly clock?: () => number;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
};

type Log = {
  readonly rpm: number;
  readonly inFlightMax: number;
  slots: Slot[];
  inFlight: number;
  /** How many requests wait to be alone, or are. */
  alone: number;
  /** Until the gateway has answered once, only one request is in flight: the answer may be a ban. */
  answered: boolean;
  heldUntilMs: number;
  readonly waiting: Set<() => void>;
  /** By kind of claim, who stands in line: what tells each that it is the first. */
  readonly lines: Map<string, Set<() => void>>;
};

/** At most `rpm` sends in any 60 s, `perSecond` in any second and account, `inFlightMax` at once, one before the first answer. */
export const openBudget = (options: BudgetOptions): Budget => {
  const { clock = () => performance.now(), sleep = pause } = options;
  const log = logOf(options);
  const waitToStart = async (claim: Claim): Promise<Slot> => {
    const { before, leave } = standInLine(log, claim);
    try {
      if (before !== null) await unlessAborted(before, claim.signal);
      for (;;) {
        claim.signal?.throwIfAborted();
        const waitMs = delayMs(log, claim, clock());
        if (waitMs === 0 && claim.isOutdated?.()) throw new OutdatedClaim();
        if (waitMs === 0) return start(log, claim, clock());
        await (waitMs === Infinity ? turn(log, claim.signal) : sleep(waitMs, claim.signal));
      }
    } finally {
      leave();
    }
  };
  const take = async (claim: Claim): Promise<Slot> => {
    if (!claim.isAlone) return waitToStart(claim);
    log.alone += 1;
    try {
      return await waitToStart(claim);
    } catch (error) {
      log.alone -= 1;
      wakeAll(log);
      throw error;
    }
  };
  const release = (slot: Slot, answered: boolean): void => {
    slot.endedAtMs = clock();
    log.inFlight -= 1;
    if (slot.isAlone) log.alone -= 1;
    log.answered ||= answered;
    wakeAll(log);
  };
  const hold = async (ms: number): Promise<void> => {
    log.heldUntilMs = Math.max(log.heldUntilMs, clock() + Math.min(ms, HOLD_MAX_MS));
  };
  return { take, release, hold, know: async () => {}, ban: async () => {} };
};

const logOf = ({ rpm, inFlightMax }: BudgetOptions): Log => ({
  rpm,
  inFlightMax,
  slots: [],
  inFlight: 0,
  alone: 0,
  answered: false,
  heldUntilMs: 0,
  waiting: new Set(),
  lines: new Map(),
});

/**
 * Stands in line behind the claims of its kind that came before, until `leave`; `before` resolves when they have left, null if there are
 * none. Only the first of a line looks whether it fits: if thousands looked at each send, that would take longer than the sending.
 */
const standInLine = ({ lines }: Log, { account, perSecond, isAlone = false }: Claim) => {
  const kind = JSON.stringify([isAlone, perSecond === undefined ? null : [account, perSecond]]);
  const line = lines.get(kind) ?? new Set<() => void>();
  let begin = (): void => {};
  const before = line.size === 0 ? null : new Promise<void>((resolve) => (begin = resolve));
  const place = () => begin();
  lines.set(kind, line.add(place));
  const leave = (): void => {
    line.delete(place);
    const [first] = line;
    first?.();
    if (line.size === 0) lines.delete(kind);
  };
  return { before, leave };
};

/** How long until `claim` fits, in milliseconds; Infinity means until a request ends. */
const delayMs = (log: Log, { account, perSecond, isAlone = false }: Claim, now: number): number => {
  dropOld(log, now);
  if (log.inFlight >= (log.answered && !isAlone ? log.inFlightMax : 1)) return Infinity;
  if (log.alone > 0 && !isAlone) return Infinity;
  if (perSecond === undefined && isCrowded(log, now)) return Infinity;
  const own = perSecond === undefined ? [] : log.slots.filter((slot) => slot.account === account);
  const free = perSecond === undefined ? log.slots.filter((slot) => slot.account === null) : [];
  const reservedNow = reserved(log, now);
  const sparedNow = perSecond === undefined || reservedNow > 0 ? 0 : spared(log, now);
  return Math.max(
    log.heldUntilMs - now,
    windowMs(log.slots, log.rpm, MINUTE_MS + MINUTE_GUARD_MS, now),
    Math.min(windowMs(log.slots, log.rpm - sparedNow, MINUTE_MS + MINUTE_GUARD_MS, now), SPARED_AGAIN_MS),
    windowMs(free, log.rpm - reservedNow, MINUTE_MS + MINUTE_GUARD_MS, now),
    windowMs(own, perSecond ?? 1, SECOND_MS + SECOND_GUARD_MS - headStartMs(own), now),
    spreadMs(own, perSecond ?? 1, now),
    0,
  );
};

/** The time until fewer than `most` of the slots are in the window that ends now. */
const windowMs = (slots: readonly Slot[], most: number, lengthMs: number, now: number): number => {
  const inside = slots.map((slot) => countsMs(slot, now)).filter((sinceMs) => sinceMs > now - lengthMs);
  const oldest = inside.sort((a, b) => a - b).at(-most);
  return inside.length < most || oldest === undefined ? 0 : oldest + lengthMs - now;
};

/** Drops slots that no window reaches. */
const dropOld = (log: Log, now: number): void => {
  log.slots = log.slots.filter((slot) => countsMs(slot, now) > now - MINUTE_MS - MINUTE_GUARD_MS);
};

const start = (log: Log, { account, perSecond, left, isAlone = false }: Claim, now: number): Slot => {
  const limit = perSecond === undefined ? { account: null, perSecond: null } : { account, perSecond };
  const slot = { sentAtMs: now, ...limit, left: left ?? null, endedAtMs: null, isAlone };
  log.slots.push(slot);
  log.inFlight += 1;
  return slot;
};

const wakeAll = ({ waiting }: Log): void => {
  for (const wake of [...waiting]) wake();
};

/** Resolves when a request ends, or when the signal fires; in order. */
const turn = (log: Log, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const wake = (): void => {
      log.waiting.delete(wake);
      signal?.removeEventListener('abort', wake);
      resolve();
    };
    log.waiting.add(wake);
    signal?.addEventListener('abort', wake, { once: true });
  });
