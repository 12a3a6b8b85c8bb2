// The input and output of an operation of the stand-in.
import type { Access, Visitor } from './access/access.ts';
import type { Authorize } from './authorization.ts';
import type { Entity } from './entity.ts';
import type { Platform } from './platform.ts';
import type { Refusal } from './refusals.ts';
import type { Wire } from './wire-json.ts';
import type { World } from './world.ts';

/** A query after validation by the operation's schema. */
export type Query = Readonly<Record<string, string | number | undefined>>;

export type Question = {
  readonly world: World;
  /** The state that operations create. */
  readonly platform: Platform;
  readonly access: Access;
  readonly entity: Entity;
  /** Who sent the request, and with which key; null without credentials. */
  readonly visitor: Visitor | null;
  /** The request has no credentials, and `entity` is any. */
  readonly isAnonymous: boolean;
  readonly query: Query;
  readonly params: Readonly<Record<string, string>>;
  /** The body after validation by the operation's schema; undefined if the operation has none. */
  readonly body: unknown;
  /** The most trades in one answer. */
  readonly tradesMax: number;
  /**
   * Asks whether a transaction may happen. An answer calls it after all its checks, before it changes anything, and returns
   * the refusal if there is one.
   */
  readonly authorize: Authorize;
};

/** The data is null for an operation that answers 204. */
export type SandboxAnswer =
  | { readonly data: Wire }
  | { readonly file: Uint8Array; readonly type: string }
  | Refusal;

/** The answers of an area, by the operation's name in the contract. */
export type Answers = Readonly<Record<string, (question: Question) => SandboxAnswer>>;
