// What the gateway listed once and lists no longer: a pocket, a wallet. While the books hold something of it, that is a
// finding in every run; with nothing left in it, it is nobody's business.
import { sql } from 'kysely';
import type { Product } from '../src/land/balances.ts';
import { report } from '../src/run.ts';
import type { Work } from './work.ts';

type Gone = {
  readonly product: Product;
  readonly item_id: string;
  readonly last_listed_at: string;
  readonly held: string;
};

const NAMES = { trading: 'trading wallet', pocket: 'pocket', earn: 'Earn wallet' } as const;

/** Reports what of an entity is not in the last list of its product, and what its books hold. */
export const tellUnlisted = async (work: Work, entity: string): Promise<void> => {
  for (const { product, item_id, last_listed_at, held } of await goneOf(work, entity)) {
    await report(work.db, work.run, {
      entity,
      subject: `${NAMES[product]} ${item_id}`,
      detail: `was listed until ${last_listed_at} and is no longer; its books hold ${held}`,
    });
  }
};

/**
 * A pocket has an account of its own. A trading wallet is one currency of trading and bots. Earn wallets share an
 * account: what is in one is what its own movements left there.
 */
const goneOf = async (work: Work, entity: string): Promise<readonly Gone[]> => {
  const { rows } = await sql<Gone>`
    with latest as (
      select product, max(request_id) as request_id from land.snapshots where entity_id = ${entity} group by product
    ), item as (
      select s.product, case s.product when 'trading' then b.currency when 'pocket' then lower(b.item_id) else b.item_id end as item_id,
        max(s.taken_at) as last_listed_at
      from land.snapshots s join land.balances b using (entity_id, request_id)
      where s.entity_id = ${entity}
      group by 1, 2
      having max(b.request_id) < (select request_id from latest where latest.product = s.product)
    ), held as (
      select i.product, i.item_id, i.last_listed_at, b.currency, sum(b.balance) as balance
      from item i
      join books.balances b on b.entity_id = ${entity} and case i.product
        when 'pocket' then b.account = 'assets:pocket:' || i.item_id
        when 'trading' then b.account in ('assets:trading', 'assets:trading-bots') and b.currency = i.item_id
        else false end
      group by 1, 2, 3, 4
      union all
      select i.product, i.item_id, i.last_listed_at, p.currency, sum(p.amount)
      from item i
      join land.records r on (r.entity_id, r.stream, r.scope, r.version) = (${entity}, 'earn-movements', i.item_id, 1)
      join books.postings p on (p.entity_id, p.stream, p.record_id) = (r.entity_id, r.stream, r.record_id) and p.account = 'assets:earn'
      where i.product = 'earn'
      group by 1, 2, 3, 4
    )
    select product, item_id, last_listed_at, string_agg(trim_scale(balance) || ' ' || currency, ', ' order by currency collate "C") as held
    from held
    where balance <> 0
    group by product, item_id, last_listed_at
    order by product, item_id collate "C"`.execute(work.db);
  return rows;
};
