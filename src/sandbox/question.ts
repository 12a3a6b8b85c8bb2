// The input and output of an operation of the stand-in.
import type { Refusal } from './refusals.ts';
import type { Wire } from './wire-json.ts';
import type { Entity, World } from './world.ts';

/** A query after validation by the operation's schema. */
export type Query = Readonly<Record<string, string | number | undefined>>;

export type Question = {
  readonly world: World;
  readonly entity: Entity;
  readonly query: Query;
  readonly params: Readonly<Record<string, string>>;
  /** The most trades in one answer. */
  readonly tradesMax: number;
};

export type SandboxAnswer = { readonly data: Wire } | Refusal;
