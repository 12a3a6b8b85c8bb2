// A budget that several processes and hosts share: what this process may send, and what the gate allows to all of them.
import { pause } from '../base/signal.ts';
import type { Budget, Claim, Slot } from './budget.ts';

/** What the gate answers: a send with its nonce, how long to wait for one, or that the key is banned. */
export type GateAnswer =
  | { readonly send: string; readonly nonce: number }
  | { readonly waitMs: number }
  | 'banned';

type GateClaim = Pick<Claim, 'account' | 'perSecond' | 'left'> & {
  /** The gateway's clock, Unix milliseconds, which nonces must be near. */
  readonly gatewayMs: number;
  /** Earlier sends that have ended since the last claim. */
  readonly ended: readonly EndedSend[];
};

/** A send that ended so many milliseconds ago, by a clock that nobody sets: the gate's own clock is another one. */
type EndedSend = { readonly send: string; readonly agoMs: number };

/** The log of sends of one key, for all who send with it. Kept by the database of TIEOUT_GATE_URL or of the books. */
export type Gate = {
  /** Counts one request if it may be sent now. Rejects if the gate cannot be reached. */
  take(claim: GateClaim): Promise<GateAnswer>;
  /** Nobody sends for this long (at most a minute). */
  hold(ms: number): Promise<void>;
  /** The gateway took the key: the gate counts for this gateway alone. */
  know(): Promise<void>;
  /** Nobody who had opened the gate by now sends any more. */
  ban(): Promise<void>;
};

/** Another process met a ban: nothing may be sent, and nothing was. */
export class BannedElsewhere extends Error {
  override readonly name = 'BannedElsewhere';
}

/** Without an answer, the gate counts a send at most so much later than it allowed it (run.settle_sends). */
const TRAVEL_MAX_MS = 2_000;

/** A budget within both limits: `own`, for what this process has in flight, and `gate`, for what all send. */
export const shareBudget = (own: Budget, gate: Gate, gatewayMs: () => number): Budget => {
  const sends = new Map<Slot, string>();
  let ended: { readonly send: string; readonly endedMs: number }[] = [];
  const pass = async (claim: Claim, slot: Slot): Promise<Slot> => {
    for (;;) {
      claim.signal?.throwIfAborted();
      const sinceMs = performance.now();
      const reported = ended.map(({ send, endedMs }) => ({ send, agoMs: Math.floor(sinceMs - endedMs) }));
      ended = [];
      const answer = await gate.take({ ...claim, gatewayMs: gatewayMs(), ended: reported });
      if (answer === 'banned') throw new BannedElsewhere();
      if ('waitMs' in answer) {
        await pause(answer.waitMs, claim.signal);
        continue;
      }
      if (performance.now() - sinceMs > TRAVEL_MAX_MS) continue;
      sends.set(slot, answer.send);
      return Object.assign(slot, { nonce: answer.nonce, sentAtMs: performance.now() });
    }
  };
  const take = async (claim: Claim): Promise<Slot> => {
    const slot = await own.take(claim);
    try {
      return await pass(claim, slot);
    } catch (error) {
      own.release(slot, false);
      throw error;
    }
  };
  const release: Budget['release'] = (slot, answered) => {
    const send = sends.get(slot);
    if (send !== undefined) ended.push({ send, endedMs: performance.now() });
    sends.delete(slot);
    own.release(slot, answered);
  };
  const hold = async (ms: number): Promise<void> => {
    if (ms > 0) await Promise.all([own.hold(ms), gate.hold(ms)]);
  };
  let known: Promise<void> | null = null;
  const know = (): Promise<void> => {
    known ??= gate.know();
    return known;
  };
  return { take, release, hold, know, ban: () => gate.ban() };
};
