// One try of a call: waits for the budget, signs, sends, interprets the answer, and updates clock and budget from it.
import { msOf, nowMs, stopwatch } from '../base/time.ts';
import { type Budget, type Claim, OutdatedClaim, type Slot } from './budget.ts';
import type { GatewayClock } from './clock.ts';
import type { Operation } from './contract/operation.ts';
import { type Credentials, credentialHeaders } from './credentials.ts';
import { type Failure, GatewayError } from './errors.ts';
import type { ExchangeOutcome, HttpAnswer, Request } from './exchange.ts';
import type { Clean } from './redaction.ts';
import type { TokenKeeper } from './token.ts';
import { dateMsOf, isSafe, type Readable, type Receipt, type Received, verdict } from './verdict.ts';

/** One try, for logs and traces. It holds no header and no credential. */
export type RequestEvent = Pick<Receipt, 'method' | 'target' | 'requestId' | 'sentAtMs' | 'tries'> & {
  readonly operation: string;
  readonly subaccount: string | null;
  /** Null if there was no answer. */
  readonly status: number | null;
  /** Null if it did not fail: it has its answer, or its call was ended while it waited for one. */
  readonly failure: Failure | null;
  readonly tookMs: number;
};

/** Shared by all calls of one gateway. */
export type Link = {
  readonly exchange: (request: Request) => Promise<ExchangeOutcome>;
  readonly budget: Budget;
  readonly clock: GatewayClock;
  clean: Clean;
  /** Null: public operations only. */
  credentials: Credentials | null;
  readonly userAgent: string;
  readonly backoffMs: number;
  readonly onRequest: (event: RequestEvent) => void;
  /** The number of tries, answered or not. */
  requests: number;
  /** Whether any call has received what it asked for, since the last one that was given up. */
  answered: boolean;
  /** The number of calls that did. */
  answers: number;
  /** The number of 429s in a row, and of all that counted. What was in flight when one of them arrived counts with it. */
  throttles: number;
  throttlesEver: number;
};

/** One call, over all its tries. */
export type Call = {
  readonly target: string;
  readonly body: string | undefined;
  readonly subaccount: string | undefined;
  readonly totp: Totp | undefined;
  /** Where its token comes from; null if it is signed or public. */
  readonly tokens: TokenKeeper | null;
  /** As in a TargetRequest. */
  readonly left: number | undefined;
  readonly signal: AbortSignal;
  /** Called before each try is sent. */
  readonly began: () => void;
  tries: number;
  /** The number of tries that wait for their answer: 0 or 1. */
  inFlight: number;
  resynced: boolean;
  last: GatewayError | null;
};

/** A code of the second factor. */
export type Totp = {
  /** 4 to 6 digits. */
  readonly code: string;
  /** How the user received it; default: gauth. Always gauth for subaccounts. */
  readonly type?: 'gauth' | 'email' | 'sms' | 'call' | 'whatsapp';
};

/** Sends `call` once. Rejects with a GatewayError, or with the signal's reason. */
export const attempt = async <Page>(
  link: Link,
  call: Call,
  operation: Readable<Page>,
): Promise<Received<Page>> => {
  const { target, body, subaccount, left, signal, resynced } = call;
  const { perSecond } = operation;
  const claim = { account: subaccount ?? '', perSecond, left, isAlone: resynced, signal };
  const { token, slot } = await turnOf(link, call, claim);
  const sentAtMs = nowMs();
  const { throttlesEver } = link;
  const tookMs = stopwatch();
  link.requests += 1;
  call.tries += 1;
  call.began();
  const nonce = slot.nonce ?? link.clock.nonce();
  const headers = headersOf(link, call, { auth: operation.auth, nonce, target, body, token });
  call.inFlight += 1;
  const outcome = await link.exchange({ method: operation.method, target, body, headers, signal });
  link.budget.release(slot, 'answer' in outcome);
  const isSigned = 'api-signature' in headers;
  const isLate = isSigned && 'answer' in outcome && link.clock.mayExpire(nonce, outcome.answer.receivedMs);
  const sent = { target, sentAtMs, tries: call.tries, resynced, hasToken: token !== null, isLate };
  const received = verdict(operation, outcome, sent, link.clean);
  report(link, call, { operation, outcome, received, sentAtMs, tookMs: tookMs() });
  if (isSafe(operation) || !('answer' in outcome)) signal.throwIfAborted(); // an answer to a change is never thrown away
  call.inFlight -= 1;
  const badProof = [401, operation.badCredentials];
  const badNonce = isLate ? [] : badProof;
  if ('answer' in outcome) updateClock(link, outcome.answer, { nonce, sentMs: sentAtMs, badNonce });
  if ('answer' in outcome) countThrottle(link, outcome.answer, throttlesEver);
  if (!(received instanceof GatewayError)) {
    link.answered = true;
    link.answers += 1;
    if (isSigned || token !== null) await link.budget.know();
    return received;
  }
  if (token !== null && badProof.some((status) => status === received.status)) call.tokens?.drop(token);
  call.last = received;
  await slowDown(link, received, outcome);
  throw received;
};

