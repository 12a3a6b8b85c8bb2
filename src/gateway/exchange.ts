// One exchange over a socket: head and body within the limits, or the reason why not. It knows HTTP and no operation.
import { nowMs } from '../base/time.ts';
import type { Operation } from './contract/operation.ts';
import type { Failure } from './errors.ts';

export type HttpAnswer = {
  readonly status: number;
  /** The first value of a response header; null if there is none. */
  readonly header: (name: string) => string | null;
  readonly body: Uint8Array;
  /** The machine's clock when the head arrived, Unix milliseconds. */
  readonly receivedMs: number;
};

/** A complete answer, or the reason why there is none. */
export type ExchangeOutcome =
  | { readonly answer: HttpAnswer }
  | {
      readonly failure: Failure;
      readonly why: string;
      /** False if the connection failed before any byte of the request left. */
      readonly sent: boolean;
    };

export type Request = {
  readonly method: Operation['method'];
  readonly target: string;
  /** As signed; undefined if there is none. */
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
};

/** The part of a socket pool that this file uses. */
type Sockets = {
  request(options: {
    readonly path: string;
    readonly method: Operation['method'];
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
    readonly signal: AbortSignal;
  }): Promise<{
    readonly statusCode: number;
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly body: AsyncIterable<Buffer>;
  }>;
};

type ExchangeLimits = {
  /** The time that one exchange may take, connecting and reading included. */
  readonly perTryMs: number;
  readonly bodyMaxBytes: number;
};

/** The most bytes read from the body of a failed call: enough for any message. */
const COMPLAINT_MAX_BYTES = 65_536;

/** Sends one request and reads the complete answer. Never rejects because of the network. */
export const exchange = async (
  sockets: Sockets,
  request: Request,
  limits: ExchangeLimits,
): Promise<ExchangeOutcome> => {
  const limit = timeLimit(limits.perTryMs, request.signal);
  try {
    return await answerOf(sockets, { ...request, signal: limit.signal }, limits.bodyMaxBytes);
  } catch (error) {
    return limit.passed()
      ? { failure: 'unreachable', why: `not answered in full within ${limits.perTryMs} ms`, sent: true }
      : broken(error);
  } finally {
    limit.end();
  }
};

const answerOf = async (
  sockets: Sockets,
  request: Request,
  bodyMaxBytes: number,
): Promise<ExchangeOutcome> => {
  const { target, body: content = null, ...rest } = request;
  const { statusCode, headers, body } = await sockets.request({ ...rest, path: target, body: content });
  const receivedMs = nowMs();
  const fine = statusCode >= 200 && statusCode < 300;
  const read = await readUpTo(body, fine ? bodyMaxBytes : COMPLAINT_MAX_BYTES).catch((error: unknown) => {
    if (fine) throw error;
    return { bytes: Buffer.alloc(0), whole: false }; // the status is enough without its body
  });
  if (fine && !read.whole)
    return { failure: 'oversized', why: `more than ${bodyMaxBytes} bytes`, sent: true };
  const header = (name: string) => [headers[name] ?? null].flat()[0] ?? null;
  return { answer: { status: statusCode, header, body: read.bytes, receivedMs } };
};

type ReadBody = { readonly bytes: Buffer; readonly whole: boolean };

/** Leaving the loop early destroys the stream and its socket, so the rest is never received. */
const readUpTo = async (body: AsyncIterable<Buffer>, maxBytes: number): Promise<ReadBody> => {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxBytes) return { bytes: Buffer.concat(chunks), whole: false };
    chunks.push(chunk);
  }
  return { bytes: Buffer.concat(chunks), whole: true };
};

/** The error's own text and code only: an error object may hold more than a log should. */
const broken = (error: unknown): ExchangeOutcome => {
  const { message = '', code = '' } = error as { message?: string; code?: string };
  const reason = OPENSSL.exec(message)?.[1] ?? message;
  const words = WORDS.get(code) ?? reason;
  const why = words === '' || words.includes(code) ? words || code : `${words} (${code})`;
  const failure = UNTRUSTED.test(code) ? 'untrusted' : 'unreachable';
  return { failure, why, sent: !UNCONNECTED.has(code) };
};

/** A message of OpenSSL, with the reason among addresses, numbers and files of its source. */
const OPENSSL = /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/;

/** Node's codes for what its own words do not explain. */
const WORDS = new Map([
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'the server does not speak TLS at this address and port'],
]);

/** What OpenSSL calls a certificate that it does not accept, and Node one of another host. */
const UNTRUSTED = /CERT|CRL|VERIFY|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^HOSTNAME_MISMATCH$/;

/** The codes of a connection that was never made. */
const UNCONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

type TimeLimit = { readonly signal: AbortSignal; passed(): boolean; end(): void };

/** Fires after `ms` or with the outer signal. A timer of our own: one made by AbortSignal may be collected unfired. */
const timeLimit = (ms: number, outer: AbortSignal): TimeLimit => {
  const controller = new AbortController();
  let passed = false;
  const stop = () => controller.abort(outer.reason);
  const timer = setTimeout(() => {
    passed = true;
    controller.abort();
  }, ms);
  if (outer.aborted) stop();
  outer.addEventListener('abort', stop, { once: true });
  const end = () => {
    clearTimeout(timer);
    outer.removeEventListener('abort', stop);
  };
  return { signal: controller.signal, passed: () => passed, end };
};
