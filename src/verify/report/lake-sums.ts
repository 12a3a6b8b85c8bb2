// What the postings of a lake add up to: the control totals of its manifest, each entry, and the balances.
import { type Atto, attoText } from '../../base/money.ts';
import type { LakeRow, OpenLake } from '../../export/contents.ts';
import type { LakeManifest } from '../../export/reports/manifest.ts';
import { type Proof, proofFrom } from '../proof.ts';
import { CLASSES, faultsOfSums } from './totals.ts';

/** When a posting counts in sql/export/control_totals.sql. */
const COUNTED = 'greatest(effective_at, posted_at)';

const movedSql = ({ from, to }: LakeManifest): string => `
  select currency, case when amount::varchar like '-%' then 'credit' else 'debit' end as side,
    abs(units(amount)) as whole, abs(decimals(amount)) as rest
  from books.postings
  where ${COUNTED} >= '${from}'::timestamptz and ${COUNTED} < '${to}'::timestamptz`;

/** The fiscal year of `from` per entity; income and expenses of earlier ones are equity. */
const closingSql = ({ from, to }: LakeManifest): string => `
  with year as (
    select entity_id, coalesce(timezone, 'UTC') as zone, coalesce(fiscal_year_start, 1)::integer - 1 as months from books.entities
  ), start as (
    select entity_id, timezone(zone,
      date_trunc('year', date_trunc('month', timezone(zone, '${from}'::timestamptz)) - to_months(months)) + to_months(months)) as starts_at
    from year
  )
  select p.currency, case when split_part(p.account, ':', 1) in ('income', 'expenses') and ${COUNTED} < s.starts_at then 'equity'
    else split_part(p.account, ':', 1) end as side, units(p.amount) as whole, decimals(p.amount) as rest
  from books.postings p
  join start s using (entity_id)
  where ${COUNTED} < '${to}'::timestamptz`;

/** A sentence for each total of debits or credits that the postings of the period do not sum to. */
export const movedProof = async (lake: OpenLake, manifest: LakeManifest): Promise<Proof> => {
  const proof = 'debits and credits of the control totals are those of the files';
  const reason = manifest.lake.has_all_months ? null : await otherTimezone(lake, manifest);
  if (reason !== null) return { ...proofFrom(proof, 0, []), unexamined: reason };
  const stated = manifest.control_totals.flatMap(({ currency, debit, credit }) => [
    [`${currency} debit`, debit] as const,
    [`${currency} credit`, credit] as const,
  ]);
  return totalsProof(lake, { proof, sql: movedSql(manifest), stated });
};

/** A sentence for each closing balance that all postings until the end of the period do not sum to. */
export const closingProof = async (lake: OpenLake, manifest: LakeManifest): Promise<Proof> => {
  const proof = 'closing balances of the control totals are those of the files';
  if (!manifest.lake.has_all_months) return partOnly(proof, manifest);
  const stated = manifest.control_totals.flatMap(({ currency, closing }) =>
    CLASSES.map((side) => [`${currency} ${side}`, closing[side]] as const),
  );
  return totalsProof(lake, { proof, sql: closingSql(manifest), stated });
};

type Totals = {
  readonly proof: string;
  readonly sql: string;
  readonly stated: readonly (readonly [key: string, amount: string])[];
};

const totalsProof = async (lake: OpenLake, { proof, sql, stated }: Totals): Promise<Proof> => {
  const rows = await lake.rows(
    `select currency, side, sum(whole) as whole, sum(rest) as rest from (${sql}) group by all`,
  );
  const sums = new Map(rows.map((row) => [`${row.currency} ${row.side}`, attoText(attoIn(row))]));
  return proofFrom(proof, stated.length, faultsOfSums(sums, new Map(stated), totalFault));
};

const partOnly = (proof: string, { period }: LakeManifest): Proof => ({
  ...proofFrom(proof, 0, []),
  unexamined: `the lake has the postings of ${period} alone`,
});

/** A month of the folders is cut in the timezone of its entity, the period in that of the manifest. */
const otherTimezone = async ({ rows }: OpenLake, { timezone }: LakeManifest): Promise<string | null> => {
  const [found] = await rows(
    `select min(entity_id) as entity_id, min_by(timezone, entity_id) as timezone from books.entities
      where timezone <> '${timezone.replaceAll("'", "''")}'`,
  );
  return found?.entity_id == null
    ? null
    : `the months of ${found.entity_id} are cut in ${found.timezone}, the period in ${timezone}`;
};

const totalFault = (key: string, found: string, expected: string): string =>
  `${key}: the manifest says ${expected}, the files sum to ${found}`;

/** A sentence if an entry's debits and credits differ in a currency. */
export const entryProof = (lake: OpenLake): Promise<Proof> =>
  zeroProof(lake, {
    proof: 'each entry balances in each currency',
    groups: `select concat_ws(' ', 'entry', entry_id, 'of', entity_id, 'in', currency) as place, units(amount) as whole,
      decimals(amount) as rest from books.postings`,
    fault: (place, sum) => `${place}: its postings sum to ${sum}, expected 0`,
  });

/** A sentence if a balance is not the sum of its postings; some months alone have no balances. */
export const balanceProof = async (lake: OpenLake, manifest: LakeManifest): Promise<Proof> => {
  const proof = 'balances are the sums of the postings';
  if (!manifest.lake.has_all_months) return partOnly(proof, manifest);
  return zeroProof(lake, {
    proof,
    groups: `select concat_ws(' ', account, currency, 'of', entity_id) as place, units(amount) as whole, decimals(amount) as rest
      from books.postings union all
      select concat_ws(' ', account, currency, 'of', entity_id), -units(balance), -decimals(balance) from books.balances`,
    fault: (place, sum) => `${place}: its postings less its balance are ${sum}, expected 0`,
  });
};

type ZeroSums = {
  readonly proof: string;
  /** Rows of a place, a whole amount and its decimals; those of each place must sum to zero. */
  readonly groups: string;
  readonly fault: (place: string, sum: string) => string;
};

const zeroProof = async (lake: OpenLake, { proof, groups, fault }: ZeroSums): Promise<Proof> => {
  const [row] = await lake.rows(`
    select count(*) as checked, count(*) filter (where is_off) as faults, min(place) filter (where is_off) as place,
      min_by(whole, place) filter (where is_off) as whole, min_by(rest, place) filter (where is_off) as rest
    from (select place, sum(whole) as whole, sum(rest) as rest, not is_zero(sum(whole), sum(rest)) as is_off
      from (${groups}) group by place)`);
  const { checked, faults, place } = row ?? {};
  const first = row && place != null ? fault(place, attoText(attoIn(row))) : null;
  return { proof, checked: checked ?? '0', faults: faults ?? '0', first };
};

const UNIT = 10n ** 18n;
const attoIn = ({ whole, rest }: LakeRow): Atto => BigInt(whole ?? '0') * UNIT + BigInt(rest ?? '0');
