// Outcomes: what a rule may make of a record. Every landed record gets exactly one, so that
// landed = booked + rejected + set aside holds at every moment (design, invariant 6).

import type { WireRecord } from '../base/streams.ts';
import type { Draft } from '../ledger/entry.ts';

/** Why a record that a rule understands is not booked. */
type SetAside = 'not-final' | 'cancelled' | 'zero';

/**
 * Booked with a draft, rejected with a reason that starts with the field's dotted path, or set aside by name.
 * `cancelledAt` stands only beside `cancelled`: when the gateway says that it was cancelled, UTC text, null where
 * it does not say; a record that had been booked is reversed at that time.
 */
export type RecordOutcome =
  | { readonly outcome: 'booked'; readonly draft: Draft }
  | { readonly outcome: 'rejected'; readonly reason: string }
  | { readonly outcome: 'set-aside'; readonly reason: SetAside; readonly cancelledAt?: string | null };

/**
 * What a rule must know besides the record. `pockets`: the pockets ever listed for this entity, each id in lower case
 * with its currency; a pocket not among them is somebody else's. Null: the list was never read, so every pocket is our
 * own. `platformClass`: the platform's own word for another of its users, null where no setting names it.
 */
export type RuleContext = {
  readonly pockets: ReadonlyMap<string, string> | null;
  readonly platformClass: string | null;
};

/** One stream's rule: pure, deterministic. Throws `Reject` for what it does not accept. */
export type Rule = (record: WireRecord, context: RuleContext) => RecordOutcome;

/** Booked, or set aside as `zero` when every part of the record was zero and no leg is left. */
export const booked = (draft: Draft): RecordOutcome =>
  draft.legs.length === 0 ? { outcome: 'set-aside', reason: 'zero' } : { outcome: 'booked', draft };
