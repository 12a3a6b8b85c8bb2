// Reading a whole list of balances or accounts: usually one page, more if the gateway counts more than it shows. It is not
// landed page by page, because half a list of balances is useless.

type ListPage<Row, Proof> = {
  readonly rows: readonly Row[];
  /** The total, if the list reports one; a list without one is one page. */
  readonly total?: number;
  readonly proof: Proof;
};

type WholeList<Row, Proof> = {
  readonly rows: readonly Row[];
  readonly proofs: readonly [Proof, ...Proof[]];
  /** The last total of the gateway. */
  readonly total: number;
};

/** Reads on by the rows received, until all counted rows were shown, or a page shows nothing new. */
export const readWhole = async <Row, Proof>(
  fetch: (offset: number) => Promise<ListPage<Row, Proof>>,
  idOf: (row: Row) => string,
): Promise<WholeList<Row, Proof>> => {
  const first = await fetch(0);
  const shown = new Set(first.rows.map(idOf));
  const [rows, proofs]: [Row[], [Proof, ...Proof[]]] = [[...first.rows], [first.proof]];
  let [total, received] = [first.total ?? rows.length, rows.length];
  while (received > 0 && rows.length < total) {
    const page = await fetch(received);
    const fresh = page.rows.filter((row) => !shown.has(idOf(row)));
    for (const row of fresh) shown.add(idOf(row));
    rows.push(...fresh);
    proofs.push(page.proof);
    total = page.total ?? rows.length;
    received += page.rows.length;
    if (fresh.length === 0) break;
  }
  return { rows, proofs, total };
};
