// An instant that fills a page is split by the list's filters. That proves it complete only as far as the words of
// each filter are a closed set, so the cells must show every row of the page that was not split.
import type { Page, RecordPlace, WalkStep } from './step.ts';
import type { Cut, WindowQuery } from './window-query.ts';

export type Splitter<Row, Proof> = {
  readonly fetch: (query: WindowQuery) => Promise<Page<Row, Proof>>;
  readonly idOf: (row: Row) => string;
  readonly limit: number;
  readonly cuts: () => readonly Cut[];
  /** Whether an error is the gateway's refusal of a request as such, as of a filter that it does not know. */
  readonly isRefusal: (error: unknown) => boolean;
};

type SplitResult = {
  /** Whether the cells prove the instant complete. */
  readonly isWhole: boolean;
  /** The filters that the gateway refused. */
  readonly refused: readonly string[];
};

/** Walks the cells of one instant that fills `page`, from coarse to fine. */
export async function* splitInstant<Row, Proof>(
  walk: Splitter<Row, Proof>,
  page: Page<Row, Proof>,
  instant: { readonly from: string; readonly to: string },
): AsyncGenerator<WalkStep<Row, Proof>, SplitResult, unknown> {
  const missing = new Set(page.rows.map(walk.idOf));
  const refused = new Set<string>();
  let isWhole = true;
  const cells = [{ filters: {} as Record<string, string>, cuts: walk.cuts() }];
  for (let cell = cells.pop(); cell; cell = cells.pop()) {
    const [cut, ...rest] = cell.cuts;
    if (!cut) {
      isWhole = false;
      continue;
    }
    for (const word of cut.words) {
      const filters = { ...cell.filters, [cut.filter]: word };
      const part = await cellPage(walk, { ...instant, filters });
      if (part === null) {
        refused.add(cut.filter);
        cells.push({ filters: cell.filters, cuts: rest });
        break;
      }
      yield { page: part };
      // The records of a full cell must show again in the finer cells; otherwise there are other words.
      for (const row of part.rows) part.isFull ? missing.add(walk.idOf(row)) : missing.delete(walk.idOf(row));
      if (part.isFull) cells.push({ filters, cuts: rest });
    }
  }
  return { isWhole: isWhole && missing.size === 0, refused: [...refused] };
}

/** The page of one cell; null if the gateway refuses its filter: then the next filter must do. */
const cellPage = async <Row, Proof>(walk: Splitter<Row, Proof>, query: WindowQuery) => {
  try {
    return placed(await walk.fetch(query), walk.limit);
  } catch (error) {
    if (walk.isRefusal(error)) return null;
    throw error;
  }
};

/** A page of a window: full if it has as many rows as one answer may hold. */
export const placed = <Row, Proof>(
  page: Page<Row, Proof>,
  limit: number,
): Page<Row, Proof> & RecordPlace => ({
  ...page,
  isFull: page.rows.length >= limit,
});
