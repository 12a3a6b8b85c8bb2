// A list under verification: its rows, and how the interval that does not hold is named.
import type { LeafRow, ListName, PageRow, VersionRow } from './rows.ts';

/** `from` and `to` bound the first interval that does not hold; null where no interval can be named. */
export type Fault = { readonly from: string | null; readonly to: string | null; readonly why: string };

export type List = {
  readonly name: ListName;
  readonly pages: readonly PageRow[];
  readonly leaves: readonly LeafRow[];
  readonly versions: readonly VersionRow[];
};

/** Names the interval that a request helped to prove: that of the first leaf not before it. */
export const at = ({ leaves }: List, requestId: string, why: string): Fault => {
  const leaf = leaves.find((it) => BigInt(it.request_id) >= BigInt(requestId));
  return { from: leaf?.lower ?? null, to: leaf?.upper ?? null, why };
};
