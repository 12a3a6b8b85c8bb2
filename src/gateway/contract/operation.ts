// An operation of the gateway, as data: what a client sends and reads, and what the stand-in serves.
import type { z } from 'zod';

type Area =
  | 'access'
  | 'account'
  | 'subaccounts'
  | 'trading'
  | 'wallet'
  | 'funding'
  | 'teller'
  | 'social-pay'
  | 'earn'
  | 'loan'
  | 'currency'
  | 'notifications';

/**
 * How a request proves who sends it. `private`: a signed key or a JWT; `signed`: a signed key only; `optional`: as private,
 * or nothing.
 */
type Auth = 'none' | 'optional' | 'private' | 'signed' | 'embed-token' | 'basic' | 'custom-key';

/**
 * The second factor. `required`: 428 if missing, 420 if wrong; `when-forced`: the same, for users that force it, but not for a
 * key with the scope withdraw; `legacy`: 420 also if missing; `gauth`: required, and of that type only.
 */
type Totp = 'required' | 'when-forced' | 'legacy' | 'gauth';

/** A status that an operation answers with, and why. */
type FailureStatus = { readonly status: number; readonly when: string };

export type Operation<Answer = unknown> = {
  /** Unique; stored with what was read, so it never changes. */
  readonly name: string;
  /** What it does, in one sentence. */
  readonly title: string;
  readonly area: Area;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `{name}` marks a part of the path. */
  readonly path: string;
  readonly auth: Auth;
  /** The scope that the key needs. */
  readonly scope: 'read' | 'trade' | 'withdraw' | null;
  /** The status of a bad signature or nonce (Outcomes). */
  readonly badCredentials: 401 | 403;
  readonly totp?: Totp;
  readonly pathParts?: z.ZodObject;
  /** Strict; every value is text. */
  readonly query: z.ZodObject;
  /** Strict; amounts are decimal text. An operation without it sends no body. */
  readonly body?: z.ZodType;
  readonly status: 200 | 204;
  /** What the service answers, its numbers as text; loose, because fields are added. */
  readonly answer: z.ZodType<Answer>;
  /** The answer is a file, not JSON. */
  readonly isFile?: true;
  /** The failures of this operation, beyond those that all share. */
  readonly failures: readonly FailureStatus[];
  /** It changes something, but sending it twice does no more than sending it once. */
  readonly repeatable?: true;
  /** The name of the operation that shows whether it was done. */
  readonly shownBy?: string;
  /** The requests a second and account that the service allows, if it states a limit. */
  readonly perSecond?: number;
  /** The name of the operation that replaces it; it is deprecated then. */
  readonly replacedBy?: string;
  /** The day on which the service removes it. */
  readonly removal?: string;
  /** The section of the gateway's specification. */
  readonly section: string;
  /** The assumptions about what the specification leaves open, by their ids in README.md. */
  readonly assumes: readonly string[];
};

/** An operation that the pipeline reads: it changes nothing, and its answer is a page. */
export type ReadOperation<Page = unknown> = Operation & {
  readonly method: 'GET';
  /** The reader of an answer whose numbers are text. */
  readonly page: z.ZodType<Page>;
  /** A page with more elements is refused. It is a multiple of the requested limit, because services ignore limits. */
  readonly rowsMax: number;
};

type Default = 'area' | 'badCredentials' | 'status' | 'failures' | 'assumes';
type Described<O> = Omit<O, Default> & Partial<Omit<O, 'area'>>;
type Description = Described<Operation> | Described<ReadOperation>;

const DEFAULTS = { badCredentials: 401, status: 200, failures: [], assumes: [] } as const;

/** The operations of one area, by the name of the client's method. */
export const areaOf = <const Parts extends Readonly<Record<string, Description>>>(area: Area, parts: Parts) =>
  Object.fromEntries(
    Object.entries(parts).map(([key, part]) => [key, { ...DEFAULTS, area, ...part }]),
  ) as unknown as { readonly [Key in keyof Parts]: Parts[Key] & Pick<Operation, Default> };
