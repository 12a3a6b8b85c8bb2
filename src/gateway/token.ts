// The access token of a sign-in by key: obtained when it is first needed, and renewed before it expires.

type AccessToken = {
  readonly token: string;
  /** Unix time in seconds, as text. */
  readonly expirationTime: string;
};

export type TokenKeeper = {
  /** The token to send now. Concurrent callers share one sign-in. */
  token(): Promise<string>;
  /** Whether `token` would still give this one. */
  isCurrent(token: string): boolean;
  /** The service refused this token: the next caller signs in again. */
  drop(token: string): void;
};

/** A token is renewed this long before it expires, or at nine tenths of a shorter life. */
const RENEWAL_MS = 30_000;

type SignIn = {
  readonly token: Promise<string>;
  /** The token, once it is there. */
  value: string | null;
  renewAtMs: number;
};

/** Keeps the token of one pair of keys. `clockMs` is the gateway's clock. */
export const tokenKeeper = (signIn: () => Promise<AccessToken>, clockMs: () => number): TokenKeeper => {
  let current: SignIn | null = null;
  const start = (): SignIn => {
    const token = signIn().then((answer) => {
      started.value = answer.token;
      started.renewAtMs = renewalMs(answer, clockMs());
      return answer.token;
    });
    const started: SignIn = { token, value: null, renewAtMs: Number.POSITIVE_INFINITY };
    token.catch(() => {
      if (current === started) current = null; // its callers have the error; the next one tries again
    });
    return started;
  };
  return {
    token: () => {
      if (current === null || clockMs() >= current.renewAtMs) current = start();
      return current.token;
    },
    isCurrent: (token) => current?.value === token && clockMs() < current.renewAtMs,
    drop: (token) => {
      if (current?.value === token) current = null;
    },
  };
};

const renewalMs = ({ expirationTime }: AccessToken, now: number): number => {
  const lifeMs = Math.max(0, Number.parseInt(expirationTime, 10) * 1000 - now);
  return now + lifeMs - Math.min(RENEWAL_MS, lifeMs / 10);
};
