-- What books in several databases compare: what the records of the one name and the other owns, and the state of each.
-- For: tieout consolidate, the manifest of a lake.
--   psql -f sql/views/41-other-databases.sql

-- The moves onto chains and from them whose record has a hash, as that with currency and amount: one transaction may pay several. Like
-- pairs, by either amount of two, of which one may include the fee.
create view books_internal.hashed_moves as
select n.entity_id, m.record_id, m.amount > 0 as is_sent, concat_ws(' ', m.hash, m.currency, moved.amount) as name
from run.entities n
cross join lateral books_internal.outside_moves(n.entity_id, '-infinity', 'infinity') m
cross join lateral (select abs(m.amount) union select trim_scale(m.pocketed)) as moved (amount)
where m.is_chain and m.hash is not null and m.cancelled_at is null;

-- What our wallet transactions name, and what names our entities: a pocket in small letters, a user, an address on a chain, unless a tag
-- or a second entity shows that others share it, the transaction of a chain that one sent and the other received, or a social-pay order,
-- which its sender and its recipient list under one id. Books in several databases compare the two, because a transfer between their
-- entities would be paired in neither.
create view books_internal.far_names as
select r.entity_id, r.stream, r.record_id, far_name.name
from land.records r
cross join (values ('origin'), ('destination')) as side (name)
cross join lateral (select r.payload::jsonb -> side.name as far offset 0) as far_side
cross join lateral (
  values (lower(far ->> 'pocketId')), (far ->> 'userId'),
    (case when side.name = 'destination' and coalesce(far ->> 'addressTag', '') = '' then books_internal.address_key(far ->> 'address') end)
) as far_name (name)
where r.stream = 'wallet-transactions' and far_name.name is not null
union all
select h.entity_id, 'wallet-transactions', h.record_id, h.name from books_internal.hashed_moves h where h.is_sent
union all
select o.entity_id, 'social-pay-orders', o.record_id, o.record_id from books.social_pay_orders o where o.status = 'accepted';

-- is_account: a pocket or a user, which belong to one account of the gateway alone: two entities that share it are that account twice.
create view books_internal.own_names as
select p.entity_id, lower(p.pocket_id) as name, true as is_account from land.pockets p
union
select n.entity_id, usr.name, true
from run.entities n
cross join lateral (values (n.gateway_user_id), (n.subaccount_id)) as usr (name)
where usr.name is not null
union
select min(a.entity_id), a.address, false from books_internal.own_addresses a
where a.address is not null
group by a.address
having count(distinct a.entity_id) = 1
union
select h.entity_id, h.name, false from books_internal.hashed_moves h where not h.is_sent
union
select l.entity_id, l.record_id, false from books_internal.latest_records l where l.stream = 'social-pay-orders';

-- Equal rows mean equal books: the last link of each chain of digests; and without a link, because none covers what they brought
-- yet, the last request to the webhook and each run that has not ended.
create view books_internal.book_state as
select l.entity_id, l.table_name, l.part, l.link_number::bigint as number, l.link
from run.links l
where not exists (
  select from run.links later
  where (later.table_name, later.entity_id, later.part) = (l.table_name, l.entity_id, l.part) and later.link_number > l.link_number
)
union all
select a.entity_id, 'land.authorizations', '', max(a.delivery_number), null from land.authorizations a group by a.entity_id
union all
select '', 'run.runs', '', r.run_number, null from run.runs r where r.finished_at is null;
