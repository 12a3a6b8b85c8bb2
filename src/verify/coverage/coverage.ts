// Verifies the coverage certificate offline: recomputes from landed rows alone everything that landing recorded, and names
// the first interval that does not hold. It proves that no record, request or interval was removed, added or altered since
// it was landed, and that the intervals leave no gap.
import { type Kysely, sql } from 'kysely';
import { isListed } from '../../base/streams.ts';
import type { DB } from '../../database/db-types.ts';
import { addSums, NO_SUM } from '../../land/seals.ts';
import { leafFault } from './leaves.ts';
import type { Fault, ListRows } from './list.ts';
import { pageFault, requestFault } from './pages.ts';
import {
  type ListFilter,
  type ListName,
  readLeaves,
  readLists,
  readMissing,
  readPages,
  readTotals,
} from './rows.ts';

/** The result for one stream. `fault` is null if everything holds; otherwise it names the interval and the reason. */
export type ListVerified = {
  readonly entity: string;
  readonly stream: string;
  readonly scope: string;
  readonly intervals: number;
  readonly pages: number;
  readonly records: number;
  readonly coveredTo: string | null;
  readonly fault: Fault | null;
};

/** Recomputes the certificate of every list that the filter selects. */
export const verifyCoverage = async (db: Kysely<DB>, filter: ListFilter = {}): Promise<ListVerified[]> => {
  const verified: ListVerified[] = [];
  for (const list of await readLists(db, filter)) verified.push(await verifyList(db, list));
  return verified;
};

const verifyList = async (db: Kysely<DB>, name: ListName): Promise<ListVerified> => {
  const list = {
    name,
    pages: await readPages(db, name),
    leaves: await readLeaves(db, name),
  };
  const totals = await readTotals(db, name);
  const fault =
    (await pageFault(db, list)) ??
    (await requestFault(db, list)) ??
    (await leafFault(db, list)) ??
    totalsFault(list, totals.newest_at) ??
    (await coverageFault(db, list));
  return {
    entity: name.entity_id,
    stream: name.stream,
    scope: name.scope,
    intervals: list.leaves.length,
    pages: list.pages.length,
    records: totals.records,
    coveredTo: name.covered_to,
    fault: fault && (await withMissingRecords(db, name, fault)),
  };
};

const withMissingRecords = async (db: Kysely<DB>, name: ListName, fault: Fault): Promise<Fault> => {
  const missing = await readMissing(db, name);
  return missing.length === 0
    ? fault
    : { ...fault, why: `${fault.why}; no longer there: ${missing.join('; ')}` };
};

/** The totals beside the coverage's intervals must equal those of the pages and records: the next walk starts from them. */
const totalsFault = ({ name, pages }: ListRows, newest: string | null): Fault | null => {
  const wrong = (why: string): Fault => ({ from: null, to: null, why });
  if (name.landed === null) return wrong('its coverage is missing');
  const landed = pages.reduce((count, page) => count + page.fresh, 0);
  if (name.landed !== landed) return wrong(`its coverage counts ${name.landed} records, its pages ${landed}`);
  const sum = pages.reduce((total, page) => addSums(total, page.brought_sum), NO_SUM);
  if (name.records_sum !== sum) return wrong('the checksum of its records differs from the landed one');
  return name.newest_at === newest
    ? null
    : wrong(`its newest record is dated ${newest}, its coverage says ${name.newest_at}`);
};

/** The union of the proved intervals must equal the coverage, without a gap. A stream read by name proves no time. */
const coverageFault = async (db: Kysely<DB>, { name }: ListRows): Promise<Fault | null> => {
  const { rows } = await sql<{ from: string; to: string; is_gap: boolean }>`
    with proved as (
      select coalesce(range_agg(covered), '{}') as covered from land.leaves
      where entity_id = ${name.entity_id} and stream = ${name.stream} and scope = ${name.scope}
    ), recorded as (
      select covered from land.coverage where entity_id = ${name.entity_id} and stream = ${name.stream} and scope = ${name.scope}
    ), wrong as (
      select unnest((recorded.covered - proved.covered) + (proved.covered - recorded.covered)) as part, false as is_gap from recorded, proved
      union all
      select unnest(tstzmultirange(tstzrange('-infinity', coalesce(upper(covered), 'infinity'))) - covered), true from recorded
      where ${isListed(name.stream)}
    )
    select lower(part) as "from", upper(part) as "to", is_gap from wrong order by part limit 1`.execute(db);
  const [wrong] = rows;
  if (!wrong) return null;
  return {
    from: wrong.from,
    to: wrong.to,
    why: wrong.is_gap
      ? 'a gap: no interval proves this time'
      : 'the coverage and its proved intervals differ here',
  };
};
