// A landed row to alter, and the interval that a proof must name for it.
import type { Fault } from '../../src/verify/coverage/list.ts';

/** A row for an alteration. */
export type Row = {
  readonly stream: string;
  readonly scope: string;
  /** Identifies it among the rows of its table. */
  readonly ctid: string;
  readonly request_id: string | null;
};

/** Half-open bounds as verification names them; null, null if no interval follows. */
export type Named = Pick<Fault, 'from' | 'to'>;
