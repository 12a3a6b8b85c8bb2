// Recomputes the pages of a list: every record belongs to a page, and every page and request is as it was landed.
import type { Kysely } from 'kysely';
import { groupBy } from '../../base/group.ts';
import type { DB } from '../../database/db-types.ts';
import { pageSeal, sumOf } from '../../land/seals.ts';
import { type Fault, faultAt, type ListRows } from './list.ts';
import { type PageRow, type RequestRange, readStrayRequests, readVersions, type VersionRow } from './rows.ts';

/** So many pages are checked at once with what they landed, so that memory does not grow with the list. */
const PAGES = 100;
const LAST_REQUEST = '9223372036854775807';

/** Some pages in the order of their requests, and the requests from the pages before them to the last of these. */
type PagePart = { readonly pages: readonly PageRow[]; readonly range: RequestRange };

/**
 * Every record's payload must match its digest, and its page must exist; every page must have the seal that was landed, and
 * exactly the versions that its request landed.
 */
export const pageFault = async (db: Kysely<DB>, list: ListRows): Promise<Fault | null> => {
  let seal = '';
  for (const { pages, range } of partsOf(list.pages)) {
    const versions = await readVersions(db, list.name, range);
    const fault = recordFault(list, pages, versions) ?? sealFault(list, { pages, versions, before: seal });
    if (fault) return fault;
    seal = pages.at(-1)?.seal ?? seal;
  }
  return seal === list.name.page_seal
    ? null
    : faultAt(list, String(BigInt(list.pages.at(-1)?.request_id ?? '0') + 1n), 'the last page is missing');
};

/** All pages, and all requests: the first part has those before the first page too, the last part those after the last one. */
function* partsOf(pages: readonly PageRow[]): Generator<PagePart> {
  let after: string | null = null;
  for (let first = 0; first === 0 || first < pages.length; first += PAGES) {
    const part = pages.slice(first, first + PAGES);
    const isLast = first + PAGES >= pages.length;
    const through = isLast ? LAST_REQUEST : (part.at(-1)?.request_id ?? LAST_REQUEST);
    const brought = part.reduce((sum, page) => sum + page.brought, 0);
    yield { pages: part, range: { after, through, brought } };
    after = through;
  }
}

const recordFault = (
  list: ListRows,
  pages: readonly PageRow[],
  versions: readonly VersionRow[],
): Fault | null => {
  const landedBy = new Set(pages.map(({ request_id }) => request_id));
  for (const { recordId, version, request_id, is_sound } of versions) {
    const name = `record ${recordId}, version ${version}`;
    if (!is_sound) return faultAt(list, request_id, `${name}: the payload differs from the landed one`);
    if (!landedBy.has(request_id)) return faultAt(list, request_id, `${name}: its page is missing`);
  }
  return null;
};

type SealedPart = {
  readonly pages: readonly PageRow[];
  readonly versions: readonly VersionRow[];
  /** The seal of the page before them. */
  readonly before: string;
};

const sealFault = (list: ListRows, { pages, versions, before }: SealedPart): Fault | null => {
  const brought = groupBy(versions, ({ request_id }) => request_id);
  let seal = before;
  for (const page of pages) {
    const fault = (why: string) => faultAt(list, page.request_id, `page ${page.request_id}${why}`);
    if (page.target === null) return fault(': its request is missing');
    const landed = brought.get(page.request_id) ?? [];
    if (landed.length !== page.brought)
      return fault(` landed ${page.brought} versions, ${landed.length} are there`);
    if (sumOf(list.name.scope, landed) !== page.brought_sum)
      return fault(': its versions differ from those landed');
    seal = pageSeal(seal, page);
    if (seal !== page.seal) return fault(': this page, its request or an earlier page was altered');
  }
  return null;
};

/** Every stored request belongs to a page: a request without records is never landed. */
export const requestFault = async (db: Kysely<DB>, list: ListRows): Promise<Fault | null> => {
  const [stray] = await readStrayRequests(db, list.name);
  return stray === undefined ? null : faultAt(list, stray, `request ${stray}: its page is missing`);
};
