// The records that a walk has shown since its last proved interval: a record landed before, inside a proved interval and
// not shown again, is no longer listed. It stays in the books and is a finding.

import { ID_MAX, keyText } from '../base/key-text.ts';
import { type LandedStream, recordIdOf, type WireRecord } from '../base/streams.ts';
import type { WalkStep } from '../extract/step.ts';
import type { Receipt } from '../gateway/client.ts';

export type RecordStep = WalkStep<WireRecord, Receipt>;

export type Watch = {
  see(step: RecordStep): void;
  /** True for every record if the walk resumed, because it did not show everything that it proves. */
  readonly isSeen: (recordId: string) => boolean;
  settle(step: RecordStep): void;
};

/** Watches one walk. A walk that resumed from a stored cursor shows only the rest of its list. */
export const watchFor = (stream: LandedStream): Watch => {
  const seen = new Set<string>();
  let isPartial = false;
  return {
    see: ({ page }) => {
      if (seen.size === 0 && page?.cursorIn) isPartial = true;
      for (const row of page?.rows ?? []) seen.add(keyText(recordIdOf(stream, row), ID_MAX));
    },
    isSeen: (recordId) => isPartial || seen.has(recordId),
    settle: ({ covers, trouble }) => {
      if (covers || trouble) seen.clear();
    },
  };
};
