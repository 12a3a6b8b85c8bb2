// The nouns of the value layer: an entry as it is read, what is known about it besides, and what it comes to.
import type { Atto } from '../base/money.ts';
import type { Fraction } from './pool.ts';

export type Leg = {
  /** The leg's number in its entry, from 1. */
  readonly leg: number;
  readonly debit: string;
  readonly credit: string;
  readonly currency: string;
  readonly units: Atto;
};

/** Who is at the other end of a leg against equity:external:*. */
export type Nature = 'own' | 'own-entity' | 'third-party' | 'platform' | 'unknown';

/** What was paid for units before our history: null where that is not known in the reporting currency. */
export type OpeningLot = { readonly acquiredAt: string; readonly at: number; readonly cost: Atto | null };

export type Event = {
  readonly entity: string;
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly description: string;
  readonly effectiveAt: string;
  /** The same in microseconds since 1970. */
  readonly at: number;
  /** The month in which it counts. */
  readonly period: string;
  /** The entry that it undoes. */
  readonly reverses: string | null;
  readonly legs: readonly Leg[];
  /** What its record says that it was worth, in the reporting currency. */
  readonly costEuro: Atto | null;
  readonly convertedAmount: Atto | null;
  readonly natures: ReadonlyMap<number, Nature>;
  readonly openings: ReadonlyMap<number, OpeningLot>;
};

/** Where a value comes from: the rule that chose it, the record that tells it, by which path, and how old that is. */
export type Basis = {
  readonly rule: string;
  readonly source: string;
  readonly path: string | null;
  readonly ageSeconds: number | null;
};

export type Worth = Basis & { readonly worth: Atto | null };

/** One line of an entry in value, debit positive. leg is null for what has no units. */
export type Line = Basis & {
  readonly leg: number | null;
  readonly account: string;
  readonly currency: string;
  readonly units: Atto;
  readonly exact: Atto | null;
  /** The same to the cent, so that the values of an account sum to its exact worth, rounded once. */
  value: Atto | null;
  readonly feeInCost?: Atto;
  readonly feeInProceeds?: Atto;
  readonly feeExpensed?: Atto;
  /** What the price of a conversion was worse than the market's: in its cost, and told here alone. */
  spread?: Atto;
  memo?: string;
};

export type PoolName = 'held' | 'outside';

export type NewLot = {
  readonly id: string;
  readonly pool: PoolName;
  readonly currency: string;
  readonly leg: number;
  readonly acquiredAt: string;
  readonly at: number;
  readonly seq: number;
  readonly units: Atto;
  readonly cost: Atto | null;
  readonly origin: string;
};

export type Use = Fraction & {
  readonly id: string;
  readonly pool: PoolName;
  readonly currency: string;
  readonly leg: number;
  readonly kind: 'disposal' | 'moved' | 'undone';
  readonly proceeds: Atto | null;
  readonly feeInProceeds: Atto;
  readonly exchangedFor: string | null;
};

export type Found = {
  readonly kind: 'no-rate' | 'no-lot' | 'no-cost' | 'not-understood' | 'unknown-nature' | 'rounding';
  readonly severity: 'finding' | 'note';
  readonly leg: number | null;
  readonly currency: string;
  readonly units: Atto;
  readonly detail: string;
};

/** What an event comes to. */
export type Outcome = {
  readonly lines: Line[];
  readonly lots: NewLot[];
  readonly uses: Use[];
  readonly findings: Found[];
};
