-- Named: what the wallet transactions of an entity name that is not landed yet, and what may have changed since it was: for each
-- reference stream the names to request, of pockets that are still listed first: the gateway may not know the others. An empty name is
-- the whole list. `since` is the last request whose records were looked through.
-- For: extract, once the wallet transactions of a night have landed. Ties to: books.requests, one for each list and name.
--   psql -v entity=main -v since=0 -v weekly=2026-11-15T00:00:00Z -f sql/references/named.sql
with record as (
  select record_id, payload::jsonb as j
  from land.records
  where entity_id = :'entity' and stream = 'wallet-transactions' and request_id > :'since'::bigint
), side as (
  select r.record_id, s.name as side, lower(coalesce(far ->> 'class', '')) as class, far ->> 'address' as address,
    coalesce(far ->> 'addressNetwork', far ->> 'network', near ->> 'addressNetwork') as network, near ->> 'pocketId' as pocket_id,
    books_internal.address_key(near ->> 'address') as own_address
  from record r
  cross join lateral (values ('origin', j -> 'origin', j -> 'destination'), ('destination', j -> 'destination', j -> 'origin')) as s (name, far, near)
), pocket as (
  select s.class, p.pocket_id, s.network, s.own_address
  from side s
  join land.pockets p on p.entity_id = :'entity' and lower(p.pocket_id) = lower(s.pocket_id)
  where s.side = 'origin'
), requested as (
  select stream, max(sent_at) as last_at
  from land.requests
  where entity_id = :'entity' and stream in ('address-book', 'social-pay-orders')
  group by stream
), wanted as (
  select 'address-book' as stream, '' as name
  from side s
  where s.side = 'destination' and s.class in ('blockchain', 'network') and s.address <> '' and not exists (
    select from books_internal.address_versions b -- by the index of addresses, so that the rest of the book is not read
    where (b.entity_id, b.address_hash) = (:'entity', md5(lower(s.address))) and b.payload::jsonb ->> 'address' = s.address
    offset 0
  )
  union
  select 'deposit-addresses', p.pocket_id || ' ' || p.network
  from pocket p
  where p.class in ('blockchain', 'network') and length(p.network) between 1 and 100 and ( -- it is part of a key; none is longer
    not exists ( -- a pocket may get another address
      select from land.coverage c
      where (c.entity_id, c.stream, c.scope) = (:'entity', 'deposit-addresses', p.pocket_id || ' ' || p.network)
        and upper(c.covered) >= :'weekly'::timestamptz
    ) or (p.own_address is not null and not exists (
      select from land.records b
      where (b.entity_id, b.stream, b.scope) = (:'entity', 'deposit-addresses', p.pocket_id || ' ' || p.network)
        and books_internal.address_key(b.payload::jsonb ->> 'address') = p.own_address
    ))
  )
  union
  select 'pocket-references', p.pocket_id
  from pocket p
  where p.class like 'bank%' and not exists (
    select from land.records b
    where (b.entity_id, b.stream, b.record_id) = (:'entity', 'pocket-references', p.pocket_id)
  )
  union
  select 'social-pay-orders', ''
  from record r
  where (r.j ->> 'subtype' = 'social-pay' or exists (select from side s where s.record_id = r.record_id and s.class in ('email', 'phone', 'alias')))
  union
  select 'social-pay-orders', ''
  from land.records k -- by their time: an order that waits longer is read weekly
  cross join lateral (
    select * from books.social_pay_orders s where (s.entity_id, s.record_id, s.version) = (k.entity_id, k.record_id, k.version) offset 0
  ) as o
  where (k.entity_id, k.stream, k.scope) = (:'entity', 'social-pay-orders', '') and o.status in ('waiting-funds', 'pending')
    and (k.record_at >= :'weekly'::timestamptz - interval '120 days' or k.record_at is null)
  union
  select 'loan-orders', ''
  from record r
  where (r.j ->> 'subtype' ~* 'loan' or exists (select from side s where s.record_id = r.record_id and s.class in ('loan', 'guarantee')))
  union
  select 'teller-orders', l.payload::jsonb #>> '{fee,teller,id}'
  from books_internal.not_final n
  join books_internal.latest_records l using (entity_id, stream, record_id, version)
  where n.entity_id = :'entity' and l.payload::jsonb #>> '{fee,teller,id}' <> ''
  union
  select 'teller-orders', r.j #>> '{fee,teller,id}'
  from record r
  where r.j ->> 'status' not in ('completed') and r.j #>> '{fee,teller,id}' <> ''
  union
  select s.stream, ''
  from unnest('{address-book,social-pay-orders}'::text[]) as s (stream)
  left join requested last using (stream)
  where last.last_at < :'weekly'::timestamptz or (last.last_at is null and :'since'::bigint = 0)
)
select stream, name
from wanted
order by stream, stream in ('deposit-addresses', 'pocket-references')
  and not books_internal.is_listed(:'entity', 'pocket', lower(split_part(name, ' ', 1))), name;
