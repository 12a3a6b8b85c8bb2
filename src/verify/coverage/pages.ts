// Recomputes the pages of a list: every record belongs to a page, and every page and request is as it was landed.
import type { Kysely } from 'kysely';
import { groupBy } from '../../base/group.ts';
import type { DB } from '../../database/db-types.ts';
import { pageSeal, sumOf } from '../../land/seals.ts';
import { type Fault, faultAt, type ListRows } from './list.ts';
import { readStrayRequests } from './rows.ts';

/** Every record's payload must match its digest, and its page must exist. */
export const recordFault = (list: ListRows): Fault | null => {
  const pages = new Set(list.pages.map(({ request_id }) => request_id));
  for (const version of list.versions) {
    const name = `record ${version.recordId}, version ${version.version}`;
    if (!version.is_sound)
      return faultAt(list, version.request_id, `${name}: the payload differs from the landed one`);
    if (!pages.has(version.request_id))
      return faultAt(list, version.request_id, `${name}: its page is missing`);
  }
  return null;
};

/** Every page must have the seal that was landed, and exactly the versions that its request landed. */
export const pageFault = (list: ListRows): Fault | null => {
  const brought = groupBy(list.versions, ({ request_id }) => request_id);
  let seal = '';
  for (const page of list.pages) {
    if (page.target === null)
      return faultAt(list, page.request_id, `page ${page.request_id}: its request is missing`);
    const versions = brought.get(page.request_id) ?? [];
    if (versions.length !== page.brought) {
      return faultAt(
        list,
        page.request_id,
        `page ${page.request_id} landed ${page.brought} versions, ${versions.length} are there`,
      );
    }
    if (sumOf(list.name.scope, versions) !== page.brought_sum) {
      return faultAt(list, page.request_id, `page ${page.request_id}: its versions differ from those landed`);
    }
    seal = pageSeal(seal, page);
    if (seal !== page.seal)
      return faultAt(
        list,
        page.request_id,
        `page ${page.request_id}: this page, its request or an earlier page was altered`,
      );
  }
  return seal === list.name.page_seal
    ? null
    : faultAt(list, String(BigInt(list.pages.at(-1)?.request_id ?? '0') + 1n), 'the last page is missing');
};

/** Every stored request belongs to a page: a request without records is never landed. */
export const requestFault = async (db: Kysely<DB>, list: ListRows): Promise<Fault | null> => {
  const [stray] = await readStrayRequests(db, list.name);
  return stray === undefined ? null : faultAt(list, stray, `request ${stray}: its page is missing`);
};
