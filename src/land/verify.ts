// Verifying the certificate, offline: everything that landing claimed is recomputed from landed rows alone, and the
// first interval that does not hold is named. What it proves: no record, request or interval was taken out, put in or
// altered since it was landed, and the intervals leave no gap.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db-types.ts';
import { order } from '../time.ts';
import { leafSeal, pageSeal, requestFields } from './certificate.ts';
import { cellsFault, cursorFault, listFault, windowFault } from './proofs.ts';
import type { Brought } from './records.ts';
import { addSums, NO_SUM, sumOf } from './seals.ts';
import {
  type LeafRow,
  type ListName,
  type PageRow,
  readLeaves,
  readLists,
  readPages,
  readStrayRequests,
  readVersions,
  type VersionRow,
} from './verify-rows.ts';

/** What verifying one list found. `fault` is null where everything holds; else it names the interval and says why. */
export type Verified = {
  readonly entity: string;
  readonly stream: string;
  readonly scope: string;
  readonly intervals: number;
  readonly pages: number;
  readonly records: number;
  readonly coveredTo: string | null;
  readonly fault: Fault | null;
};

/** `from` and `to` bound the first interval that does not hold; null where no interval can be named. */
export type Fault = { readonly from: string | null; readonly to: string | null; readonly why: string };

export type Which = { readonly entity?: string | undefined; readonly stream?: string | undefined };

/** Recomputes the certificate of every list asked for. */
export const verifyCoverage = async (db: Kysely<DB>, which: Which = {}): Promise<Verified[]> => {
  const verified: Verified[] = [];
  for (const list of await readLists(db, which)) verified.push(await verifyList(db, list));
  return verified;
};

type List = {
  readonly name: ListName;
  readonly pages: readonly PageRow[];
  readonly leaves: readonly LeafRow[];
  readonly versions: readonly VersionRow[];
};

const verifyList = async (db: Kysely<DB>, name: ListName): Promise<Verified> => {
  const list = {
    name,
    pages: await readPages(db, name),
    leaves: await readLeaves(db, name),
    versions: await readVersions(db, name),
  };
  const fault =
    recordFault(list) ??
    pageFault(list) ??
    (await requestFault(db, list)) ??
    leafFault(list) ??
    totalsFault(list) ??
    (await coverageFault(db, list));
  return {
    entity: name.entity_id,
    stream: name.stream,
    scope: name.scope,
    intervals: list.leaves.length,
    pages: list.pages.length,
    records: new Set(list.versions.map(({ recordId }) => recordId)).size,
    coveredTo: name.covered_to,
    fault,
  };
};

/** Names the interval that a request helped to prove: that of the first leaf not before it. */
const at = ({ leaves }: List, requestId: string, why: string): Fault => {
  const leaf = leaves.find((it) => BigInt(it.request_id) >= BigInt(requestId));
  return { from: leaf?.lower ?? null, to: leaf?.upper ?? null, why };
};

/** Every record's payload must have its digest, and have come with a page that is there. */
const recordFault = (list: List): Fault | null => {
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
const pageFault = (list: List): Fault | null => {
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
    seal = pageSeal(seal, sealedFields(list, page));
    if (seal !== page.seal)
      return at(
        list,
        page.request_id,
        `page ${page.request_id}: it, its request or a page before it was changed`,
      );
  }
  return seal === list.name.page_seal
    ? null
    : at(list, list.pages.at(-1)?.request_id ?? '0', 'the last page is gone');
};

/** No request but those of the pages: one that brought nothing was never landed. */
const requestFault = async (db: Kysely<DB>, list: List): Promise<Fault | null> => {
  const [stray] = await readStrayRequests(db, list.name);
  return stray === undefined ? null : at(list, stray, `request ${stray}: no page came with it`);
};

const sealedFields = ({ name }: List, page: PageRow) => {
  const {
    walk_id,
    is_full,
    oldest_at,
    list_offset,
    list_total,
    cursor_in,
    cursor_out,
    brought,
    fresh,
    brought_sum,
  } = page;
  const own = {
    walk_id,
    is_full,
    oldest_at,
    list_offset,
    list_total,
    cursor_in,
    cursor_out,
    brought,
    fresh,
    brought_sum,
  };
  return {
    entity_id: name.entity_id,
    stream: name.stream,
    scope: name.scope,
    ...own,
    ...requestFields(page),
  };
};

/** Every leaf must be sealed as landed, hold exactly what is landed in it, and be proved by its pages. */
const leafFault = (list: List): Fault | null => {
  const timed = list.versions
    .filter(({ recordAt }) => recordAt !== null)
    .sort((a, b) => order(a.recordAt ?? '', b.recordAt ?? ''));
  let seal = '';
  for (const { leaf, group, so_far } of withPages(list)) {
    const fault = (why: string): Fault => ({ from: leaf.lower, to: leaf.upper, why });
    const { entity_id: entity, stream, scope } = list.name;
    seal = leafSeal(seal, {
      ...leaf,
      entity,
      stream,
      scope,
      from: leaf.lower,
      until: leaf.upper,
      page_seal: so_far.seal,
    });
    if (seal !== leaf.seal) return fault('it was changed, or an interval before it was');
    const inside = leaf.proof === 'list' ? so_far : counted(scope, insideOf(leaf, timed));
    if (inside.records !== leaf.records)
      return fault(`${leaf.records} records were landed in it, ${inside.records} are there`);
    if (inside.sum !== leaf.records_sum) return fault('its records are not the ones landed');
    const proof = PROOFS[leaf.proof](leaf, group, list.pages);
    if (proof) return fault(proof);
  }
  return seal === list.name.leaf_seal ? null : { from: null, to: null, why: 'the last interval is gone' };
};

