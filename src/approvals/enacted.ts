// An approved change, with its preparer and reason, and when it was approved.
import type { Change } from './changes.ts';
import type { Evidence } from './proposal.ts';

export type Enacted<C extends Change = Change> = {
  readonly entity: string;
  readonly proposalId: string;
  readonly change: C;
  readonly by: string;
  readonly reason: string;
  readonly evidence: Evidence | null;
  readonly at: string;
};
