-- News: for each kind of row that reports show by date, whether some were written after a given number, and the earliest instant
-- that they concern: no month that ended before it can show them.
-- For: the nightly, which writes a month again only if something that it shows changed. Ties to: books.entries, books.records,
-- books.rates, books.clearing_matches, books.own_transfers. Numbers are in the order of writing; each kind is found by the
-- index on its number, so that a night without news reads nothing. A reversal concerns the instant of the entry that it reverses,
-- a changed record that of the version before too: the month that it leaves shows it no more.
-- addresses are the versions in the address books, which concern the entries of transfers with their address. inbox: records that no
-- rule has decided yet; those of other lists than the four that move money are never shown.
--   psql -v entry=120 -v request=340 -v pair=12 -v transfer=3 -f sql/export/news.sql
select 'entries' as kind, max(e.entry_number) as newest, min(least(e.effective_at, e.posted_at, o.effective_at)) as first_at
from books.entries e
left join ledger.entries o on (o.entity_id, o.entry_id) = (e.entity_id, e.reverses)
where e.entry_number > :'entry'::bigint
union all
select 'records', max(r.request_id), min(least(coalesce(r.record_at, r.landed_at), case when r.version > 1 then (
  select before.record_at from land.records before
  where (before.entity_id, before.stream, before.record_id, before.version) = (r.entity_id, r.stream, r.record_id, r.version - 1)
) end))
from land.records r
where r.request_id > :'request'::bigint and r.stream in (select stream from books_internal.streams)
union all
select 'addresses', max(book.newest), min(book.first_at)
from run.entities n
cross join lateral (
  select (
    select max(a.request_id) from books_internal.address_versions a where a.entity_id = n.entity_id
  ) as newest, (
    select min(e.effective_at) from books_internal.named_by_book(n.entity_id, :'request'::bigint) e
  ) as first_at
) as book
where book.newest > :'request'::bigint
union all
select 'rates', max(r.request_id), min(r.at) from land.rates r where r.request_id > :'request'::bigint
union all
select 'pairs', max(m.position), min(least(m.debit_at, m.credit_at))
from reconcile.clearing_matches m
where m.position > :'pair'::bigint
union all
select 'transfers', max(o.position), min(least(o.from_at, o.to_at))
from reconcile.own_transfers o
where o.position > :'transfer'::bigint
union all
select 'inbox', max(r.request_id), min(coalesce(r.record_at, r.landed_at))
from land.inbox i
join land.records r using (entity_id, stream, record_id, version)
where i.stream in (select stream from books_internal.streams);
