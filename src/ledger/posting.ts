// What a draft becomes once it has an identity: the entry, its reversal, and what stands for a record. Pure, so that a
// proof can make the same entries again without any way to write them.
import type { Draft, Kind } from './entry.ts';
import { type EntryName, entryId } from './entry-id.ts';

/** A journal entry as it is posted. Instants are UTC text; `period` a month such as 2026-10. */
export type Entry = EntryName &
  Omit<Draft, 'kind'> & {
    readonly id: string;
    readonly kind: Kind;
    readonly version: number;
    readonly ruleVersion: number;
    readonly recordedAt: string;
    readonly period: string;
    /** The closed month in which it took effect, where `period` is a later one. */
    readonly belongsTo: string | null;
    readonly reverses: string | null;
  };

/** Identity and bookkeeping facts around a draft. */
type Posting = EntryName & {
  readonly version: number;
  readonly ruleVersion: number;
  readonly recordedAt: string;
  readonly period: string;
  readonly belongsTo: string | null;
};

/** The entry that a draft becomes. */
export const entryOf = (draft: Draft, posting: Posting): Entry => ({
  ...posting,
  ...draft,
  id: entryId(draft.effectiveAt, posting),
  reverses: null,
});

/** The entry that undoes another, at an instant of its own. */
export const reversalOf = (entry: Entry, effectiveAt: string, posting: Posting): Entry => ({
  ...posting,
  kind: 'reversal',
  effectiveAt,
  description: `reversal of ${entry.description}`,
  legs: entry.legs.map((leg) => ({ ...leg, debit: leg.credit, credit: leg.debit })),
  id: entryId(effectiveAt, posting),
  reverses: entry.id,
});

/** What stands for a record: the last entry of its chain, and whether that one undid the one before. */
export type Standing = { readonly last: Entry; readonly isReversed: boolean };
