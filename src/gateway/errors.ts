// Errors: the meaning of a failed call, and the one error that the gateway client throws.
import { FailedError } from '../base/errors.ts';
import type { Operation } from './contract/operation.ts';

type Meaning = {
  /** The statuses that mean this (Errors, HTTP statuses); `failureOf` places every other one. */
  readonly statuses: readonly number[];
  readonly retry: boolean | 'once';
  readonly says: string;
};

/** The meaning of a failed call. The whole retry policy is this table. */
const MEANING = {
  throttled: { statuses: [429], retry: true, says: 'the rate limit is reached' },
  unavailable: { statuses: [408, 500, 502], retry: true, says: 'the gateway is not available' },
  unreachable: { statuses: [], retry: true, says: 'no answer' },
  badPage: { statuses: [], retry: true, says: 'the answer is not the page that was asked for' },
  clockSkew: { statuses: [401], retry: 'once', says: 'the signature or the clock was refused' },
  late: { statuses: [], retry: true, says: 'the gateway answered too late: the request had expired' }, // says nothing about the key
  unauthorized: {
    statuses: [],
    retry: false,
    says: 'the signature was refused again after setting the clock: check GATEWAY_API_KEY and GATEWAY_API_SECRET, and whether another program uses this key at the same time',
  },
  tokenRefused: { statuses: [], retry: false, says: 'the access token was refused' },
  refused: { statuses: [403], retry: false, says: 'the key may not do this' },
  missing: { statuses: [404], retry: false, says: 'there is no such resource' },
  secondFactor: { statuses: [420, 428], retry: false, says: 'the second factor is missing or wrong' },
  blocked: { statuses: [423], retry: false, says: 'the operation is blocked' },
  invalid: { statuses: [400, 406, 412, 417, 422], retry: false, says: 'the request was rejected' },
  banned: { statuses: [418], retry: false, says: 'the key is banned for abuse of the rate limits' }, // further requests make it worse
  redirected: { statuses: [], retry: false, says: 'redirects are not followed' }, // a signature goes to one host only
  oversized: { statuses: [], retry: true, says: 'the answer is larger than the limit' },
  untrusted: {
    statuses: [],
    retry: false,
    says: 'the TLS certificate is not trusted, so nothing was sent: check GATEWAY_BASE_URL and the clock of this machine; NODE_EXTRA_CA_CERTS adds an authority of your own',
  },
} as const satisfies Record<string, Meaning>;

export type Failure = keyof typeof MEANING;

/** The gateway failed, or answered nothing that can be read: of one request alone, or of all. */
export const GATEWAY_FAILED: readonly Failure[] = ['unavailable', 'unreachable', 'badPage', 'oversized'];

/** The gateway refuses one request: the key may not send it, the operation is blocked, or a second factor is missing. */
export const REQUEST_REFUSED: readonly Failure[] = ['refused', 'blocked', 'secondFactor'];

/** The failures of a request for one thing by its name: it is gone, or the name is refused. */
export const OF_NAME: readonly Failure[] = ['missing', 'invalid'];

/** The failures that may be of one request alone; others are of the key, the rate or the connection. */
export const OF_REQUEST: readonly Failure[] = [
  ...OF_NAME,
  'redirected',
  ...REQUEST_REFUSED,
  ...GATEWAY_FAILED,
];

/** What a failed call did: nothing, or what it was sent for, or nobody knows. A reading call does nothing. */
export type RequestEffect = 'none' | 'unknown' | 'done';

/** The failures after which a request may have been processed. A page of a proxy, or a redirect, does not show whether it was. */
const MAYBE_DONE: readonly Failure[] = [...GATEWAY_FAILED, 'redirected'];

/** The effect of a request that changes something and failed; `sent` is false if no byte of it left. */
export const effectOf = (failure: Failure, sent: boolean): RequestEffect =>
  sent && MAYBE_DONE.includes(failure) ? 'unknown' : 'none';

/**
 * The failure of an HTTP status, or null if it is the answer. A reading operation answers 200: another 2xx (206, 299) may
 * hold only a part of the page.
 */
export const failureOf = (status: number, expected: readonly number[] = [200]): Failure | null => {
  if (expected.includes(status)) return null;
  if (status >= 200 && status < 300) return 'badPage';
  for (const [failure, meaning] of Object.entries(MEANING)) {
    if ((meaning.statuses as readonly number[]).includes(status)) return failure as Failure;
  }
  if (status >= 500) return 'unavailable';
  return status >= 400 ? 'invalid' : 'redirected';
};

/** The operation that failed, and the one that shows whether it was done. */
type Named = Pick<Operation, 'name' | 'method' | 'shownBy'>;

type GatewayFailure = {
  readonly failure: Failure;
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null;
  readonly operation: Named;
  /** Path and query as sent. */
  readonly target: string;
  /** Default: none. */
  readonly effect?: RequestEffect;
  /** The gateway's own id of the request (reqId, or the x-request-id header). */
  readonly requestId: string | null;
  /** The number of times that the call was sent. */
  readonly tries: number;
  /** The message of the gateway or the socket, redacted. */
  readonly detail: string;
  /** The text of an answer to a change that was made. Default: none. */
  readonly answer?: string | null;
};

/** A call that failed. The message is one line of bounded length and holds no credential. */
export class GatewayError extends FailedError {
  override readonly name = 'GatewayError';
  readonly failure: Failure;
  readonly status: number | null;
  readonly operation: string;
  readonly target: string;
  readonly requestId: string | null;
  readonly tries: number;
  readonly detail: string;
  readonly effect: RequestEffect;
  /** Whether the same call may be sent again without the risk of doing something twice. */
  readonly retry: boolean | 'once';
  readonly #answer: string | null;

  constructor(failure: GatewayFailure) {
    super(messageOf(failure));
    this.failure = failure.failure;
    this.status = failure.status;
    this.operation = failure.operation.name;
    this.target = failure.target;
    this.requestId = failure.requestId;
    this.tries = failure.tries;
    this.detail = failure.detail;
    this.effect = failure.effect ?? 'none';
    this.retry = this.effect === 'none' && MEANING[failure.failure].retry;
    this.#answer = failure.answer ?? null;
  }

  /**
   * The whole answer to a change that was made, if it has another shape: it may name what was made. Null otherwise. It may hold a secret, such
   * as that of a new key, so no log that prints this error shows it.
   */
  get answer(): string | null {
    return this.#answer;
  }
}

const TARGET_MAX = 200;

const messageOf = ({
  failure,
  status,
  operation,
  target,
  requestId,
  tries,
  detail,
  effect = 'none',
}: GatewayFailure): string => {
  const facts = [
    failure,
    status && `status ${status}`,
    requestId && `request ${requestId}`,
    tries > 1 && `${tries} tries`,
  ];
  const shownTarget = target.length > TARGET_MAX ? `${target.slice(0, TARGET_MAX)}…` : target;
  const suffix = detail === '' ? '' : `: ${detail}`;
  const { name, method } = operation;
  const request = `[${method} ${shownTarget}]`;
  const known = `${name}: ${MEANING[failure].says} (${facts.filter(Boolean).join(', ')})${suffix} ${request}`;
  return effect === 'none' ? known : `${known}; ${EFFECT_SAYS[effect](operation)}`;
};

const EFFECT_SAYS = {
  unknown: ({ shownBy }: Named) =>
    shownBy === undefined
      ? 'the gateway may have done it: ask its support before you send it again'
      : `the gateway may have done it: look it up with ${shownBy} before you send it again`,
  done: () => 'the gateway did it, only its answer cannot be read: do not send it again',
} as const;
