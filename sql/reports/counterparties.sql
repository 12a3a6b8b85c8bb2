-- Counterparties: amounts received from and sent to each in the period, unknown ones first. The column
-- in is what we received, out what we sent; a reversal is negative on the side of the entry that it reverses.
-- For: month-end close, tax. Ties to: trial_balance, accounts equity:external:*: out - in = debit - credit.
--   psql -v from=2026-10-01T00:00:00Z -v to=2026-11-01T00:00:00Z -v by=posted_at -v entity= --csv -f sql/reports/counterparties.sql
with posting as (
  select o.*, (o.amount > 0) = (o.kind <> 'reversal') as is_out, books_internal.posting_date(o.belongs_to, :'by', o.effective_at, o.posted_at) as counted_at
  from books.outside o
  where books_internal.is_chosen(o.entity_id, :'entity')
)
select entity_id, nature, counterparty, account, currency,
  trim_scale(coalesce(-sum(amount) filter (where not is_out), 0)) as "in",
  trim_scale(coalesce(sum(amount) filter (where is_out), 0)) as "out", count(distinct (stream, record_id)) as records
from posting
where counted_at >= :'from'::timestamptz and counted_at < :'to'::timestamptz
group by 1, 2, 3, 4, 5
order by entity_id collate "C", nature <> 'unknown', nature collate "C", counterparty collate "C", account collate "C",
  currency collate "C";
