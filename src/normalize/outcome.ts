// Outcomes of a rule. Every landed record gets exactly one, so that landed = booked + rejected + set aside holds at every
// moment.

import type { WireRecord } from '../base/streams.ts';
import type { Draft } from '../ledger/entry.ts';

/** Why a record that a rule understands is not booked. `reference`: its stream moves no money. */
type SetAside = 'not-final' | 'cancelled' | 'zero' | 'reference';

/**
 * Booked with a draft, rejected with a reason that starts with the field's dotted path, or set aside by name.
 * `cancelledAt` exists only with `cancelled`: the time of the cancellation as UTC text, null if the gateway gives none; a
 * record that was booked is reversed at that time.
 */
export type RecordOutcome =
  | { readonly outcome: 'booked'; readonly draft: Draft }
  | { readonly outcome: 'rejected'; readonly reason: string }
  | { readonly outcome: 'set-aside'; readonly reason: SetAside; readonly cancelledAt?: string | null };

/**
 * The facts that a rule needs besides the record. `pockets`: the pockets ever listed for this entity, each id in lower case;
 * other pockets belong to others. Null: the list was never read, so every pocket is our own. `platformClass`: the platform's own
 * word for another of its users, null if no setting names it. `request`: the one that first landed the record; without it, the record
 * is as new as the last list of pockets.
 */
export type RuleContext = {
  readonly pockets: ListedPockets | null;
  readonly platformClass: string | null;
  readonly request?: bigint;
};

/**
 * A currency of a pocket, with the last list of pockets that did not have it yet, and the last one that had it: null if it still does. A
 * platform may rename a coin.
 */
export type PocketCurrency = {
  readonly currency: string;
  readonly after: bigint;
  readonly until: bigint | null;
};

/** Pockets by id. */
export type ListedPockets = Pick<
  ReadonlyMap<string, readonly PocketCurrency[]>,
  'has' | typeof Symbol.iterator
>;

/** One stream's rule: pure and deterministic. Throws a `Reject` for a record that it does not accept. */
export type Rule = (record: WireRecord, context: RuleContext) => RecordOutcome;

/** Booked, or set aside as `zero` if every amount of the record is zero and no leg is left. */
export const booked = (draft: Draft): RecordOutcome =>
  draft.legs.length === 0 ? { outcome: 'set-aside', reason: 'zero' } : { outcome: 'booked', draft };
