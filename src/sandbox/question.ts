// The input and output of an operation of the stand-in.
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
  readonly entity: Entity;
  /** Public operations: the request has no credentials, and `entity` is any. */
  readonly isAnonymous: boolean;
  readonly query: Query;
  readonly params: Readonly<Record<string, string>>;
  /** The body after validation by the operation's schema, its numbers as text; undefined if the operation has none. */
  readonly body: unknown;
  /** The most trades in one answer. */
  readonly tradesMax: number;
};

/** The data is null for an operation that answers 204. */
export type SandboxAnswer = { readonly data: Wire } | Refusal;

/** The answers of an area, by the operation's name in the contract. */
export type Answers = Readonly<Record<string, (question: Question) => SandboxAnswer>>;
