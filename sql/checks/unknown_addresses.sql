-- Unknown addresses: of the records that a run landed, a withdrawal to a blockchain address that is in no entry of the entity's
-- address book, and a deposit on an address that is not among those of its pocket. Only where such a list was read and is not
-- empty; a line per address.
-- For: whoever watches where money goes. Of what the run landed. Severity: note.
-- What to do: make sure that the owner of the address is the intended one, and name the owner with tieout counterparties import.
--   psql -v run=<run_id> -f sql/checks/unknown_addresses.sql
with side as not materialized (
  select r.entity_id, r.record_id, s.way, s.far ->> 'currency' as currency, books_internal.address_key(s.ours ->> 'address') as address,
    lower(s.ours ->> 'pocketId') as pocket_id
  from books.records r
  cross join lateral (select r.payload::jsonb as j offset 0) as parsed
  cross join lateral (
    values ('to', j -> 'destination', j -> 'destination'), ('on', j -> 'origin', j -> 'destination')
  ) as s (way, far, ours)
  where r.request_id > (select requests_before from books_internal.unchecked_since(:'run'::uuid))
    and r.request_id > ((select by_entity from books_internal.unchecked_since(:'run'::uuid)) ->> r.entity_id)::bigint
    and r.request_id <= (select coalesce(requests_to, 9223372036854775807) from books.runs where run_id = :'run'::uuid)
    and r.stream = 'wallet-transactions' and r.outcome = 'booked'
    and lower(s.far ->> 'class') in ('blockchain', 'network') and s.ours ->> 'address' <> ''
), keeping as materialized ( -- who has an address book
  select n.entity_id from books.entities n
  where exists (select from books_internal.address_versions k where k.entity_id = n.entity_id)
), deposit as materialized (
  select entity_id, lower(pocket_id) as pocket_id, books_internal.address_key(address) as address from books.deposit_addresses
), own as materialized (
  select address from books_internal.own_addresses
), unknown as (
  select s.entity_id, s.record_id, s.currency, s.address, 'withdrawal' as way, 'is in no entry of the address book' as why
  from side s
  where s.way = 'to'
    and s.entity_id in (select n.entity_id from keeping n)
    and not exists ( -- by the index of addresses, so that the rest of the book is not read
      select from books_internal.address_versions k
      cross join lateral (
        select * from books.address_book b where (b.entity_id, b.record_id) = (k.entity_id, k.record_id) offset 0
      ) as b
      where (k.entity_id, k.address_hash) = (s.entity_id, md5(lower(s.address))) and books_internal.address_key(b.address) = s.address
      offset 0
    )
    and not exists (select from own a where a.address = s.address)
  union all
  select s.entity_id, s.record_id, s.currency, s.address, 'deposit', 'is not among the addresses of pocket ' || s.pocket_id
  from side s
  where s.way = 'on'
    and exists (select from deposit d where (d.entity_id, d.pocket_id) = (s.entity_id, s.pocket_id))
    and not exists (select from deposit d where (d.entity_id, d.pocket_id, d.address) = (s.entity_id, s.pocket_id, s.address))
)
select entity_id, 'address ' || address as subject, null as account, min(currency) as currency, null::numeric as reported,
  null::numeric as booked, null::numeric as difference,
  format('%s %s %s, which %s; the first record: wallet-transactions %s', count(*), way || case count(*) when 1 then '' else 's' end,
    case way when 'withdrawal' then 'to ' else 'on ' end || address, why, min(record_id)) as reason
from unknown
where address <> ''
group by entity_id, address, way, why
order by entity_id, subject, reason
