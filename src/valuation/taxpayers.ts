// Taxpayers: the entities that share lots, their reporting currency and their cost method, by their profiles.
import { type Kysely, sql } from 'kysely';
import { type LotRules, lotRulesOf } from '../approvals/approvals.ts';
import type { DB } from '../database/db-types.ts';
import { ALWAYS } from './event.ts';
import type { Method } from './pool.ts';

export type Taxpayer = {
  readonly name: string;
  readonly entities: readonly string[];
  readonly currency: string;
  readonly method: Method;
  readonly rules: LotRules;
  /** The rules in one form, as the profile has them. */
  readonly rulesText: string;
  /** The month, 1 to 12, in which the fiscal years of each entity begin. */
  readonly yearStarts: ReadonlyMap<string, number>;
  /** The last closed month of any of its entities, whose values never change. Empty if there is none. */
  readonly closed: string;
};

/** The methods that a profile may choose. */
const METHODS: readonly Method[] = ['fifo', 'average', 'hifo', 'specific'];

type TaxpayerRow = {
  taxpayer: string;
  entities: string[];
  currency: string;
  method: string;
  lot_rules: string | null;
  year_starts: string[];
  closed: string | null;
  closed_method: string | null;
};

/** Every taxpayer of the books. The cost method of closed months stays, whatever is set later. */
export const taxpayers = async (db: Kysely<DB>, currency: string): Promise<Taxpayer[]> => {
  const { rows } = await sql<TaxpayerRow>`
    with payer as (
      select p.taxpayer, array_agg(p.entity_id order by p.entity_id collate "C") as entities,
        array_agg(coalesce(p.fiscal_year_start, 1)::text order by p.entity_id collate "C") as year_starts,
        coalesce(min(p.currency), ${currency}) as currency, min(p.cost_method) as method, min(p.lot_rules) as lot_rules, max(c.through) as closed
      from books.profiles p
      left join books_internal.closed_through c using (entity_id)
      group by 1
    )
    select payer.*, (
      select l.method from value.lots l
      where l.taxpayer = payer.taxpayer and l.period <= payer.closed and l.period > ${ALWAYS} limit 1
    ) as closed_method
    from payer
    order by taxpayer collate "C"`.execute(db);
  return rows.map(
    ({
      taxpayer: name,
      entities,
      year_starts,
      currency: reporting,
      method,
      lot_rules,
      closed,
      closed_method,
    }) => ({
      name,
      entities,
      yearStarts: new Map(entities.map((entity, i) => [entity, Number.parseInt(year_starts[i] ?? '1', 10)])),
      currency: reporting,
      closed: closed ?? '',
      method: METHODS.find((known) => known === (closed_method ?? method)) ?? 'fifo',
      rules: lotRulesOf(lot_rules),
      rulesText: lot_rules ?? '',
    }),
  );
};
