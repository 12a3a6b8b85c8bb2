// What is valued of a taxpayer at a time.
import type { Taxpayer } from './taxpayers.ts';

export type Range = {
  readonly taxpayer: Taxpayer;
  readonly from: string;
  /** The month after the last one, if not all are valued. */
  readonly before?: string | undefined;
  /** The number of an entry: only those booked after it; null for all. */
  readonly after: string | null;
  readonly timezone: string;
  /** Whether a closed month has entries that its values do not include. */
  readonly isLate: boolean;
};
