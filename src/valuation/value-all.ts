// Values all entries after booking, and reports once per kind what could not be valued.
import { sql } from 'kysely';
import { counted } from '../base/counted.ts';
import { report } from '../run/run.ts';
import type { Work } from '../run/work.ts';
import { type DeriveOptions, derive } from './valuation.ts';

/** Updates all values, and reports the findings of open months. Notes stay in books.value_findings only. */
export const valueAll = async (work: Work): Promise<void> => {
  await deriveAll(work);
  await reportValues(work);
};

/** Postgres stores a batch of one taxpayer while another's is valued; more would only hold more lots in memory. */
export const TAXPAYERS_AT_ONCE = 2;

/**
 * Updates all values, or those of the months before one. Reports nothing, so that it may run beside what does, and findings stay in
 * one order.
 */
export const deriveAll = async (
  work: Work,
  { before, atOnce = 1 }: Pick<DeriveOptions, 'before' | 'atOnce'> = {},
): Promise<void> => {
  const { timezone, currency } = work.config;
  const onBatch = ({ taxpayer, entries }: { taxpayer: string; entries: number }) =>
    work.tell({ event: 'valuing', taxpayer, entries });
  for (const derived of await derive(work.db, { timezone, currency }, { onBatch, before, atOnce }))
    work.tell({ event: 'valued', ...derived });
};

type FindingCount = { entity: string; kind: string; count: number; detail: string };

/** Reports the findings of open months, as they were valued last, and the externally held lots without a cost. */
export const reportValues = async (work: Pick<Work, 'db' | 'run'>): Promise<void> => {
  await reportFindings(work);
  await reportUnpricedLots(work);
};

const reportFindings = async ({ db, run }: Pick<Work, 'db' | 'run'>): Promise<void> => {
  const { rows } = await sql<FindingCount>`
    select f.entity_id as entity, f.kind, count(*)::int as count,
      (array_agg(f.detail order by f.entry_id, f.finding))[1] as detail
    from books.value_findings f
    left join books_internal.closed_through c using (entity_id)
    where f.period > coalesce(c.through, '') and f.severity = 'finding'
    group by 1, 2 order by 1, 2`.execute(db);
  for (const { entity, kind, count, detail } of rows)
    await report(db, run, {
      entity,
      subject: 'values',
      detail: `${count} ${kind}, the first: ${detail} (books.value_findings has all)`,
    });
};

type UnpricedLots = { entity: string; count: number; first: string };

/** An externally held lot has no entry that a value finding could name. Once its month is closed, a rate that comes later changes nothing. */
const reportUnpricedLots = async ({ db, run }: Pick<Work, 'db' | 'run'>): Promise<void> => {
  const { rows } = await sql<UnpricedLots>`
    select o.entity_id as entity, count(*)::int as count, (array_agg(
      format('lot external/%s cost %s %s, which has no rate on %s', o.lot_number, trim_scale(o.cost), o.cost_currency, o.acquired_on)
      order by o.lot_number))[1] as first
    from decide.external_lots o
    join value.lots l on (l.entity_id, l.lot_id) = (o.entity_id, 'external/' || o.lot_number)
    left join books_internal.closed_through c on c.entity_id = o.entity_id
    where l.cost is null and l.period > coalesce(c.through, '')
    group by 1 order by 1`.execute(db);
  for (const { entity, count, first } of rows)
    await report(db, run, {
      entity,
      subject: 'lots',
      detail: `${counted(count, 'externally held lot')} without a cost, the first: ${first}: import that rate before you close the month (npx tieout rates import)`,
    });
};
