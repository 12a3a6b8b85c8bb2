// Causes: which record a difference may come from. A bounded look at the records of the account; "unexplained" is an
// answer too.
import { type Kysely, sql } from 'kysely';
import type { DB } from '../db-types.ts';
import { negate } from '../money.ts';

export type Difference = {
  readonly entity: string;
  readonly account: string;
  readonly currency: string;
  readonly difference: string;
};

/** One sentence with the records that may explain a difference, the likeliest cause first. */
export const causeOf = async (db: Kysely<DB>, about: Difference): Promise<string> =>
  (await rejected(db, about)) ??
  (await twins(db, about)) ??
  (await tooMany(db, about)) ??
  (await oneMissing(about));

/** A record that no rule accepted carries the amount and names the account. */
const rejected = async (
  db: Kysely<DB>,
  { entity, account, currency, difference }: Difference,
): Promise<string | null> => {
  const pocket = account.startsWith('assets:pocket:') ? account.slice('assets:pocket:'.length) : null;
  const { rows } = await sql<{ name: string; reason: string; has_amount: boolean }>`
    select stream || ' ' || record_id as name, reason,
      payload like '%"' || trim_scale(abs(${difference}::numeric)) || '%' as has_amount
    from books.rejects
    where entity_id = ${entity} and decision is distinct from 'settled' and stream = any(${streamsOf(account)}::text[])
      and payload like '%"' || ${currency} || '"%' and (${pocket}::text is null or lower(payload) like '%' || ${pocket} || '%')
    order by has_amount desc, stream, record_id limit 4`.execute(db);
  if (rows.length === 0) return null;
  const likely = rows[0]?.has_amount ? rows.filter((row) => row.has_amount) : rows;
  const names = likely.slice(0, 3).map(({ name, reason }) => `${name} (${reason})`);
  return `rejected and so not booked: ${names.join('; ')}; difference ${difference} ${currency}`;
};

const streamsOf = (account: string): string[] => {
  if (account === 'assets:trading') return ['movements', 'trades'];
  return account === 'assets:earn' ? ['earn-movements'] : ['wallet-transactions'];
};

/** Two fills alike in all but their id, one of which makes up the difference. */
const twins = async (
  db: Kysely<DB>,
  { entity, account, currency, difference }: Difference,
): Promise<string | null> => {
  if (account !== 'assets:trading') return null;
  const { rows } = await sql<{ one: string; other: string }>`
    with fill as materialized ( -- each payload is read once, not once for each other fill
      select record_id, order_id, symbol, side, price, amount, cost, created_at
      from books.trades where entity_id = ${entity}
    ), twin as materialized ( -- few, and only they are looked up in the ledger
      select min(record_id) as one, max(record_id) as other
      from fill
      group by order_id, symbol, side, price, amount, cost, created_at
      having count(*) > 1
    )
    select one, other
    from twin
    where (
      select sum(p.amount) from books.postings p
      where p.entity_id = ${entity} and p.stream = 'trades' and p.record_id = twin.other and p.account = ${account} and p.currency = ${currency}
    ) = ${negate(difference)}::numeric
    order by 1, 2 limit 1`.execute(db);
  return rows[0] ? `trades ${rows[0].one} and ${rows[0].other} look like one fill under two ids` : null;
};

/** A booked record that would make the account tie, were it not there. */
const tooMany = async (
  db: Kysely<DB>,
  { entity, account, currency, difference }: Difference,
): Promise<string | null> => {
  const { rows } = await sql<{ name: string }>`
    select stream || ' ' || record_id as name from books.postings
    where entity_id = ${entity} and account = ${account} and currency = ${currency}
    group by stream, record_id having sum(amount) = ${negate(difference)}::numeric
    order by max(effective_at) desc, 1 limit 3`.execute(db);
  if (rows.length === 0) return null;
  return `booked but perhaps not in the balance: ${rows.map((row) => row.name).join(', or ')}`;
};

const oneMissing = async ({ account, currency, difference }: Difference): Promise<string> =>
  `no record at hand explains ${difference} ${currency} on ${account}: a record of that amount may never have been listed`;
