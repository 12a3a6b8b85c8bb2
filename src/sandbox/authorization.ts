// Authorization of transactions: the stand-in asks the integrator's backend before a client's write moves money.
import { canonical, parseReceived } from '../base/json.ts';
import { NOTIFICATIONS } from '../gateway/contract/contract.ts';
import { type Refusal, refusal } from './refusals.ts';
import type { WireObject } from './wire-json.ts';

/** A transaction that is about to happen. The amount is decimal text. */
export type Transaction = {
  readonly transactionId: string;
  readonly userId: string;
  readonly type: 'deposit' | 'withdrawal' | 'transfer';
  readonly amount: string;
  readonly currency: string;
};

/** null: the transaction may happen. */
export type Authorize = (transaction: Transaction) => Refusal | null;

export type WebhookOptions = {
  /** The base URL of the integrator's backend. */
  readonly url: string;
  /** The part of the path that names the platform. */
  readonly vendor: string;
  /** The custom key that the request carries. */
  readonly key: string;
};

const TIMEOUT_MS = 5_000;
const ANSWER_MAX = 65_536;

/** A backend, and the turns of the users whose transactions it is asked about. */
export const webhookOf = (options: WebhookOptions) => ({ ask: askerOf(options), inTurn: turnsOf() });

/** Asks a backend. Whatever is not a clear yes within five seconds is a no: 423. */
const askerOf =
  ({ url, vendor, key }: WebhookOptions) =>
  async (transaction: Transaction): Promise<Refusal | null> => {
    const path = NOTIFICATIONS.authorization.path.replace('{vendor}', encodeURIComponent(vendor));
    try {
      const response = await fetch(urlBelow(url, path), {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { 'content-type': 'application/json', authorization: key },
        body: JSON.stringify(transaction),
      });
      const text = (await response.text()).slice(0, ANSWER_MAX);
      return response.ok && isYes(text) ? null : refusal(423, 'The transaction was not authorized');
    } catch {
      return refusal(423, 'The authorization of the transaction failed'); // unreachable, too slow, or not JSON
    }
  };

/** The URL of a path below a base URL, which may have a path and a query of its own. */
const urlBelow = (base: string, path: string): URL => {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/$/, '') + path;
  return url;
};

/** An answer that says both, by a name that occurs twice, is no yes. */
const isYes = (text: string): boolean => (parseReceived(text) as WireObject | null)?.authorized === true;

type InTurn = <T>(userId: string, work: () => Promise<T>) => Promise<T>;

/** Does the work of each user one after another: a transaction that is done while another waits would change it. */
const turnsOf = (): InTurn => {
  const last = new Map<string, Promise<unknown>>();
  return (userId, work) => {
    const turn = (last.get(userId) ?? Promise.resolve()).then(work);
    last.set(
      userId,
      turn.catch(() => {}),
    );
    return turn;
  };
};

type Webhook = ReturnType<typeof webhookOf>;

type Backend = {
  readonly webhook: Webhook | null;
  /** Called when a write ends because the backend has refused its transaction. */
  readonly noteRefused: () => void;
};

/**
 * Runs an answer. If it asks for authorization, it is run again with the backend's verdict: so an answer checks everything
 * before it asks, checks again after the wait, and changes nothing until it has the verdict. If another request has made
 * another transaction of it meanwhile, the backend is asked about that one.
 */
export const authorized = async <T>(run: Run<T>, { webhook, noteRefused }: Backend): Promise<T> => {
  if (webhook === null) return run(() => null);
  const { answer, wanted } = tried(run, null, WAITING);
  return wanted === null
    ? answer
    : webhook.inTurn(wanted.userId, () => decided(run, webhook.ask, noteRefused));
};

type Run<T> = (authorize: Authorize) => T;

const decided = async <T>(
  run: Run<T>,
  ask: Webhook['ask'],
  noteRefused: Backend['noteRefused'],
): Promise<T> => {
  let verdict: Verdict | null = null;
  for (let round = 0; ; round += 1) {
    const { answer, wanted }: Tried<T> = tried(run, verdict, round < ROUNDS_MAX ? WAITING : CHANGING);
    if (wanted === null && verdict !== null && verdict.refusal !== null) noteRefused();
    if (wanted === null || round === ROUNDS_MAX) return answer;
    verdict = { transaction: wanted, refusal: await ask(wanted) };
  }
};

/** An answer, and the transaction that it has no verdict about. */
type Tried<T> = { readonly answer: T; readonly wanted: Transaction | null };

const tried = <T>(run: Run<T>, verdict: Verdict | null, otherwise: Refusal): Tried<T> => {
  const wanted: Transaction[] = [];
  const answer = run((transaction) => {
    if (isAbout(verdict, transaction)) return verdict.refusal;
    wanted.push(transaction);
    return otherwise;
  });
  return { answer, wanted: wanted[0] ?? null };
};

type Verdict = { readonly transaction: Transaction; readonly refusal: Refusal | null };

const ROUNDS_MAX = 5;

const isAbout = (verdict: Verdict | null, transaction: Transaction): verdict is Verdict =>
  verdict !== null && canonical(verdict.transaction) === canonical(transaction);

const WAITING = refusal(423, 'The transaction waits for its authorization');
const CHANGING = refusal(423, 'The transaction changes while it waits');
