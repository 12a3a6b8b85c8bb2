// Errors: the meaning of a failed call, and the one error that the gateway client throws.

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
  unauthorized: {
    statuses: [],
    retry: false,
    says: 'the signature was refused again after setting the clock: check GATEWAY_API_KEY and GATEWAY_API_SECRET',
  },
  refused: { statuses: [403], retry: false, says: 'the key may not do this' },
  missing: { statuses: [404], retry: false, says: 'there is no such resource' },
  secondFactor: { statuses: [420, 428], retry: false, says: 'a second factor is required' },
  blocked: { statuses: [423], retry: false, says: 'the operation is blocked' },
  invalid: { statuses: [400, 406, 412, 417, 422], retry: false, says: 'the request was rejected' },
  banned: { statuses: [418], retry: false, says: 'the key is banned for abuse of the rate limits' }, // further requests make it worse
  redirected: { statuses: [], retry: false, says: 'redirects are not followed' }, // a signature goes to one host only
  oversized: { statuses: [], retry: true, says: 'the answer is larger than the limit' },
  untrusted: { statuses: [], retry: false, says: 'the TLS certificate is not trusted' },
} as const satisfies Record<string, Meaning>;

export type Failure = keyof typeof MEANING;

/**
 * The failure of an HTTP status, or null if it is a page. Every operation that we call answers 200: another 2xx (206, 299)
 * may hold only a part of the page.
 */
export const failureOf = (status: number): Failure | null => {
  if (status === 200) return null;
  if (status > 200 && status < 300) return 'badPage';
  for (const [failure, meaning] of Object.entries(MEANING)) {
    if ((meaning.statuses as readonly number[]).includes(status)) return failure as Failure;
  }
  if (status >= 500) return 'unavailable';
  return status >= 400 ? 'invalid' : 'redirected';
};

type GatewayFailure = {
  readonly failure: Failure;
  /** The HTTP status; null if there was no answer. */
  readonly status: number | null;
  readonly operation: string;
  /** Path and query as sent. */
  readonly target: string;
  /** The gateway's own id of the request (reqId, or the x-request-id header). */
  readonly requestId: string | null;
  /** The number of times that the call was sent. */
  readonly tries: number;
  /** The message of the gateway or the socket, redacted. */
  readonly detail: string;
};

/** A call that failed. The message is one line of bounded length and holds no credential. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly failure: Failure;
  readonly status: number | null;
  readonly operation: string;
  readonly target: string;
  readonly requestId: string | null;
  readonly tries: number;
  readonly retry: boolean | 'once';

  constructor(failure: GatewayFailure) {
    super(messageOf(failure));
    this.failure = failure.failure;
    this.status = failure.status;
    this.operation = failure.operation;
    this.target = failure.target;
    this.requestId = failure.requestId;
    this.tries = failure.tries;
    this.retry = MEANING[failure.failure].retry;
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
}: GatewayFailure): string => {
  const facts = [
    failure,
    status && `status ${status}`,
    requestId && `request ${requestId}`,
    tries > 1 && `${tries} tries`,
  ];
  const shownTarget = target.length > TARGET_MAX ? `${target.slice(0, TARGET_MAX)}…` : target;
  const suffix = detail === '' ? '' : `: ${detail}`;
  return `${operation}: ${MEANING[failure].says} (${facts.filter(Boolean).join(', ')})${suffix} [GET ${shownTarget}]`;
};
