// Answers deliveries one after another: decided, landed, and only then answered.
import { nowMs } from '../base/time.ts';
import type { Database } from '../database/connection.ts';
import { isConnectionLost, POOL_MAX } from '../database/database.ts';
import type { Delivery, EarlierDelivery, LandedDelivery } from '../land/authorizations.ts';
import { landDelivery } from '../land/land.ts';
import { type Body, replaced } from './body.ts';
import type { AuthorizationVerdict, Policy } from './policy.ts';
import { type ReadTerms, termsIn, wholeTerms } from './terms.ts';

/** A delivery that is stored, with the terms that could be read of it. */
export type Answered = LandedDelivery & { readonly terms: ReadTerms };

/** Answers one body. Throws if the delivery cannot be stored in time: then nothing is authorized. */
export type Answer = (body: Body) => Promise<Answered>;

/** The platform does not wait longer than this, so an answer after it would reach nobody. */
export const PATIENCE_MS = 4_000;
const WAITING_MAX = 100;
/** The server may have ended every connection of the pool. */
const TRIES_MAX = POOL_MAX + 1;

/** A repeated delivery gets the first answer. Other terms under a known id are another transaction: refused. */
const verdictOn =
  (terms: ReadTerms, policy: Policy) =>
  (earlier: EarlierDelivery | null): AuthorizationVerdict => {
    const whole = wholeTerms(terms);
    if (whole === null) return { isAuthorized: false, reason: `cannot be read: ${terms.wrong}` };
    if (earlier === null) return policy(whole);
    if (earlier.hasSameTerms)
      return { isAuthorized: earlier.isAuthorized, reason: `repeats delivery ${earlier.number}` };
    return { isAuthorized: false, reason: `has other terms than delivery ${earlier.number}` };
  };

const deliveryOf = ({ text, sha256, value }: Body, terms: ReadTerms): Delivery => ({
  ...terms,
  value,
  sha256,
  textOf: (sealed) => replaced(text, sealed) ?? '',
});

/** Answers bodies by a policy; `mainEntity` takes the deliveries about users without books. */
export const answerBy = (
  { db }: Pick<Database, 'db'>,
  { policy, mainEntity }: { readonly policy: Policy; readonly mainEntity: string },
): Answer => {
  const queue = { last: Promise.resolve() as Promise<unknown>, waiting: 0 };
  const answer = async (body: Body, until: number): Promise<Answered> => {
    const confirm = () => {
      if (nowMs() > until) throw new Error('the database took too long');
    };
    confirm();
    const terms = termsIn(body.value);
    const decide = verdictOn(terms, policy);
    const land = (tries: number): Promise<LandedDelivery> =>
      landDelivery(db, deliveryOf(body, terms), { mainEntity, decide, confirm }).catch((error: unknown) => {
        if (tries === 1 || !isConnectionLost(error)) throw error;
        return land(tries - 1); // an idle connection that the server has ended meanwhile
      });
    return { ...(await land(TRIES_MAX)), terms };
  };
  return async (body) => {
    if (queue.waiting >= WAITING_MAX) throw new Error(`${WAITING_MAX} deliveries wait`);
    queue.waiting += 1;
    const until = nowMs() + PATIENCE_MS; // from its arrival: the platform does not wait for its turn
    const turn = queue.last.then(() => answer(body, until));
    queue.last = turn
      .catch(() => {})
      .finally(() => {
        queue.waiting -= 1;
      });
    return inTime(turn);
  };
};

/** The result, or an error after the time that the platform waits: whatever the work comes to then is not authorized. */
const inTime = async (turn: Promise<Answered>): Promise<Answered> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new Error('the database took too long')), PATIENCE_MS);
  });
  try {
    return await Promise.race([turn, late]);
  } finally {
    clearTimeout(timer);
  }
};
