// A stream under verification: its rows, and the interval to name in a fault.
import type { LeafRow, ListName, PageRow } from './rows.ts';

/** `from` and `to` bound the first interval that does not hold; null if no interval can be named. */
export type Fault = { readonly from: string | null; readonly to: string | null; readonly why: string };

export type ListRows = {
  readonly name: ListName;
  readonly pages: readonly PageRow[];
  readonly leaves: readonly LeafRow[];
};

/** A fault at the interval that a request helped to prove: the first one at or after the request. */
export const faultAt = ({ leaves }: ListRows, requestId: string, why: string): Fault => {
  const leaf = leaves.find(({ request_id }) => BigInt(request_id) >= BigInt(requestId));
  return { from: leaf?.lower ?? null, to: leaf?.upper ?? null, why };
};
