// Entries from drafts: the entry, its reversal, and the standing entry of a record. Pure, so that a proof can make the same
// entries again without any way to write them.
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
    /** The original period, a closed month, if `period` is a later one. */
    readonly originalPeriod: string | null;
    readonly reverses: string | null;
    /** The reversal that it takes back, for a record that stands again or a month that was reopened. */
    readonly undoes: string | null;
  };

export type Posting = EntryName & {
  readonly version: number;
  readonly ruleVersion: number;
  readonly recordedAt: string;
  readonly period: string;
  readonly originalPeriod: string | null;
};

/** The entry of a draft. Every field is named: to copy two objects takes several times as long, for each record. */
export const entryOf = (draft: Draft, posting: Posting): Entry => ({
  entity: posting.entity,
  stream: posting.stream,
  recordId: posting.recordId,
  ordinal: posting.ordinal,
  version: posting.version,
  ruleVersion: posting.ruleVersion,
  recordedAt: posting.recordedAt,
  period: posting.period,
  originalPeriod: posting.originalPeriod,
  kind: draft.kind,
  effectiveAt: draft.effectiveAt,
  description: draft.description,
  legs: draft.legs,
  id: entryId(draft.effectiveAt, posting),
  reverses: null,
  undoes: null,
});

/** The reversal of an entry, with its own effective date. */
export const reversalOf = (entry: Entry, effectiveAt: string, posting: Posting): Entry => ({
  ...posting,
  kind: 'reversal',
  effectiveAt,
  description: `reversal of ${entry.description}`,
  legs: entry.legs.map((leg) => ({ ...leg, debit: leg.credit, credit: leg.debit })),
  id: entryId(effectiveAt, posting),
  reverses: entry.id,
  undoes: null,
});

/** The entry that takes back a reversal, at its effective date, with what that reversed. */
export const undoingOf = (reversal: Entry, reversed: Entry, posting: Posting): Entry => ({
  ...posting,
  kind: reversed.kind,
  effectiveAt: reversal.effectiveAt,
  description: reversed.description,
  legs: reversed.legs,
  id: entryId(reversal.effectiveAt, posting),
  reverses: null,
  undoes: reversal.id,
});

/** The last entry of a record's chain, and what it reverses; `reversed` is null if the last entry stands. */
export type Standing = { readonly last: Entry; readonly reversed: Entry | null };