/** Waits for its turn with a token, if it needs one, and for another turn if that was renewed or refused meanwhile. */
const turnOf = async (
  { budget }: Link,
  { tokens }: Call,
  claim: Claim,
): Promise<{ token: string | null; slot: Slot }> => {
  if (tokens === null) return { token: null, slot: await budget.take(claim) };
  for (;;) {
    const token = await tokens.token();
    const isOutdated = () => !tokens.isCurrent(token);
    try {
      const isShort = isOutdated(); // it lives for no time at all: another one would not be better
      return { token, slot: await budget.take(isShort ? claim : { ...claim, isOutdated }) };
    } catch (error) {
      if (!(error instanceof OutdatedClaim)) throw error;
    }
  }
};

/** Signed anew for every try: a nonce lives five seconds (Limits). */
const headersOf = (
  link: Link,
  { subaccount, totp }: Call,
  proof: Parameters<typeof credentialHeaders>[1],
): Record<string, string> => ({
  accept: 'application/json',
  'accept-encoding': 'identity', // without it, any encoding would be acceptable
  'user-agent': link.userAgent,
  ...credentialHeaders(link.credentials, proof),
  ...(proof.body === undefined ? {} : { 'content-type': 'application/json' }),
  ...(subaccount === undefined ? {} : { 'X-SUBACCOUNT-ID': subaccount }),
  ...(totp === undefined ? {} : { 'x-totp': totp.code, 'x-totp-type': totp.type ?? 'gauth' }),
});

const updateClock = (
  link: Link,
  answer: HttpAnswer,
  { nonce, sentMs, badNonce }: { nonce: number; sentMs: number; badNonce: readonly number[] },
): void => {
  const refused = badNonce.includes(answer.status);
  if (answer.status !== 401 && answer.status !== 403) link.clock.accept(nonce);
  const dateMs = dateMsOf(answer);
  if (dateMs !== null) link.clock.sight({ dateMs, sentMs, receivedMs: answer.receivedMs, refused });
};

/** What was in flight when a 429 arrived shows nothing about the rate after it. `before`: how many there were when it was sent. */
const countThrottle = (link: Link, { status }: HttpAnswer, before: number): void => {
  if (before !== link.throttlesEver) return;
  link.throttles = status === 429 ? link.throttles + 1 : 0;
  if (status === 429) link.throttlesEver += 1;
};

/** A rate limit applies to all calls: after a 429, or a time that the gateway names, nothing is sent for a while. */
const slowDown = async (link: Link, error: GatewayError, outcome: ExchangeOutcome): Promise<void> => {
  const requestedMs = 'answer' in outcome && error.retry === true ? retryAfterMs(link, outcome.answer) : 0;
  const own = error.failure === 'throttled' ? link.backoffMs * 2 ** (link.throttles - 1) : 0;
  await link.budget.hold(Math.max(requestedMs, own));
};

/** Retry-After in seconds or as a date with a time; 0 if it is neither. The budget limits it. */
const retryAfterMs = (link: Link, answer: HttpAnswer): number => {
  const value = answer.header('retry-after') ?? '';
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const dateMs = /\d:\d\d:\d\d/.test(value) ? msOf(value) : Number.NaN; // msOf reads "in 2030" as a year
  return Number.isNaN(dateMs) ? 0 : Math.max(0, dateMs - link.clock.nowMs());
};

type AttemptResult = {
  readonly operation: Operation;
  readonly outcome: ExchangeOutcome;
  readonly received: Received<unknown> | GatewayError;
  readonly sentAtMs: number;
  readonly tookMs: number;
};

/** What ended a call from outside while it waited: a ban that another met, the time limit of all its tries, or no failure at all. */
const endedBy = ({ reason }: AbortSignal): Failure | null =>
  reason instanceof GatewayError ? reason.failure : null;

const report = (
  link: Link,
  call: Call,
  { operation, outcome, received, sentAtMs, tookMs }: AttemptResult,
): void => {
  const failed = received instanceof GatewayError ? received : null;
  link.onRequest({
    operation: operation.name,
    method: operation.method,
    target: call.target,
    subaccount: call.subaccount ?? null,
    status: 'answer' in outcome ? outcome.answer.status : null,
    failure: 'answer' in outcome || !call.signal.aborted ? (failed?.failure ?? null) : endedBy(call.signal),
    requestId: failed ? failed.requestId : ((received as Received<unknown>).receipt.requestId ?? null),
    sentAtMs,
    tookMs,
    tries: call.tries,
  });
};
