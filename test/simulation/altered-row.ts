// A landed row that is altered, and the interval that a proof must name for it.
import type { Fault } from '../../src/verify/coverage/list.ts';

/** A row that an alteration may be tried on. */
export type Row = {
  readonly stream: string;
  readonly scope: string;
  /** What tells it from other rows of its table. */
  readonly ctid: string;
  readonly request_id: string | null;
};

/** Half-open bounds as verifying names them; null, null where no interval follows. */
export type Named = Pick<Fault, 'from' | 'to'>;
