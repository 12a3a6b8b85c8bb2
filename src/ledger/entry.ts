// The nouns of the ledger: a leg moves one positive amount of one currency from one account to another, so no
// entry can be unbalanced. Nothing here knows the gateway.
import { strict as assert } from 'node:assert';
import { sign } from '../base/money.ts';
import type { STREAMS, StreamName } from '../base/streams.ts';

/** `debit ← credit`, amount > 0 in plain decimal notation. */
export type Leg = {
  readonly debit: string;
  readonly credit: string;
  readonly currency: string;
  readonly amount: string;
};

export type Kind = (typeof STREAMS)[StreamName]['kind'] | 'manual' | 'reversal';

/** The result of a rule: a journal entry without an id. `effectiveAt` is an instant in UTC text. */
export type Draft = {
  readonly kind: Kind;
  readonly effectiveAt: string;
  readonly description: string;
  readonly legs: readonly Leg[];
};

/** One leg; none for an amount of zero. */
export const leg = (debit: string, credit: string, amount: string, currency: string): Leg[] => {
  assert(sign(amount) >= 0, `a leg of a negative amount: ${amount} ${currency}`);
  assert(debit !== credit, `a leg from ${debit} to itself`);
  return sign(amount) === 0 ? [] : [{ debit, credit, currency, amount }];
};
