// Verdicts: interprets an answer as the requested page with its receipt, or as an error.
import { NestingError, parseReceived, sha256 } from '../base/json.ts';
import { isoOf, msOf } from '../base/time.ts';
import { complaint } from './complaint.ts';
import type { Operation, ReadOperation } from './contract/operation.ts';
import { effectOf, type Failure, failureOf, GatewayError } from './errors.ts';
import type { ExchangeOutcome, HttpAnswer } from './exchange.ts';
import type { Clean } from './redaction.ts';

/** The proof of a page's origin. */
export type Receipt = {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly status: number;
  /** The answer's Date header as an ISO instant; null if it has none. */
  readonly date: string | null;
  /** Lower-case hex, of the bytes as received. */
  readonly bodySha256: string;
  readonly requestId: string | null;
  /** The machine's clock when the answered try was sent, Unix milliseconds. */
  readonly sentAtMs: number;
  readonly tries: number;
};

/** An operation with the reader of its answer. */
export type Readable<Page> = Operation & Pick<ReadOperation<Page>, 'page' | 'rowsMax'>;

export type Received<Page> = { readonly page: Page; readonly receipt: Receipt };

type LastTry = {
  readonly target: string;
  readonly sentAtMs: number;
  readonly tries: number;
  /** The call was answered 401 before, and the clock was set by that answer. */
  readonly resynced: boolean;
  /** It was sent with an access token, and not signed. */
  readonly hasToken: boolean;
  /** Its nonce may have expired before the gateway looked at it. */
  readonly isLate: boolean;
};

/** Interprets one outcome of `operation`. All text of the gateway goes through `clean`. */
export const verdict = <Page>(
  operation: Readable<Page>,
  outcome: ExchangeOutcome,
  sent: LastTry,
  clean: Clean,
): Received<Page> | GatewayError => {
  const { target, tries } = sent;
  const failed = (failure: Failure, why: string, answer?: HttpAnswer, reqId?: string | null) => {
    const requestId = answer ? requestIdOf(answer, clean, reqId) : null;
    const sentAll = !('sent' in outcome) || outcome.sent;
    const isMade = !isSafe(operation) && isDone(answer);
    return new GatewayError({
      failure,
      status: answer?.status ?? null,
      requestId,
      detail: clean(why),
      operation,
      target: clean(target, TARGET_MAX),
      tries,
      effect: isSafe(operation) ? 'none' : isMade ? 'done' : effectOf(failure, sentAll),
      answer: isMade && answer ? Buffer.from(answer.body).toString('utf8') : null,
    });
  };
  if ('failure' in outcome) return failed(outcome.failure, outcome.why);
  const { answer } = outcome;
  const failure = failureOf(answer.status, operation.method === 'GET' ? [operation.status] : DONE);
  if (failure) {
    const { says, requestId } = complaint(bodyIn(parsed(answer.body)));
    const why = failure === 'redirected' ? whereTo(answer) : says;
    return failed(refusalOf(failure, operation, sent), why, answer, requestId);
  }
  const encoding = answer.header('content-encoding'); // none is accepted
  if (operation.isFile)
    return (encoding ?? 'identity') === 'identity'
      ? { page: answer.body as Page, receipt: receiptOf(operation, answer, sent, clean) }
      : failed('badPage', `encoded as ${encoding}`, answer);
  const body = isEmpty(operation, answer) ? { value: undefined } : parsed(answer.body);
  if ('why' in body) {
    const facts = `${answer.header('content-type')}, ${encoding ? `encoded as ${encoding}, ` : ''}${answer.body.length} bytes`;
    return failed('badPage', `${body.why} (${facts})`, answer);
  }
  const rows = rowsIn(body.value);
  if (rows > operation.rowsMax)
    return failed('oversized', `${rows} rows, at most ${operation.rowsMax}`, answer);
  const read = operation.page.safeParse(body.value);
  if (!read.success) return failed('badPage', issueOf(read.error.issues), answer);
  return { page: read.data, receipt: receiptOf(operation, answer, sent, clean) };
};