type Step = {
  readonly leaf: LeafRow;
  /** The pages landed since the leaf before. */
  readonly group: readonly PageRow[];
  /** What the whole list held by then: distinct records, the sum of all versions, the seal of its last page. */
  readonly so_far: Counted & { readonly seal: string };
};

/** The leaves in order, each with the pages that belong to it. */
function* withPages({ leaves, pages }: List): Generator<Step> {
  let next = 0;
  let so_far = { records: 0, sum: NO_SUM, seal: '' };
  for (const leaf of leaves) {
    const first = next;
    for (; next < pages.length; next += 1) {
      const page = pages[next] as PageRow;
      if (BigInt(page.request_id) > BigInt(leaf.request_id)) break;
      so_far = {
        records: so_far.records + page.fresh,
        sum: addSums(so_far.sum, page.brought_sum),
        seal: page.seal,
      };
    }
    yield { leaf, group: pages.slice(first, next), so_far };
  }
}

const PROOFS = { window: windowFault, split: cellsFault, list: listFault, cursor: cursorFault } as const;

type Counted = { readonly records: number; readonly sum: string };

const counted = (scope: string, versions: readonly Brought[]): Counted => ({
  records: versions.length,
  sum: sumOf(scope, versions),
});

/** The latest version of each record inside a leaf, as it stood when the leaf was proved. */
const insideOf = (leaf: LeafRow, timed: readonly VersionRow[]): VersionRow[] => {
  const latest = new Map<string, VersionRow>();
  for (let i = lowerBound(timed, leaf.lower); i < timed.length; i += 1) {
    const it = timed[i] as VersionRow;
    if (leaf.upper !== 'infinity' && order(it.recordAt ?? '', leaf.upper) >= 0) break;
    if (BigInt(it.request_id) > BigInt(leaf.request_id)) continue;
    if ((latest.get(it.recordId)?.version ?? 0) < it.version) latest.set(it.recordId, it);
  }
  return [...latest.values()];
};

const lowerBound = (timed: readonly VersionRow[], lower: string): number => {
  if (lower === '-infinity') return 0;
  let [low, high] = [0, timed.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (order(timed[middle]?.recordAt ?? '', lower) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** What the coverage says beside its intervals must be what the pages and records come to: the next walk begins there. */
const totalsFault = ({ name, pages, versions }: List): Fault | null => {
  const wrong = (why: string): Fault => ({ from: null, to: null, why });
  if (name.landed === null) return wrong('its coverage is gone');
  const landed = pages.reduce((count, page) => count + page.fresh, 0);
  if (name.landed !== landed) return wrong(`its coverage counts ${name.landed} records, its pages ${landed}`);
  const sum = pages.reduce((total, page) => addSums(total, page.brought_sum), NO_SUM);
  if (name.records_sum !== sum) return wrong('the sum of its records is not the one landed');
  const newest = versions.reduce<string | null>(
    (most, { recordAt }) =>
      recordAt !== null && (most === null || order(recordAt, most) > 0) ? recordAt : most,
    null,
  );
  return name.newest_at === newest
    ? null
    : wrong(`its newest record is of ${newest}, its coverage says ${name.newest_at}`);
};

/** The union of the leaves must be what the coverage says, without a gap. */
const coverageFault = async (db: Kysely<DB>, { name }: List): Promise<Fault | null> => {
  const { rows } = await sql<{ from: string; to: string; is_gap: boolean }>`
    with proved as (
      select coalesce(range_agg(covered), '{}') as covered from land.leaves
      where entity_id = ${name.entity_id} and stream = ${name.stream} and scope = ${name.scope}
    ), told as (
      select covered from land.coverage where entity_id = ${name.entity_id} and stream = ${name.stream} and scope = ${name.scope}
    ), wrong as (
      select unnest((told.covered - proved.covered) + (proved.covered - told.covered)) as part, false as is_gap from told, proved
      union all
      select unnest(tstzmultirange(tstzrange('-infinity', coalesce(upper(covered), 'infinity'))) - covered), true from told
    )
    select lower(part) as "from", upper(part) as "to", is_gap from wrong order by part limit 1`.execute(db);
  const [wrong] = rows;
  if (!wrong) return null;
  return {
    from: wrong.from,
    to: wrong.to,
    why: wrong.is_gap ? 'a gap: nothing proves this time' : 'no interval proves this time as covered',
  };
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
