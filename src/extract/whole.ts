// Reading a list whole that shows a balance or an account: one page as a rule, more where the gateway counts more than it
// shows. Nothing of it is landed page by page: half a list of balances is none.

type ListPage<Row, Proof> = {
  readonly rows: readonly Row[];
  /** How many there are, where the list says so: a list that does not is one page. */
  readonly total?: number;
  readonly proof: Proof;
};

type WholeList<Row, Proof> = {
  readonly rows: readonly Row[];
  readonly proofs: readonly [Proof, ...Proof[]];
  /** What the gateway counted last. */
  readonly total: number;
};

/** Reads on by the rows received, until all that is counted was shown, or a page brings nothing new. */
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
