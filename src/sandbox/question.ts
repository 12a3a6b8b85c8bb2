// What an operation of the stand-in is asked, and what it answers.
import type { Refusal } from './refusals.ts';
import type { Wire } from './wire-json.ts';
import type { Entity, World } from './world.ts';

/** A query as the operation's schema left it. */
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
