// The pages of a list, recomputed: every record came with a page, and every page and request is as it was landed.
import type { Kysely } from 'kysely';
import type { DB } from '../../database/db-types.ts';
import { pageSeal, sumOf } from '../../land/seals.ts';
import { at, type Fault, type List } from './list.ts';
import { readStrayRequests } from './rows.ts';

/** Every record's payload must have its digest, and have come with a page that is there. */
export const recordFault = (list: List): Fault | null => {
  const pages = new Set(list.pages.map(({ request_id }) => request_id));
  for (const version of list.versions) {
    const name = `record ${version.recordId}, version ${version.version}`;
    if (!version.is_sound)
      return at(list, version.request_id, `${name}: the payload is not the one that was landed`);
    if (!pages.has(version.request_id)) return at(list, version.request_id, `${name}: no page brought it`);
  }
  return null;
};

/** Every page must be sealed as landed, and have brought exactly the versions that stand under its request. */
export const pageFault = (list: List): Fault | null => {
  const brought = groupBy(list.versions, ({ request_id }) => request_id);
  let seal = '';
  for (const page of list.pages) {
    if (page.target === null)
      return at(list, page.request_id, `page ${page.request_id}: its request is gone`);
    const versions = brought.get(page.request_id) ?? [];
    if (versions.length !== page.brought) {
      return at(
        list,
        page.request_id,
        `page ${page.request_id} brought ${page.brought} versions, ${versions.length} are there`,
      );
    }
    if (sumOf(list.name.scope, versions) !== page.brought_sum) {
      return at(
        list,
        page.request_id,
        `page ${page.request_id}: the versions that it brought are not the ones landed`,
      );
    }
    seal = pageSeal(seal, page);
    if (seal !== page.seal)
      return at(
        list,
        page.request_id,
        `page ${page.request_id}: it, its request or a page before it was changed`,
      );
  }
  return seal === list.name.page_seal
    ? null
    : at(list, String(BigInt(list.pages.at(-1)?.request_id ?? '0') + 1n), 'the last page is gone');
};

/** No request but those of the pages: one that brought nothing was never landed. */
export const requestFault = async (db: Kysely<DB>, list: List): Promise<Fault | null> => {
  const [stray] = await readStrayRequests(db, list.name);
  return stray === undefined ? null : at(list, stray, `request ${stray}: no page came with it`);
};

const groupBy = <T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
};