const TARGET_MAX = 2_000;

/** A gateway that stands still for a while refuses what expired meanwhile: that proves nothing about the clock or the key. */
const refusalOf = (failure: Failure, { badCredentials, failures }: Operation, sent: LastTry): Failure => {
  const ofBadNonce = badCredentials === 403 ? 'refused' : 'clockSkew';
  if (failure === ofBadNonce && sent.isLate) return 'late';
  if (failure !== 'clockSkew' || !sent.resynced) return failure;
  if (failures.some(({ status }) => status === 401)) return 'invalid'; // the operation has a reason of its own for it
  return sent.hasToken ? 'tokenRefused' : 'unauthorized';
};

/** The statuses of a change that was made: the specification and clients differ on which of them has a body. */
const DONE = [200, 201, 204];

/** Whether sending it twice does no more than sending it once. */
export const isSafe = ({ method, repeatable }: Pick<Operation, 'method' | 'repeatable'>): boolean =>
  method === 'GET' || repeatable === true;

/** Whether the gateway itself says that a change was made: its status does, and its body is JSON or empty. */
const isDone = (answer: HttpAnswer | undefined): boolean =>
  answer !== undefined &&
  DONE.includes(answer.status) &&
  (answer.body.length === 0 || 'value' in parsed(answer.body));

/** Where a redirect leads: a gateway that moved answers so. Its query may hold a secret of the other place, and is left out. */
const whereTo = (answer: HttpAnswer): string => {
  const [location = ''] = (answer.header('location') ?? '').split(/[?#]/);
  return location === '' ? 'it names no address' : `to ${location}; check GATEWAY_BASE_URL`;
};

const isEmpty = ({ method }: Operation, { status, body }: HttpAnswer): boolean =>
  status === 204 || (method !== 'GET' && body.length === 0);

const receiptOf = (operation: Operation, answer: HttpAnswer, sent: LastTry, clean: Clean): Receipt => {
  const dateMs = dateMsOf(answer);
  return {
    method: operation.method,
    target: sent.target,
    status: answer.status,
    date: dateMs === null ? null : isoOf(dateMs),
    bodySha256: sha256(answer.body),
    requestId: requestIdOf(answer, clean),
    sentAtMs: sent.sentAtMs,
    tries: sent.tries,
  };
};

const REQUEST_ID_MAX = 100;

const requestIdOf = (answer: HttpAnswer, clean: Clean, inBody?: string | null): string | null => {
  const id = inBody ?? answer.header('x-request-id');
  return id === null ? null : clean(id, REQUEST_ID_MAX);
};

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** The Date header, Unix milliseconds; null if it is missing or malformed. */
export const dateMsOf = (answer: HttpAnswer): number | null => {
  const date = answer.header('date') ?? '';
  const ms = HTTP_DATE.test(date) ? msOf(date) : Number.NaN;
  return ms >= 0 ? ms : null;
};

type Parsed = { readonly value: unknown } | { readonly why: string };

/** The reason why bytes are not JSON. Bytes that are not UTF-8 are not (a replaced character would change a record). */
const parsed = (body: Uint8Array): Parsed => {
  try {
    return { value: parseReceived(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch (error) {
    return { why: error instanceof NestingError ? error.message : 'not JSON' };
  }
};

const bodyIn = (read: Parsed): unknown => ('value' in read ? read.value : undefined);

/** The number of elements of a page, checked before its shape, which is checked element by element. */
const rowsIn = (body: unknown): number => {
  const list = Array.isArray(body) ? body : (body as { data?: unknown } | null)?.data;
  return Array.isArray(list) ? list.length : 0;
};

type Issue = { readonly path: readonly PropertyKey[]; readonly message: string };

const issueOf = ([first]: readonly Issue[]): string =>
  `${first?.path.map(String).join('.') || 'body'}: ${first?.message ?? 'refused'}`;
