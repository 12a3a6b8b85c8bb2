// Verifying the certificate, offline: everything that landing claimed is recomputed from landed rows alone, and the
// first interval that does not hold is named. What it proves: no record, request or interval was taken out, put in or
// altered since it was landed, and the intervals leave no gap.
import { type Kysely, sql } from 'kysely';
import { order } from '../../base/time.ts';
import type { DB } from '../../database/db-types.ts';
import { addSums, NO_SUM } from '../../land/seals.ts';
import { leafFault } from './leaves.ts';
import type { Fault, List } from './list.ts';
import { pageFault, recordFault, requestFault } from './pages.ts';
import { type ListName, readLeaves, readLists, readMissing, readPages, readVersions } from './rows.ts';

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

export type Which = { readonly entity?: string | undefined; readonly stream?: string | undefined };

/** Recomputes the certificate of every list asked for. */
export const verifyCoverage = async (db: Kysely<DB>, which: Which = {}): Promise<Verified[]> => {
  const verified: Verified[] = [];
  for (const list of await readLists(db, which)) verified.push(await verifyList(db, list));
  return verified;
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
    fault: fault && (await named(db, name, fault)),
  };
};

/** A fault, with the names of the records that are gone where they are known. */
const named = async (db: Kysely<DB>, name: ListName, fault: Fault): Promise<Fault> => {
  const missing = await readMissing(db, name);
  return missing.length === 0
    ? fault
    : { ...fault, why: `${fault.why}; no longer there: ${missing.join('; ')}` };
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
