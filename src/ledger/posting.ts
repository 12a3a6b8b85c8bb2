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
  };

type Posting = EntryName & {
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
});

/** The standing entry of a record: the last of its chain, and whether that is a reversal. */
export type Standing = { readonly last: Entry; readonly isReversed: boolean };
