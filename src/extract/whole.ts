// Reading a whole list of balances or accounts: usually one page, more if the gateway counts more than it shows. It is not
// landed page by page, because half a list of balances is useless.
import { isRound } from './round-number.ts';

type ListPage<Row, Proof> = {
  readonly rows: readonly Row[];
  /** The total, if the list reports one; a list without one is one page. */
  readonly total?: number;
  readonly proof: Proof;
};

type WholeList<Row, Proof> = {
  readonly rows: readonly Row[];
  readonly proofs: readonly [Proof, ...Proof[]];
  /** The last total of the gateway; the number of rows if each page counted its own. */
  readonly total: number;
};

/**
 * Reads on by the rows received, until all counted rows were shown, or a page shows nothing new. A count that may be that of its page
 * alone, of a round number of rows, ends nothing: one more page is requested, unless the gateway refuses to be asked for it.
 */
export const readWhole = async <Row, Proof>(
  fetch: (offset: number) => Promise<ListPage<Row, Proof>>,
  idOf: (row: Row) => string,
  isRefusal: (error: unknown) => boolean,
): Promise<WholeList<Row, Proof>> => {
  let page = await fetch(0);
  const shown = new Set(page.rows.map(idOf));
  const [rows, proofs]: [Row[], [Proof, ...Proof[]]] = [[...page.rows], [page.proof]];
  let [total, received, isOfPage] = [page.total ?? rows.length, rows.length, isOwnCount(page)];
  while (received > 0 && (rows.length < total || (isOfPage && isRound(page.rows.length)))) {
    const isNeeded = rows.length < total;
    const next = await fetch(received).catch((error: unknown) => {
      if (isNeeded || !isRefusal(error)) throw error;
      return null;
    });
    if (next === null) break;
    page = next;
    const fresh = page.rows.filter((row) => !shown.has(idOf(row)));
    for (const row of fresh) shown.add(idOf(row));
    rows.push(...fresh);
    proofs.push(page.proof);
    total = page.total ?? rows.length;
    received += page.rows.length;
    isOfPage &&= isOwnCount(page);
    if (fresh.length === 0) break;
  }
  return { rows, proofs, total: isOfPage ? rows.length : total };
};

/** Whether a page counts as many rows as it has, as that of a whole list does, and one of a gateway that counts no further. */
const isOwnCount = ({ rows, total }: ListPage<unknown, unknown>): boolean => total === rows.length;
