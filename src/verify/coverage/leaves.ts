// Recomputes the proved intervals of a list: each is as it was landed, holds exactly the records landed in it, and is proved.
import type { Kysely } from 'kysely';
import type { DB } from '../../database/db-types.ts';
import { addSums, leafSeal, NO_SUM, sumOf } from '../../land/seals.ts';
import { cellsFault, cursorFault, listFault, windowFault } from './intervals.ts';
import type { Fault, ListRows } from './list.ts';
import { type LeafRow, type PageRow, versionsInside } from './rows.ts';

/** Every interval must have the seal that was landed, hold exactly the records landed in it, and be proved by its pages. */
export const leafFault = async (db: Kysely<DB>, list: ListRows): Promise<Fault | null> => {
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
    if (seal !== leaf.seal) return fault('this interval or an earlier one was altered');
    if (so_far.request !== leaf.request_id)
      return fault(`it names page ${leaf.request_id} as its last page, but that is ${so_far.request}`);
    const inside = leaf.proof === 'list' ? so_far : await countInside(db, list, leaf);
    if (inside.records !== leaf.records)
      return fault(`${leaf.records} records were landed in it, ${inside.records} are there`);
    if (inside.sum !== leaf.records_sum) return fault('its records differ from those landed');
    const proof = PROOFS[leaf.proof](leaf, group, list.pages);
    if (proof) return fault(proof);
  }
  return seal === list.name.leaf_seal ? null : { from: null, to: null, why: 'the last interval is missing' };
};

type LeafWithPages = {
  readonly leaf: LeafRow;
  /** The pages landed since the interval before. */
  readonly group: readonly PageRow[];
  /** The whole list up to this point: distinct records, the checksum of all versions, its last page and that page's seal. */
  readonly so_far: CountedRecords & { readonly seal: string; readonly request: string };
};

function* withPages({ leaves, pages }: ListRows): Generator<LeafWithPages> {
  let next = 0;
  let so_far = { records: 0, sum: NO_SUM, seal: '', request: '0' };
  for (const leaf of leaves) {
    const first = next;
    for (; next < pages.length; next += 1) {
      const page = pages[next] as PageRow;
      if (BigInt(page.request_id) > BigInt(leaf.request_id)) break;
      so_far = {
        records: so_far.records + page.fresh,
        sum: addSums(so_far.sum, page.brought_sum),
        seal: page.seal,
        request: page.request_id,
      };
    }
    yield { leaf, group: pages.slice(first, next), so_far };
  }
}

const PROOFS = { window: windowFault, split: cellsFault, list: listFault, cursor: cursorFault } as const;

type CountedRecords = { readonly records: number; readonly sum: string };

const countInside = async (db: Kysely<DB>, { name }: ListRows, leaf: LeafRow): Promise<CountedRecords> => {
  let counted: CountedRecords = { records: 0, sum: NO_SUM };
  for await (const versions of versionsInside(db, name, leaf))
    counted = {
      records: counted.records + versions.length,
      sum: addSums(counted.sum, sumOf(name.scope, versions)),
    };
  return counted;
};
