-- Explained: for each list that moves no money, the number of records that it explains, and of the same kind those that nothing
-- explains.
-- For: the analyst who wonders what the lists are good for; the operator, where one is missing. Ties to: books.explanations. An Earn
-- movement that names its pocket is explained by its wallet transaction.
--   psql -f sql/cookbook/explained.sql
with explained as materialized (
  select distinct entity_id, stream, record_id, by_stream from books.explanations
), kind (entity_id, stream, record_id, kind) as (
  select entity_id, 'wallet-transactions', record_id, side.kind
  from books.wallet_transactions
  cross join lateral (values
    ('sent on a chain', destination_address <> '' and coalesce(destination_pocket_id, '') = ''),
    ('received on a chain', lower(origin_class) in ('blockchain', 'network') and destination_pocket_id <> ''),
    ('social pay', subtype = 'social-pay' or lower(origin_class) in ('email', 'phone', 'alias')
      or lower(destination_class) in ('email', 'phone', 'alias')),
    ('teller order, not final', fee_teller_id <> '' and outcome = 'set aside: not-final'),
    ('received from a bank', lower(origin_class) like 'bank%' and destination_pocket_id <> '')
  ) as side (kind, applies)
  where side.applies
  union all
  select entity_id, 'trades', record_id, 'trade' from books.trades
  union all
  select entity_id, 'earn-movements', record_id, 'Earn transfer' from books.earn_movements where lower(type) in ('deposit', 'withdrawal')
), list (by_stream, kind) as (
  values ('address-book', 'sent on a chain'), ('deposit-addresses', 'sent on a chain'), ('deposit-addresses', 'received on a chain'),
    ('social-pay-orders', 'social pay'), ('teller-orders', 'teller order, not final'), ('pocket-references', 'received from a bank'),
    ('trading-orders', 'trade'), ('wallet-transactions', 'Earn transfer')
)
select k.entity_id, l.by_stream, k.kind, count(x.record_id) as explained, count(*) filter (where a.record_id is null) as unexplained
from kind k
join list l using (kind)
left join explained x using (entity_id, stream, record_id, by_stream)
left join (select distinct entity_id, stream, record_id from explained) as a using (entity_id, stream, record_id)
group by k.entity_id, l.by_stream, k.kind
order by k.entity_id collate "C", l.by_stream collate "C", k.kind collate "C";
