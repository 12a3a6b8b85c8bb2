// The gateway's clock, as far as its Date header shows it. Nonces are drawn from it; for proofs it only holds back.
import { nowMs } from '../base/time.ts';

/** Date is cut to the second and answers take time: a smaller difference is not one. */
const SKEW_MS = 1500;

type Sighting = {
  /** The Date header, Unix milliseconds. */
  readonly dateMs: number;
  /** The machine's clock when the request left and when the answer's head arrived. */
  readonly sentMs: number;
  readonly receivedMs: number;
  /** A 401 says that the clock is wrong, so a slow answer is no reason to doubt its Date. */
  readonly refused?: boolean;
};

export type GatewayClock = {
  nowMs(): number;
  /** The earlier of the gateway's clock and this machine's, Unix milliseconds: what a proof may reach to. */
  provedMs(): number;
  /** The largest difference from this machine's clock that any answer showed, with its sign; 0 for none. */
  offsetMs(): number;
  /** Unix milliseconds by the gateway's clock, higher than every nonce before (Signed request headers). */
  nonce(): number;
  /** The gateway took this nonce. */
  accept(nonce: number): void;
  /** Compare with a Date header; sets the clock where it differs by more than the header can be wrong. */
  sight(sighting: Sighting): void;
};

export const openClock = (clock: () => number = nowMs): GatewayClock => {
  let [offsetMs, largestMs] = [0, 0];
  let last = 0;
  let accepted = 0;
  const now = () => clock() + offsetMs;
  return {
    nowMs: now,
    provedMs: () => clock() + Math.min(0, offsetMs),
    offsetMs: () => largestMs,
    nonce: () => {
      last = Math.max(last + 1, now());
      return last;
    },
    accept: (nonce) => {
      accepted = Math.max(accepted, nonce);
    },
    sight: (sighting) => {
      const found = offsetOf(sighting);
      if (Math.abs(found - offsetMs) <= SKEW_MS + doubtMs(sighting)) return;
      offsetMs = found;
      if (Math.abs(found) > Math.abs(largestMs)) largestMs = found;
      last = accepted; // nonces that were refused must not hold a clock that was set back in the future
    },
  };
};

/** Half a second is what Date leaves out on average; the answer was written about midway. */
const offsetOf = ({ dateMs, sentMs, receivedMs }: Sighting): number =>
  Math.round(dateMs + 500 - (sentMs + receivedMs) / 2);

const doubtMs = ({ sentMs, receivedMs, refused = false }: Sighting): number =>
  refused ? 0 : (receivedMs - sentMs) / 2;
