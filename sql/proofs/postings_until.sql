-- Postings until an entry: per entity, how many there are, and the sum of a digest of each. Equal sums mean equal postings.
-- For: verify report, which adds up the postings of a lake the same way in DuckDB. Ties to: books.postings.
--   psql -v last=1000 -v first_month= -v last_month=9999-12 -v entity= -f sql/proofs/postings_until.sql
select entity_id, count(*)::text as postings,
  sum(('x' || left(md5(concat_ws('|', entry_id, leg, account, currency, round(amount, 18), kind, stream, record_id, period,
    (extract(epoch from effective_at) * 1000000)::bigint, (extract(epoch from recorded_at) * 1000000)::bigint)), 15))::bit(60)::bigint)::text
    as digest
from books.postings
where entry_number <= :'last'::bigint and period between :'first_month' and :'last_month'
  and books_internal.is_chosen(entity_id, :'entity')
group by entity_id
order by entity_id collate "C";
