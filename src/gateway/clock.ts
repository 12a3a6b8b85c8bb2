// The gateway's clock, as its Date header shows it. Nonces come from it; proofs never reach beyond it.
import { nowMs } from '../base/time.ts';

/** Date has whole seconds and answers take time: a smaller difference is ignored. */
const SKEW_MS = 1500;

/** How far a nonce may be from the gateway's clock (Signed request headers). */
const NONCE_WINDOW_MS = 5000;

/** A nonce this old may have left that window, since the clocks may differ by SKEW_MS. */
const NONCE_LIFE_MS = NONCE_WINDOW_MS - SKEW_MS;

type Sighting = {
  /** The Date header, Unix milliseconds. */
  readonly dateMs: number;
  /** The machine's clock when the request left and when the answer's head arrived. */
  readonly sentMs: number;
  readonly receivedMs: number;
  /** A nonce that cannot have expired was refused: nonces have the wrong time, so any Date is used. */
  readonly refused?: boolean;
};

export type GatewayClock = {
  nowMs(): number;
  /** The earlier of the gateway's clock and this machine's, as it was when opened, Unix milliseconds: the limit of a proof. */
  provedMs(): number;
  /** The largest difference from this machine's clock that any answer showed, with its sign; 0 for none. */
  offsetMs(): number;
  /** Unix milliseconds by the gateway's clock, higher than every nonce before (Signed request headers). */
  nonce(): number;
  /** Whether a nonce whose answer arrived then may have been too old when the gateway looked at it. */
  mayExpire(nonce: number, receivedMs: number): boolean;
  /** The gateway took this nonce. */
  accept(nonce: number): void;
  /**
   * Compares with a Date header; sets the clock if the difference exceeds the possible error of the header. A Date beyond the
   * nonce window limits proofs, but not nonces, unless the answer refused the nonce.
   */
  sight(sighting: Sighting): void;
};

/** `clock` is this machine's, which somebody may set at any time; `steady` only counts the milliseconds that pass. */
export const openClock = (
  clock: () => number = nowMs,
  steady: () => number = () => performance.now(),
): GatewayClock => {
  let [nonceOffsetMs, dateOffsetMs, largestMs] = [0, 0, 0];
  let last = 0;
  let accepted = 0;
  const now = () => clock() + nonceOffsetMs;
  const steadyOffsetMs = clock() - steady();
  return {
    nowMs: now,
    provedMs: () => Math.min(clock() + Math.min(0, dateOffsetMs), Math.floor(steady() + steadyOffsetMs)),
    offsetMs: () => largestMs,
    nonce: () => {
      last = Math.max(last + 1, now());
      return last;
    },
    mayExpire: (nonce, receivedMs) => receivedMs + nonceOffsetMs - nonce > NONCE_LIFE_MS,
    accept: (nonce) => {
      accepted = Math.max(accepted, nonce);
    },
    sight: (sighting) => {
      const found = offsetOf(sighting);
      const isOff = (offsetMs: number) => Math.abs(found - offsetMs) > SKEW_MS + doubtMs(sighting);
      if (isOff(dateOffsetMs)) {
        dateOffsetMs = found;
        if (Math.abs(found) > Math.abs(largestMs)) largestMs = found;
      }
      const isCredible = sighting.refused === true || Math.abs(found - nonceOffsetMs) <= NONCE_WINDOW_MS;
      if (!isCredible || !isOff(nonceOffsetMs)) return;
      nonceOffsetMs = found;
      last = accepted; // nonces that were refused must not hold a clock that was set back in the future
    },
  };
};

/** Half a second is what Date leaves out on average; the answer was written about midway. */
const offsetOf = ({ dateMs, sentMs, receivedMs }: Sighting): number =>
  Math.round(dateMs + 500 - (sentMs + receivedMs) / 2);

const doubtMs = ({ sentMs, receivedMs, refused = false }: Sighting): number =>
  refused ? 0 : (receivedMs - sentMs) / 2;
